# frozen_string_literal: true

require "bigdecimal"
require "date"
require "json"
require_relative "../test_helper"
require_relative "../support/own_process"

# to_h of one object that is one Part makes a Hash without text (ext/to_json/plans/item_values.c).
# It is what a parser makes of the text, whatever the values, the flags and the Rules are.
class ItemValuesTest < ToJsonTest
  Scribe = Struct.new(:id, :name)
  Note = Struct.new(:id, :title, :scribe, :at)

  class ScribeSerializer < ToJson::Serializer
    attributes :id, :name
  end

  Text = Class.new(String)
  Money = Struct.new(:cents) { def as_json(*) = { "cents" => cents } }

  VALUES = [
    nil, true, false, 0, -1, 2**30, 2**61, 2**62, -(2**62), 2**64, 10**40, 0.0, -0.0, 1.5, 1e20,
    1e-300, 1.7976931348623157e308, 5e-324, 1 / 3.0, Rational(1, 3), BigDecimal("1.10"), "", "a",
    "é✓😀", "\"\\/\b\u0000\u2028<>&", "x" * 100, "é" * 5_000, "abc".encode("UTF-16LE"),
    "\xE9".dup.force_encoding("ISO-8859-1"), "abc".b, "abc".dup.force_encoding("US-ASCII"),
    Text.new("t"), :sym, :"a b", :é, :a_symbol_that_is_longer_than_the_room_for_simple_values_in_c,
    "made#{2**70}".to_sym, [], [1, "a", nil, [2.5]], {}, { a: { "b" => [1] }, 1 => 2 },
    Time.at(0, 123_456, :usec), Time.at(7).utc, Date.new(2026, 1, 2), DateTime.new(2026, 1, 2),
    Money.new(5), Scribe.new(1, "a"), ToJson::Fragment.new('{"a": [1, 2]}'), Object
  ].freeze

  def serializer(&block) = Class.new(ToJson::Serializer, &block)

  # [class, value, and for Floats the sign of zero], all the way down
  def told(value)
    case value
    when Hash then value.map { |key, one| [key, key.encoding, key.frozen?, told(one)] }
    when Array then value.map { |one| told(one) }
    when Float then [value, value.to_s]
    when String then [value, value.encoding, value.frozen?, value.class]
    else [value, value.class]
    end
  end

  def assert_as_parsed(serializer_class, object)
    text = serializer_class.json!(object)
    2.times { assert_equal told(ToJson::Tree.parse(text)), told(serializer_class.to_h(object)) }
    assert_equal JSON.parse(text), serializer_class.to_h(object) unless text.include?("NaN")
  end

  SHAPES = {
    "fields" => proc { attributes :id, :title },
    "an object inside" => proc { attributes :id; has_one :scribe, serializer: ScribeSerializer },
    "objects inside each other" => proc do
      nested(:a) { attributes :id; nested(:b) { attributes :title; nested(:c) { attributes :at } } }
      attributes :id
    end,
    "an object inside that is the last of two" => proc do
      has_one(:scribe) { attributes :name }
      has_one(:scribe, name: :again) { attributes :id }
    end,
    "flags" => proc do
      attribute :title, skip_nil: true
      attribute :id, default: 7
      attribute :at, if: ->(note) { note.id != 1 }
      has_one(:scribe, skip_nil: true) { attributes :id }
    end,
    "blank is left out" => proc { attribute :title, skip_blank: true; attributes :id },
    "nothing is left" => proc { attribute :title, skip_nil: true },
    "conversions" => proc do
      attribute :title, as: :string
      attribute :id, as: :float
      attribute :at, as: :boolean
    end,
    "times" => proc { attribute :at, as: :time, format: :unix_ms; attributes :id },
    "keys that need an escape" => proc do
      attribute :id, name: :"a\"é<"
      attribute :title, name: :""
    end,
    "a method of the serializer" => proc { attributes :id; def id(note) = [note.id] },
    "a list" => proc { attributes :id; has_many(:tags) { attributes :size } },
    "a root" => proc { root :note; attributes :id },
    "many fields" => proc { 60.times { |n| attribute(:"f#{n}") { |note| note.id } } },
    "seventeen objects" => proc { 17.times { |n| nested(:"n#{n}") { attributes :id } } },
    "nine levels" => proc do
      levels = Array.new(9) { |level| :"l#{level}" }
      outer = levels.reduce(proc { attributes :id }) { |inner, name| proc { nested(name, &inner) } }
      instance_exec(&outer)
    end
  }.freeze

  SHAPES.each do |name, declare|
    test "#{name}: to_h is what a parser makes of the text" do
      it = serializer(&declare)
      VALUES.each do |value|
        note = Class.new(Note) { def tags = [id, "ab"].grep(String) }.new(value, "t", nil, 0)
        [note, note.dup.tap { |one| one.id, one.title, one.at = 1, value, value },
         note.dup.tap { |one| one.scribe = Scribe.new(value, value) },
         note.dup.tap { |one| one.scribe = { id: value, "name" => 1 } }].each do |one|
          it.json!(one)
        rescue StandardError => error
          again = assert_raises(error.class) { it.to_h(one) }
          assert_equal error.message, again.message
        else
          assert_as_parsed(it, one)
        end
      end
    end
  end

  RULES = [{ html_safe: true }, { ascii_only: true }, { nan: :null }, { time: :unix },
           { convert: { Integer => :to_s.to_proc } }, { convert: { String => ->(_) { 1 } } },
           { max_depth: 1 }, { max_depth: 2 }].freeze

  RULES.each do |options|
    test "rules #{options.inspect[0, 40]}: to_h is what a parser makes of the text" do
      it = serializer do
        rules(**options)
        attributes :id, :title
        has_one :scribe, serializer: ScribeSerializer
      end
      [*VALUES, Float::NAN, -Float::INFINITY, "\xFF"].each do |value|
        note = Note.new(value, "<é", Scribe.new(1, value))
        text = it.json!(note)
      rescue StandardError => error
        assert_raises(error.class) { it.to_h(note) }
      else
        assert_equal told(ToJson::Tree.parse(text)), told(it.to_h(note))
      end
    end
  end

  test "Rules of other libraries" do
    %i[json oj rails].each do |dialect|
      it = serializer { rules dialect; attributes :id, :title }
      [1, 1e20, 2.0, "a", :b, nil, [1]].each { |value| assert_as_parsed(it, Note.new(value, "t")) }
    end
  end

  test "each getter is called once, also if a value needs Ruby" do
    it = serializer { attributes :id, :title }
    [1, Money.new(5)].each do |title|
      calls = []
      note = Class.new { define_method(:id) { calls << :id; 1 } }.new
      note.define_singleton_method(:title) { calls << :title; title }
      it.to_h(note)
      assert_equal %i[id title], calls
    end
  end

  test "Strings are new, and keys are Ruby's own" do
    it = serializer { attributes :title, :at }
    note = Note.new(1, +"a", nil, "b")
    found = it.to_h(note)
    found["title"] << "c"
    found["at"] << "d"
    assert_equal %w[a b], [note.title, note.at]
    assert_same found.keys.first, it.to_h(note).keys.first
    assert_same(-"title", found.keys.first)
  end

  test "a getter that raises, throws, or writes a document of its own" do
    it = serializer { attributes :id, :title }
    own = Class.new(Note) { define_method(:title) { it.to_h(Note.new(2, "in")) } }
    assert_equal({ "id" => 1, "title" => { "id" => 2, "title" => "in" } }, it.to_h(own.new(1)))
    raising = Class.new(Note) { def title = raise("oops") }
    error = assert_raises(RuntimeError) { it.to_h(raising.new(1)) }
    assert_equal "title", error.to_json_path if error.respond_to?(:to_json_path)
    thrown = Class.new(Note) { def title = throw(:out, 5) }
    assert_equal(5, catch(:out) { it.to_h(thrown.new(1)) })
    assert_equal({ "id" => 1, "title" => "a" }, it.to_h(Note.new(1, "a")))
    assert_equal '{"id":1,"title":"a"}', it.json!(Note.new(1, "a"))
  end

  test "the json! of a class is what to_h reads, whenever it was defined" do
    it = serializer { attributes :id }
    note = Note.new(1)
    assert_equal({ "id" => 1 }, it.to_h(note))
    it.define_singleton_method(:json!) { |*| '{"own":1}' }
    assert_equal({ "own" => 1 }, it.to_h(note))
    it.singleton_class.send(:remove_method, :json!)
    below = Class.new(it)
    assert_equal({ "id" => 1 }, below.to_h(note))
    below.extend(Module.new { def json!(...) = super.sub("1", "2") })
    assert_equal({ "id" => 2 }, below.to_h(note))
    before = Class.new(it)
    assert_equal({ "id" => 1 }, before.to_h(note))
    before.singleton_class.prepend(Module.new { def json!(...) = super.sub("1", "3") })
    assert_equal({ "id" => 3 }, before.to_h(note))
  end

  test "a class that no longer answers json! refuses to_h as it refuses json!" do
    it = serializer { attributes :id }
    note = Note.new(1)
    it.to_h(note)
    it.singleton_class.undef_method(:json!)
    due = assert_raises(ToJson::DefinitionError) { it.json!(note) }
    assert_equal due.message, assert_raises(ToJson::DefinitionError) { it.to_h(note) }.message
    it.define_singleton_method(:method_missing) { |*| '{"missing":1}' }
    assert_equal({ "missing" => 1 }, it.to_h(note))
  end

  test "keywords, collections and what is no object go through the text" do
    it = serializer { attributes :id, :title; view(:short) { remove :title } }
    note = Note.new(1, "a")
    assert_equal({ "id" => 1 }, it.to_h(note, only: :id))
    assert_equal({ "a" => { "id" => 1 } }, it.to_h(note, view: :short, root: :a))
    assert_equal [{ "id" => 1, "title" => "a" }], it.to_h([note])
    assert_equal({ "id" => 1, "title" => nil }, it.to_h({ id: 1 }))
    assert_nil it.to_h(nil)
    assert_raises(TypeError) { it.to_h(note, into: []) }
    assert_raises(ArgumentError) { it.to_h(note, onyl: 1) }
    assert_raises(ArgumentError) { it.to_h }
    assert_raises(ArgumentError) { it.to_h(note, note) }
  end

  test "no text is made: a Hash for each object, and a String for each text" do
    it = serializer { attributes :id, :title; has_one :scribe, serializer: ScribeSerializer }
    note = Note.new(1, "t", Scribe.new(1.5, "n"))
    it.to_h(note)
    made = Array.new(3) do
      before = GC.stat(:total_allocated_objects)
      it.to_h(note)
      GC.stat(:total_allocated_objects) - before
    end
    assert_operator made.min, :<=, 5 # one of them is of GC.stat itself
  end

  # In a process with a small heap: each collection reads all of it.
  test "under GC.stress" do
    right = OwnProcess.run(<<~'RUBY', "-rjson")
      Note = Struct.new(:id, :title, :scribe)
      Scribe = Struct.new(:id, :name)
      class ScribeSerializer < ToJson::Serializer
        attributes :id, :name
      end
      class NoteSerializer < ToJson::Serializer
        attributes :id, :title
        has_one :scribe, serializer: ScribeSerializer
      end
      note = Note.new([1, "a"], "t", Scribe.new(1.5, "n"))
      NoteSerializer.to_h(note)
      GC.stress = true
      found = Array.new(3) { NoteSerializer.to_h(note) }
      GC.stress = false
      print found.map { |one| one == JSON.parse(NoteSerializer.json!(note)) }
    RUBY
    assert_equal "[true, true, true]", right
  end
end
