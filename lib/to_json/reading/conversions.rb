# frozen_string_literal: true

# Layer: reading. Generates the expression that converts the value `v` of a document to the value
# that is assigned.

module ToJson
  module Reading
    # @api private
    module Conversions
      # Kinds to which models of ActiveRecord cast values themselves. `permit` and `expect` do not
      # convert such values.
      CAST_BY_MODELS = %i[string integer float boolean date decimal].freeze
      # Ruby compares with these bounds without a call. The Session checks larger numbers.
      INTEGER = "(Integer === v && v < #{10**18} && v > #{-(10**18)})"
      # For each kind, the values that need no conversion. Generated code tests for them itself.
      PLAIN = {
        scalar: "String === v || #{INTEGER} || nil == v || true == v || false == v",
        string: "String === v || nil == v",
        integer: "#{INTEGER} || nil == v",
        float: "(Float === v && v.finite?) || nil == v",
        boolean: "true == v || false == v || nil == v"
      }.freeze
      # The same for all other kinds.
      NIL = "nil == v"
      private_constant :CAST_BY_MODELS, :INTEGER, :PLAIN, :NIL

      class << self
        # @param field [Field] a writable attribute
        # @param key [String] an expression
        # @param mode [Symbol] `:values` or `:params`
        # @param time [Symbol, String] how the Rules of the class write times
        # @param constants [Compiler::Constants]
        # @return [String] an expression
        def of(field, key, mode, time, constants)
          choices = field.writable[:in]
          return choice(choices, key, constants) if choices

          as = field.writable.fetch(:as) { field.as }
          return decoded(as, key, constants) unless as.nil? || as.is_a?(Symbol)

          format = field.format || time if as == :time
          plain = mode == :params && (CAST_BY_MODELS.include?(as) || cast_time?(as, format))
          named(plain ? :scalar : KINDS.fetch(as, as), key, format)
        end

        # The expression for an id of JSON:API, which is text in documents.
        def identity(field, key)
          as = field.writable.fetch(:as) { field.as }
          "r.#{as == :integer ? "integer_text" : "identity"}(v, #{key})"
        end

        private

        KINDS = { nil => :scalar, any: :whole }.freeze
        private_constant :KINDS

        def cast_time?(as, format) = as == :time && [nil, :iso8601, :utc].include?(format)

        # The libraries that kinds need. Only the main Ractor can load files; this code runs there.
        LIBRARIES = { decimal: "bigdecimal", date: "date" }.freeze
        private_constant :LIBRARIES

        def named(kind, key, format)
          library = kind == :time && String === format ? "date" : LIBRARIES[kind]
          FirstUse.uninterrupted { require library } if library
          more = ", #{format.inspect}" if kind == :time
          "#{PLAIN.fetch(kind, NIL)} ? v : r.#{kind}(v, #{key}#{more})"
        end

        def choice(choices, key, constants)
          "nil == v ? v : r.choice(v, #{key}, #{constants.name("CHOICES", choices)})"
        end

        def decoded(as, key, constants)
          word = as.respond_to?(:decode) ? "decode" : "call"
          "nil == v ? v : r.#{word}(v, #{key}, #{constants.name("DECODER", as)})"
        end
      end
    end
  end
end
