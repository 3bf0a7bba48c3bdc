# frozen_string_literal: true

# Layer: dsl. The module form.

module ToJson
  # Makes a serializer of any class: `include ToJson::Serialize` and define `serialize`. Concerns that
  # include it compose.
  #
  # @example
  #   Point = Struct.new(:x, :y) do
  #     include ToJson::Serialize
  #     def serialize = put_fields(self, :x, :y)
  #   end
  #   Point.new(1, 2).json! # => "{\"x\":1,\"y\":2}"
  #
  # Caveats: the state of a document lives in the object, so a frozen one cannot serialize itself.
  module Serialize
    # @!method json!(*arguments, context: {}, into: nil, rules: nil, max_depth: nil, **keywords)
    #   Runs `serialize` with the arguments, or the block with self as it is. Arguments given to `new` are
    #   used where none are given here; keywords are merged over those of `new`.
    #   @return [String, Object] the document in UTF-8, or `into`
    # @!method encode!(*arguments, **keywords)
    #   {#json!}, keeping the document for {#to_json} and {#to_s}.
    #   @return [self]
    # @!method scope
    #   @return [Object, nil] the first argument of the document at work; in the block form the block's self
    # @!method context
    #   @return [Object] what `context:` gave, `{}` without; a serializer in place has its parent's

    # What the class of a serializer gets.
    module ClassMethods
      include DSL::Guard

      # @!method json!(*arguments, **keywords)
      #   A new serializer's {Serialize#json!}.
      #   @return [String, Object]
      # @!method encode!(*arguments, **keywords)
      #   A new serializer's {Serialize#encode!}.
      #   @return [Serialize]

      # The class's Rules. Without options: the ones in force.
      #
      # @example
      #   class EventSerializer < ToJson::Serializer
      #     rules time: :unix
      #     def serialize(at) = put(:at, at)
      #   end
      #   EventSerializer.json!(Time.at(7)) # => "{\"at\":7}"
      #
      # @param base [Rules, Hash, Symbol, nil]
      # @param options the options of {Rules.new}, over the inherited ones
      # @return [Rules]
      def rules(base = nil, **options)
        inherited = ToJson.effective_rules(self)
        inherited = ToJson.default_rules if inherited == true
        return inherited if base.nil? && options.empty?

        @to_json_rules = Rules.new(base ? Rules.coerce(base) : inherited, **options)
        ToJson.forget_effective_rules(self)
        @to_json_rules
      end

      # @api private
      def included(base)
        super
        Serialize.included(base)
      end
    end

    # @api private
    def self.included(base)
      super
      base.extend(ClassMethods) unless base.singleton_class.include?(ClassMethods)
      base.send(:check_methods_so_far)
    end

    # The document, for other generators: their arguments (a State, render's options) are ignored.
    # @return [String] what {#encode!} kept, or a new document
    def to_json(*)
      encoded_json || json!
    end

    # The document as Ruby values: equal to what a JSON parser makes of it.
    #
    # @return [Hash, Array, Object] with String keys
    def to_h(*arguments, **keywords)
      Tree.parse(arguments.empty? && keywords.empty? ? to_json : json!(*arguments, **keywords))
    end

    # @return [Hash, Array, Object] {#to_h}; options are ignored
    def as_json(*) = to_h
  end

  class << self
    # @api private
    def forget_effective_rules(klass)
      keep_effective_rules(klass, nil)
      klass.subclasses.each { |subclass| forget_effective_rules(subclass) } if klass.is_a?(Class)
    end
  end
end
