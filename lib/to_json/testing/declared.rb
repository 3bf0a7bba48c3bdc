# frozen_string_literal: true

# Layer: testing. Compares what a serializer class declares with what was expected.

module ToJson
  module Testing
    # @api private
    class Declared
      ASSOCIATIONS = %i[one many any flatten].freeze
      # Stands for an association whose serializer is not compared.
      ANY = Object.new.freeze
      private_constant :ASSOCIATIONS

      # @param serializer_class [Class]
      # @param view [Symbol, String, Array<Symbol, String>, nil]
      # @raise [ArgumentError, UnknownViewError]
      def initialize(serializer_class, view = nil)
        Subject.check_class(serializer_class)
        @class, @definition = serializer_class, serializer_class.definition
        views = @definition.resolve_views(view)
        @fields = @definition.fields(views)
        @place = [@definition.label, *views.map { |name| "view #{name.inspect}" }].join(", ")
      end

      # @param names [Array<Symbol, String>]
      # @return [String, nil] how they differ
      def fields(names)
        compare("fields", names, @fields.reject { |field| field.kind == :flatten }.map(&:name))
      end

      # @return [String, nil]
      def views(names) = compare("views", names, @definition.view_names)

      # @param expected [Hash{Symbol => Object}] the serializer of each, or ANY
      # @return [String, nil]
      def associations(expected)
        expected = expected.transform_keys(&:to_sym)
        declared = @fields.select { |field| ASSOCIATIONS.include?(field.kind) }
        compare("associations", expected.keys, declared.map(&:name)) ||
          declared.filter_map { |field| serializer(field, expected[field.name]) }.first
      end

      private

      def compare(what, expected, actual)
        expected = expected.map(&:to_sym)
        missing, more = expected - actual, actual - expected
        return if missing.empty? && more.empty?

        words = []
        words << "does not declare #{names(missing)}" unless missing.empty?
        words << "also declares #{names(more)}" unless more.empty?
        "#{@place}: #{what}: it #{words.join(", and ")}. Declared: #{names(actual)}."
      end

      def names(names) = names.empty? ? "none" : names.map(&:inspect).join(", ")

      def serializer(field, expected)
        return if expected.equal?(ANY)

        given = field.serializer
        given = Lookup.resolve(@class, given) if given.is_a?(String)
        return if given == expected

        "#{@place}: #{Field::Wording::WORDS.fetch(field.kind)} #{field.name.inspect}: expected " \
          "#{words(expected, field)}, got #{words(given, field)}."
      end

      def words(serializer, field)
        return "serializer: #{Field::Wording.value(serializer)}" if serializer

        field.definition ? "an inline block" : "no serializer:"
      end
    end
    private_constant :Declared
  end
end
