# frozen_string_literal: true

require "delegate"
require "forwardable"
require "test_helper"
require "support/own_process"
require "support/ways_out"

# ToJson::Serializer, inherited: arguments, keywords, scope, helpers, super, delegation, reuse.
class ClassFormTest < ToJsonTest
  Post = Struct.new(:id, :title, :author, :comments)
  POST = Post.new(1, "Hi", "Fred", [Post.new(2, "Re: Hi", "Ann", [])])

  class PostSerializer < ToJson::Serializer
    def serialize(post)
      put_fields post, :id, :title
      author post
      put :comments, post.comments do |comment|
        put :title, shout(comment.title)
      end
    end

    def author(post) = put(:author, name: post.author)

    private

    def shout(text) = "#{text}!"
  end

  test "a serializer writes with its helpers, private ones too" do
    assert_serializer '{"id":1,"title":"Hi","author":{"name":"Fred"},"comments":[{"title":"Re: ' \
                      'Hi!"}]}',
                      PostSerializer, POST
  end

  # what `serialize` declares => [arguments, keywords, document]
  ARGUMENTS = {
    "no arguments" => [-> {}, [], {}, "{}"],
    "one argument" => [->(a) { put :a, a }, [1], {}, '{"a":1}'],
    "nil as an argument" => [->(a) { put :a, a }, [nil], {}, '{"a":null}'],
    "several arguments" => [->(a, b) { put a: a, b: b }, [1, 2], {}, '{"a":1,"b":2}'],
    "optional arguments left out" => [->(a, b = 9) { put a: a, b: b }, [1], {}, '{"a":1,"b":9}'],
    "a splat" => [->(*a) { put :a, a }, [1, 2, 3], {}, '{"a":[1,2,3]}'],
    "a Hash as the last argument" => [->(a) { put :a, a }, [{ x: 1 }], {}, '{"a":{"x":1}}'],
    "an empty Hash as the last argument" => [->(a) { put :a, a }, [{}], {}, '{"a":{}}'],
    "keywords" => [->(b:, c: 3) { put b: b, c: c }, [], { b: 2 }, '{"b":2,"c":3}'],
    "arguments and keywords" => [->(a, b: 0) { put a: a, b: b }, [1], { b: 2 }, '{"a":1,"b":2}'],
    "a Hash and keywords" =>
      [->(a, b: 0) { put a: a, b: b }, [{ b: 5 }], { b: 2 }, '{"a":{"b":5},"b":2}'],
    "a double splat" => [->(**all) { put :all, all }, [], { b: 2, c: 3 }, '{"all":{"b":2,"c":3}}'],
    "a double splat and String keys" =>
      [->(**all) { put :all, all }, [], { "b" => 2, c: 3 }, '{"all":{"b":2,"c":3}}'],
    "an argument and a double splat without keywords" =>
      [->(a, **all) { put :a, [a, all] }, [{ x: 1 }], {}, '{"a":[{"x":1},{}]}']
  }.freeze

  ARGUMENTS.each do |what, (body, arguments, keywords, expected)|
    test "serialize takes #{what}" do
      assert_serializer expected,
                        Class.new(ToJson::Serializer) { define_method(:serialize, &body) },
                        *arguments, **keywords
    end

    test "serialize takes #{what} beside reserved keywords, which are not passed on" do
      serializer = Class.new(ToJson::Serializer) { define_method(:serialize, &body) }
      assert_serializer expected, serializer, *arguments, **keywords, context: { x: 1 },
                        max_depth: 50
    end
  end

  Counted = Class.new(ToJson::Serializer) do
    def serialize(a, b = 0, c: 0, **rest) = put(a: a, b: b, c: c, **rest)
  end

  test "later arguments replace those of new" do
    stored = Counted.new(1, 2)
    assert_equal '{"a":1,"b":2,"c":0}', stored.json!
    assert_equal '{"a":7,"b":0,"c":0}', stored.json!(7)
    assert_equal '{"a":1,"b":2,"c":0}', stored.json!
  end

  test "keywords are merged over those of new" do
    stored = Counted.new(1, c: 3, d: 4)
    assert_equal '{"a":1,"b":0,"c":3,"d":4}', stored.json!
    assert_equal '{"a":1,"b":0,"c":5,"d":4,"e":6}', stored.json!(c: 5, e: 6)
    assert_equal '{"a":9,"b":0,"c":3,"d":4}', stored.json!(9)
    assert_equal '{"a":1,"b":0,"c":3,"d":4}', stored.json!
  end

  test "new copies the keywords: a Hash that changes later changes nothing" do
    options = { c: 3 }
    stored = Counted.new(1, **options)
    options[:c] = 9
    assert_equal '{"a":1,"b":0,"c":3}', stored.json!
  end

  test "reserved keywords of new are used by json!, and replaced by its own" do
    seen = Class.new(ToJson::Serializer) { def serialize = put(:context, context) }
    stored = seen.new(context: 1, into: +"x")
    assert_equal 'x{"context":1}', stored.json!
    assert_equal '{"context":2}', stored.json!(context: 2, into: nil)
    assert_equal '{"context":{}}', seen.json!
  end

  test "a wrong number of arguments is Ruby's ArgumentError, with serialize in its backtrace" do
    [-> { Counted.json! }, -> { Counted.json!(1, 2, 3) }, -> { Counted.new.json! }].each do |call|
      error = assert_raises(ArgumentError, &call)
      assert_match(/wrong number of arguments/, error.message)
      assert_includes error.backtrace.join("\n"), "serialize"
    end
  end

  test "scope is the first argument" do
    serializer = Class.new(ToJson::Serializer) do
      def serialize(*all) = put(:scope, scope.nil? ? "none" : [scope, *all])
    end
    assert_serializer '{"scope":[1,1,2]}', serializer, 1, 2
    assert_serializer '{"scope":"none"}', serializer
  end

  test "scope of a serializer in place is its own, and the outer one's comes back" do
    inner = Class.new(ToJson::Serializer) { def serialize(_) = put(:scope, scope) }
    outer = Class.new(ToJson::Serializer) do
      define_method(:serialize) do |x|
        put :before, scope; put :in, inner.new(x * 2); put :after, scope
      end
    end
    assert_serializer '{"before":5,"in":{"scope":10},"after":5}', outer, 5
  end

  test "super writes what the parent writes, in its place" do
    child = Class.new(PostSerializer) do
      def serialize(post)
        put :first, true
        super
        put :last, true
      end

      def shout(text) = "#{super}!!"
    end
    expected =
      '{"first":true,"id":1,"title":"Hi","author":{"name":"Fred"},"comments":[{"title":"Re: ' \
      'Hi!!!"}],"last":true}'
    assert_serializer expected, child, POST
  end

  test "a module with a serialize of its own composes by super" do
    stamped = Module.new { def serialize(*) = (super; put :stamped, true) }
    serializer = Class.new(PostSerializer) { include stamped }
    prepended = Class.new(ToJson::Serializer) { prepend stamped; def serialize(x) = put(:x, x) }
    assert_serializer '{"x":1,"stamped":true}', prepended, 1
    assert_operator serializer.json!(POST), :end_with?, '"stamped":true}'
  end

  test "delegated methods are helpers" do
    serializer = Class.new(ToJson::Serializer) do
      extend Forwardable
      def_delegators :scope, :id, :title
      def_delegator "scope.title", :size, :length

      def serialize(_) = put(id: id, title: title, length: length)
    end
    assert_serializer '{"id":1,"title":"Hi","length":2}', serializer, POST
  end

  if Without.library?("active_support/core_ext/module/delegation")
    test "methods that ActiveSupport's delegate made are helpers" do
      serializer = Class.new(ToJson::Serializer) do
        delegate :id, :title, to: :scope
        def serialize(_) = put(id: id, title: title)
      end
      assert_serializer '{"id":1,"title":"Hi"}', serializer, POST
    end
  end

  test "a DelegateClass of the object is read like the object" do
    decorated = SimpleDelegator.new(POST)
    def decorated.title = "#{super}?"
    assert_operator PostSerializer.json!(decorated), :start_with?, '{"id":1,"title":"Hi?"'
  end

  test "instance variables are kept as long as the instance" do
    serializer = Class.new(ToJson::Serializer) do
      def serialize = put(:calls, @calls = (@calls || 0) + 1)
    end
    reused = serializer.new
    assert_equal %w[{"calls":1} {"calls":2}], [reused.json!, reused.json!]
    assert_equal '{"calls":1}', serializer.json!
  end

  test "initialize may be the user's own, calling super with what json! is to get" do
    serializer = Class.new(ToJson::Serializer) do
      def initialize(post, currency:)
        super(post)
        @currency = currency
      end

      def serialize(post) = put(id: post.id, currency: @currency)
    end
    assert_equal '{"id":1,"currency":"EUR"}', serializer.new(POST, currency: "EUR").json!
    assert_equal '[{"id":1,"currency":"EUR"}]',
                 ToJson.generate([serializer.new(POST, currency: "EUR")])
  end

  test "encode! keeps the document, json! does not" do
    serializer = Class.new(ToJson::Serializer) { def serialize(x) = put(:x, x) }
    encoded = serializer.encode!(1)
    assert_kind_of serializer, encoded
    assert_equal ['{"x":1}'] * 3, [encoded.to_json, encoded.to_s, "#{encoded}"]
    instance = serializer.new(1)
    assert_same instance, instance.encode!
    assert_equal '{"x":2}', instance.json!(2)
    assert_equal '{"x":1}', instance.to_json
    instance.encode!(3)
    assert_equal '{"x":3}', instance.to_json
    assert_equal({ "x" => 3 }, instance.to_h)
  end

  test "what encode! kept is not changed by who gets it" do
    encoded = Class.new(ToJson::Serializer) { def serialize = put(:x, 1) }.encode!
    assert_raises(FrozenError) { encoded.to_json << "!" }
    assert_equal '{"x":1}', encoded.to_json
  end

  test "what encode! kept is not changed by a String that it was written into" do
    given = +""
    encoded = Class.new(ToJson::Serializer) { attributes :size }.encode!("text", into: given)
    given << "more"
    assert_equal ['{"size":4}more', '{"size":4}'], [given, encoded.to_json]
    refute_predicate given, :frozen?
    assert_predicate encoded.to_json, :frozen?
  end

  test "encode! of the class, as a value of another document, writes the kept document" do
    encoded = Class.new(ToJson::Serializer) { def serialize(x) = put(:x, x) }.encode!("<é>")
    assert_document('[{"x":"<é>"},1]') { |**out| ToJson.generate([encoded, 1], **out) }
    assert_document('[{"x":"\u003cé\u003e"}]') do |**out|
      ToJson.generate([encoded], html_safe: true, **out)
    end
  end

  test "to_json and to_s without encode! make the document" do
    instance = PostSerializer.new(POST)
    assert_equal instance.json!, instance.to_json
    assert_equal instance.json!, instance.to_s
  end

  test "a subclass without serialize says what to define" do
    error = assert_raises(ToJson::Error) { Class.new(ToJson::Serializer).json!(1) }
    assert_includes error.message, "define serialize(object)"
  end

  test "private words and serialize: a private serialize works" do
    serializer = Class.new(ToJson::Serializer) { private def serialize(x) = put(:x, x) }
    assert_serializer '{"x":1}', serializer, 1
  end

  test "return in serialize ends the document in good order" do
    serializer = Class.new(ToJson::Serializer) do
      def serialize(items)
        put :items, items do |item|
          return if item == :stop

          put :item, item
        end
        put :never, 1
      end
    end
    assert_serializer '{"items":[{"item":1},{"item":2}]}', serializer, [1, 2, :stop, 3]
  end

  test "return in serialize out of open slots closes them" do
    serializer = Class.new(ToJson::Serializer) do
      def serialize = (put(:a) { open :b; open_array; value 1; return }; put :never, 1)
    end
    assert_serializer '{"a":{"b":[1]}}', serializer
  end

  test "reserved keywords that need declared fields say so" do
    %i[view only except root meta collection].each do |name|
      error = assert_raises(ArgumentError) { Counted.json!(1, name => [:x]) }
      assert_includes error.message, "#{name}: needs declared fields"
      assert_raises(ArgumentError) { Counted.new(1, name => [:x]) }
    end
  end

  test "a copy has the arguments of its original, whatever its class does about copies" do
    klass = Class.new(ToJson::Serializer) do
      def initialize_copy(_) = nil
      def serialize(word, loud: false) = put(:word, loud ? word.upcase : word)
    end
    original = klass.new("a", loud: true)
    copies = [original.dup, original.clone, original.clone(freeze: true), original.dup.dup]
    assert_equal [%({"word":"A"})] * 4, copies.map(&:json!)
    assert_equal [false, false, true, false], copies.map(&:frozen?)
    assert_equal %({"word":"b"}), klass.new.dup.json!("b")
    assert_raises(ArgumentError) { original.clone(freeze: 1) }
  end

  test "arguments that are given again count from the next document on" do
    klass = Class.new(ToJson::Serializer) do
      def serialize(word)
        send(:initialize, "b")
        GC.start
        put(:word, word)
      end
    end
    serializer = klass.new(+"a")
    assert_equal [%({"word":"a"}), %({"word":"b"})], Array.new(2) { serializer.json! }
    assert_equal %({"word":"b"}), serializer.dup.json!
  end

  test "what new was given lives as long as the serializer" do
    # in a process with a small heap: under GC.stress each collection reads all of it
    written = OwnProcess.run(<<~RUBY)
      klass = Class.new(ToJson::Serializer) { def serialize(word, more:) = put(word, more) }
      serializers = Array.new(50) { |index| klass.new("w\#{index}", more: "m\#{index}") }
      GC.stress = true
      klass.new("w", more: "m").dup
      GC.stress = false
      GC.compact if GC.respond_to?(:compact)
      puts serializers.map(&:to_json)
    RUBY
    expected = Array.new(50) { |index| %({"w#{index}":"m#{index}"}) }
    assert_equal expected, written.split("\n")
  end
end
