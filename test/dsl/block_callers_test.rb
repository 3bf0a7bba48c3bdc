# frozen_string_literal: true

require "date"
require "delegate"
require "open3"
require "rbconfig"
require "test_helper"
require "support/ways_out"

# The block form where the caller is no plain object.
class BlockCallersTest < ToJsonTest
  FromModule = Module.new do
    @state = 1
    def self.format = "json of a module"
    def self.document(**out)
      ToJson::Serializer.json!(**out) do
        put :format, format; put :state, @state; put :secret, secret; @state += 1
      end
    end
    def self.secret = "private"
    private_class_method :secret
  end

  class FromClass
    @state = 1
    class << self
      attr_reader :state

      def document(**out)
        ToJson::Serializer.json!(**out) { put :name, name; put :state, @state; @state += 1 }
      end
    end
  end

  test "a module: its methods, private ones and its instance variables" do
    assert_equal '{"format":"json of a module","state":1,"secret":"private"}', FromModule.document
    assert_equal '{"format":"json of a module","state":2,"secret":"private"}', FromModule.document
  end

  test "a class: its own methods and instance variables" do
    assert_equal '{"name":"BlockCallersTest::FromClass","state":1}', FromClass.document
    assert_equal 2, FromClass.state
  end

  test "an object with singleton methods" do
    object = Object.new
    object.instance_variable_set(:@a, 1)
    def object.shout(text) = "#{text}!"
    def object.format = "own"
    def object.document(**out)
      ToJson::Serializer.json!(**out) { put :s, shout("hey"); put :f, format; put :a, @a; @b = 2 }
    end
    assert_document('{"s":"hey!","f":"own","a":1}') { |**out| object.document(**out) }
    assert_equal 2, object.instance_variable_get(:@b)
    assert_equal %i[document format shout], object.singleton_methods.sort
  end

  test "an object with singleton methods passes arguments, keywords and blocks on" do
    object = Object.new
    def object.all(*arguments, key: 0, &block) = [arguments, key, block.call]
    document = object.instance_eval do
      ToJson::Serializer.json! { put :all, all(1, 2, key: 3) { 4 } }
    end
    assert_equal '{"all":[[1,2],3,4]}', document
  end

  test "an object with singleton methods answers as itself" do
    object = Object.new
    def object.known = 1
    document = object.instance_eval do
      ToJson::Serializer.json! do
        put :class, self.class
        put :responds, [respond_to?(:known), respond_to?(:unknown)]
        put :is_a, is_a?(Object)
        put :equal, self == object
        put :nil, nil?
        put :hash, hash == object.hash
        put :text, to_s == object.to_s
      end
    end
    assert_equal '{"class":"Object","responds":[true,false],"is_a":true,"equal":true,"nil":false,' \
                 '"hash":true,"text":true}',
                 document
  end

  test "an object with singleton methods raises NameError for what it does not have" do
    object = Object.new
    def object.known = 1
    error = assert_raises(NameError) do
      object.instance_eval { ToJson::Serializer.json! { unknown } }
    end
    assert_equal :unknown, error.name
  end

  test "main, with its methods and instance variables" do
    script = <<~RUBY
      require "to_json"
      @a = 1
      def helper = "of main"
      puts ToJson::Serializer.json! { put :a, @a; put :h, helper; put :self, to_s; @b = 2 }
      puts @b
    RUBY
    output, status = Open3.capture2e(*PlainRuby.start, "-w", "-I#{Project::ROOT}/lib", "-e", script)
    assert_equal ['{"a":1,"h":"of main","self":"main"}', "2"], output.lines.map(&:chomp)
    assert_predicate status, :success?
  end

  test "a frozen object whose block assigns nothing" do
    [1, 6].each do |size|
      object = Object.new
      size.times { |n| object.instance_variable_set(:"@v#{n}", n) }
      object.freeze
      3.times do
        assert_equal '{"v":0}', object.instance_eval { ToJson::Serializer.json! { put :v, @v0 } }
      end
      assert_equal '{"frozen":"v"}', object.instance_eval {
        ToJson::Serializer.json! { put :frozen, "v" }
      }
    end
  end

  test "a frozen object whose block assigns an instance variable raises FrozenError" do
    [1, 6].each do |size|
      object = Object.new
      size.times { |n| object.instance_variable_set(:"@v#{n}", n) }
      object.freeze
      3.times do
        assert_raises(FrozenError) { object.instance_eval { ToJson::Serializer.json! { @v0 = 5 } } }
      end
      assert_equal 0, object.instance_variable_get(:@v0)
      assert_equal "[]", ToJson.generate([])
    end
  end

  test "an object of a frozen class" do
    type = Class.new { def helper = 1 }.freeze
    3.times do
      assert_equal '{"a":1}', type.new.instance_eval { ToJson::Serializer.json! { put :a, helper } }
    end
  end

  test "a BasicObject" do
    type = Class.new(BasicObject) do
      def initialize = @a = 1
      def helper = "basic"
      def document = ::ToJson::Serializer.json! { put :a, @a; put :h, helper; @b = 2 }
      def b = @b
    end
    object = type.new
    assert_equal '{"a":1,"h":"basic"}', object.document
    assert_equal 2, object.b
  end

  Point = Struct.new(:x, :y) do
    def document(**out)
      ToJson::Serializer.json!(**out) { put :x, x; put :sum, sum; put :m, @m; @n = 5 }
    end

    private

    def sum = x + y
  end

  test "a Struct" do
    point = Point.new(1, 2)
    point.instance_variable_set(:@m, 3)
    assert_document('{"x":1,"sum":3,"m":3}') { |**out| point.document(**out) }
    assert_equal 5, point.instance_variable_get(:@n)
    assert_equal [1, 2], point.to_a
  end

  # self of the block => what it is asked for
  OTHERS = {
    "a Time" => [-> { Time.at(5).utc }, -> { put :v, year }, '{"v":1970}'],
    "a Date" => [-> { Date.new(2026, 11, 20) }, -> { put :v, year }, '{"v":2026}'],
    "a String" => [-> { "text" }, -> { put :v, upcase }, '{"v":"TEXT"}'],
    "an Array" => [-> { [1, 2] }, -> { put :v, sum }, '{"v":3}'],
    "a Hash" => [-> { { a: 1 } }, -> { put :v, fetch(:a) }, '{"v":1}'],
    "an Integer" => [-> { 5 }, -> { put :v, succ }, '{"v":6}'],
    "a Symbol" => [-> { :sym }, -> { put :v, length }, '{"v":3}'],
    "a Float" => [-> { 1.5 }, -> { put :v, floor }, '{"v":1}'],
    "nil" => [-> {}, -> { put :v, to_a }, '{"v":[]}'],
    "true" => [-> { true }, -> { put :v, to_s }, '{"v":"true"}'],
    "a Range" => [-> { 1..3 }, -> { put :v, sum }, '{"v":6}'],
    "an exception" => [-> { IndexError.new("oops") }, -> { put :v, message }, '{"v":"oops"}'],
    "a SimpleDelegator" => [-> { SimpleDelegator.new([1, 2]) }, -> { put :v, first }, '{"v":1}'],
    "a Thread" => [-> { Thread.current }, -> { put :v, alive? }, '{"v":true}'],
    "a lambda" => [-> { ->(x) { x * 2 } }, -> { put :v, call(4) }, '{"v":8}']
  }.freeze

  OTHERS.each do |what, (make, words, expected)|
    test "#{what} as the block's self" do
      assert_document(expected) do |**out|
        make.call.instance_exec do
          ToJson::Serializer.json!(**out, &instance_exec { proc { instance_exec(&words) } })
        end
      end
    end
  end

  test "a serializer: the block writes a document of its own, with the serializer's helpers" do
    serializer = Class.new(ToJson::Serializer) do
      def serialize(x)
        put :before, x
        put :inner, ToJson::Serializer.json! { put :x, helper(x); put :self, @kept; @kept = :back }
        put :after, @kept
      end

      def helper(x) = "<#{x}>"
    end
    assert_document('{"before":1,"inner":"{\"x\":\"<1>\",\"self\":null}","after":"back"}') { |**out|
      serializer.json!(1, **out)
    }
  end

  test "an object that includes Serialize: json! with a block needs no change of self" do
    type = Class.new do
      include ToJson::Serialize
      def initialize = @a = 1
      def document(**out) = json!(**out) { put :a, @a; put :h, helper; @b = self }

      private

      def helper = "private"
    end
    object = type.new
    assert_document('{"a":1,"h":"private"}') { |**out| object.document(**out) }
    assert_same object, object.instance_variable_get(:@b)
  end

  test "blocks that are made of a method, a symbol or a lambda" do
    assert_equal "{}", ToJson::Serializer.json!(5, &:to_s)
    taken = []
    assert_equal "{}", ToJson::Serializer.json!(7, &taken.method(:push))
    assert_equal [7], taken
    assert_equal '{"a":5}', ToJson::Serializer.json!(5, &->(x) { put :a, x })
    assert_equal '{"b":[5]}', ToJson::Serializer.json!(5, &proc { |*x| put :b, x })
  end

  test "a block form per element of a document that is being written" do
    caller = Class.new do
      def initialize = @n = 0
      def document = ToJson.json { |j| j.array(1..3) { |_| j.value inner } }
      def inner = ToJson::Fragment.new(ToJson::Serializer.json! { put :n, @n += 1 })
    end
    assert_equal '[{"n":1},{"n":2},{"n":3}]', caller.new.document
  end

  test "Rules that another thread changes during a class's first block form hold for the next" do
    page = Class.new { include ToJson::Serialize }
    page.define_method(:json) { ToJson::Serializer.json! { put :at, Time.at(7).utc } }
    changed = false
    change = TracePoint.new(:return) do |event|
      next if changed || event.method_id != :class_rules

      changed = true
      Thread.new { page.rules(time: :unix) }.join
    end
    change.enable { page.new.json }
    assert changed
    assert_equal '{"at":7}', page.new.json
  end
end
