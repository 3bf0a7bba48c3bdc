# frozen_string_literal: true

# Layer: documents. The module ToJson::Serialize: `include` it to write any object with the DSL.

module ToJson
  # `include ToJson::Serialize` and define `serialize` to turn any class into a serializer. Several
  # modules that include it can be combined.
  #
  # @example
  #   Point = Struct.new(:x, :y) do
  #     include ToJson::Serialize
  #     def serialize = put_fields(self, :x, :y)
  #   end
  #   Point.new(1, 2).json! # => "{\"x\":1,\"y\":2}"
  #
  # Caveats: the object holds the state of its document, so a frozen object cannot serialize itself.
  module Serialize
    # @!method json!(*arguments, context: {}, into: nil, chunk: nil, flush: nil, rules: nil, max_depth: nil, **keywords)
    #   Runs `serialize` with the arguments, or the block, whose `self` stays as it is. Without
    #   arguments those of `new` are used. Keywords are merged over those of `new`. If the instance
    #   is busy, a dup of it runs.
    #
    #   @example
    #     class GreetingSerializer < ToJson::Serializer
    #       def serialize(name, loud: false) = put(:hello, loud ? name.upcase : name)
    #     end
    #     serializer = GreetingSerializer.new("Ann", loud: true)
    #     serializer.json!              # => {"hello":"ANN"}
    #     serializer.json!("Bob")       # => {"hello":"BOB"}
    #     serializer.json!(loud: false) # => {"hello":"Ann"}
    #   @param arguments passed to `serialize`, like all keywords that are not listed here; for a
    #     serializer with declared fields: the object, or a collection
    #   @param context [Object] what {#context} returns
    #   @param into [String, Buffer, #write, #<<, nil] a String (UTF-8, US-ASCII or binary) or
    #     Buffer is appended to, and restored after an error; any other object receives chunks of
    #     about 64 KiB, and may return how many bytes it took
    #   @param chunk [Integer, nil] how many bytes a chunk has
    #   @param flush [:record, Numeric, nil] what is delivered before a chunk is full, see
    #     {ToJson.generate}
    #   @param rules [Rules, Hash, Symbol, nil] instead of those of the class
    #   @param max_depth [Integer, nil] how many containers may be open at once, instead of the
    #     limit of the Rules
    #   @option keywords [Boolean] :rows (true) whether a relation may be written from its rows,
    #     without models of ActiveRecord, where the document is the same
    #   @option keywords [Symbol, String, Array] :view the views; this and the following need
    #     declared fields
    #   @option keywords [Symbol, String, Array, Hash] :only the fields to write, also as
    #     "id,author(name)"
    #   @option keywords [Symbol, String, Array, Hash] :except the fields not to write
    #   @option keywords [Boolean, Symbol, String] :root (the class's) the key around the data;
    #     false: none
    #   @option keywords [Hash, false] :meta (the class's) the pairs beside the root
    #   @option keywords [Boolean] :collection (by the value) whether the object is many
    #   @return [String, Object] the document in UTF-8, or `into`
    #   @raise [Error] one of its subclasses; exceptions of your own code pass through, and
    #     {ToJson.location} returns their place
    # @!method encode!(*arguments, **keywords)
    #   Like {#json!}, but keeps the document for {#to_json} and {#to_s}.
    #   @example
    #     class OneSerializer < ToJson::Serializer
    #       def serialize(n) = put(:n, n)
    #     end
    #     OneSerializer.new(1).encode!.to_json # => {"n":1}
    #   @return [self]
    # @!method to_json(state = nil, *)
    #   Returns the document, for other generators. Inside another value of the json gem it is what
    #   stands there in documents of ours: without the root of the class. Where ActiveSupport's
    #   encoder is loaded, `<`, `>`, `&`, U+2028 and U+2029 are escaped as its settings say
    #   (`escape_html_entities_in_json`), as they are in `to_json` of a Hash. {#json!} only asks its
    #   Rules.
    #
    #   @param state [Object, nil] a State of the json gem, or the options of ActiveSupport's
    #     `to_json`, of which only `escape:` and `escape_html_entities:` count
    #   @return [String] the text that {#encode!} kept, or a new document
    # @!method scope
    #   The first argument of the current document. In the block form without arguments: the `self`
    #   of the block.
    #   @return [Object, nil]
    # @!method context
    #   The value of `context:`, `{}` by default. A serializer in place has that of its parent,
    #   unless it has its own.
    #   @return [Object]

    # The class methods of a serializer.
    module ClassMethods
      include DSL::WordCheck

      # @!method json!(*arguments, **keywords)
      #   Creates a serializer and calls its {Serialize#json!}. {ToJson::Serializer} itself takes a
      #   block, which sees everything around it; its assignments to instance variables take effect
      #   outside.
      #   @example
      #     ToJson::Serializer.json!(2, 3) { |a, b| put :sum, a + b } # => {"sum":5}
      #   @return [String, Object]
      #   @raise [Error] if {ToJson::Serializer} itself is called without a block
      # @!method encode!(*arguments, **keywords)
      #   Creates a serializer and calls its {Serialize#encode!}.
      #   @return [Serialize]

      # Sets the Rules of the class. Without options it returns the current ones.
      #
      # @example
      #   class EventSerializer < ToJson::Serializer
      #     rules time: :unix
      #     def serialize(at) = put(:at, at)
      #   end
      #   EventSerializer.json!(Time.at(7)) # => "{\"at\":7}"
      #
      # @param base [Rules, Hash, Symbol, nil]
      # @param options the options of {Rules.new}, which change the inherited ones
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

      # @api private
      def prepended(base)
        super
        Serialize.included(base)
      end
    end

    # @api private
    def self.prepended(base)
      super
      included(base)
    end

    # @api private
    def self.included(base)
      super
      base.extend(ClassMethods) unless base.singleton_class.include?(ClassMethods)
      ToJson.forget_effective_rules(base) # it may bring Rules to a class that has served
      base.send(:check_methods_so_far)
    end

    # Returns the document as Ruby values. It parses the text, so it equals what any JSON parser
    # returns, and costs more than {#json!}: three to four times its instructions for one object.
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
      encoded = encoded_json if arguments.empty? && keywords.empty?
      Tree.parse(encoded || json!(*arguments, **keywords))
    end

    # Like {#to_h}, for `as_json` of a Hash or an Array and for ActiveSupport's encoder: these get
    # what stands inside other documents of ours, without the root of the class. Options are
    # ignored.
    # @return [Hash, Array, Object]
    def as_json(*)
      inside = Interop.inside_tree?(caller_locations(1, 1)&.first)
      Tree.parse(inside ? __to_json_in_place : encoded_json || json!)
    end
  end
end
