# frozen_string_literal: true

# Layer: definition. The store of caches that name none, and the place of a Writer for parts that
# were looked up.

module ToJson
  # @api private
  class Writer
    # Where it has what was looked up for the elements at hand ({Compiler::Prefetch}), or nil.
    attr_accessor :ahead
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
        raise ArgumentError, "ToJson.cache_store can be set only in the main Ractor"
      end

      CacheStore.check(store) unless !store || store.is_a?(Proc)
      @cache_store = store
    end
  end
end
