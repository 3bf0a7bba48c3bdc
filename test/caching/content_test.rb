# frozen_string_literal: true

require "test_helper"
require "date"
require "zlib"

# What values come to, where keys of documents seldom get: code written in C, deep values, objects
# that are their own code.
class MeaningTest < ToJsonTest
  Content = ToJson::Compiler::Content

  # Answers call, by method_missing.
  class Ghost
    def method_missing(name, *) = name == :call ? 1 : super
    def respond_to?(name, *) = name == :call || super
  end

  # The same as Ruby's documents advise.
  class Shade
    def method_missing(name, *) = name == :call ? 1 : super
    def respond_to_missing?(name, *) = name == :call || super
  end

  # Its call is made of a Proc without instructions.
  class Row < Array
    define_method(:call, &:first)
  end

  # Its call is that of an attr_reader.
  class Kept
    attr_reader :kept

    alias call kept
  end

  # A module that is called, and says what it is.
  module Told
    def self.cache_key = "told"
    def self.call(value) = value
  end

  def content = Content.new("here", {}, opaque: ->(_) { [:opaque] })

  # Has a new key when something asks for its cache key, as another thread could give it one.
  class Growing < Hash
    def initialize
      super
      self[:grows] = Struct.new(:memo) { def cache_key = (memo[memo.size] = 1).to_s }.new(self)
    end
  end

  test "a Hash may get keys while it is read" do
    memo = {}
    memo[1] = Struct.new(:memo) { def cache_key = (memo[memo.size + 1] = 1).to_s }.new(memo)
    [memo, Growing.new].each do |hash|
      content.of(hash)
      assert_equal 2, hash.size
    end
  end

  test "blocks of threads that remember in one Hash do so while keys are made" do
    memo = Array.new(2000) { |n| [n, n] }.to_h
    type = Class.new(ToJson::Serializer) { attributes :id; cache key: :id, store: {} }
    rules = { convert: { Date => ->(date) { memo[date.to_s] ||= memo.size } } }
    threads = Array.new(4) do |start|
      Thread.new do
        50.times { |n| type.json!({ id: Date.new(2000 + n, 1, start + 1) }, rules: rules) }
      end
    end
    threads.each(&:join)
    assert_equal 2200, memo.size
  end

  test "an Array or a Hash of too many values is opaque, without being copied" do
    assert_equal [:opaque], content.of(Array.new(100_001, 1))
    assert_equal [:opaque], content.of((0..100_000).to_h { |n| [n, n] })
  end

  test "code written in C counts by its name and its owner" do
    assert_equal [:c, :upcase, "String"], content.method_of(String, String.instance_method(:upcase))
    assert_equal [:c, :upcase, "String"], content.code("a".method(:upcase))
    assert_equal [:c], content.code(:upcase.to_proc)
    assert_equal [:method, :upcase, content.of("a"), [:c, :upcase, "String"], "String"],
                 content.of("a".method(:upcase))
    assert_equal [:c, :crc32, "Zlib"], content.of(Zlib.method(:crc32)).last
    assert_equal [:c, :iso8601, "Date"], content.of(Class.new(Date).method(:iso8601)).last
  end

  # Of these, only the alias and the visibility are Ruby's.
  class Aliases < Hash
    alias call []
    alias text String
    public :format
  end

  test "a C function counts by its own name if Ruby code made an alias of it, or made it public" do
    assert_includes content.of(Aliases.new), [:call, [:c, :[], "Hash"]]
    { text: [:c, :String, "Kernel"], format: [:c, :format, "Kernel"] }.each do |name, due|
      assert_equal due, content.method_of(Aliases, Aliases.instance_method(name))
    end
    context = Class.new(ToJson::Serializer) { alias_method :ctx, :context }
    assert_equal [:c, :context, "ToJson::Serialize"],
                 content.method_of(context, context.instance_method(:ctx))
  end

  # A module whose call is made of a Proc without instructions.
  module Masked
    define_singleton_method(:call, &:to_s)
  end

  test "a Method of a module is opaque if it may be made of a Proc" do
    assert_equal [:opaque], content.of(Masked.method(:call))
  end

  test "so is that of a class without a constant, or one that stands on line 0" do
    MeaningTest.const_set(:Gone, Class.new { define_method(:call, &:to_s) })
    gone = MeaningTest.send(:remove_const, :Gone)
    eval("class MeaningTest::Zero; define_method(:call, &:to_s); end", TOPLEVEL_BINDING, "a.rb", 0)
    [gone, MeaningTest::Zero].each do |type|
      assert_equal [:opaque], content.of(type.new.method(:call))
    end
  end

  # Whose variable has a name like those of the library.
  module Named
    class << self
      attr_accessor :to_json_admin

      def call(value) = to_json_admin ? value : nil
    end
  end

  test "variables of a module count, whatever their names" do
    told = [true, false].map do |admin|
      Named.to_json_admin = admin
      content.of(Named.method(:call))
    end
    assert_equal 2, told.uniq.size
  end

  test "an object with methods of its own is opaque, the one at the top level is not" do
    main = TOPLEVEL_BINDING.receiver
    assert_equal [:object, "Object", nil, []], content.of(main)
    main.extend(Module.new { def given_by_rake = 1 })
    def main.own_of_a_script = 1
    assert_equal [:object, "Object", nil, []], content.of(main)
    assert_equal [:opaque], content.of(Object.new.tap { |one| def one.to_s = "own" })
  end

  # Its address was taken for the method that came next.
  test "a method that nothing describes has another identity than the next of that name" do
    type = Class.new
    told = 200.times.map do |n|
      type.send(:remove_method, :call) if n > 0
      type.define_method(:call) { n }
      GC.start if (n % 20).zero?
      content.method_of(type, type.instance_method(:call))
    end
    assert_equal 200, told.uniq.size
    assert_equal told.last, content.method_of(type, type.instance_method(:call))
    type.freeze
    assert_equal(*Array.new(2) { content.method_of(type, type.instance_method(:call)) })
  end

  test "an object whose call no method tells, or one without instructions, is opaque there" do
    [Ghost.new, Shade.new, Row[1]].each do |object|
      assert_includes content.of(object), [:call, [:opaque]]
    end
    assert_equal [:opaque], content.of(Row[1].method(:call))
  end

  test "an attr_reader counts by the variable that it reads, wherever it was declared" do
    assert_includes content.of(Kept.new), [:call, [:variable, :kept, 0]]
    assert_equal [:variable, :kept, 0], content.method_of(Kept, Kept.instance_method(:kept))
  end

  test "a method or block that sees variables, has methods of its own, or no Object is opaque" do
    secret = 1
    object = Object.new
    object.define_singleton_method(:call) { secret }
    assert_equal [:opaque], content.of(object.method(:call))
    block = -> { 1 }
    block.define_singleton_method(:more) { 2 }
    assert_equal [:opaque], content.of(block)
    assert_equal [:opaque], content.of(BasicObject.new)
  end

  test "values that lie too deep are opaque, and others are not" do
    deep = ->(depth) { depth.times.inject(1) { |inner, _| [inner] } }
    refute_includes content.of(deep.call(200)).flatten, :opaque
    assert_includes content.of(deep.call(201)).flatten, :opaque
  end

  test "a module that is called counts by what it says of itself, and by its code" do
    told = content.of_callable(Told)
    assert_equal [:callable, "MeaningTest::Told"], told.first(2)
    assert_equal [content.code(Told.method(:call))], told.last
  end

  test "an Encoding counts by its name, and where Ruby has Data, that by its members" do
    assert_includes content.of(Encoding::UTF_8).flatten, "UTF-8"
    next unless defined?(Data) && Data.respond_to?(:define)

    pair = Data.define(:left)
    refute_equal content.of(pair.new(1)), content.of(pair.new(2))
    assert_equal content.of(pair.new(1)), content.of(pair.new(1))
  end

  # A module with a variable, which its block reads.
  module Varying
    BLOCK = -> { @count }
    class << self
      attr_accessor :count
    end
  end

  test "a block of a module counts with the variables of that, where it reads one" do
    before = content.of(Varying::BLOCK)
    assert_equal before, content.of(Varying::BLOCK)
    Varying.count = 2
    refute_equal before, content.of(Varying::BLOCK)
  ensure
    Varying.remove_instance_variable(:@count)
  end

  test "a block that was made shareable does not show its variables, and is opaque" do
    count = 1
    block = nil.instance_eval { Ractor.make_shareable(proc { count }) }
    assert_includes content.of(block), [:opaque]
  end

  test "a callable that says what it is counts by that and by its code" do
    block = ->(value) { value }
    block.define_singleton_method(:cache_key) { "mine" }
    assert_equal [:own, "Proc", "=Proc(_mine)", content.code(block)], content.of(block)
  end

  test "no more codes are kept than those of a hundred blocks" do
    codes = {}
    kept = Content.new("here", codes, opaque: ->(_) { [:opaque] })
    blocks = Array.new(103) { |number| eval("-> { #{number} }") }
    assert_equal 103, blocks.map { |block| kept.code(block) }.uniq.size
    assert_equal 2, codes.size
  end
end
