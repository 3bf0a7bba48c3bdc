# frozen_string_literal: true

# Layer: serializer. The class to inherit from.

module ToJson
  # Inherit, define `serialize`, call `json!`.
  #
  # @example
  #   class UserSerializer < ToJson::Serializer
  #     def serialize(user)
  #       put_fields user, :id, :name
  #       put :tags, user[:tags] do |tag|
  #         put :label, tag
  #       end
  #     end
  #   end
  #   UserSerializer.json!({ id: 1, name: "Fred", tags: %w[a] }) # => "{\"id\":1,\"name\":\"Fred\",\"tags\":[{\"label\":\"a\"}]}"
  class Serializer
    extend Serialize::ClassMethods

    # @!method initialize(*arguments, **keywords)
    #   Takes exactly what {Serialize#json!} takes and keeps it.

    # Writes the document with the words of {DSL}. Yours to define.
    # @abstract
    def serialize(*)
      raise Error, "#{self.class} defines no serialize. Define serialize(object) and write with put, array or value."
    end

    # @return [String] {Serialize#to_json}
    def to_s = to_json
  end
end
