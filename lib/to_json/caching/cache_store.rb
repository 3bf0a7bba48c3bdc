# frozen_string_literal: true

# Layer: caching. Reads from and writes to a store: one of ActiveSupport, an object with the same
# methods, or a Hash.

module ToJson
  # Reads and writes in the same way for every kind of store.
  # @api private
  module CacheStore
    FORMS = "read and write, fetch, or [] and []="

    class << self
      # @raise [ArgumentError]
      def check(store)
        kind(store) || raise(ArgumentError,
                             "#{Lookup.class_of(store)} is not a store. Use an object with " \
                             "#{FORMS}.")
      end

      # @param options [CacheOptions]
      # @return [Object, false] false: caching is switched off
      # @raise [CacheError]
      def of(options, place)
        store = options.store.nil? ? ToJson.cache_store : options.store
        store = store.call if store.is_a?(Proc)
        if store.nil?
          raise CacheError,
                "#{place}: there is no store. Set ToJson.cache_store = Rails.cache, or pass " \
                "store:. The store false switches caching off."
        end
        return false unless store

        if kind(store).nil? || (kind(store) == :hash && !options.store_options.empty?)
          refuse(place, store, options)
        end
        store
      end

      # Whether only the `fetch` of the store does what the options say, as with
      # `race_condition_ttl:`.
      def fetch?(store, options)
        case kind(store)
        when :fetch then true
        when :store
          options.store_options.key?(:race_condition_ttl) && store.respond_to?(:fetch)
        else false
        end
      end

      # @param keys [Array<String>]
      # @return [Array<Object>] the entry for each key, or nil
      def read(store, keys, options)
        return keys.map { |key| store[key] } if kind(store) == :hash
        unless store.respond_to?(:read_multi) && (keys.size > 1 || !store.respond_to?(:read))
          return keys.map { |key| store.read(key, **options.store_options) }
        end

        found = store.read_multi(*keys, **options.store_options)
        return Array.new(keys.size) unless Hash === found

        found.default.nil? && found.default_proc.nil? ? found.values_at(*keys) : keys.map do |key|
          found.fetch(key, nil)
        end
      end

      # @param texts [Hash{String => String}]
      def write(store, texts, options)
        if kind(store) == :hash then texts.each { |key, text| store[key] = text }
        elsif texts.size > 1 && store.respond_to?(:write_multi)
          store.write_multi(texts, **options.store_options)
        else texts.each { |key, text| store.write(key, text, **options.store_options) }
        end
      end

      private

      def kind(store)
        if store.respond_to?(:write) && (store.respond_to?(:read) || store.respond_to?(:read_multi))
          :store
        elsif store.respond_to?(:[]) && store.respond_to?(:[]=) then :hash
        elsif store.respond_to?(:fetch) then :fetch
        end
      end

      def refuse(place, store, options)
        unless kind(store)
          raise CacheError,
                "#{place}: #{Lookup.class_of(store)} is not a store. Use an object with #{FORMS}."
        end

        raise CacheError,
              "#{place}: #{options.store_options.keys.first}: works only with stores that " \
              "have read and write; #{Lookup.class_of(store)} has [] and []=."
      end
    end
  end
end
