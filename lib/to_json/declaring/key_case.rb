# frozen_string_literal: true

# Layer: declaring. Turns the name of a field into its key, when a Plan is compiled.

module ToJson
  # @api private
  module KeyCase
    NAMED = %i[camel camel_lower dash snake].freeze
    ALIASES = { lower_camel: :camel_lower }.freeze

    class << self
      # @param given [Symbol, #call, nil] what `transform_keys` was given
      # @return [Symbol, #call, nil]
      # @raise [ArgumentError] for anything else
      def check(given)
        case given
        when nil then nil
        when Symbol
          return ALIASES.fetch(given, given) if NAMED.include?(given) || ALIASES.key?(given)

          raise ArgumentError, Suggestion.unknown("key case", given, NAMED)
        else
          return given if given.respond_to?(:call)

          raise ArgumentError,
                "takes #{NAMED.map(&:inspect).join(", ")}, an object with call, or nil; got " \
                "#{given.inspect}"
        end
      end

      # The named cases do what ActiveSupport does, except that leading and trailing underscores
      # stay: without them two fields could have one key.
      #
      # @param key_case [Symbol, #call, nil] what {check} gave
      # @param name [String]
      # @return [String] the key
      # @raise [DefinitionError] for a callable that gives neither a String nor a Symbol
      def apply(key_case, name)
        case key_case
        when nil then name
        when :camel then camel(name, :upcase)
        when :camel_lower then camel(name, :downcase)
        when :dash then name.tr("_", "-")
        when :snake then snake(name)
        else called(key_case, name)
        end
      end

      private

      # Inner capitals stay: firstName is itself. The words are those between underscores.
      def camel(name, first)
        before, inner, after = name.match(/\A(_*)(.*?)(_*)\z/m).captures
        words = inner.split(/_+/).each_with_index.map do |word, at|
          word.sub(/\A./m, &(at.zero? ? first : :upcase))
        end
        "#{before}#{words.join("")}#{after}"
      end

      def snake(name)
        name.gsub(
          /([[:upper:]\d]+)([[:upper:]][[:lower:]])/, '\1_\2'
        ).gsub(/([[:lower:]\d])([[:upper:]])/, '\1_\2').tr("-", "_").downcase
      end

      def called(callable, name)
        key = callable.call(name)
        return key.to_s if key.is_a?(String) || key.is_a?(Symbol)

        raise DefinitionError,
              "transform_keys: the callable returned #{key.class} for #{name.inspect}. It must " \
              "return a String or a Symbol."
      end
    end
  end
end
