# frozen_string_literal: true

# Layer: documents. The words of the DSL with their documentation, and the check against helpers
# that would hide them. The methods are in C: ext/to_json/classes/dsl.c and dsl_fields.c.

module ToJson
  # The words that write JSON. They are available inside `serialize`, in blocks of `json!`, and on
  # the receiver of {ToJson.json}. All return nil. docs/dsl.md shows each of them with its JSON.
  module DSL
    # Keywords of `json!`, `encode!` and `new` that are not passed to `serialize`. A `serialize`
    # with such a keyword raises {DefinitionError}.
    RESERVED_KEYWORDS =
      %i[view only except root meta context into chunk flush collection max_depth rules rows].freeze

    # @!method put(key, value)
    #   Writes one pair, several pairs, or a key with the content of a block.
    #
    #   Caveats: if the block writes nothing, the key is left out. A key that you write twice
    #   appears twice.
    #   @overload put(key, value)
    #     @example
    #       ToJson.json { |j| j.put :id, 1; j.put :to, name: "Fred" }
    #       # => {"id":1,"to":{"name":"Fred"}}
    #   @overload put(**pairs)
    #     @example
    #       ToJson.json { |j| j.put id: 1, name: "Fred" } # => {"id":1,"name":"Fred"}
    #   @overload put(key) { ... }
    #     @example
    #       ToJson.json { |j| j.put(:tags) { j.array "a", "b" } } # => {"tags":["a","b"]}
    #   @overload put(key, value, collection: nil) { |value, index| ... }
    #     @example
    #       ToJson.json { |j| j.put(:tags, %w[a b]) { |tag, i| j.put tag, i } }
    #       # => {"tags":[{"a":0},{"b":1}]}
    #     @param collection [Boolean, nil] whether the value is many; nil: the value decides
    #     @yieldparam value [Object] the value, or each item of many; the block does not run for
    #       nil, which is written as null
    #     @yieldparam index [Integer] from 0, if the block has a second parameter
    #   @param key [Symbol, String, #to_s]
    #   @param value [Object] any value that the Rules know, see docs/values.md
    #   @return [nil]
    #   @raise [GrammarError] if a value is expected here, not a pair
    #   @raise [ArgumentError] for any other combination of arguments
    # @!method value(value)
    #   Writes the root, the value of a `put` block, or an element of an array.
    #   @overload value(value)
    #     @example
    #       ToJson.json { |j| j.value 42 } # => 42
    #   @overload value(**pairs)
    #     @example
    #       ToJson.json { |j| j.array { j.value name: "Fred" } } # => [{"name":"Fred"}]
    #   @overload value { ... }
    #     @example
    #       ToJson.json { |j| j.array { j.value { j.put :a, 1 }; j.value {} } } # => [{"a":1}]
    #   @overload value(value, collection: nil) { |value, index| ... }
    #     @example
    #       ToJson.json { |j| j.value([1, 2]) { |n| j.value n * 2 } } # => [2,4]
    #     @param collection [Boolean, nil] as for {#put}
    #   @param value [Object]
    #   @return [nil]
    #   @raise [GrammarError] if a pair is expected here, or there is a value already
    #   @raise [ArgumentError] for any other combination of arguments
    # @!method array(*values)
    #   Writes an array. A single argument that is many gives its elements, a single nil gives none.
    #   Any other argument is one element.
    #   @overload array(*values)
    #     @example
    #       ToJson.json { |j| j.array { j.array; j.array [1, 2]; j.array 3; j.array 4, [5] } }
    #       # => [[],[1,2],[3],[4,[5]]]
    #   @overload array(*values, collection: nil) { |item, index| ... }
    #     Runs the block for each item. All `put`s of one run go into one object; each `value` and
    #     `array` adds an element. A run that writes nothing adds no element.
    #     @example
    #       ToJson.json { |j| j.array([1, 2]) { |n| j.put :n, n } } # => [{"n":1},{"n":2}]
    #     @param collection [Boolean, nil] as for {#put}
    #     @yieldparam item [Object]
    #     @yieldparam index [Integer] from 0, if the block has a second parameter
    #   @overload array { ... }
    #     @example
    #       ToJson.json { |j| j.array { j.value 1; j.value 2 } } # => [1,2]
    #   @return [nil]
    #   @raise [GrammarError] if a pair is expected here, or there is a value already
    # @!method open(key = nil)
    #   Begins a slot, like `value do` or, with a key, like `put key do`. {#close} ends it.
    #   @example
    #     ToJson.json { |j| j.open :ids; j.open_array; j.value 1; j.close; j.close }
    #     # => {"ids":[1]}
    #   @param key [Symbol, String, #to_s]
    #   @return [nil]
    #   @raise [GrammarError] like {#put} and {#value}, and at the end of the block if it was not
    #     closed
    # @!method open_array
    #   Begins an array. {#close} ends it.
    #   @example
    #     ToJson.json { |j| j.open_array; j.value 1; j.open; j.put :a, 2; j.close; j.close }
    #     # => [1,{"a":2}]
    #   @return [nil]
    #   @raise [GrammarError] like {#array}, and at the end of the block if it was not closed
    # @!method close
    #   Ends the innermost {#open} or {#open_array} of this block. A slot without content
    #   disappears.
    #   @example
    #     ToJson.json { |j| j.open :gone; j.close; j.put :a, 1 } # => {"a":1}
    #   @return [nil]
    #   @raise [GrammarError] if nothing is open in this block
    # @!method put_field(object, source, name = source)
    #   Writes the pair of one field: the result of `object.source`. A Hash is read by key: the
    #   Symbol, then the String; if neither is there, null is written.
    #   @example
    #     ToJson.json { |j| j.put_field({ id: 7 }, :id, :number) } # => {"number":7}
    #   @example With a block, as {#put}
    #     ToJson.json { |j| j.put_field({ tags: %w[a b] }, :tags) { |tag| j.put :label, tag } }
    #     # => {"tags":[{"label":"a"},{"label":"b"}]}
    #   @param object [Object, Hash]
    #   @param source [Symbol, String] a public method without arguments, or a key
    #   @param name [Symbol, String] its name in the document
    #   @return [nil]
    #   @raise [GrammarError] if a value is expected here
    # @!method put_fields(object, *fields)
    #   Writes a pair for each field. A field is a name, a pair of names `[source, name]`, a Hash of
    #   these, or an Array of fields.
    #
    #   Caveats: an Array of exactly two names is a pair, not two fields.
    #   @example
    #     ToJson.json { |j| j.put_fields({ a: 1, b: 2, c: 3 }, :a, [:b, :bee], { c: :sea }) }
    #     # => {"a":1,"bee":2,"sea":3}
    #   @example Two names in an Array
    #     ToJson.json { |j| j.put_fields({ a: 1, b: 2 }, %i[a b]) } # => {"b":1}
    #   @param object [Object, Hash]
    #   @param fields [Array<Symbol, String, Array, Hash>]
    #   @return [nil]
    #   @raise [GrammarError] if a value is expected here
    #   @raise [ArgumentError] if a field is none of these
    # @!method put_field_unless_nil(object, source, name = source)
    #   Like {#put_field}, but writes nothing if the value is nil.
    #   @example
    #     ToJson.json { |j| j.put_field_unless_nil({ a: nil }, :a) } # => {}
    #   @return [nil]
    # @!method put_fields_unless_nil(object, *fields)
    #   Like {#put_fields}, but leaves out fields that are nil.
    #   @example
    #     ToJson.json { |j| j.put_fields_unless_nil({ a: nil, b: false }, :a, :b) } # => {"b":false}
    #   @return [nil]
    # @!method put_field_unless_blank(object, source, name = source)
    #   Like {#put_field}, but writes nothing if the value is nil, false, empty or white space. With
    #   ActiveSupport `blank?` decides.
    #   @example
    #     ToJson.json { |j| j.put_field_unless_blank({ a: " " }, :a) } # => {}
    #   @return [nil]
    # @!method put_fields_unless_blank(object, *fields)
    #   Like {#put_fields}, but leaves out fields that are blank.
    #   @example
    #     ToJson.json { |j| j.put_fields_unless_blank({ a: "", b: [], c: 0 }, :a, :b, :c) }
    #     # => {"c":0}
    #   @return [nil]
    # @!method put_field_if(condition, object, source, name = source)
    #   Like {#put_field}, if the condition is true.
    #   @example
    #     ToJson.json { |j| j.put_field_if :positive?, { a: 1 }, :a, :count } # => {"count":1}
    #   @param condition [Symbol, #call] sent to the value, or called with it
    #   @return [nil]
    # @!method put_fields_if(condition, object, *fields)
    #   Like {#put_fields}, for the fields whose condition is true.
    #   @example
    #     ToJson.json { |j| j.put_fields_if ->(n) { n > 1 }, { a: 1, b: 2 }, :a, :b } # => {"b":2}
    #   @param condition [Symbol, #call] sent to the value, or called with it
    #   @return [nil]
    # @!method put_field_unless(condition, object, source, name = source)
    #   Like {#put_field}, unless the condition is true.
    #   @example
    #     ToJson.json { |j| j.put_field_unless :zero?, { a: 0 }, :a } # => {}
    #   @param condition [Symbol, #call] sent to the value, or called with it
    #   @return [nil]
    # @!method put_fields_unless(condition, object, *fields)
    #   Like {#put_fields}, for the fields whose condition is false.
    #   @example
    #     ToJson.json { |j| j.put_fields_unless :zero?, { a: 0, b: 2 }, :a, :b } # => {"b":2}
    #   @param condition [Symbol, #call] sent to the value, or called with it
    #   @return [nil]

    # The names that helpers must not have.
    WORDS = instance_methods(false).sort.freeze

    # Refuses helpers that would hide a word of the DSL, where they are defined.
    # @api private
    module WordCheck
      # The words among the methods that stand in `owner` itself.
      def self.hidden_by(owner)
        (owner.instance_methods(false) | owner.private_instance_methods(false)) & WORDS
      end

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
        WordCheck.hidden_by(self).each { |name| check_word(name) }
        if method_defined?(:serialize, false) || private_method_defined?(:serialize, false)
          check_serialize_keywords
        end
      end

      def check_word(name)
        raise DefinitionError,
              "#{self}##{name} would hide the DSL's method #{name}. #{advice_on(name)}"
      end

      # What to do about it; class_words.rb says more where a field has that name.
      def advice_on(_name) = "Give the helper another name."

      def check_words_of(helpers)
        hidden = helpers.ancestors.take_while do |ancestor|
          ancestor != DSL && ancestor != Serialize
        end
                        .reject { |ancestor| ancestor.is_a?(Class) || ancestor == Kernel }
                        .flat_map { |ancestor| WordCheck.hidden_by(ancestor) }
        return if hidden.empty?

        raise DefinitionError,
              "#{helpers} would hide the DSL's method#{"s" if hidden.size > 1} " \
              "#{hidden.join(", ")} in #{self}. Rename its methods."
      end

      def check_serialize_keywords
        taken = instance_method(:serialize).parameters.filter_map do |kind, name|
          name if %i[key keyreq].include?(kind) && RESERVED_KEYWORDS.include?(name)
        end
        return if taken.empty?

        raise DefinitionError,
              "#{self}#serialize declares #{taken.map { |name| "#{name}:" }.join(", ")}, " \
              "but json! does not pass reserved keywords on. Choose other " \
              "names. Reserved: #{RESERVED_KEYWORDS.join(", ")}."
      end
    end
  end
end
