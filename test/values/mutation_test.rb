# frozen_string_literal: true

# User code that changes what is being written, while it is. A defined result or a
# named error, never a crash.

require_relative "value_case"
require "set"

class MutationTest < ValueCase
  # An object whose to_s runs the block, once a document at most `times` times.
  def doing(text = "did", times: 1, &act)
    left = times
    object_with { define_method(:to_s) { act.call if (left -= 1) >= 0; text } }
  end

  # [sentence, JSON, what happens to the Array [1, actor, 3, 4]]
  {
    "clear" => ['[1,"did"]', ->(array) { array.clear }],
    "push" => ['[1,"did",3,4,"new"]', ->(array) { array << "new" }],
    "shift" => ['[1,"did",4]', ->(array) { array.shift }],
    "unshift" => ['[1,"did","did",3,4]', ->(array) { array.unshift(0) }],
    "replace" => ['[1,"did",9]', ->(array) { array.replace([7, 8, 9]) }],
    "pop to before here" => ['[1,"did"]', ->(array) { array.pop(3) }],
    "grow far" => ["[1,\"did\",3,4#{",0" * 10_000}]", ->(array) { array.concat([0] * 10_000) }],
    "freeze" => ['[1,"did",3,4]', ->(array) { array.freeze }]
  }.each do |what, (json, change)|
    writes("an Array under #{what} goes on with what is there", json) do
      array = [1, nil, 3, 4]
      array[1] = doing { change.call(array) }
      array
    end
  end

  test "the unfinished Array may lose all references and memory" do
    60.times do
      array = ["x" * 100, nil, *Array.new(100) { |n| "text #{n}" }]
      array[1] = doing do
        array.replace([]); GC.start(full_mark: false); Array.new(1000) { "y" * 100 }
      end
      assert_equal "[\"#{"x" * 100}\",\"did\"]", ToJson.generate(array)
    end
  end

  # {what is done to the Hash {a: 1, b: actor, c: 3} => JSON or error}
  {
    "a pair that is due is deleted" => ['{"a":1,"b":"did"}', ->(hash) { hash.delete(:c) }],
    "the pair at work is deleted" => ['{"a":1,"b":"did","c":3}', ->(hash) { hash.delete(:b) }],
    "a value that is due changes" => ['{"a":1,"b":"did","c":4}', ->(hash) { hash[:c] = 4 }],
    "it is cleared" => ['{"a":1,"b":"did"}', ->(hash) { hash.clear }],
    "it is frozen" => ['{"a":1,"b":"did","c":3}', ->(hash) { hash.freeze }]
  }.each do |what, (json, change)|
    writes("a Hash of which #{what} goes on with what is there", json) do
      hash = { a: 1, b: nil, c: 3 }
      hash[:b] = doing { change.call(hash) }
      hash
    end
  end

  test "a Hash of many pairs may change in the same ways" do
    [->(hash) { hash.clear }, ->(hash) { hash.delete("k99") },
     ->(hash) { hash["k99"] = "new" }].each do |change|
      hash = (0..99).to_h { |n| ["k#{n}", n] }
      hash["k50"] = doing { change.call(hash) }
      assert_equal "did", JSON.parse(ToJson.generate(hash))["k50"]
    end
  end

  test "a new pair in the middle of a Hash is refused by Ruby, with the path" do
    hash = { a: 1, b: nil, c: 3 }
    hash[:b] = doing(times: 1000) { hash[:d] = 4 }
    error = assert_failure(RuntimeError, path: "$.b",
                           message: "can't add a new key into hash during iteration") do |**out|
      ToJson.generate(hash, **out)
    end
    refute_kind_of ToJson::Error, error
    hash[:d] = 4 # no longer iterated
  end

  test "a rehash in the middle is refused by Ruby" do
    hash = { a: 1, b: nil, c: 3 }
    hash[:b] = doing(times: 1000) { hash.rehash }
    assert_failure(RuntimeError, path: "$.b", message: "rehash during iteration") do |**out|
      ToJson.generate(hash, **out)
    end
  end

  test "a String that grows while it is delivered is written as it was" do
    text = "abc" * 100_000
    sink = Object.new
    sink.define_singleton_method(:write) do |bytes|
      text << "MORE" * 10_000; (@all ||= +"") << bytes; nil
    end
    sink.define_singleton_method(:all) { @all }
    ToJson.generate([text, 1], into: sink)
    assert_equal "[\"#{"abc" * 100_000}\",1]", sink.all
  end

  { "cleared" => ->(s) { s.clear }, "replaced" => ->(s) { s.replace("z" * 400_000) },
    "cut" => ->(s) { s.slice!(0, 299_990) },
    "made binary" => ->(s) { s.force_encoding("BINARY") } }.each do |what, change|
    test "a String that is #{what} while it is delivered is written as it was" do
      ["abc", "é\""].each do |part|
        text = part * 100_000
        expected = "[#{ToJson.generate(text)},1]"
        all = +""
        sink = Object.new
        sink.define_singleton_method(:write) do |bytes|
          change.call(text); GC.start(full_mark: false); all << bytes; bytes.bytesize
        end
        ToJson.generate([text, 1], into: sink)
        assert_equal expected, all
      end
    end
  end

  test "a Fragment's text is the one it had when it was made" do
    text = +"[1]"
    fragment = ToJson::Fragment.new(text)
    text << "]]]"
    assert_equal "[[1]]", ToJson.generate([fragment])
  end

  test "a to_json result may change while it is delivered" do
    json = "[#{(["\"text\""] * 50_000).join(",")}]"
    expected = "[#{json},2]"
    object = object_with(to_json: json)
    all = +""
    sink = Object.new
    sink.define_singleton_method(:write) { |bytes| json.replace("{"); all << bytes; nil }
    ToJson.generate([object, 2], into: sink)
    assert_equal expected, all
  end

  test "a Struct may change while it is written" do
    struct = Struct.new(:a, :b, :c).new(1, nil, 3)
    struct.b = doing { struct.c = 4 }
    assert_equal '{"a":1,"b":"did","c":4}', ToJson.generate(struct)
  end

  test "an own method may remove itself and its class's other methods" do
    type = Class.new { def to_s = (self.class.class_eval { remove_method(:to_s) }; "last") }
    assert_equal '["last"]', ToJson.generate([type.new])
    assert_raises(ToJson::UnsupportedTypeError) { ToJson.generate([type.new]) }
  end

  test "an own method may define another that goes before it" do
    type = Class.new do
      def to_s = (self.class.class_eval { define_method(:as_json) { |*| 1 } }; "first")
    end
    assert_equal '["first",1]', ToJson.generate([type.new, type.new])
  end

  test "a Set may change while it is written as Ruby allows" do
    set = Set[1]
    set << doing(times: 1000) { set << 2 }
    assert_raises(RuntimeError) { ToJson.generate(set) }
  end

  test "rules are kept for the whole document, whatever happens to the global default" do
    before = ToJson.default_rules
    actor = doing { ToJson.default_rules = { nan: :null, html_safe: true } }
    assert_equal '["did","<"]', ToJson.generate([actor, "<"])
    assert_equal '"\u003c"', ToJson.generate("<")
  ensure
    ToJson.default_rules = before
  end

  test "another thread may change what is written during a blocking write" do
    100.times do
      array = Array.new(20_000) { |n| "element #{n}" }
      reader, writer = IO.pipe
      writing = Thread.new { ToJson.generate(array, into: writer).close }
      read = reader.read(100)
      array.clear
      read << reader.read
      writing.join
      assert_equal "[\"element 0\",", read[0, 13]
      assert_equal "]", read[-1]
      assert_operator JSON.parse(read).size, :<=, 20_000
    ensure
      reader&.close
    end
  end
end
