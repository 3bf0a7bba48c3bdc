# frozen_string_literal: true

# Layer: dialects. The dialects :oj and :oj_strict: how deep Oj goes, and what it raises.

module ToJson
  module Dialects
    # Its native half is ext/to_json/dialects/dialect_oj.c.
    # @api private
    module Oj
      extend Own

      # In mode :strict the innermost one may stand empty.
      DEFAULTS = Ractor.make_shareable({ oj: { max_depth: 1000 }, oj_strict: { max_depth: 1001 } })
      private_constant :DEFAULTS

      class << self
        def defaults(name) = DEFAULTS.fetch(name)

        # Mode :compat raises what json does; :strict has no errors of its own.
        def error_class(name, klass)
          return Json.error_class(name, klass) if name == :oj

          if klass <= ToJson::NestingError then ::NoMemoryError
          elsif klass <= ToJson::UnsupportedTypeError then ::TypeError
          else klass
          end
        end
      end
    end
  end
end
