# frozen_string_literal: true

# into: a String.

require_relative "sink_case"
require "objspace"

class StringSinkTest < SinkCase
  test "the document is appended, and the String is what comes back" do
    string = +"before "
    assert_same string, ToJson.generate({ a: [1] }, into: string)
    assert_equal 'before {"a":[1]}', string
    assert_same string, ToJson.pretty_generate([], into: string)
    assert_equal 'before {"a":[1]}[]', string
  end

  [Encoding::UTF_8, Encoding::US_ASCII, Encoding::BINARY].each do |encoding|
    test "a String in #{encoding} takes a document, ASCII or not, short or long" do
      [1, "é", "a" * 200_000, "é" * 200_000, ["\u2028"] * 50_000].each do |value|
        ["", "before"].each do |before|
          string = String.new(before, encoding: encoding)
          ToJson.generate(value, into: string)
          assert_equal "#{before}#{ToJson.generate(value)}".b, string.b
          assert_predicate string, :valid_encoding?
        end
      end
    end

    test "a String in #{encoding} keeps its encoding while it can" do
      string = String.new("x", encoding: encoding)
      ToJson.generate("plain", into: string)
      assert_equal encoding, string.encoding
      ToJson.generate("é", into: string)
      assert_equal encoding == Encoding::US_ASCII ? Encoding::UTF_8 : encoding, string.encoding
    end
  end

  test "binary bytes that are no text may stand before the document" do
    string = "\xff\x00".b
    ToJson.generate("é", into: string)
    assert_equal "\xff\x00\"é\"".b, string
  end

  %w[UTF-16LE Shift_JIS ISO-8859-1 UTF-7 EUC-JP].each do |encoding|
    test "a String in #{encoding} is refused and stays as it was" do
      string = String.new("", encoding: encoding)
      error = assert_raises(ToJson::SinkError) { ToJson.generate([1], into: string) }
      assert_includes error.message, encoding
      assert_includes error.message, "Use UTF-8, US-ASCII or binary"
      assert_empty string
    end
  end

  test "a frozen String is refused" do
    assert_raises(FrozenError) { ToJson.generate([1], into: "frozen".freeze) }
  end

  test "a String that is frozen in the middle is refused at the end" do
    string = +"x"
    freezer = Object.new
    freezer.define_singleton_method(:to_s) { string.freeze; "did" }
    assert_raises(FrozenError) { ToJson.generate([freezer], into: string) }
    assert_equal "x", string
    assert_equal "[1]", ToJson.generate([1])
  end

  [0, 10, 70_000, 2_000_000].each do |size|
    test "after an error behind #{size} bytes the String is what it was" do
      [+"", +"before", "b" * 100_000].each do |string|
        was = string.dup
        assert_raises(ToJson::NumberError) do
          ToJson.generate(["é" * size, Float::NAN], into: string)
        end
        assert_equal was, string
        assert_predicate string, :valid_encoding?
        ToJson.generate([1], into: string)
        assert_equal "#{was}[1]", string
      end
    end
  end

  test "a subclass of String is a String" do
    string = Class.new(String).new("x")
    assert_same string, ToJson.generate([1], into: string)
    assert_equal "x[1]", string
  end

  test "a String may be both value and Sink" do
    string = +"é"
    ToJson.generate([string, string], into: string)
    assert_equal "é[\"é\",\"é\"]", string
  end

  test "what user code appends to the Sink in the middle stands before the document" do
    string = +"1 "
    writer = Object.new
    writer.define_singleton_method(:to_s) { string << "2 "; "did" }
    ToJson.generate([writer], into: string)
    assert_equal '1 2 ["did"]', string
  end

  test "a String that shares its bytes with another leaves the other alone" do
    whole = "0123456789" * 10
    part = whole[50..]
    ToJson.generate([1], into: part)
    assert_equal "0123456789" * 10, whole
    assert_equal "#{"0123456789" * 5}[1]", part
  end

  test "the same String takes many documents, as a buffer does" do
    string = +""
    1000.times { |n| ToJson.generate({ n: n }, into: string) }
    assert_equal (0...1000).map { |n| "{\"n\":#{n}}" }.join, string
    string.clear
    ToJson.generate([1], into: string)
    assert_equal "[1]", string
  end

  [100_000, 1_000_000, 9_999_999].each do |size|
    test "the String of a document of #{size} bytes takes at most 1.05 times its length" do
      values = { "text" => "a" * size, "numbers" => Array.new(size / 8) { |n| 1_000_000 + n },
                 "wide text" => "é" * (size / 2) }
      values.each do |what, value|
        [ToJson.generate(value), ToJson.generate(value, into: +"")].each do |text|
          assert_operator ObjectSpace.memsize_of(text), :<=, text.bytesize * 1.05, what
        end
      end
    end
  end

  test "a short document takes what a String of its length takes" do
    text = ToJson.generate("a" * 1000)
    assert_operator ObjectSpace.memsize_of(text), :<=, 1200
  end

  test "documents of every length around a chunk and each growth are right" do
    sizes = [4090..4100, 8186..8196, 16_378..16_388, 32_762..32_772, 65_530..65_542,
             131_066..131_078].flat_map(&:to_a)
    sizes.each do |size|
      plain = "a" * (size - 2)
      assert_equal "\"#{plain}\"", ToJson.generate(plain)
      into = +"x"
      ToJson.generate([plain, 1], into: into)
      assert_equal "x[\"#{plain}\",1]", into
    end
  end

  [nil, 1, :symbol, Object.new, [], {}, 1.5].each do |sink|
    next if sink.respond_to?(:<<) || sink.nil?

    test "#{sink.class} is no Sink" do
      error = assert_raises(ToJson::SinkError) { ToJson.generate([1], into: sink) }
      assert_includes error.message,
                      "into: needs a String, or an object with write or <<; got #{sink.class}"
    end
  end

  test "into: nil is as if it were not given" do
    assert_equal "[1]", ToJson.generate([1], into: nil)
  end
end
