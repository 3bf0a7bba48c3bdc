# frozen_string_literal: true

# Layer: testing. Checks a document against the JSON Schema of its serializer.

module ToJson
  module Testing
    # Knows the words of JSON Schema that {Declarations#json_schema} uses.
    # @api private
    class SchemaCheck
      TYPES = {
        "object" => ->(value) { Hash === value }, "array" => ->(value) { Array === value },
        "string" => ->(value) { String === value }, "null" => lambda(&:nil?),
        "number" => ->(value) { Numeric === value },
        "integer" => ->(value) {
 Integer === value || (Float === value && value.finite? && (value % 1).zero?) },
        "boolean" => ->(value) { true == value || false == value }
      }.freeze
      FORMATS = {
        "date" => /\A-?\d{4,}-\d\d-\d\d\z/,
        "date-time" => /\A-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)\z/
      }.freeze
      WORDS = %w[$schema title $defs $ref type properties required additionalProperties items anyOf
                 const format].freeze
      private_constant :TYPES, :FORMATS, :WORDS

      class << self
        # @param serializer_class [Class]
        # @param document [Object] parsed
        # @param keywords of {Declarations#json_schema}
        # @return [String, nil] the first problem, with its path
        def of(serializer_class, document, **keywords)
          Subject.check_class(serializer_class)
          unless keywords.key?(:collection)
            keywords[:collection] = many?(serializer_class, document, keywords[:root])
          end
          new(serializer_class.json_schema(**keywords)).problem(document)
        end

        private

        def many?(serializer_class, document, root)
          roots = serializer_class.definition.root
          roots = Envelope.roots(serializer_class, root) unless root.nil?
          return Array === document unless roots&.first

          Hash === document && roots.any? { |key| Array === document[key.name] }
        end
      end

      # @param schema [Hash]
      def initialize(schema)
        @schema = schema
      end

      # @return [String, nil]
      def problem(document) = check("$", @schema, document)

      private

      def check(path, schema, value)
        unknown = schema.keys - WORDS
        raise Error,
              "the schema has #{unknown.first}, which this check does not know" if unknown.any?

        schema = @schema.dig("$defs", schema["$ref"].delete_prefix("#/$defs/")) if schema["$ref"]
        of_type(path, schema,
                value) || of_any(path, schema, value) || of_value(path, schema, value) ||
          inside(path, schema, value)
      end

      def of_type(path, schema, value)
        types = Array(schema["type"])
        return if types.empty? || types.any? { |type| TYPES.fetch(type).call(value) }

        differs(path, types.join(" or "), value)
      end

      # The problem of the form that the value comes nearest to: the deepest one.
      def of_any(path, schema, value)
        forms = schema["anyOf"] or return
        problems = forms.map { |form| check(path, form, value) }
        problems.max_by { |problem| problem[/\A.*?: /].size } unless problems.any?(&:nil?)
      end

      def of_value(path, schema, value)
        if schema.key?("const") && schema["const"] != value
          return differs(path, Difference.shown(schema["const"]), value)
        end
        format = schema["format"]
        return unless format && String === value && !FORMATS.fetch(format).match?(value)

        differs(path, "a #{format}", value)
      end

      def differs(path, words, value)
        "#{path}: expected #{words}, got #{Difference.shown(value)}."
      end

      def inside(path, schema, value)
        case value
        when Hash then schema["properties"] && of_object(path, schema, value)
        when Array then schema["items"] && of_list(path, schema["items"], value)
        end
      end

      def of_object(path, schema, value)
        pairs = schema["properties"]
        missing = schema.fetch("required", []).find { |key| !value.key?(key) }
        return "#{Difference.below(path, missing)}: missing, but required." if missing

        value.each do |key, inner|
          below = Difference.below(path, key)
          if pairs.key?(key) then problem = check(below, pairs[key], inner)
          elsif schema["additionalProperties"] == false
            problem = "#{below}: not declared, got #{Difference.shown(inner)}."
          end
          return problem if problem
        end
        nil
      end

      def of_list(path, items, values)
        values.each_with_index do |value, index|
          problem = check(Difference.below(path, index), items, value)
          return problem if problem
        end
        nil
      end
    end
    private_constant :SchemaCheck
  end
end
