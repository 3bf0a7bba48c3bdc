# frozen_string_literal: true

# Escapes beyond what JSON demands, alone and together, and other options of values that dialects
# brought.

require_relative "../values/value_case"
require "json"

class EscapesTest < ValueCase
  TEXT = "a/b<c>&d\u2028\u2029é😀\u007f\"\\\n\u0001"
  BASE = "a%sb%sc%s%sd%s%s%s%s" + "\u007f" + '\"\\\\\n\u0001'
  PLAIN = { slash: "/", lt: "<", gt: ">", amp: "&", ls: "\u2028", ps: "\u2029", e: "é",
            smile: "😀" }.freeze
  SEPARATORS = { ls: '\u2028', ps: '\u2029' }.freeze
  SCRIPT = { slash: '\/', **SEPARATORS }.freeze
  MARKUP = { lt: '\u003c', gt: '\u003e', amp: '\u0026', **SEPARATORS }.freeze
  ASCII = { **SEPARATORS, e: '\u00e9', smile: '\ud83d\ude00' }.freeze

  ESCAPED = {
    {} =>
      {}, { html_safe: true } => MARKUP, { script_safe: true } => SCRIPT,
      { ascii_only: true } => ASCII, { js_separators: true } => SEPARATORS,
    { script_safe: true, ascii_only: true } =>
      SCRIPT.merge(ASCII), { html_safe: true, ascii_only: true } => MARKUP.merge(ASCII),
    { html_safe: true, script_safe: true } =>
      MARKUP.merge(SCRIPT), { html_safe: true, js_separators: true } => MARKUP,
    { html_safe: true, script_safe: true, ascii_only: true } => MARKUP.merge(SCRIPT, ASCII)
  }.freeze

  ESCAPED.each do |options, forms|
    text = format(BASE, *PLAIN.merge(forms).values)

    test "#{options.inspect} escapes text, keys and Symbols, long and short" do
      name = :"#{TEXT}"
      serializer = Class.new(ToJson::Serializer) { attribute name, -> { name } }
      assert_document("\"#{text}\"") { |**out| ToJson.generate(TEXT, **options, **out) }
      assert_document("{\"#{text}\":\"#{text}\"}") do |**out|
        ToJson.generate({ name => name }, **options, **out)
      end
      assert_document("{\"#{text}\":[\"#{text * 30}\"]}") do |**out|
        ToJson.generate({ TEXT => [TEXT * 30] }, **options, **out)
      end
      assert_document("{\"#{text}\":\"#{text}\"}") do |**out|
        serializer.json!({}, rules: options, **out)
      end
      assert_document("{\"#{text}\":1}") do |**out|
        ToJson.json(rules: options, **out) { |j| j.put name, 1 }
      end
    end

    test "#{options.inspect} escapes every code point as it does one" do
      codes = [*0..0x2ff, *0x2020..0x2030, 0xd7ff, 0xe000, 0xfffd, 0xffff, 0x10000, 0x103ff,
               0x10400, 0x10ffff]
      codes.each do |code|
        character = [code].pack("U")
        due = PLAIN.key(character) ? PLAIN.merge(forms)[PLAIN.key(character)] : nil
        due ||=
          if options[:ascii_only] && code > 0x7f
            character.encode("UTF-16BE").unpack("n*").map { |unit| format('\u%04x', unit) }.join
          else
            JSON.generate(character)[1..-2]
          end
        assert_equal "\"#{due}\"", ToJson.generate(character, **options)
        assert_equal "\"12345#{due}78\"", ToJson.generate("12345#{character}78", **options)
      end
    end
  end

  test "a Fragment keeps its escapes, but for html_safe:" do
    fragment = ToJson::Fragment.new('"é/<"')
    assert_equal '["é/<"]', ToJson.generate([fragment], ascii_only: true, script_safe: true)
    assert_equal '["é/\u003c"]', ToJson.generate([fragment], ascii_only: true, html_safe: true)
  end

  test "binary: :raise refuses binary Strings beyond ASCII" do
    assert_equal '["a"]', ToJson.generate(["a".b], binary: :raise)
    error = assert_raises(ToJson::EncodingError) { ToJson.generate({ a: "é".b }, binary: :raise) }
    assert_equal "$.a", error.path
    assert_raises(ToJson::EncodingError) { ToJson.generate({ "é".b => 1 }, binary: :raise) }
    assert_equal '["é"]', ToJson.generate(["é".b])
  end

  test "as_json: gives what to write for what has no form, once more for what it gives" do
    rules = { as_json: ->(value, _key) { value.is_a?(Complex) ? value.rectangular : value } }
    assert_document("[[1,2],null]") do |**out|
      ToJson.generate([Complex(1, 2), nil], **rules, **out)
    end
    assert_raises(ToJson::UnsupportedTypeError) { ToJson.generate(Object.new, **rules) }
    assert_raises(ToJson::NestingError) do
      ToJson.generate(Object.new, as_json: ->(_, _) { Object.new })
    end
    assert_equal '"Time"',
                 ToJson.generate(Time.at(0), dialect: :strict,
                                 as_json: ->(value, _) { value.class.name })
  end

  test "nan: :allow writes the words that JavaScript has" do
    assert_equal "[NaN,Infinity,-Infinity]",
                 ToJson.generate([Float::NAN, Float::INFINITY, -Float::INFINITY], nan: :allow)
  end

  test "duplicates: :mixed looks only into Hashes that mix Strings and Symbols" do
    assert_equal '{"1":1,"1.0":2}', ToJson.generate({ 1 => 1, 1.0 => 2 }, duplicates: :mixed)
    assert_equal '{"a":1,"b":2}', ToJson.generate({ "a" => 1, b: 2 }, duplicates: :mixed)
    error = assert_raises(ToJson::DuplicateKeyError) do
      ToJson.generate([{ a: 1, "a" => 2 }], duplicates: :mixed)
    end
    assert_equal "$[0].a", error.path
  end
end
