# frozen_string_literal: true

# String: encodings, broken text, sizes, subclasses.

require_relative "value_case"

class StringTest < ValueCase
  SAMPLE = "aé€😀\"\\\n"
  SAMPLE_JSON = '"aé€😀\"\\\\\n"'

  writes("an empty String", '""') { "" }
  writes("quotes, backslashes and control characters are escaped as briefly as JSON can",
         '"\"\\\\\b\f\n\r\t\u0000\u001f"') do
    "\"\\\b\f\n\r\t\0\x1f"
  end
  writes("a slash, DEL, and what HTML minds stand as they are", "\"/\x7f<>&\u2028\u2029\"") do
    "/\x7f<>&\u2028\u2029"
  end
  writes("UTF-8 text of every length", SAMPLE_JSON) { SAMPLE.dup }
  writes("frozen text", SAMPLE_JSON) { SAMPLE }

  # {encoding => text that it can express}
  ENCODINGS = {
    "UTF-16LE" =>
      SAMPLE, "UTF-16BE" => SAMPLE, "UTF-32LE" => SAMPLE, "UTF-32BE" => SAMPLE, "UTF8-MAC" => "aé",
    "Shift_JIS" =>
      "日本ｱ表\"\\", "Windows-31J" => "①日本", "EUC-JP" => "日本語\"", "GB18030" => "中文😀", "Big5" => "中文",
    "EUC-KR" =>
      "한국", "ISO-8859-1" => "é\"ÿ", "ISO-8859-15" => "€é", "Windows-1252" => "€“é",
      "KOI8-R" => "привет",
    "IBM437" =>
      "é█", "macRoman" => "é∞", "US-ASCII" => "plain \"text\"", "ISO-2022-JP" => "日本",
      "UTF-7" => nil
  }.freeze

  ENCODINGS.compact.each do |name, text|
    expected = text.encode("UTF-8").gsub(/["\\\n]/, "\"" => "\\\"", "\\" => "\\\\", "\n" => "\\n")
    writes("text in #{name} is transcoded", "[\"#{expected}\",\"#{expected}\"]") do
      one = text.encode(name)
      two = text.encode(name)
      two.valid_encoding? # its code range is known from here on
      [one, two]
    end
    writes("a key in #{name} is transcoded", "{\"#{expected}\":1}") { { text.encode(name) => 1 } }
  end

  writes("UTF-16 with a byte order mark is transcoded", '"hé"') do
    "\uFEFFhé".encode("UTF-16BE").force_encoding("UTF-16")
  end
  writes("ASCII text in an encoding that Ruby knows by name only stands as it is where it can",
         '"abc"') do
    "abc".encode("UTF-8").force_encoding("US-ASCII")
  end

  refuses("an encoding without a way to UTF-8 raises and names it", ToJson::EncodingError,
          path: "$.a",
          message: /UTF-7/) { { a: "abc".dup.force_encoding("UTF-7") } }
  refuses("a code point that UTF-8 text cannot hold raises", ToJson::EncodingError, path: "$[0]",
          message: /Windows-1252.*Pass invalid: :replace/) do
            ["\x81".dup.force_encoding("Windows-1252")]
          end

  writes("binary that is UTF-8 text is text", '"é"') { "é".b }
  writes("binary that is ASCII text is text", '"plain"') { "plain".b }

  # [bytes, encoding, offset of the first byte that begins no character]
  BROKEN = [
    ["\xff", "UTF-8", 0], ["abc\xff", "UTF-8", 3], ["é\x80", "UTF-8", 2], ["\xC3", "UTF-8", 0],
    ["a\xE2\x82", "UTF-8", 1],
    ["ab\xF0\x9F\x98", "UTF-8", 2], ["\xC0\x80", "UTF-8", 0], ["\xE0\x80\x80", "UTF-8", 0],
    ["x\xED\xA0\x80", "UTF-8", 1],
    ["\xF4\x90\x80\x80", "UTF-8", 0], ["\xF8\x88\x80\x80\x80", "UTF-8", 0],
    ["#{"a" * 100}\xfe#{"b" * 100}", "UTF-8", 100],
    ["#{"é" * 50}\xC3", "UTF-8", 100], ["abc\xff\xff", "BINARY", 3], ["abc\xe9", "US-ASCII", 3],
    ["é", "US-ASCII", 0],
    ["a\x82", "Shift_JIS", 1], ["ab\xA4", "EUC-JP", 2], ["a\0\0\xD8", "UTF-16LE", 2],
    ["\xDC\0", "UTF-16BE", 0], ["a\0\0", "UTF-16LE", 2],
    ["a\0\0\0\0\0\x11\0", "UTF-32LE", 4]
  ].freeze

  BROKEN.each do |bytes, encoding, offset|
    shown = bytes.b.size > 20 ? "#{bytes.b.size} bytes with a defect at #{offset}" : bytes.b.inspect
    test "#{shown} in #{encoding} raises with the path and offset #{offset}" do
      [false, true].each do |known|
        text = bytes.dup.force_encoding(encoding)
        text.valid_encoding? if known
        error = assert_failure(ToJson::EncodingError, path: "$.a[1]") do |**out|
          ToJson.generate({ a: [1, text.dup] }, **out)
        end
        assert_match(/at offset #{offset} /, error.message)
        assert_includes error.message, format("byte 0x%02X", bytes.getbyte(offset))
        assert_includes error.message, "String of #{bytes.bytesize} bytes"
        assert_includes error.message, "Pass invalid: :replace"
        assert_equal bytes.b, text.b, "the user's String"
        assert_equal Encoding.find(encoding), text.encoding, "the user's String"
      end
    end

    test "#{shown} in #{encoding} under invalid: :replace has U+FFFD there" do
      text = bytes.dup.force_encoding(encoding)
      utf8 = %w[UTF-8 BINARY].include?(encoding)
      expected =
        if utf8
          bytes.dup.force_encoding("UTF-8").scrub("\uFFFD")
        else
          text.encode("UTF-8", invalid: :replace, undef: :replace)
        end
      assert_includes expected, "\uFFFD"
      # NUL where the offset counts wide characters
      assert_document("[\"#{expected.gsub("\0", "\\u0000")}\"]") do |**out|
        ToJson.generate([text.dup], invalid: :replace, **out)
      end
    end
  end

  refuses("a broken key raises with the path of its Hash", ToJson::EncodingError,
          path: '$.a["\xFF"]', message: "offset 0") do
    { a: { "\xff" => 1 } }
  end
  writes("a broken key under invalid: :replace has U+FFFD", "{\"\uFFFDa\":1}", invalid: :replace) do
    { "\xffa" => 1 }
  end

  test "each byte that begins no character is refused at each position of up to 70" do
    cases = 0
    [0x80, 0xBF, 0xC0, 0xC1, 0xF5, 0xFF, 0xC3, 0xE2, 0xF0].each do |byte|
      (0..70).each do |at|
        text = ("a" * at) + byte.chr.force_encoding("UTF-8") + ("b" * (70 - at))
        error = assert_raises(ToJson::EncodingError) { ToJson.generate(text) }
        assert_match(/offset #{at} /, error.message)
        cases += 1
      end
    end
    assert_equal 639, cases
  end

  test "text found valid once is still the same text, with the same encoding" do
    text = "é".b
    ToJson.generate(text)
    assert_equal Encoding::BINARY, text.encoding
    refute_equal "é", text
  end

  test "Strings of every length up to 300 around the escape of one character" do
    [["a", "a"], ["é", "é"], ["\"", "\\\""], ["\n", "\\n"],
     ["\u2028", "\u2028"]].each do |char, json|
      (0..300).each do |size|
        text = ("x" * size) + char + ("y" * (size % 7))
        assert_equal "\"#{"x" * size}#{json}#{"y" * (size % 7)}\"", ToJson.generate(text)
      end
    end
  end

  test "a huge String is written whole" do
    [65_535, 65_536, 65_537, 131_072, 5_000_000].each do |size|
      plain = "a" * size
      assert_equal "\"#{plain}\"", ToJson.generate(plain)
      quoted = "\"" * size
      assert_equal "\"#{"\\\"" * size}\"", ToJson.generate(quoted)
      wide = "é" * size
      assert_equal "\"#{wide}\"", ToJson.generate(wide.dup)
      assert_equal "\"#{wide}\"", ToJson.generate(wide.encode("UTF-16LE"))
    end
  end

  test "control characters, which grow six times, are written whole at every size around a chunk" do
    [1, 10_000, 65_530, 65_536, 200_000].each do |size|
      assert_equal "[\"#{"\\u0001" * size}\",1]", ToJson.generate(["\x01" * size, 1])
    end
  end

  writes("a part that shares another String's bytes ends where it ends", '["bcdefgh","abc"]') do
    whole = "abcdefgh" * 1000
    [whole[-7..], whole[0, 3]]
  end

  writes("a subclass of String without methods of its own is its text", '["a\"b","é"]') do
    type = Class.new(String)
    [type.new("a\"b"), type.new("é".encode("UTF-16LE"))]
  end
  writes("a subclass of String with its own to_s is that", '"other"') do
    Class.new(String) { def to_s = "other" }.new("text")
  end
  writes("a String with a singleton to_s is that, since it is its own", '"mine"') do
    "text".dup.tap { |s| def s.to_s = "mine" }
  end
  writes("a String with instance variables is its text", '"a"') do
    "a".dup.tap { |s| s.instance_variable_set(:@x, 1) }
  end

  if Without.library?("active_support")
    require "active_support/core_ext/string/output_safety"
    writes("a SafeBuffer is its text", '["<b>&amp;</b>"]') { ["<b>&amp;</b>".html_safe] }
    writes("a SafeBuffer as a key is its text", '{"<b>":1}') { { "<b>".html_safe => 1 } }
  end

  test "writing leaves a String as it was" do
    text = SAMPLE.dup
    before = [text.dup, text.encoding, text.frozen?]
    ToJson.generate([text, { text => text }])
    assert_equal before, [text, text.encoding, text.frozen?]
  end
end
