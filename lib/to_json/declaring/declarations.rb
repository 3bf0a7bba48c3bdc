# frozen_string_literal: true

# Layer: declarations. The words of a class body, and the Definition that they add up to.

module ToJson
  # What the class of a {Serializer} declares. Subclasses inherit it all, redefine fields in place and add more.
  module Declarations
    include FieldDeclarations

    # Fields that calls with that `view:` have besides the others, or instead of those of the same name. In the block,
    # `remove` takes fields away. Declared again, also in a subclass, it is added to.
    #
    # @example
    #   class PageSerializer < ToJson::Serializer
    #     attributes :id, :title
    #     view(:full) { attributes :body, :history }
    #     view(:public, from: :full) { remove :history }
    #   end
    #   PageSerializer.definition.fields([:public]).map(&:name) # => [:id, :title, :body]
    # @param name [Symbol, String]
    # @param from [Symbol, String, Array<Symbol, String>, nil] views that this one is built on
    # @yield declares
    # @return [nil]
    # @raise [DefinitionError]
    def view(name, from: nil, &block)
      name = FieldOptions.name("#{self}: view", name)
      place = "#{self}: view #{name.inspect}"
      raise DefinitionError, "#{place}: needs a block that declares its fields." unless block
      raise DefinitionError, "#{place}: the block declares fields, so it takes no parameter." unless block.parameters.empty?

      from = Array(from).map { |other| FieldOptions.name("#{place}: from:", other) }
      __keep(__declared.with_view(name, from) { |body| FieldDeclarations::InView.new(place, body).read(&block) })
    end

    # The views of calls that name none (`view: []` is none at all). Without names: none, whatever a superclass has.
    #
    # @example
    #   class CardSerializer < ToJson::Serializer
    #     view(:short) { attributes :id }
    #     default_view :short
    #   end
    #   CardSerializer.definition.default_views # => [:short]
    # @param names [Array<Symbol, String>]
    # @return [nil]
    # @raise [DefinitionError]
    def default_view(*names)
      __keep(__declared.with_setting(:default_views, names.compact.map { |name| FieldOptions.name("#{self}: default_view", name) }.freeze))
    end

    # Takes inherited fields away, in all views.
    #
    # @example
    #   class AnimalSerializer < ToJson::Serializer
    #     attributes :id, :name, :owner
    #   end
    #   class WildSerializer < AnimalSerializer
    #     remove :owner
    #   end
    #   WildSerializer.definition.names # => [:id, :name]
    # @param names [Array<Symbol, String>]
    # @return [nil]
    # @raise [DefinitionError] for a name that no field has
    def remove(*names)
      known = __inherited_definition.names | __declared.body.names
      names = names.map { |name| FieldOptions.name("#{self}: remove", name) }
      unknown = names - known
      raise DefinitionError, "#{self}: remove: #{Suggestion.unknown("field", unknown.first, known)}" unless unknown.empty?

      __keep(__declared.with_fields { |body| names.each { |name| body.remove(name) } })
    end

    # The key that stands around the data at the top level of a document.
    #
    # @example
    #   class GooseSerializer < ToJson::Serializer
    #     root :goose, :geese
    #   end
    #   GooseSerializer.definition.root # => [:goose, :geese]
    # @overload root(one, many = one)
    #   @param one [Symbol, String] around one object
    #   @param many [Symbol, String] around many; no plural is guessed
    # @overload root(none)
    #   @param none [false] no root, whatever a superclass has
    # @return [nil]
    # @raise [DefinitionError]
    def root(*keys)
      return __keep(__declared.with_setting(:root, nil)) if keys == [false]

      unless keys.size.between?(1, 2) && keys.all? { |key| key.is_a?(Symbol) || key.is_a?(String) }
        got = keys.empty? ? "nothing" : keys.map(&:inspect).join(", ")
        raise DefinitionError, "#{self}: root takes one name, two names (for one and for many), or false; got #{got}"
      end

      keys = keys.map { |key| FieldOptions.name("#{self}: root", key) }
      __keep(__declared.with_setting(:root, [keys.first, keys.last].freeze))
    end

    # How names become keys, in inline blocks too. Done when a Plan is compiled, so it costs nothing per call.
    #
    # @example
    #   class FlightSerializer < ToJson::Serializer
    #     transform_keys :camel_lower
    #     attributes :departs_at
    #   end
    #   FlightSerializer.definition.key_case # => :camel_lower
    # @overload transform_keys(key_case)
    #   @param key_case [Symbol, #call, nil] of `first_name`: `:camel` makes `FirstName`, `:camel_lower` (or `:lower_camel`)
    #     `firstName`, `:dash` `first-name`; `:snake` makes `first_name` of `firstName`; or a callable from String to String
    # @return [nil]
    # @raise [DefinitionError]
    def transform_keys(*key_case, &block)
      if block || key_case.size != 1
        raise ArgumentError, "takes one argument, a key case or a callable: transform_keys ->(name) { name.upcase }; " \
                             "got #{block ? "a block" : key_case.inspect}"
      end

      key_case = key_case.first
      __keep(__declared.with_setting(:key_case, KeyCase.check(key_case)))
    rescue ArgumentError => error
      raise DefinitionError, "#{self}: transform_keys: #{error.message}"
    end

    # What stands beside the root, unless a call has a `meta:` of its own.
    #
    # @example
    #   class CitySerializer < ToJson::Serializer
    #     root :city, :cities
    #     meta version: 2
    #   end
    #   CitySerializer.definition.meta # => {:version=>2}
    # @param none [false] none, whatever a superclass has; or the pairs as one Hash
    # @param pairs of the meta object
    # @yield [objects] gives the Hash, from what is serialized, or nil: none
    # @return [nil]
    # @raise [DefinitionError]
    def meta(none = nil, **pairs, &block)
      given = [none, (pairs unless pairs.empty?), block].compact
      unless given.size == 1 && (none.nil? || none == false || none.is_a?(Hash))
        got = given.empty? ? "nothing" : given.map(&:inspect).join(" and ")
        raise DefinitionError, "#{self}: meta takes pairs, a block that returns a Hash, or false; got #{got}"
      end

      if block && block.parameters.count { |kind, _| kind == :req || (kind == :opt && !block.lambda?) } > 1
        raise DefinitionError, "#{self}: meta: a block receives one argument, the serialized object. This block takes #{block.parameters.size}."
      end

      __keep(__declared.with_setting(:meta, given.first ? given.first.dup.freeze : nil))
    end

    # Keeps each object of this class encoded in a store: in documents of its own, in collections, which are looked up together, and
    # as a part of others' documents. docs/caching.md is the guide.
    #
    # @example
    #   class StampSerializer < ToJson::Serializer
    #     attributes :id, :motif
    #     cache key: ->(stamp) { [stamp[:id], stamp[:version]] }, store: STAMPS = {}
    #   end
    #   StampSerializer.json!([{ id: 1, version: 1, motif: "Penny" }])   # => [{"id":1,"motif":"Penny"}]
    #   StampSerializer.json!([{ id: 1, version: 1, motif: "changed" }]) # => [{"id":1,"motif":"Penny"}]
    #   StampSerializer.json!([{ id: 1, version: 2, motif: "changed" }]) # => [{"id":1,"motif":"changed"}]
    # @param given [true, false] false: not cached, whatever a superclass says
    # @option options [Proc, Symbol] :key of the object (and of the context, as a second argument): text, numbers, times, records, an
    #   Array of these, or nil for an object that is not to be cached; (`cache_key_with_version`)
    # @option options [Object, Proc] :store (ToJson.cache_store) or a lambda that gives it
    # @option options [Proc, false] :context what of the context matters, or false: nothing of it. Where neither this nor the key tells,
    #   objects whose fields could see a context are cached without one only
    # @option options [Object] :version changes the keys: for what they do not change with by themselves
    # @option options [Integer] :batch (500) elements that are looked up together
    # @option options [Boolean] :verify (false) whether what the store gives is checked to be JSON. What is none is encoded anew
    # @option options [Hash] :store_options keywords for the store's methods, besides `expires_in`, `race_condition_ttl`, `namespace`,
    #   `compress`, `compress_threshold` and `raw`, which can stand here themselves
    # @return [nil]
    # @raise [DefinitionError]
    def cache(given = true, **options)
      place = "#{self}: cache"
      raise DefinitionError, "#{place}: takes options, or false; got #{given.inspect}" unless given == true || (given == false && options.empty?)

      __keep(__declared.with_setting(:cache, (CacheOptions.read(place, options) if given)))
    end

    # All that this class and its superclasses declare.
    #
    # @return [Definition] the same one until something is declared
    # @raise [DefinitionError] for references that lead nowhere: a view that is `from:` an unknown one …
    def definition
      parent, declared = __inherited_definition, __declared
      made, made_over, made_of = @to_json_definition
      return made if made && made_over.equal?(parent) && made_of.equal?(declared)

      made = declared.over(parent, to_s)
      __remember(:@to_json_definition, [made, parent, declared].freeze)
      made
    end

    # {Serialize#json!} of one object, whatever it is.
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

    # {Serialize#json!} of many.
    #
    # @example
    #   class DogSerializer < ToJson::Serializer
    #     attributes :name
    #   end
    #   DogSerializer.many([{ name: "Rex" }]) # => [{"name":"Rex"}]
    # @param objects [Array, Enumerable, #to_ary, nil]
    # @param keywords as for {Serialize#json!}
    # @return [String, Object]
    # @raise [UnsupportedTypeError] for what is not many
    def many(objects, **keywords) = json!(objects, **keywords, collection: true)

    # The document of one or many as Ruby values, see {Serialize#to_h}.
    #
    # @example
    #   class CatSerializer < ToJson::Serializer
    #     attributes :name
    #   end
    #   CatSerializer.to_h({ name: "Tom" }) # => {"name" => "Tom"}
    # @param arguments as for {Serialize#json!}
    # @param keywords as for {Serialize#json!}
    # @return [Hash, Array, nil]
    def to_h(*arguments, **keywords) = Tree.parse(json!(*arguments, **keywords))

    # What a view was compiled to: the static bytes, the generated Ruby, and why a field costs more than reading it.
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

    # Compiles every view now, with all serializers that they refer to, so that what refers to nothing fails at boot.
    #
    # @return [Integer] how many Plans there are for this class
    # @raise [DefinitionError, SerializerNotFound, UnknownViewError]
    def compile! = PlanCache.compile_all(self)

    # @return [Boolean] whether this class or a superclass declares fields or views
    def declared? = @to_json_fields || (superclass.respond_to?(:declared?) && superclass.declared?)

    # Compiles first: a frozen class keeps no more.
    # @return [self]
    def freeze
      PlanCache.prepare(self)
      super
    end

    # @api private
    def initialize_clone(original, **)
      super
      PlanCache.prepare_copy(self)
    end

    # @api private
    def inherited(subclass)
      super
      PlanCache.made
    end

    # The method has changed already: the class must hear of it, whatever stops the hooks before
    # this one.
    # @api private
    def method_added(name)
      super
    ensure
      PlanCache.forget(self, name)
    end

    # @api private
    def method_removed(name)
      super
    ensure
      PlanCache.forget(self, name)
    end

    # @api private
    def method_undefined(name)
      super
    ensure
      PlanCache.forget(self, name)
    end

    # @api private
    def include(*modules)
      super
    ensure
      PlanCache.forget(self)
    end

    # @api private
    def prepend(*modules)
      super
    ensure
      PlanCache.forget(self)
    end

    private

    # In messages, which are seldom made, it is a String.
    def __place = self

    def __declared = @to_json_declared || DefinitionBuilder::EMPTY

    def __declare(fields)
      __keep(__declared.with_fields { |body| fields.each { |field| body.add(field, self) } })
    end

    def __keep(declared)
      if equal?(Serializer)
        raise DefinitionError, "ToJson::Serializer cannot declare anything, because every serializer inherits from it. Declare fields in a subclass."
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

    # A frozen class, or one seen from another Ractor, makes it anew each time.
    def __remember(variable, value)
      instance_variable_set(variable, value)
    rescue FrozenError, Ractor::Error
      nil
    end

    def __field?(name) = __declared.name?(name) || (superclass.respond_to?(:__field?, true) && superclass.__send__(:__field?, name))

    def advice_on(word)
      __field?(word) ? "#{super} The attribute takes a block instead: attribute(#{word.inspect}) { |object| … }." : super
    end

    # What {Serializer} itself builds on.
    NOTHING = Definition.new(label: "ToJson::Serializer", base: {})
    private_constant :NOTHING
  end
end
