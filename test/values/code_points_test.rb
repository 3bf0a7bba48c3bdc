# frozen_string_literal: true

# Every code point and every byte, plain and HTML-safe, through the Ruby API.

require_relative "value_case"

class CodePointsTest < ValueCase
  SHORT = { 8 => "\\b", 9 => "\\t", 10 => "\\n", 12 => "\\f", 13 => "\\r", 34 => "\\\"",
            92 => "\\\\" }.freeze
  HTML = { 0x3C => "\\u003c", 0x3E => "\\u003e", 0x26 => "\\u0026", 0x2028 => "\\u2028",
           0x2029 => "\\u2029" }.freeze

  def all = [*0..0xD7FF, *0xE000..0x10FFFF]

  # What RFC 8259 asks for, and no more; with `html`, what docs/values.md says.
  def escaped(code_point, html)
    SHORT[code_point] || (html && HTML[code_point]) ||
      (code_point < 32 ? format("\\u%04x", code_point) : [code_point].pack("U"))
  end

  # {character => how it is written} of those that are not written as they are.
  def escapes(html)
    (@escapes ||= {})[html] ||= [*0..0x7F, 0x2028, 0x2029].to_h do |code|
      [[code].pack("U"), escaped(code, html)]
    end
  end

  { false => "plain", true => "HTML-safe" }.each do |html, name|
    test "every code point is written right, each in a String of its own, #{name}" do
      assert_equal 1_112_064, all.size
      all.each_slice(1000) do |codes|
        chars = codes.pack("U*").chars
        assert_equal "[\"#{chars.map { |char| escapes(html).fetch(char, char) }.join("\",\"")}\"]",
                     ToJson.generate(chars, html_safe: html)
      end
    end

    test "every code point is written right among others, as values and as keys, #{name}" do
      all.each_slice(997) do |codes|
        text = codes.pack("U*")
        expected =
          "\"#{text.gsub(/[\x00-\x1f"\\<>&\u2028\u2029]/) { |char| escapes(html).fetch(
            char, char
          ) }}\""
        assert_equal "{#{expected}:[#{expected}]}",
                     ToJson.generate({ text => [text] }, html_safe: html)
      end
    end

    test "every code point goes through a Symbol, #{name}" do
      [*0..0x2FF, *0x2000..0x206F, 0xD7FF, 0xE000, 0xFFFD, 0x10000, 0x10FFFF].each do |code|
        expected = "\"#{escaped(code, html)}\""
        symbol = [code].pack("U").to_sym
        assert_equal "{#{expected}:#{expected}}",
                     ToJson.generate({ symbol => symbol }, html_safe: html)
      end
    end

    test "every code point is kept in a Fragment and a to_json result, #{name}" do
      all.each_slice(4999) do |codes|
        text = codes.pack("U*").gsub(/[\x00-\x1f"\\]/) { |char| escapes(false)[char] }
        json = "[\"#{text}\"]"
        expected = html ? json.gsub(/[<>&\u2028\u2029]/) { |char| escapes(true)[char] } : json
        assert_equal expected, ToJson.generate(ToJson::Fragment.new(json), html_safe: html)
        assert_equal expected, ToJson.generate(object_with(to_json: json), html_safe: html)
      end
    end

    test "every byte at each position of 0 to 70 is written right or refused at its offset, " \
         "#{name}" do
      rules = ToJson::Rules.new(html_safe: html)
      256.times do |byte|
        (0..70).each do |at|
          text = "#{"a" * at}#{byte.chr}#{"b" * (70 - at)}".dup.force_encoding("UTF-8")
          if byte < 128
            assert_equal "\"#{"a" * at}#{escaped(byte, html)}#{"b" * (70 - at)}\"",
                         ToJson.generate(text, rules: rules)
          else
            error = assert_raises(ToJson::EncodingError) { ToJson.generate(text, rules: rules) }
            assert_includes error.message, "at offset #{at} "
          end
        end
      end
    end

    test "every prefix of two bytes is written right or refused, as Ruby's own check has it, " \
         "#{name}" do
      rules = ToJson::Rules.new(html_safe: html)
      refused = 0
      (0x80..0xFF).each do |first|
        256.times do |second|
          text = [0x61, first, second, 0x62].pack("C*").force_encoding("UTF-8")
          if text.dup.valid_encoding?
            inner = text.codepoints.map { |code| escaped(code, html) }.join
            assert_equal "\"#{inner}\"", ToJson.generate(text, rules: rules)
          else
            refused += 1
            error = assert_raises(ToJson::EncodingError) { ToJson.generate(text, rules: rules) }
            assert_includes error.message, "at offset 1 ", text.inspect
          end
        end
      end
      assert_equal (128 * 256) - (30 * 64), refused
    end

    test "every start of three and four bytes is taken or refused as Ruby's own check has it, " \
         "#{name}" do
      rules = ToJson::Rules.new(html_safe: html)
      thirds = [0x22, 0x7F, 0x80, 0xBF, 0xC0]
      fourths = [nil, 0x7F, 0x80, 0xBF]
      cases = 0
      (0xE0..0xFF).each do |first|
        256.times do |second|
          thirds.product(fourths) do |third, fourth|
            text = [first, second, third, *fourth].pack("C*").force_encoding("UTF-8")
            taken = begin
              ToJson.generate(text.dup, rules: rules)
              true
            rescue ToJson::EncodingError
              false
            end
            cases += 1
            flunk "taken: #{taken}, #{text.inspect}" unless taken == text.valid_encoding?
          end
        end
      end
      assert_equal 32 * 256 * 20, cases
    end
  end

  test "no HTML-safe text holds what HTML or JavaScript minds, in values, keys, Symbols, " \
       "Fragments and to_json" do
    nasty = "</script><!--&\u2028\u2029"
    value = { nasty => [nasty, nasty.to_sym, nasty.encode("UTF-16LE"), { nasty.to_sym => nasty.b }],
              f: ToJson::Fragment.new("{#{nasty.inspect}:[#{nasty.inspect}]}"),
              j: object_with(to_json: "[#{nasty.inspect}]"), s: object_with(to_s: nasty),
              c: object_with(as_json: { nasty => nasty }) }
    text = ToJson.generate(value, html_safe: true)
    refute_match(/[<>&\u2028\u2029]/, text)
    assert_match(/[<>&\u2028\u2029]/, ToJson.generate(value))
    assert_equal ToJson::Tree.parse(ToJson.generate(value)), ToJson::Tree.parse(text)
  end
end
