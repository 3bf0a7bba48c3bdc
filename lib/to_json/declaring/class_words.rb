# frozen_string_literal: true

# Layer: declaring. The words of a class body.

module ToJson
  # The declarations of a {Serializer} class. A subclass inherits them all, redefines fields in
  # place and adds more.
  module Declarations
    include FieldWords
    include UnknownWords

    # Declares fields for calls with this `view:`. They are added to the others, or replace those of
    # the same name. In the block, `remove` takes fields away. Declaring the view again, in a
    # subclass too, adds to it.
    #
    # @example
    #   class PageSerializer < ToJson::Serializer
    #     attributes :id, :title
    #     view(:full) { attributes :body, :history }
    #     view(:public, from: :full) { remove :history }
    #   end
    #   PageSerializer.definition.fields([:public]).map(&:name) # => [:id, :title, :body]
    # @param name [Symbol, String]
    # @param from [Symbol, String, Array<Symbol, String>, nil] the views that this one is built on
    # @yield declares the fields
    # @return [nil]
    # @raise [DefinitionError]
    def view(name, from: nil, &block)
      name = FieldOptions.name_of("#{self}: view", name)
      place = "#{self}: view #{name.inspect}"
      raise DefinitionError, "#{place}: needs a block that declares its fields." unless block
      unless block.parameters.empty?
        raise DefinitionError, "#{place}: the block declares fields, so it takes no parameter."
      end

      from = Array(from).map { |other| FieldOptions.name_of("#{place}: from:", other) }
      before = __declared
      made = before.with_view(name, from) do |changes|
        FieldWords::InView.new(place, changes).read(&block)
      end
      unless before.equal?(__declared)
        raise DefinitionError, "#{place}: its block called a word of #{self}, which declares " \
                               "outside of the view. Call the word without a receiver: " \
                               "attributes :name."
      end
      __keep(made)
    end

    # Sets the views of calls that name none. `view: []` in a call means no view. Without names it
    # undoes the setting of a superclass.
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
      __keep(
        __declared.with_setting(:default_views,
                                names.compact.map do |name|
                                  FieldOptions.name_of("#{self}: default_view", name)
                                end.freeze)
      )
    end

    # Removes inherited fields from all views.
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
      known = __inherited_definition.names | __declared.changes.names
      names = names.map { |name| FieldOptions.name_of("#{self}: remove", name) }
      unknown = names - known
      unless unknown.empty?
        raise DefinitionError,
              "#{self}: remove: #{Suggestion.unknown("field", unknown.first, known)}"
      end

      __keep(__declared.with_fields { |changes| names.each { |name| changes.remove(name) } })
    end

    # Sets the key around the data at the top level of a document.
    #
    # @example
    #   class GooseSerializer < ToJson::Serializer
    #     root :goose, :geese
    #   end
    #   GooseSerializer.definition.root # => [:goose, :geese]
    # @overload root(one, many = one)
    #   @param one [Symbol, String] the key around one object
    #   @param many [Symbol, String] the key around many objects; no plural is guessed
    # @overload root(none)
    #   @param none [false] no root, even if a superclass has one
    # @return [nil]
    # @raise [DefinitionError]
    def root(*keys)
      return __keep(__declared.with_setting(:root, nil)) if keys == [false]

      unless keys.size.between?(1, 2) && keys.all? { |key| key.is_a?(Symbol) || key.is_a?(String) }
        got = keys.empty? ? "nothing" : keys.map(&:inspect).join(", ")
        raise DefinitionError,
              "#{self}: root takes one name, two names (for one and for many), or false; got #{got}"
      end

      keys = keys.map { |key| FieldOptions.name_of("#{self}: root", key) }
      __keep(__declared.with_setting(:root, [keys.first, keys.last].freeze))
    end

    # Says how names become keys, in inline blocks too. It is applied when a Plan is compiled, so it
    # costs nothing for each call.
    #
    # @example
    #   class FlightSerializer < ToJson::Serializer
    #     transform_keys :camel_lower
    #     attributes :departs_at
    #   end
    #   FlightSerializer.definition.key_case # => :camel_lower
    # @overload transform_keys(key_case)
    #   @param key_case [Symbol, #call, nil] `:camel` (`FirstName`), `:camel_lower` or
    #     `:lower_camel` (`firstName`), `:dash` (`first-name`), `:snake` (`first_name`), or a
    #     callable from String to String; nil: none
    # @return [nil]
    # @raise [DefinitionError]
    def transform_keys(*key_case, &block)
      if block || key_case.size != 1
        raise ArgumentError,
              "takes one argument, a key case or a callable: transform_keys ->(name) { " \
              "name.upcase }; " \
              "got #{block ? "a block" : key_case.inspect}"
      end

      key_case = key_case.first
      __keep(__declared.with_setting(:key_case, KeyCase.check(key_case)))
    rescue ArgumentError => error
      raise DefinitionError, "#{self}: transform_keys: #{error.message}"
    end

    # Sets the pairs beside the root, for calls without their own `meta:`.
    #
    # @example
    #   class CitySerializer < ToJson::Serializer
    #     root :city, :cities
    #     meta version: 2
    #   end
    #   CitySerializer.definition.meta # => {:version=>2}
    # @param none [false, Hash] false: none, even if a superclass has some; or the pairs as a Hash
    # @param pairs the pairs
    # @yield [objects] receives what is serialized and returns a Hash, or nil for none
    # @return [nil]
    # @raise [DefinitionError]
    def meta(none = nil, **pairs, &block)
      given = [none, (pairs unless pairs.empty?), block].compact
      unless given.size == 1 && (none.nil? || none == false || none.is_a?(Hash))
        got = given.empty? ? "nothing" : given.map(&:inspect).join(" and ")
        raise DefinitionError,
              "#{self}: meta takes pairs, a block that returns a Hash, or false; got #{got}"
      end

      if block &&
         block.parameters.count { |kind, _| kind == :req || (kind == :opt && !block.lambda?) } > 1
        raise DefinitionError,
              "#{self}: meta: a block receives one argument, the serialized object. This block " \
              "takes #{block.parameters.size}."
      end

      __keep(__declared.with_setting(:meta, given.first ? given.first.dup.freeze : nil))
    end

    # Says whether relations of ActiveRecord may be written from their rows, without models, where
    # the document is the same. `rows:` of a call comes before this, and this before the setting of
    # the application.
    #
    # @example
    #   class HarborSerializer < ToJson::Serializer
    #     rows false
    #     attributes :id, :name
    #   end
    #   HarborSerializer.definition.rows # => false
    # @param given [Boolean, nil] nil: as the application says, even if a superclass says something
    # @return [nil]
    # @raise [DefinitionError]
    def rows(given)
      unless [true, false, nil].include?(given)
        raise DefinitionError, "#{self}: rows takes true, false or nil; got #{given.inspect}"
      end

      __keep(__declared.with_setting(:rows, given))
    end

    # Keeps the text of each object of this class in a store. It is used for documents, for
    # collections, which are looked up together, and for parts of other documents. docs/caching.md
    # is the guide.
    #
    # @example
    #   class StampSerializer < ToJson::Serializer
    #     attributes :id, :motif
    #     cache key: ->(stamp) { [stamp[:id], stamp[:version]] }, store: STAMPS = {}
    #   end
    #   StampSerializer.json!([{ id: 1, version: 1, motif: "Penny" }])
    #   # => [{"id":1,"motif":"Penny"}]
    #   StampSerializer.json!([{ id: 1, version: 1, motif: "changed" }])
    #   # => [{"id":1,"motif":"Penny"}]
    #   StampSerializer.json!([{ id: 1, version: 2, motif: "changed" }])
    #   # => [{"id":1,"motif":"changed"}]
    # @param given [true, false] false: not cached, even if a superclass is
    # @option options [Proc, Symbol] :key (`cache_key_with_version`) receives the object, and as a
    #   second argument the context; returns text, numbers, times, records, an Array of these, or
    #   nil for an object that is not to be cached
    # @option options [Object, Proc] :store (ToJson.cache_store) the store, or a lambda that returns
    #   it
    # @option options [Proc, false] :context returns the part of the context that matters; false:
    #   none of it does. Without this, objects whose fields could read a context are cached only
    #   without a context
    # @option options [Object] :version changes all keys, for changes that the key cannot see
    # @option options [Integer] :batch (500) how many elements are looked up together
    # @option options [Boolean] :verify (false) checks that each text from the store is JSON; a text
    #   that is not is written again
    # @option options [Hash] :store_options keywords for the methods of the store; `expires_in`,
    #   `race_condition_ttl`, `namespace`, `compress`, `compress_threshold` and `raw` can also be
    #   passed directly
    # @return [nil]
    # @raise [DefinitionError]
    def cache(given = true, **options)
      place = "#{self}: cache"
      unless given == true || (given == false && options.empty?)
        raise DefinitionError, "#{place}: takes options, or false; got #{given.inspect}"
      end

      __keep(__declared.with_setting(:cache, (CacheOptions.read(place, options) if given)))
    end
  end
end
