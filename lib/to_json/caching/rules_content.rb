# frozen_string_literal: true

# Layer: caching. Describes Rules, for the keys of a cache.

module ToJson
  class Compiler
    # Turns Rules into a tree for {CacheKey.tree}. A callable whose state nothing shows is refused:
    # Rules are often made for one call, so that its identity would never be met again, and would
    # mean nothing in a store of several processes (docs/internals/decisions/0001-cache-keys.md).
    module RulesContent
      OF_A_METHOD = " If it is made of a Method, give the Method itself (method(:name))."

      class << self
        # @param rules [Rules]
        # @param place [String] for messages
        # @param codes [Hash] of {Content}
        # @return [Array(Array, Boolean)] the tree; whether it is that of the Rules at any time
        # @raise [CacheError]
        def of(rules, place, codes)
          option = type = nil
          content = Content.new(place, codes,
                                opaque: ->(held) { refuse(place, option, type, held) })
          tree = rules.own.map do |name, value|
            option, type = name, nil
            next [name, content.of_callable(value)] unless name == :convert && value

            [name, value.map { |one, call| [content.of(type = one), content.of_callable(call)] }]
          end
          [[rules.to_h[:dialect], tree], content.lasting?]
        end

        private

        def refuse(place, option, type, held)
          option = "#{option}: of #{type}" if type
          raise CacheError,
                "#{place}: rules: #{option} holds an instance of #{Lookup.class_of(held)}, whose " \
                "contents a key cannot see. Give the callable a method cache_key (text " \
                "that changes with what it writes), or pass a lambda that uses only its argument." \
                "#{OF_A_METHOD if Proc === held}"
        end
      end
    end
  end
end
