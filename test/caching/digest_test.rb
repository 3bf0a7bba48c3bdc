# frozen_string_literal: true

require "test_helper"
require "open3"
require "rbconfig"
require_relative "../support/own_process"

# The digest of a class changes if and only if the class, or one inside it, writes something else.
class DigestTest < ToJsonTest
  LIBRARY = File.join(Project::ROOT, "lib")

  # Each changes what some call writes.
  CHANGES = {
    "a field" => "attributes :b",
    "an option" => "attribute :a, as: :string",
    "the source" => "attributes x: :a",
    "a block" => "attribute(:a) { |o| o.a + 1 }",
    "another block" => "attribute(:a) { |o| o.a + 2 }",
    "a Range of texts like addresses" => 'attribute(:a) { |o| ("0x1".."0x2").cover?(o.a) }',
    "another Range of such texts" => 'attribute(:a) { |o| ("0x1".."0x3").cover?(o.a) }',
    "a Regexp" => "attribute(:a) { |o| o.a.match?(/a/e) }",
    "a Regexp of another encoding" => "attribute(:a) { |o| o.a.match?(/a/s) }",
    "such a Range without its end" => 'attribute(:a) { |o| ("0x1"..."0x3").cover?(o.a) }',
    "a method" => "def a(o) = o.a",
    "another method" => "def a(o) = 5",
    "a private method" => "private def a(o) = 5",
    "a protected method" => "protected def a(o) = 5",
    "a class method" => "def self.label = 1",
    "another class method" => "def self.label = 2",
    "a private class method" => "class << self; private def label = 3; end",
    "a module that the class extends" => "extend Module.new { def label = 4 }",
    "a helper" => "def help = 5",
    "an attr_reader" => "attr_reader :b; alias a b",
    "another attr_reader" => "attr_reader :c; alias a c",
    "a method of a block without code" => "define_method(:a, &:a)",
    "another one" => "define_method(:a, &:b)",
    "an alias of a method of C" => "alias a Integer",
    "another alias" => "alias a Float",
    "a field removed" => "remove :a",
    "a new view" => "view(:other) { attributes :b }",
    "a view's field" => "view(:full) { attributes :c }",
    "what a view removes" => "view(:full) { remove :a }",
    "what a view is from" => "view(:full, from: :short) { nil }",
    "the default view" => "default_view :full",
    "root" => "root :one, :many",
    "meta" => "meta count: 1",
    "a block of meta" => "meta { |o| { count: o.size } }",
    "the key case" => "transform_keys :camel",
    "Rules" => "rules time: :unix",
    "an own serialize" => "def serialize(o) = put(a: 1)",
    "the serializer of an association" => "has_many :tags, serializer: Other",
    "the fields of an inline block" => "has_one(:inner) { attributes :y }",
    "the view of an association" => "has_many :tags, serializer: Tag, view: :short",
    "only: of an association" => "has_many :tags, serializer: Tag, only: [:id]",
    "a convert: of Rules" => "rules convert: { Time => ->(t) { t.year } }",
    "version: of cache" => "cache key: :a, version: 2"
  }.freeze

  BASE = <<~RUBY
    Tag = Class.new(ToJson::Serializer) { attributes :id, :name; view(:short) { remove :name } }
    Other = Class.new(ToJson::Serializer) { attributes :id }
    class Above < ToJson::Serializer
      attributes :a
      has_many :tags, serializer: Tag
      has_one(:inner) { attributes :x }
      view(:short) { attributes :s }
      view(:full) { attributes :f }
    end
    class Base < Above; end
  RUBY

  # Base and the classes around it, in a module of their own.
  def base(&)
    home = Module.new
    DigestTest.send(:remove_const, :Home) if DigestTest.const_defined?(:Home, false)
    DigestTest.const_set(:Home, home)
    home.module_eval(BASE)
    home.module_eval(&) if block_given?
    home
  end

  # The class held its Plans, and an attr_reader its line.
  ELSEWHERE = {
    "an attr_reader" => "attr_accessor :a",
    "its own class method as a converter" =>
      "def self.mask(text) = text; attribute :a, as: method(:mask)"
  }.freeze

  ELSEWHERE.each do |what, body|
    test "it is the same on other lines and after documents, with #{what}" do
      first, second = [1, 50].map do |line|
        home = base
        home::Base.class_eval("module ::#{home}; class Base; #{body}; end; end", "#{line}.rb", line)
        home::Base.json!({ a: 1, tags: [], inner: nil }, only: [:a]) if line > 1
        digest(home)
      end
      assert_equal first, second
    end
  end

  def digest(home = base) = home::Base.digest

  test "it is 32 hexadecimal digits, frozen, and the same String until something changes" do
    type = base::Base
    assert_match(/\A\h{32}\z/, type.digest)
    assert_predicate type.digest, :frozen?
    assert_same type.digest, type.digest
    assert_equal type.digest, digest
  end

  # Bootsnap keeps compiled files. Variables without a name, as of the keywords, must not count.
  test "it is the same if the code was loaded from a binary" do
    code = <<~RUBY
      class #{base}::Base
        attribute(:x) { |o| o.then { |*all, at: 1, **more| [all, at, more] } }
        attributes :y
        def y(o, at: 1) = o.then { |(a, b), *| [a, b, at] }
      end
    RUBY
    compiled = RubyVM::InstructionSequence.compile(code)
    compiled.eval
    before = digest(DigestTest::Home)
    base
    RubyVM::InstructionSequence.load_from_binary(compiled.to_binary).eval
    assert_equal before, digest(DigestTest::Home)
  end

  CHANGES.each do |what, body|
    test "it changes with #{what}, in a class that has one already too" do
      before = digest
      home = base
      assert_equal before, home::Base.digest
      home::Base.class_eval("module ::#{home}; class Base; #{body}; end; end")
      refute_equal before, home::Base.digest
    end
  end

  test "no two of these changes have one digest" do
    digests = CHANGES.values.map do |body|
      home = base
      home::Base.class_eval("module ::#{home}; class Base; #{body}; end; end")
      digest(home)
    end
    assert_equal digests.size, digests.uniq.size
  end

  test "it changes with a serializer inside, its views and its version, and not with its root" do
    home = base
    before = home::Base.digest
    home::Tag.root :tag, :tags
    assert_equal before, home::Base.digest
    home::Tag.view(:other) { attributes :more } # no view that Base writes
    assert_equal before, home::Base.digest
    home::Tag.attributes :more
    refute_equal before, after = home::Base.digest
    home::Tag.cache key: :id, version: 7
    refute_equal after, home::Base.digest
  end

  test "a serializer that contains itself has one" do
    home = base do
      module_eval("class Node < ToJson::Serializer; attributes :id; has_many :nodes, serializer: " \
                  "'Node'; end")
    end
    before = home::Node.digest
    home::Node.attributes :name
    refute_equal before, home::Node.digest
  end

  test "it does not change when a method with super runs" do
    code = "Above.class_eval { def a(o) = o }; class Base; def a(o) = super; end"
    home = base { module_eval(code) }
    before = digest(home)
    home::Base.json!(Struct.new(:a, :tags, :inner).new(1, [], nil))
    assert_equal before, digest(base { module_eval(code) })
    again = base { module_eval(code) }
    again::Base.json!(Struct.new(:a, :tags, :inner).new(1, [], nil))
    assert_equal before, digest(again)
  end

  test "it does not change with an equal declaration, moved lines, or a document" do
    before = digest
    home = base { module_eval("\n\n\nclass Base; end") }
    home::Base.json!({ a: 1, tags: [], inner: nil })
    home::Base.attributes :a
    assert_equal before, home::Base.digest
  end

  test "it changes with a method under that of a module which the class prepends" do
    digests = [1, 2].map do |n|
      home = base
      home::Base.class_eval("prepend Module.new { def a(o) = super }; def a(o) = #{n}")
      home::Base.singleton_class.class_eval("prepend Module.new { def b = super }; def b = 3")
      digest(home)
    end
    assert_equal 2, digests.uniq.size
  end

  test "it changes if a method of a class above is undefined, or made private" do
    home = base { self::Above.class_eval { def a(one) = one } }
    before = digest(home)
    home::Base.class_eval { private :a }
    refute_equal before, hidden = digest(home)
    home::Base.class_eval { undef_method :a }
    refute_includes [before, hidden], digest(home)
  end

  test "it changes if a method is undefined by a module that the class prepends" do
    home = base { self::Base.class_eval { def a(one) = one } }
    before = digest(home)
    home::Base.prepend(Module.new { undef_method(def a; end) })
    refute_equal before, digest(home)
  end

  test "it changes if the class above loses a method that the class has made private" do
    home = base { self::Above.class_eval { def a(one) = one } }
    home::Base.class_eval { private :a }
    before = digest(home)
    home::Above.class_eval { remove_method :a }
    refute_equal before, digest(home)
  end

  test "it changes with a method that all serializers are given" do
    code = <<~RUBY
      module Given; def given = %s; end
      class ToJson::Serializer; %s; end
      class Of < ToJson::Serializer; attributes :given; end
      p Of.digest
    RUBY
    digests = [["1", ""], ["1", "include Given"], ["2", "include Given"], ["1", "def given = 1"],
               ["1", "def given = 2"]].map do |body, words|
      OwnProcess.run(format(code, body, words))
    end
    assert_equal 5, digests.uniq.size
  end

  test "it does not change with what all objects are given" do
    before = digest
    Kernel.prepend(Module.new)
    Object.include(Module.new { def given_to_all = 1 })
    assert_equal before, digest
  end

  test "it follows the default Rules where the class has none of its own" do
    before = digest
    mine = base { self::Base.rules(time: :utc) }
    own = digest(mine)
    ToJson.default_rules = { time: :unix }
    refute_equal before, digest
    assert_equal own, digest(mine)
  ensure
    ToJson.default_rules = {}
  end

  test "a class without fields has one, of its methods" do
    one, other = Array.new(2) do |n|
      base do
        module_eval("class Own < ToJson::Serializer; def serialize(o) = put(a: #{n}); end")
      end::Own.digest
    end
    refute_equal one, other
  end

  test "another process gives the same" do
    builtin = "attribute :f, as: Kernel.method(:Float); alias to_f Float"
    script =
      "require 'to_json'; class DigestTest; module Home; #{BASE}; class Base; #{builtin}; " \
      "#{CHANGES.values_at("a block", "a helper", "a block of meta", "Rules",
                           "a convert: of Rules").join("\n")}; end; p Base.digest; end; end"
    native = File.dirname($LOADED_FEATURES.grep(%r{/to_json\.so\z}).first)
    texts = Array.new(2) do |seed|
      Open3.capture2e({ "RUBYOPT" => nil, "TO_JSON_NATIVE" => native }, RbConfig.ruby,
                      "-I#{LIBRARY}", "-e", "#{"\n" * seed}#{script}").first
    end
    assert_match(/\A"\h{32}"\n\z/, texts.first)
    assert_equal texts.first, texts.last
  end

  test "a reference that leads nowhere is an error, as for compile!" do
    type = Class.new(ToJson::Serializer) { has_one :a, serializer: "NoSuch" }
    assert_match(/NoSuch/, assert_raises(ToJson::SerializerNotFound) { type.digest }.message)
  end

  test "another Ractor is told to take it from the main one" do
    value = silently { Ractor.new { DigestTest::OfRactor.digest rescue $!.message }.value }
    assert_match(/digest: works only in the main Ractor/, value)
  end
  OfRactor = Class.new(ToJson::Serializer) { attributes :id }
end
