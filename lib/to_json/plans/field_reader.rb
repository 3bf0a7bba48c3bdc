# frozen_string_literal: true

# Layer: plans. Compiles the field list of a `put_fields` to Ruby without a loop. So each field is
# read through an inline cache of its own, and one C call takes all values.

module ToJson
  # @api private
  module FieldReader
    # Names that can be called as `o.name`. All other names, also those with quotes or newlines, are
    # called by public_send with the Symbol as `inspect` writes it, so they cannot inject code.
    CALLABLE = /\A[A-Za-z_][A-Za-z0-9_]*[?!]?\z/

    # Makes a module with the method `read(writer, plan, object)`.
    #
    # @param sources [Array<Symbol>] the methods to call, in order
    # @return [Module]
    def self.build(sources)
      values = sources.map do |source|
        CALLABLE.match?(source) ? "o.#{source}" : "o.public_send(#{source.inspect})"
      end
      Module.new.tap do |reader|
        reader.singleton_class.class_eval(<<~RUBY, __FILE__, __LINE__ + 1)
          def read(w, p, o) = w.emit(p, #{values.join(", ")})
        RUBY
      end
    end
  end
end
