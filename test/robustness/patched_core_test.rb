# frozen_string_literal: true

# Redefined core methods crash nothing, nor does a constant such as JSON that is no module.

require "test_helper"
require_relative "../support/own_process"

class PatchedCoreTest < ToJsonTest
  # {the name of a constant => Ruby code that must be true whatever the constant is}
  USES = {
    "JSON" => 'ToJson.generate(Struct.new(:a).new(1), dialect: :json).start_with?("\"#<struct")',
    "ActiveSupport" => <<~'RUBY', "ActiveStorage" => <<~'RUBY', "ActiveModel" => <<~'RUBY'
      class Plain < ToJson::Serializer
        def serialize(a) = put(:a, a)
      end
      ToJson.generate(Struct.new(:a).new(1)) == '{"a":1}' &&
        Plain.new("<").to_json == '{"a":"<"}'
    RUBY
      class Above; end
      class Below < Above
        def as_json = 1
      end
      class Declared < ToJson::Serializer
        attributes :a
      end
      ToJson.generate(Below.new) == "1" && Declared.json!(Struct.new(:a).new(1)) == '{"a":1}'
    RUBY
      class Errors
        include Enumerable
        def each = yield(1)
        def full_messages = []
      end
      ToJson.generate(Errors.new) == "[1]"
    RUBY
  }.freeze

  USES.each do |name, use|
    %w[nil 5].each do |value|
      test "a constant #{name} = #{value} counts as not loaded" do
        assert_equal "true\n", OwnProcess.run("#{name} = #{value}\np begin\n#{use}\nend")
      end
    end
  end

  # {the method that returns something else => [what is written with it, the document]}
  WRITTEN = {
    "Integer#to_f" => ["print ToJson.generate([5, 2**70], dialect: :json, rfc8785: true)",
                       "[5,1.1805916207174113e+21]"],
    "String#scrub" => ['print ToJson.generate("a\xFF", invalid: :replace)', "\"a\uFFFD\""],
    "String#encode" => ['latin = "\xE9".dup.force_encoding("ISO-8859-1");' \
                        "print ToJson.generate(latin), ToJson.generate(latin, invalid: :replace)",
                        '"é""é"'],
    "Hash#merge" => ["print Keyword.new(1, a: 1, b: 1).json!(b: 2)", '{"a":1,"b":2}']
  }.freeze

  WRITTEN.each do |name, (use, json)|
    type, method = name.split("#")
    test "documents do not depend on #{name}" do
      found = OwnProcess.run(<<~RUBY)
        class Keyword < ToJson::Serializer
          def serialize(_, a:, b:) = put(:a, a) || put(:b, b)
        end
        #{type}.define_method(:#{method}) { |*| 5 }
        #{use}
      RUBY
      assert_equal json, found.force_encoding("UTF-8")
    end
  end

  %i[standard rails].each do |dialect|
    test "a to_s of BigDecimal that gives no String is an error under :#{dialect}" do
      found = OwnProcess.run(<<~RUBY, *$LOAD_PATH.map { |path| "-I#{path}" }, rubygems: true)
        require "bigdecimal"
        require "active_support"
        require "active_support/json"
        BigDecimal.define_method(:to_s) { |*| nil }
        begin
          ToJson.generate(BigDecimal("1"), dialect: :#{dialect})
        rescue ToJson::Error => error
          print error.message
        end
      RUBY
      assert_equal "$: to_s of BigDecimal did not return a String.", found
    end
  end

  test "an Integer#to_s may end what Writer.watch began" do
    found = OwnProcess.run(<<~'RUBY')
      ending = false
      own = Integer.instance_method(:to_s)
      Integer.define_method(:to_s) do |*arguments|
        ToJson::Writer.watch(false) if ending
        own.bind_call(self, *arguments)
      end
      class Inner < ToJson::Serializer
        def serialize(value) = put(:a, { 5 => value })
      end
      class Outer < ToJson::Serializer
        def serialize(value) = put(:a, value)
      end
      asked = Object.new
      asked.define_singleton_method(:as_json) do |*|
        ending = true
        places = ToJson::Writer.places.size
        ending = false
        places
      end
      inner = Object.new
      inner.define_singleton_method(:as_json) { |*| Inner.json!(asked) }
      ToJson::Writer.watch(true)
      print Inner.json!(asked), Outer.json!(inner)
    RUBY
    assert_equal '{"a":{"5":1}}{"a":"{\"a\":{\"5\":0}}"}', found
  end
end
