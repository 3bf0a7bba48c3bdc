# frozen_string_literal: true

# Layer: definition. What of caching stands before anything is cached: the store of those that name none, and the Writer's place.

module ToJson
  # @api private
  class Writer
    # Where it has what was looked up for the elements at hand ({Compiler::Prefetch}), or nil.
    attr_accessor :ahead
  end

  class << self
    # The store of every `cache` that names none: one of ActiveSupport's, anything with `read_multi`, `read` and `write`, or `fetch`, or
    # with `[]` and `[]=`, as a Hash; a lambda that gives one. `false` switches caching off, nil (as it begins) makes it an error.
    #
    # @example
    #   ToJson.cache_store = {}
    #   ToJson.cache_store # => {}
    #   ToJson.cache_store = nil
    # @return [Object]
    attr_reader :cache_store

    # @param store [Object, Proc, false, nil]
    # @raise [ArgumentError] for what is no store; in a Ractor
    def cache_store=(store)
      raise ArgumentError, "ToJson.cache_store can be set only in the main Ractor" unless Ractor.current == Ractor.main

      CacheStore.check(store) unless !store || store.is_a?(Proc)
      @cache_store = store
    end
  end
end
