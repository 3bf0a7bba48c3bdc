# frozen_string_literal: true

# Layer: compiling. Writes the text that `explain` returns.

module ToJson
  class Compiler
    # One view of a serializer, in words.
    class Explanation
      WORDS = Part::TABLE
      private_constant :WORDS

      # @param views [Array<Symbol>]
      def initialize(serializer_class, views)
        @serializer_class = serializer_class
        @definition = serializer_class.definition
        @handle = PlanCache.handle(Unit.new(serializer_class, @definition, views, [], :object))
      end

      # @return [String]
      def to_s
        return "#{@definition.label}: its own serialize writes" if @handle.imperative?

        fields = @handle.unit.fields
        parts = @handle.notes.each.with_index(1).map { |bytes, number|
 "  part #{number}  #{bytes}" }
        [head(fields), *cached, *resource, *parts,
         *fields.map { |field| "  #{field.name}: #{why(field)}" }, "", @handle.source].join("\n")
      end

      private

      def head(fields)
        calls = @handle.notes.size
        "#{@definition.label}: #{fields.size} field#{"s" if fields.size != 1}, #{calls} native " \
        "call#{"s" if calls != 1} an object"
      end

      # How its objects are kept.
      def cached
        cache = @definition.cache or return
        "  cached#{": #{cache}" unless cache.to_s.empty?}"
      end

      # What plain documents do not show.
      def resource
        words = @definition.resource_in_words
        "  for JSON:API and HAL: #{words.join("; ")}" unless words.empty?
      end

      # What the field costs beyond reading it, and what the native call does about its value.
      def why(field)
        costs = costs(field)
        costs << WORDS[:ops][:value][:words] if costs.empty?
        FieldAccess.native_flags(field).each { |flag| costs << WORDS[:flags][flag][:words] }
        costs.join("; ")
      end

      def costs(field)
        costs = []
        costs << "a #{block_word(field.reader)} of the serializer" if field.reader
        if field.reader.nil? && field.source && Owner.new(@serializer_class, "s").computes?(field)
          costs << "a method of the serializer"
        end
        strategy = @handle.strategies[field]
        [*costs, *FieldAccess.costs(field, !strategy.nil?), *strategy]
      end

      def block_word(reader) = reader.lambda? ? "lambda" : "block"
    end
  end
end
