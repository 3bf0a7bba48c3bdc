# frozen_string_literal: true

# Layer: declaring. The class methods that tell what a serializer declares, and the place where a
# class keeps that.

module ToJson
  module Declarations
    # Returns everything that this class and its superclasses declare.
    #
    # @return [Definition] the same object until something is declared
    # @raise [DefinitionError] for a reference that leads nowhere, such as a view that is `from:` an
    #   unknown one
    def definition
      parent, declared = __inherited_definition, __declared
      kept = __definition_of(self, parent, declared) and return kept

      front = PlanCache.front_of(self) if frozen?
      kept = __definition_of(front, parent, declared) if front
      kept || declared.build(parent, to_s).tap do |made|
        __remember(front || self, [made, parent, declared].freeze)
      end
    end

    # Like {Serialize#json!}, for one object, even if it is a collection.
    #
    # @example
    #   class BagSerializer < ToJson::Serializer
    #     attributes :size
    #   end
    #   BagSerializer.one([1, 2]) # => {"size":2}
    # @param object [Object, nil]
    # @param keywords as for {Serialize#json!}
    # @return [String, Object]
    def one(object, **keywords) = json!(object, **keywords, collection: false)

    # Like {Serialize#json!}, for a collection. In a class with a `serialize` of its own and no
    # declared fields, that writes each element.
    #
    # @example
    #   class DogSerializer < ToJson::Serializer
    #     attributes :name
    #   end
    #   DogSerializer.many([{ name: "Rex" }]) # => [{"name":"Rex"}]
    #   class CowSerializer < ToJson::Serializer
    #     def serialize(cow) = put(:name, cow[:name])
    #   end
    #   CowSerializer.many([{ name: "Bo" }])  # => [{"name":"Bo"}]
    # @param objects [Array, Enumerable, #to_ary, nil]
    # @param keywords as for {Serialize#json!}
    # @return [String, Object]
    # @raise [UnsupportedTypeError] if the argument is not a collection
    def many(objects, **keywords)
      return __each(objects, keywords) if !declared? && PlanCache.imperative?(self)

      json!(objects, **keywords, collection: true)
    end

    # @!method to_h(*arguments, **keywords)
    #   Returns the document as Ruby values, see {Serialize#to_h}. One object that is written in
    #   one native call (see {#explain}) becomes a Hash without a text between, in about twice the
    #   time of `json!`.
    #
    #   @example
    #     class CatSerializer < ToJson::Serializer
    #       attributes :name
    #     end
    #     CatSerializer.to_h({ name: "Tom" }) # => {"name" => "Tom"}
    #   @param arguments as for {Serialize#json!}
    #   @param keywords as for {Serialize#json!}
    #   @return [Hash, Array, nil]

    # Returns what a view was compiled to: the static bytes, the generated Ruby, and why a field
    # costs more than reading it.
    #
    # @example
    #   class TinSerializer < ToJson::Serializer
    #     attributes :id
    #   end
    #   TinSerializer.explain.lines.first # => "TinSerializer: 1 field, 1 native call an object\n"



    # @param view [Symbol, String, Array<Symbol, String>, nil]
    # @return [String]
    # @raise [UnknownViewError, DefinitionError]
    def explain(view: nil) = Compiler::Explanation.new(self, definition.resolve_views(view)).to_s

    # Returns the JSON Schema (draft 2020-12) of the documents, ready for OpenAPI too. It knows
    # which keys there are and which may be missing, associations, and the types that `as:` tells.
    # `ToJson::Testing` compares documents with it.
    #
    # Caveats: an attribute without `as:` takes any value, and so does what only a value tells: a
    # serializer that is looked up, a block that flattens, a `serialize` inside. Elements that are
    # nil are not foreseen, nor are keywords of a call that change values (`rules:`).
    #
    # @example
    #   class KiteSerializer < ToJson::Serializer
    #     attribute :id, as: :integer
    #     attribute :name, skip_nil: true
    #   end
    #   schema = KiteSerializer.json_schema
    #   schema["properties"] # => {"id" => {"type" => ["integer", "null"]}, "name" => {}}
    #   schema["required"]   # => ["id"]
    # @param view [Symbol, String, Array<Symbol, String>, nil] as for {Serialize#json!}
    # @param only [Object, nil] as for {Serialize#json!}
    # @param except [Object, nil] as for {Serialize#json!}
    # @param collection [Boolean] whether the document is that of many objects
    # @param root [Boolean, Symbol, String, nil] as for {Serialize#json!}
    # @return [Hash{String => Object}]
    # @raise [DefinitionError] if the class declares no fields, or has a `serialize` of its own
    # @raise [UnknownViewError, UnknownFieldError, SelectionError, SerializerNotFound]
    def json_schema(view: nil, only: nil, except: nil, collection: false, root: nil)
      if !declared? || PlanCache.imperative?(self)
        raise DefinitionError,
              "#{self}: json_schema works only with declared fields. " \
              "#{"Its own serialize may write anything." if PlanCache.imperative?(self)}".rstrip
      end

      views = definition.resolve_views(view)
      chosen = [only, except].map { |given| Selection.parse(given) unless given.nil? }
      restrictions = [chosen].reject(&:none?)
      Compiler::Restrictions.check(definition, views, restrictions)
      Compiler::JsonSchema.new(self, views, restrictions).to_h(collection, root)
    end

    # Returns a text that changes with what this class and the serializers inside it declare: fields
    # and their options, views, root, meta, Rules, and the code of blocks and methods. Use it in
    # ETags and in cache keys of your own. It is the same in every process and after every deploy,
    # until one of these, the gem or Ruby changes.
    #
    # Caveats: it does not see what [docs/caching.md](../docs/caching.md#keys) says that no key can
    # see, such as constants, or serializers that only the value decides. An object that does not
    # show its contents (a Mutex around a block) gives another digest in each process. The first
    # call compiles the class; later ones return the same String.
    #
    # @example
    #   class CoinSerializer < ToJson::Serializer
    #     attributes :id
    #   end
    #   before = CoinSerializer.digest
    #   CoinSerializer.digest == before  # => true
    #   CoinSerializer.attributes :value
    #   CoinSerializer.digest == before  # => false
    # @return [String] 32 hexadecimal digits, frozen
    # @raise [DefinitionError, SerializerNotFound, UnknownViewError] as {#compile!}
    # @raise [Error] in another Ractor than the main one
    def digest
      unless Ractor.current == Ractor.main
        raise Error,
              "#{self}: digest: works only in the main Ractor. Pass the digest to the Ractor."
      end

      rules = PlanCache.rules(self)
      rules = ToJson.default_rules if rules == true
      live = Dialects::Rails.live(rules)
      of_rules, of_live, digest = ClassMemory.recall(self, :@to_json_digest)
      return digest if digest && of_rules.equal?(rules) && of_live == live

      PlanCache.compile_all(self)
      epoch = PlanCache.epoch
      FirstUse.of(:CacheKey)
      digest = Compiler::Digest.of(self, rules).freeze
      ClassMemory.keep(self, :@to_json_digest, epoch, [rules, live, digest].freeze)
      digest
    end

    # Compiles all views of this class now, and all serializers that they refer to. So a reference
    # that leads nowhere fails at boot.
    #
    # @return [Integer] how many Plans this class has
    # @raise [DefinitionError, SerializerNotFound, UnknownViewError]
    def compile! = PlanCache.compile_all(self)

    # @return [Boolean] whether this class or a superclass declares fields or views
    def declared? = @to_json_fields || (superclass.respond_to?(:declared?) && superclass.declared?)

    # Compiles the class first, because a frozen class cannot keep anything more.
    # @return [self]
    def freeze
      PlanCache.prepare(self)
      super
    end

    # @api private
    def initialize_clone(original, **options)
      super
      options[:freeze] ? PlanCache.prepare(self) : PlanCache.prepare_copy(self)
    end

    private

    def __each(objects, keywords)
      unless nil == objects || objects.respond_to?(:to_ary) || objects.respond_to?(:each)
        raise UnsupportedTypeError,
              "#{self}: many takes a collection; got #{Lookup.class_of(objects)}."
      end

      document = { rules: rules, **keywords.slice(*Envelope::DELIVERY) }
      keywords = keywords.except(*Envelope::DELIVERY) # those of each element's serialize
      ToJson.json(**document) do |j|
        next j.value(nil) if nil == objects

        j.array(objects, collection: true) do |one|
          j.value(nil == one ? nil : new(one, **keywords))
        end
      end
    end

    # In messages, which are seldom made, it is a String.
    def __place = self

    def __declared = @to_json_declared || DefinitionBuilder::EMPTY

    def __declare(fields)
      __keep(__declared.with_fields { |changes| fields.each { |one| changes.add(one, self) } })
    end

    def __keep(declared)
      if equal?(Serializer)
        raise DefinitionError,
              "ToJson::Serializer cannot declare anything, because every serializer inherits " \
              "from it. Declare fields in a subclass."
      end

      begin
        @to_json_declared = declared
        @to_json_fields = declared.fields? # other Ractors may ask
      ensure
        PlanCache.forget(self)
      end
      nil
    end

    def __inherited_definition
      above = superclass
      above.equal?(Serializer) || !above.respond_to?(:definition) ? NOTHING : above.definition
    end

    # What `keeps` has of {definition}, if it was made of these.
    # @param keeps [Class, PlanCache::Front]
    def __definition_of(keeps, parent, declared)
      made, made_over, made_of = keeps.instance_variable_get(:@to_json_definition)
      made if made && made_over.equal?(parent) && made_of.equal?(declared)
    end

    # A class that is seen from another Ractor makes it anew each time.
    def __remember(keeps, kept)
      keeps.instance_variable_set(:@to_json_definition, kept)
    rescue FrozenError, Ractor::Error
      nil
    end

    def __field?(name)
      __declared.name?(name) ||
        (superclass.respond_to?(:__field?, true) && superclass.__send__(:__field?, name))
    end

    def advice_on(word)
      if __field?(word)
        "#{super} The attribute takes a block instead: attribute(#{word.inspect}) { |object| … }."
      else
        super
      end
    end

    # What {Serializer} itself builds on.
    NOTHING = Definition.new(label: "ToJson::Serializer", base: {})
    private_constant :NOTHING
  end
end
