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
    # @!method json!(*arguments, context: {}, into: nil, chunk: nil, flush: nil, rules: nil, max_depth: nil, **keywords)
    #   Runs `serialize` with the arguments, or the block with self as it is. Arguments given to `new` are
    #   used where none are given here; keywords are merged over those of `new`. A busy instance works on a dup.
    #
    #   @example
    #     class GreetingSerializer < ToJson::Serializer
    #       def serialize(name, loud: false) = put(:hello, loud ? name.upcase : name)
    #     end
    #     serializer = GreetingSerializer.new("Ann", loud: true)
    #     serializer.json!              # => {"hello":"ANN"}
    #     serializer.json!("Bob")       # => {"hello":"BOB"}
    #     serializer.json!(loud: false) # => {"hello":"Ann"}
    #   @param arguments for `serialize`, as all keywords that are not named here; of a serializer that only declares, the
    #     object, or many
    #   @param context [Object] what {#context} gives
    #   @param into [String, Buffer, #write, #<<, nil] a String (UTF-8, US-ASCII or binary) or Buffer is appended to, and as it was
    #     after an error; anything else gets chunks of about 64 KiB, and may take less by answering how many bytes it took
    #   @param chunk [Integer, nil] bytes of a chunk
    #   @param flush [:record, Numeric, nil] what is delivered before a chunk is full: see {ToJson.generate}
    #   @param rules [Rules, Hash, Symbol, nil] instead of the class's
    #   @param max_depth [Integer, nil] containers open at once, instead of the Rules'
    #   @option keywords [Symbol, String, Array] :view of declared fields, as the following: which views
    #   @option keywords [Symbol, String, Array, Hash] :only the fields to write, also as "id,author(name)"
    #   @option keywords [Symbol, String, Array, Hash] :except the fields not to write
    #   @option keywords [Boolean, Symbol, String] :root (the class's) the key around the data; false: none
    #   @option keywords [Hash, false] :meta (the class's) what stands beside the root
    #   @option keywords [Boolean] :collection (by the value) whether the object is many
    #   @return [String, Object] the document in UTF-8, or `into`
    #   @raise [Error] see the subclasses; exceptions of your own code pass through, {ToJson.location} tells where
    # @!method encode!(*arguments, **keywords)
    #   {#json!}, keeping the document for {#to_json} and {#to_s}.
    #   @example
    #     class OneSerializer < ToJson::Serializer
    #       def serialize(n) = put(:n, n)
    #     end
    #     OneSerializer.new(1).encode!.to_json # => {"n":1}
    #   @return [self]
    # @!method scope
    #   The first argument of the document at work; in the block form without arguments the block's self.
    #   @return [Object, nil]
    # @!method context
    #   What `context:` gave, `{}` without. A serializer in place has its parent's unless it was given one.
    #   @return [Object]

    # What the class of a serializer gets.
    module ClassMethods
      include DSL::Guard

      # @!method json!(*arguments, **keywords)
      #   A new serializer's {Serialize#json!}; of {ToJson::Serializer} itself with a block, the block form: the words
      #   stand beside everything that surrounds the block, and what it assigns to instance variables comes back.
      #   @example
      #     ToJson::Serializer.json!(2, 3) { |a, b| put :sum, a + b } # => {"sum":5}
      #   @return [String, Object]
      #   @raise [Error] for {ToJson::Serializer} itself without a block
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

        ToJson.give_rules(self, Rules.new(base ? Rules.coerce(base) : inherited, **options))
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
      ToJson.forget_effective_rules(base) if base.is_a?(Class) # the module may bring Rules to a class that has served
      base.send(:check_methods_so_far)
    end

    # The document, for other generators: their arguments (a State, render's options) are ignored.
    #
    # @return [String] what {#encode!} kept (frozen), or a new document
    def to_json(*)
      encoded_json || json!
    end

    # The document as Ruby values: equal to what a JSON parser makes of it, since it is read back from the text.
    # Costs more than {#json!}.
    #
    # @example
    #   class PairSerializer < ToJson::Serializer
    #     def serialize(a, b) = put(a: a, b: b)
    #   end
    #   PairSerializer.new(1, nil).to_h # => {"a" => 1, "b" => nil}
    # @param arguments as for {#json!}
    # @param keywords as for {#json!}
    # @return [Hash, Array, Object] with String keys
    def to_h(*arguments, **keywords)
      Tree.parse(arguments.empty? && keywords.empty? ? to_json : json!(*arguments, **keywords))
    end

    # {#to_h}, for ActiveSupport's encoder and for `render json:`; their options are ignored.
    # @return [Hash, Array, Object]
    def as_json(*) = to_h
  end
end
