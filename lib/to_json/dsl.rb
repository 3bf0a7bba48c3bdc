# frozen_string_literal: true

# Layer: dsl. The words, their documentation, and the guard against helpers that would shadow them. The
# methods themselves are native: ext/to_json/classes/dsl.c and dsl_fields.c.

module ToJson
  # The words that write. Available inside `serialize`, in blocks given to `json!`, and on the receiver of
  # {ToJson.json}. All return nil.
  module DSL
    # Keywords that `json!`, `encode!` and `new` keep for themselves.
    RESERVED_KEYWORDS = %i[view only except root meta context into collection max_depth rules].freeze

    # @!method put(key, value) { |value, index| ... }
    #   A pair, several pairs, or a key with what a block writes.
    #   @example
    #     ToJson.json { |j| j.put :id, 1; j.put(name: "Fred"); j.put(:tags) { j.array "a", "b" } }
    #     # => "{\"id\":1,\"name\":\"Fred\",\"tags\":[\"a\",\"b\"]}"
    #   @param key [Symbol, String, #to_s]
    #   @param value [Object] with a block: yielded; nil writes null, many run the block per item
    #   @raise [GrammarError] where a value is due
    # @!method value(value)
    #   An array element, the value of a `put` block, or the root.
    #   @example
    #     ToJson.json { |j| j.value 42 } # => "42"
    #   @raise [GrammarError] where a key is due
    # @!method array(*values) { |item, index| ... }
    #   An array: of the elements of one "many", of each argument, or of what blocks write.
    #   @example
    #     ToJson.json { |j| j.array([1, 2]) { |n| j.put :n, n } } # => "[{\"n\":1},{\"n\":2}]"
    # @!method open(key = nil)
    #   Begins a slot as `value do` (without a key) or `put key do` would; {#close} ends it.
    #   @example
    #     ToJson.json { |j| j.open :ids; j.open_array; j.value 1; j.close; j.close } # => "{\"ids\":[1]}"
    # @!method open_array
    #   Begins an array; {#close} ends it.
    # @!method close
    #   Ends the innermost {#open} or {#open_array} of this block.
    #   @raise [GrammarError] when this block has none open
    # @!method put_field(object, source, name = source) { |value| ... }
    #   The pair of one field: `object.source`, or a Hash's value by that key (Symbol, then String).
    #   @example
    #     ToJson.json { |j| j.put_field({ id: 7 }, :id, :number) } # => "{\"number\":7}"
    # @!method put_fields(object, *fields)
    #   A pair for each field. A field is a name, a pair of names `[source, name]`, a Hash of them, or a list.
    #   @example
    #     ToJson.json { |j| j.put_fields({ a: 1, b: 2, c: 3 }, :a, [:b, :bee], { c: :sea }) }
    #     # => "{\"a\":1,\"bee\":2,\"sea\":3}"
    # @!method put_field_unless_nil(object, source, name = source)
    #   {#put_field} unless its value is nil.
    # @!method put_fields_unless_nil(object, *fields)
    #   {#put_fields} without those that are nil.
    # @!method put_field_unless_blank(object, source, name = source)
    #   {#put_field} unless its value is nil, false, empty or white space (`blank?` where ActiveSupport is loaded).
    # @!method put_fields_unless_blank(object, *fields)
    #   {#put_fields} without those that are blank.
    # @!method put_field_if(condition, object, source, name = source)
    #   {#put_field} if the condition holds: a Symbol is sent to the value, a Proc called with it.
    # @!method put_fields_if(condition, object, *fields)
    #   {#put_fields} of those for which the condition holds.
    # @!method put_field_unless(condition, object, source, name = source)
    #   {#put_field} unless the condition holds.
    # @!method put_fields_unless(condition, object, *fields)
    #   {#put_fields} of those for which the condition does not hold.

    # The names that no helper may take.
    WORDS = instance_methods(false).sort.freeze

    # Refuses helpers that would hide a word of the DSL, where they are defined.
    # @api private
    module Guard
      # The words among the methods that stand in `owner` itself.
      def self.hidden_by(owner) = (owner.instance_methods(false) | owner.private_instance_methods(false)) & WORDS

      def method_added(name)
        super
        check_word(name) if WORDS.include?(name)
        check_serialize_keywords if name == :serialize
      end

      def include(*modules)
        modules.each { |included| check_words_of(included) }
        super
      end

      def prepend(*modules)
        modules.each { |prepended| check_words_of(prepended) }
        super
      end

      private

      # What was defined before the DSL came.
      def check_methods_so_far
        Guard.hidden_by(self).each { |name| check_word(name) }
        check_serialize_keywords if method_defined?(:serialize, false) || private_method_defined?(:serialize, false)
      end

      def check_word(name)
        raise DefinitionError, "#{self}##{name} would hide the DSL's #{name}. Give the helper another name."
      end

      def check_words_of(helpers)
        hidden = helpers.ancestors.take_while { |ancestor| ancestor != DSL && ancestor != Serialize }
                        .reject { |ancestor| ancestor.is_a?(Class) || ancestor == Kernel }
                        .flat_map { |ancestor| Guard.hidden_by(ancestor) }
        return if hidden.empty?

        raise DefinitionError, "#{helpers} would hide the DSL's #{hidden.join(", ")} in #{self}. Rename its methods."
      end

      def check_serialize_keywords
        taken = instance_method(:serialize).parameters.filter_map do |kind, name|
          name if %i[key keyreq].include?(kind) && RESERVED_KEYWORDS.include?(name)
        end
        return if taken.empty?

        raise DefinitionError, "#{self}#serialize declares #{taken.map { |name| "#{name}:" }.join(", ")}, " \
                               "which json! keeps for itself. Reserved: #{RESERVED_KEYWORDS.join(", ")}."
      end
    end
  end
end
