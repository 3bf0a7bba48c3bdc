# frozen_string_literal: true

# Layer: documents. The class ToJson::Serializer, from which serializers inherit.

module ToJson
  # The class to inherit from. Declare fields or define `serialize`, then call `json!`.
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
  #   UserSerializer.json!({ id: 1, name: "Fred", tags: %w[a] })
  #   # => "{\"id\":1,\"name\":\"Fred\",\"tags\":[{\"label\":\"a\"}]}"
  class Serializer
    extend Serialize::ClassMethods
    extend Declarations
    extend ChangeHooks

    # @!method initialize(*arguments, **keywords)
    #   Takes the arguments of {Serialize#json!} and keeps them. The Hash of keywords is copied.
    #   @raise [ArgumentError] for a reserved keyword that needs declared fields, if there are none

    # Writes the document with the words of {DSL}. Define it with any parameters except the
    # {DSL::RESERVED_KEYWORDS}. The return value is not used. In a class with declared fields it
    # writes these; your own can add to them if it calls `super` or {#put_attributes}.
    #
    # @example
    #   class NoteSerializer < ToJson::Serializer
    #     attributes :id
    #     def serialize(note)
    #       super
    #       put :words, note[:text].split.size
    #     end
    #   end
    #   NoteSerializer.json!({ id: 1, text: "two words" }) # => {"id":1,"words":2}
    # @raise [DefinitionError] if the class defines no `serialize` and declares no fields
    def serialize(*arguments)
      if self.class.declared?
        return put_attributes(*arguments) unless arguments.empty?

        raise ArgumentError,
              "#{self.class}#serialize writes an object into the document at hand: " \
              "serialize(object). " \
              "For the document as text call json! or to_json, as a Hash to_h."
      end

      raise DefinitionError,
            "#{self.class} declares no fields and does not define serialize. Declare attributes, " \
            "or define serialize(object) " \
            "and write with put, array or value."
    end

    # Writes the declared fields of an object as pairs of the current object. For a {#serialize} of
    # your own.
    #
    # @example
    #   class StepSerializer < ToJson::Serializer
    #     attributes :id, :name
    #     def serialize(step)
    #       put(:step) { put_attributes step, only: [:name] }
    #     end
    #   end
    #   StepSerializer.json!({ id: 1, name: "one" }) # => {"step":{"name":"one"}}
    # @param object [Object, nil] nil writes nothing
    # @param view [Symbol, String, Array<Symbol, String>, nil] nil: the views that `json!` received
    # @param only [Object, nil] see {Selection.parse}
    # @param except [Object, nil]
    # @return [nil]
    # @raise [UnknownFieldError, UnknownViewError, GrammarError]
    def put_attributes(object, view: nil, only: nil, except: nil)
      return if object.nil?

      plan, mask = *(__to_json_selected if view.nil? && only.nil? && except.nil?)
      plan, mask = PlanCache.choose(self.class, view, only, except, true) unless plan
      __to_json_put(plan, mask, object)
    end

    # @!method object
    #   The object of the current field, in a block or method without parameters. Elsewhere nil.
    #   @return [Object, nil]

    # @!method __to_json_with(object, name)
    #   For generated code: calls a method that takes nothing, which sees `object` meanwhile.
    #   @api private

    # {Serialize#to_json}
    # @return [String]
    def to_s = to_json

    # Answers `json!` of this class itself, called without a block.
    module WithoutBlock
      private

      # In Rails `render` may have got the block: see {Rendering}.
      def __to_json_without_block(*) = __to_json_refuse_no_block

      def __to_json_refuse_no_block
        raise Error, "ToJson::Serializer.json! needs a block, or a subclass with serialize. " \
                     "render json: ToJson::Serializer.json! do ... end gives its block to " \
                     "render: use braces."
      end
    end
    private_constant :WithoutBlock
    extend WithoutBlock
  end
end
