# frozen_string_literal: true

# Symbol, as value and as key, static and dynamic.

require_relative "value_case"

class SymbolTest < ValueCase
  # A Symbol that no source text names: made at run time, collected when it is no longer used.
  def dynamic(text) = "#{text}#{@made = @made.to_i + 1}_#{rand(1 << 60)}".to_sym

  writes("a Symbol is a string", '"a"') { :a }
  writes("an empty Symbol is an empty string", '{"":""}') { { "": :"" } }
  writes("a Symbol is a key", '{"a":1,"b c":2}') { { a: 1, "b c": 2 } }
  writes("a Symbol with quotes, a backslash and a line break is escaped",
         '{"a\"\\\\\n":"a\"\\\\\n"}') do
    { "a\"\\\n": :"a\"\\\n" }
  end
  writes("a Symbol with what HTML minds stands as it is", '{"<a>":"<a>"}') { { "<a>": :"<a>" } }
  writes("a Symbol with what HTML minds is escaped under html_safe",
         '{"\u003ca\u003e":"\u003ca\u003e"}', html_safe: true) do
    { "<a>": :"<a>" }
  end
  writes("a Symbol beyond ASCII is its text", '{"é€😀":"é€😀"}') { { "é€😀": :"é€😀" } }
  writes("an operator is its name", '["+","[]=","!"]') { %i[+ []= !] }

  test "a Symbol made at run time is written like one in the source" do
    symbol = dynamic("name\"é")
    text = symbol.name.gsub("\"", "\\\"")
    assert_document("{\"#{text}\":[\"#{text}\",\"#{text}\"]}") do |**out|
      ToJson.generate({ symbol => [symbol, symbol] }, **out)
    end
  end

  test "100,000 Symbols made at run time are written and are not kept" do
    GC.start
    before = Symbol.all_symbols.size
    100_000.times do |index|
      symbol = "made at run time #{index}".to_sym
      assert_equal "{\"#{symbol}\":\"#{symbol}\"}", ToJson.generate({ symbol => symbol })
    end
    GC.start
    assert_operator Symbol.all_symbols.size - before, :<, 50_000
  end

  # In a process of its own: what is kept of Symbols is never given back.
  test "more Symbols of the source than are kept are written right" do
    assert_equal "right right", IO.popen([*PlainRuby.start, "-rto_json", "-e", <<~'RUBY'], &:read)
      names = Array.new(10_000) { |index| "source_symbol_#{index}" }
      # Static ones: only source text makes them.
      symbols = eval("[#{names.map { |name| ":#{name}" }.join(",")}]")
      print Array.new(2) {
        array = ToJson.generate(symbols) == "[#{names.map { |name| "\"#{name}\"" }.join(",")}]"
        pairs = names.map { |name| "\"#{name}\":1" }.join(",")
        hash = ToJson.generate(symbols.to_h { |symbol| [symbol, 1] }) == "{#{pairs}}"
        array && hash ? "right" : "wrong"
      }.join(" ")
    RUBY
  end

  test "a Symbol of any length is written whole" do
    [1, 30, 31, 32, 33, 47, 48, 49, 196, 200, 201, 300, 4096, 70_000].each do |size|
      name = "s" * size
      symbol = eval(":#{name}", binding, __FILE__, __LINE__) # static
      assert_equal "{\"#{name}\":\"#{name}\"}", ToJson.generate({ symbol => symbol })
      assert_equal "{\"#{name}x\":\"#{name}x\"}", ToJson.generate({ "#{name}x": "#{name}x".to_sym })
    end
  end

  writes("a Symbol in another encoding is transcoded", '{"é":"é"}') do
    symbol = "é".encode("ISO-8859-1").to_sym
    { symbol => symbol }
  end

  refuses("a Symbol of bytes that are no text raises", ToJson::EncodingError, path: "$[1]",
          message: "offset 1") do
    [:a, "x\xE9".b.to_sym]
  end
  writes("a Symbol of bytes that are no text under invalid: :replace has U+FFFD", "[\"x\uFFFD\"]",
         invalid: :replace) do
    ["x\xE9".b.to_sym]
  end
end
