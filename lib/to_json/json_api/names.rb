# frozen_string_literal: true

# Layer: json_api. The type of a resource, from the name of its serializer.

module ToJson
  module JsonApi
    # English plurals for types. Simple on purpose: if a guess is wrong, the class declares `type`.
    # @api private
    module Names
      IRREGULAR = { "person" => "people", "child" => "children", "man" => "men",
                    "woman" => "women", "mouse" => "mice", "datum" => "data" }.freeze
      UNCOUNTABLE = %w[news series species equipment information media data people].freeze
      LAST_WORD = /[a-z0-9]+\z/
      private_constant :IRREGULAR, :UNCOUNTABLE, :LAST_WORD

      class << self
        # @return [String, nil] nil: its name gives no type that JSON:API allows
        def of(serializer_class)
          name = Reflection.name_of(serializer_class)
          type = name && type(name)
          type if type && MemberName.valid?(type)
        end

        # @param name [String] the name of the serializer class
        # @return [String]
        def type(name)
          name = name[/[^:]+\z/].delete_suffix("Serializer")
          snake = KeyCase.apply(:snake, name)
          snake.sub(LAST_WORD) { |word| plural(word) }
        end

        private

        def plural(word)
          return word if UNCOUNTABLE.include?(word)

          IRREGULAR.fetch(word) do
            case word
            when /[^aeiou]y\z/ then "#{word.chop}ies"
            when /(?:s|x|z|ch|sh)\z/ then "#{word}es"
            else "#{word}s"
            end
          end
        end
      end
    end
  end
end
