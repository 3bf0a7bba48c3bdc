# frozen_string_literal: true

require "test_helper"
require "support/ways_out"

# What fails when a class is defined: helpers named like words, `serialize` with reserved keywords.
class GuardTest < ToJsonTest
  WORDS = ToJson::DSL::WORDS

  test "the words are those of the table" do
    conditional = %w[unless_nil unless_blank if unless].flat_map do |kind|
      [:"put_field_#{kind}", :"put_fields_#{kind}"]
    end
    assert_equal [*conditional, :put, :put_field, :put_fields, :value, :array, :open, :open_array,
                  :close].sort, WORDS
  end

  # How a method can come to a serializer class.
  COMES = {
    "def" => ->(base, word) {
      Class.new(base) { class_eval "def #{word}(*) = 1", __FILE__, __LINE__ }
    },
    "define_method" => ->(base, word) { Class.new(base) { define_method(word) { |*| 1 } } },
    "attr_reader" => ->(base, word) { Class.new(base) { attr_reader word } },
    "alias_method" => ->(base, word) { Class.new(base) { alias_method word, :to_s } },
    "a private def" => ->(base, word) { Class.new(base) { private define_method(word) { |*| 1 } } },
    "include of a module with it" =>
      ->(base, word) { Class.new(base) { include(Module.new { define_method(word) { 1 } }) } },
    "include of a module that includes one with it" => lambda { |base, word|
      inner = Module.new { define_method(word) { 1 } }
      Class.new(base) { include(Module.new { include inner }) }
    }
  }.freeze
  BASES = {
    "the class form" => -> { ToJson::Serializer },
    "the module form" => -> { Class.new { include ToJson::Serialize } },
    "a class that includes a concern" =>
      -> { concern = Module.new { include ToJson::Serialize }; Class.new { include concern } },
    "a subclass of a serializer" => -> { Class.new(ToJson::Serializer) { def serialize = nil } }
  }.freeze

  BASES.each do |form, base|
    COMES.each do |how, define|
      test "a helper named like a word, by #{how}, raises at definition in #{form}" do
        WORDS.each do |word|
          error = assert_raises(ToJson::DefinitionError, word.to_s) { define.call(base.call, word) }
          assert_includes error.message, "would hide the DSL's method #{word}"
          assert_kind_of ToJson::Error, error
        end
      end
    end
  end

  test "a word as a helper in a concern that includes Serialize raises at definition" do
    WORDS.each do |word|
      assert_raises(ToJson::DefinitionError, word.to_s) do
        Module.new { include ToJson::Serialize; define_method(word) { 1 } }
      end
    end
  end

  test "a concern that has a helper named like a word and only then includes Serialize raises" do
    WORDS.each do |word|
      assert_raises(ToJson::DefinitionError, word.to_s) do
        Module.new { define_method(word) { 1 }; include ToJson::Serialize }
      end
      assert_raises(ToJson::DefinitionError, word.to_s) do
        Class.new { define_method(word) { 1 }; include ToJson::Serialize }
      end
    end
  end

  test "a Struct with a member named like a word raises when it includes Serialize" do
    error = assert_raises(ToJson::DefinitionError) do
      Struct.new(:name, :value) { include ToJson::Serialize }
    end
    assert_includes error.message, "#value would hide the DSL's method value"
  end

  test "a private method named like a word in a module raises" do
    assert_raises(ToJson::DefinitionError) do
      Class.new(ToJson::Serializer) { include(Module.new { private def put = 1 }) }
    end
  end

  test "a serialize with a reserved keyword that stood there before Serialize came raises" do
    assert_raises(ToJson::DefinitionError) do
      Class.new { def serialize(view: 1) = view; include ToJson::Serialize }
    end
  end

  test "a word that a superclass has is not the serializer's helper: the DSL's wins" do
    type = Class.new(Struct.new(:value)) do
      include ToJson::Serialize; def serialize = value(self[:value])
    end
    assert_equal "5", type.new(5).json!
  end

  test "prepend of a module with a word raises" do
    WORDS.each do |word|
      assert_raises(ToJson::DefinitionError, word.to_s) do
        Class.new(ToJson::Serializer) { prepend(Module.new { define_method(word) { 1 } }) }
      end
    end
  end

  test "helpers of other names are fine" do
    helpers = Module.new { def putter = 1; def values = 2; def arrays = 3 }
    serializer = Class.new(ToJson::Serializer) do
      include helpers; def serialize = put(a: putter, b: values, c: arrays); def opened = 1
    end
    assert_serializer '{"a":1,"b":2,"c":3}', serializer
  end

  test "include of several modules at once, and of modules of Ruby's own, is fine" do
    serializer = Class.new(ToJson::Serializer) do
      include Comparable, Kernel, Module.new; def serialize = put(:a, 1)
    end
    assert_serializer '{"a":1}', serializer
  end

  test "the message names the class, the word and what to do" do
    error = assert_raises(ToJson::DefinitionError) do
      GuardTest.const_set(:Named, Class.new(ToJson::Serializer)).class_eval { def put = 1 }
    end
    assert_equal "GuardTest::Named#put would hide the DSL's method put. Give the helper another " \
                 "name.", error.message
  end

  RESERVED =
    %i[view only except root meta context into chunk flush collection max_depth rules rows].freeze

  test "the reserved keywords are those of the contract" do
    assert_equal RESERVED, ToJson::DSL::RESERVED_KEYWORDS
  end

  RESERVED.each do |name|
    test "a serialize that declares #{name}: raises at definition" do
      source = ["def serialize(x, #{name}:) = put(:x, x)",
                "def serialize(x, #{name}: 1) = put(:x, x)"]
      BASES.each do |form, base|
        source.each do |definition|
          error = assert_raises(ToJson::DefinitionError, form) do
            Class.new(base.call).class_eval(definition, __FILE__, __LINE__)
          end
          assert_includes error.message, "#{name}:, but json! does not pass reserved keywords on"
        end
      end
    end

    test "a serialize with an argument or a splat named #{name} is fine" do
      serializer = Class.new(ToJson::Serializer) do
        class_eval("def serialize(#{name}, **rest) = put(:x, [#{name}, rest])", __FILE__, __LINE__)
      end
      assert_equal '{"x":[1,{"k":2}]}', serializer.json!(1, k: 2)
    end
  end

  test "class methods of any name are fine, and singleton_method_added of the user's still runs" do
    log = []
    type = Class.new(ToJson::Serializer) do
      define_singleton_method(:singleton_method_added) { |name| super(name); log << name }
      def self.put(key) = json!(key)
      def self.json!(key) = super(key, 1)
      def serialize(key, value) = put(key, value)
    end
    assert_equal %i[singleton_method_added put json!], log
    assert_equal '{"k":1}', type.put(:k)
  end

  test "method_added and included hooks of the user's still run" do
    log = []
    hooks = Module.new do
      define_method(:method_added) { |name| super(name); log << name }
    end
    Class.new(ToJson::Serializer) { extend hooks; def helper = 1 }
    assert_equal [:helper], log
    included = Module.new { define_singleton_method(:included) { |base| super(base); log << base } }
    type = Class.new(ToJson::Serializer) { include included }
    assert_equal type, log.last
  end
end
