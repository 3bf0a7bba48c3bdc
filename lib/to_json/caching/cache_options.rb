# frozen_string_literal: true

# Layer: caching. Checks the options of `cache` where they are declared, for a class or an
# association.

module ToJson
  # How parts of documents are kept encoded. Frozen.
  # @api private
  class CacheOptions
    OWN = %i[key store context version batch verify store_options].freeze
    # Arities of lambdas that can be called with one argument.
    TAKES_ONE = [1, -1, -2].freeze
    private_constant :TAKES_ONE
    # Of ActiveSupport's stores; handed to the store as they are.
    OF_STORES = %i[expires_in race_condition_ttl namespace compress compress_threshold raw].freeze
    KNOWN = [*OWN, *OF_STORES].freeze
    # What other libraries call them.
    ELSEWHERE = { ttl: :expires_in, expires: :expires_in, cache_key: :key, digest: :version,
                  slice: :batch }.freeze
    BATCH = 500
    MOST_BATCH = 10_000

    class << self
      # @param place [String] for messages
      # @param given [true, false, nil, Hash]
      # @return [CacheOptions, nil]
      # @raise [DefinitionError]
      def read(place, given)
        case given
        when nil, false then nil
        when true then new(place, {})
        when Hash then new(place, given)
        else
          raise DefinitionError,
                "#{place}: takes true, false or a Hash of options; got #{given.inspect}"
        end
      end
    end

    # @return [Proc, Symbol, nil] nil: the object's cache_key_with_version
    attr_reader :key
    # @return [Object, Proc, nil] nil: {ToJson.cache_store}
    attr_reader :store
    # @return [Proc, false, nil] what of the context matters; false: nothing; nil: not told
    attr_reader :context
    # @return [Object] what the key changes with, besides the Definition
    attr_reader :version
    # @return [Integer] elements that are looked up together
    attr_reader :batch
    # @return [Hash{Symbol => Object}] keywords for the store's methods
    attr_reader :store_options

    def initialize(place, options)
      FirstUse.of(:CacheKey)
      Writer.expect_captures
      @place, @given = place, options.dup.freeze
      options.each_key do |option|
        refuse(Suggestion.unknown("option", option, KNOWN, ELSEWHERE)) unless KNOWN.include?(option)
      end
      @key = key_of(options[:key])
      @store, @version = options[:store], options[:version]
      @context = context_of(options[:context])
      @batch = batch_of(options.fetch(:batch, BATCH))
      @verify = verify_of(options.fetch(:verify, false))
      @store_options = store_options_of(options)
      freeze
    end

    # Whether what a store gives is checked to be one JSON value.
    def verify? = @verify

    # Whether the key takes the context as its second argument.
    def key_of_context? = @key.is_a?(Proc) && key_arity > 1

    # How many arguments the lambda of the key can take: the object, and the context.
    def key_arity = @key.parameters.count { |kind, _| %i[req opt rest].include?(kind) }

    # @return [String] as it was declared, without braces
    def to_s = @given.map { |name, value| "#{name}: #{word(value)}" }.join(", ")

    def inspect = "#<ToJson::CacheOptions #{self}>"

    private

    def refuse(message)
      raise DefinitionError, "#{@place}: #{message}"
    end

    def key_of(given)
      case given
      when nil, Symbol then given
      when Proc, Method
        block = given.to_proc
        # of a Symbol: no body that could run on the serializer
        return ->(object) { block.call(object) } unless block.source_location

        required = block.arity.negative? ? ~block.arity : block.arity
        if required > 2
          refuse("key: receives the object, and the context if it has two parameters. This one " \
                 "requires #{required}.")
        end
        block
      else
        refuse("key: takes a lambda with the object (and the context) as parameters, or a Symbol " \
               "that names a method of the object; got #{given.inspect}")
      end
    end

    def context_of(given)
      if given.is_a?(Proc) && given.lambda? && !TAKES_ONE.include?(given.arity)
        refuse("context: receives one argument, the context. Give the lambda one parameter.")
      end
      return given if given.nil? || given == false || given.respond_to?(:call)

      refuse("context: takes a lambda that returns the part of the context that matters, or " \
             "false if none of it does; got #{given.inspect}")
    end

    def batch_of(given)
      return given if given.is_a?(Integer) && given.between?(1, MOST_BATCH)

      refuse("batch: takes an Integer from 1 to #{MOST_BATCH}; got #{given.inspect}")
    end

    def verify_of(given)
      return given if [true, false].include?(given)

      refuse("verify: takes true or false; got #{given.inspect}")
    end

    def store_options_of(options)
      more = options.fetch(:store_options, {})
      unless more.is_a?(Hash) && more.each_key.all?(Symbol)
        refuse("store_options: takes a Hash of keywords for the store; got #{more.inspect}")
      end
      { **options.slice(*OF_STORES), **more }.freeze
    end

    def word(value)
      case value
      when Proc then "->(…) { … }"
      when Symbol, String, Numeric, true, false, nil then value.inspect
      else "#<#{Reflection.class_of(value)}>"
      end
    end
  end
end
