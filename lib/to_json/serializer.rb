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
    extend Declarations

    # @!method initialize(*arguments, **keywords)
    #   Takes exactly what {Serialize#json!} takes and keeps it. The Hash of keywords is copied.
    #   @raise [ArgumentError] for a reserved keyword that needs declared fields

    # Writes the document with the words of {DSL}. Yours to define, with the parameters that you like except the
    # {DSL::RESERVED_KEYWORDS}. What it returns is not used.
    # @abstract
    # @raise [Error] where a class defines none
    def serialize(*)
      raise Error, "#{self.class} defines no serialize. Define serialize(object) and write with put, array or value."
    end

    # {Serialize#to_json}
    # @return [String]
    def to_s = to_json
  end
end
