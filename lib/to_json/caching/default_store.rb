# frozen_string_literal: true

# Layer: caching. The store of caches that name none, and what a Writer knows of caches: the texts
# that were looked up, and what to call for missing ones.

module ToJson
  # @api private
  class Writer
    class << self
      # Is called with `call(unit, field, objects, context)`, if it is `wanted?`, before objects are
      # written whose text no store has. If `field` is given, only this cached association of the
      # objects is missing. `unit` says which fields a Mask leaves. Associations of ActiveRecord are
      # loaded there, for all objects at once.
      # @return [#call, nil]
      attr_accessor :missing
    end
  end

  class << self
    # The store of every `cache` without a store of its own. It is one of ActiveSupport's stores, an
    # object with `read_multi`, `read` and `write`, one with `fetch`, one with `[]` and `[]=` such
    # as a Hash, or a lambda that returns one of these. `false` switches caching off. nil, the
    # initial value, makes caching an error.
    #
    # @example
    #   ToJson.cache_store = {}
    #   ToJson.cache_store # => {}
    #   ToJson.cache_store = nil
    # @return [Object]
    attr_reader :cache_store

    # @param store [Object, Proc, false, nil]
    # @raise [ArgumentError] if the object is not a store, and in other Ractors
    def cache_store=(store)
      unless Ractor.current == Ractor.main
        raise ArgumentError, "ToJson.cache_store can be set only in the main Ractor. Set it at boot"
      end

      FirstUse.of(:CacheStore)
      CacheStore.check(store) unless !store || store.is_a?(Proc)
      @cache_store = store
    end

    # Returns the part of a context that counts in keys. It is called for each `cache` that has no
    # `context:` of its own and whose fields could read a context, so an application says this in
    # one place. nil, the initial value: such a part is kept only without a context.
    #
    # @example
    #   ToJson.cache_context = ->(context) { context[:role] }
    #   class SafeSerializer < ToJson::Serializer
    #     attribute(:open) { |_| context[:role] == :owner }
    #     cache key: :id, store: {}
    #   end
    #   SafeSerializer.json!({ id: 1 }, context: { role: :owner }) # => {"open":true}
    #   SafeSerializer.json!({ id: 1 }, context: { role: :guest }) # => {"open":false}
    #   ToJson.cache_context = nil
    # @return [#call, nil]
    attr_reader :cache_context

    # @param rule [#call, nil] gets the context, returns the part of it that matters
    # @raise [ArgumentError] for anything else, and in other Ractors
    def cache_context=(rule)
      unless Ractor.current == Ractor.main
        raise ArgumentError,
              "ToJson.cache_context can be set only in the main Ractor. Set it at boot"
      end
      unless rule.nil? || rule.respond_to?(:call)
        raise ArgumentError,
              "cache_context takes a lambda that returns the part of the context that matters, " \
              "or nil; got #{rule.inspect}"
      end

      @cache_context = rule
      PlanCache.next_epoch # keys are made of it
    end
  end
end
