# frozen_string_literal: true

# ToJson::Fragment: JSON that is already encoded, checked unless told not to.

require "test_helper"
require_relative "../support/ways_out"

class FragmentTest < ToJsonTest
  # Every kind of value, and white space where the grammar allows it.
  VALID = [
    "null", "true", "false", "0", "-0", "1", "-1", "12345678901234567890", "0.5", "-0.5e-10",
    "1E+5", "1e5", "1.0", '""', '"a"', '"é€😀"', '"\""',
    '"\\\\\/\b\f\n\r\t"', '"\u0000"', '"\uD83D\uDE00"', '"\ud800"', "[]", "[ ]", "[1]", "[1, 2]",
    "[[[]]]", "{}", "{ }", '{"a":1}', '{"a" : [ ] , "b":{}}',
    '{"":""}', '{"a":1,"a":2}', " 1", "1 ", "\t\n\r 1 \t\n\r", "[\n1\n,\n2\n]", "[#{"1," * 1000}1]",
    "\"#{"x" * 10_000}\"", "[" * 1000 + "]" * 1000
  ].freeze

  # {text => the offset where it goes wrong}
  INVALID = {
    "" =>
      0, " " => 1, "nul" => 3, "nulll" => 4, "True" => 0, "TRUE" => 0, "NaN" => 0, "Infinity" => 0,
      "-Infinity" => 1, "-" => 1, "+1" => 0, "01" => 1, "-01" => 2,
    "1." =>
      2, ".5" => 0, "1e" => 2, "1e+" => 3, "0x1" => 1, "1_000" => 1, "1 2" => 2, "'a'" => 0,
      '"a' => 2, '"' => 1, "\"\n\"" => 1, "\"\t\"" => 1, '"\x"' => 2,
    '"\u12"' =>
      5, '"\u12G4"' => 5, "[" => 1, "]" => 0, "[1" => 2, "[1,]" => 3, "[,1]" => 1, "[1 2]" => 3,
      "[1,,2]" => 3, "[}" => 1, "{" => 1, "}" => 0, '{"a"}' => 4,
    '{"a":}' =>
      5, '{"a":1,}' => 7, "{a:1}" => 1, "{1:1}" => 1, '{"a":1 "b":2}' => 7, '{"a"::1}' => 5,
      "[1]]" => 3, "{}{}" => 2, "1\0" => 1, "\0" => 0,
    "/* */1" =>
      0, "1 // x" => 2, "\uFEFF1" => 0, "\"\xff\"" => 1, "\"a\xC3\"" => 2, "\"\xED\xA0\x80\"" => 1,
      "\"\xC0\x80\"" => 1, "\"\xF4\x90\x80\x80\"" => 1, "\xff" => 0,
    "[1]\xC2\xA0" => 3
  }.freeze

  VALID.each do |text|
    test "#{text[0, 40].inspect} is a Fragment and goes into a document as it is" do
      fragment = ToJson::Fragment.new(text)
      assert_equal text, fragment.to_s
      unless text.size > 1500 || text == '"\ud800"'
        assert_document("[#{text},{\"a\":#{text}}]") do |**out|
          ToJson.generate([fragment, { a: fragment }], max_depth: 5000, **out)
        end
      end
      assert_equal text, ToJson.generate(fragment)
    end
  end

  INVALID.each do |text, offset|
    test "#{text.inspect} is no Fragment and the error says offset #{offset}" do
      error = assert_raises(ToJson::FragmentError) { ToJson::Fragment.new(text) }
      assert_match(/is not valid JSON: .+ at offset #{offset} of #{text.bytesize} bytes/,
                   error.message)
      assert_nil error.path
      assert_equal text, ToJson::Fragment.new(text, check: false).to_s
    end
  end

  test "100,000 levels are checked without recursion, one more is refused" do
    deep = ->(depth) { "[" * depth + "]" * depth }
    assert_equal deep.call(100_000), ToJson::Fragment.new(deep.call(100_000)).to_s
    assert_raises(ToJson::FragmentError) { ToJson::Fragment.new(deep.call(100_001)) }
    assert_raises(ToJson::FragmentError) { ToJson::Fragment.new("[" * 10_000_000) }
  end

  test "a Fragment of text in another encoding is judged by its bytes" do
    assert_equal '"é"'.b, ToJson::Fragment.new('"é"'.b).to_s.b
    assert_equal '["é"]', ToJson.generate([ToJson::Fragment.new('"é"'.b)])
    assert_raises(ToJson::FragmentError) { ToJson::Fragment.new('"é"'.encode("ISO-8859-1")) }
    assert_raises(ToJson::FragmentError) { ToJson::Fragment.new("[1]".encode("UTF-16LE")) }
  end

  [nil, 1, :symbol, [1], { a: 1 }, Object.new].each do |value|
    test "#{value.class} is no text for a Fragment" do
      error = assert_raises(TypeError) { ToJson::Fragment.new(value) }
      assert_includes error.message, "takes a String of JSON, got #{value.class}"
    end
  end

  test "a Fragment does not change with the String that it was made of" do
    text = +"[1]"
    fragment = ToJson::Fragment.new(text)
    text << "]"
    assert_equal "[1]", fragment.to_s
    assert_predicate fragment.to_s, :frozen?
    assert_predicate fragment, :frozen?
  end

  test "a Fragment keeps the very String where that is frozen" do
    text = "[1]"
    assert_same text, ToJson::Fragment.new(text).to_s
  end

  test "Fragments are equal where their texts are, and find each other in a Hash" do
    one, same, other = %w([1] [1] [2]).map { |text| ToJson::Fragment.new(text) }
    assert_equal one, same
    assert_operator one, :eql?, same
    assert_equal 1, { one => 1 }[same]
    refute_equal one, other
    refute_equal one, "[1]"
  end

  test "inspect shows the text" do
    assert_equal '#<ToJson::Fragment "[1]">', ToJson::Fragment.new("[1]").inspect
  end

  test "a Fragment is Ractor-shareable" do
    assert Ractor.shareable?(ToJson::Fragment.new('{"a":[1]}'))
  end

  test "other generators take a Fragment's text" do
    fragment = ToJson::Fragment.new('{"a": 1}')
    assert_equal '{"a": 1}', fragment.to_json
    assert_equal '[{"a": 1}]', JSON.generate([fragment]) if Without.library?("json")
  end

  test "a Fragment under html_safe escapes what HTML minds" do
    json = "{\"<a>\":\"<&>\u2028\u2029\\u003c\"}"
    expected = '{"\u003ca\u003e":"\u003c\u0026\u003e\u2028\u2029\u003c"}'
    assert_document(expected) do |**out|
      ToJson.generate(ToJson::Fragment.new(json), html_safe: true, **out)
    end
  end

  test "a huge Fragment under html_safe is escaped whole" do
    json = "[\"#{"a<é>" * 50_000}\"]"
    assert_equal "[\"#{"a\\u003cé\\u003e" * 50_000}\"]",
                 ToJson.generate(ToJson::Fragment.new(json), html_safe: true)
  end

  test "an unchecked Fragment is written whatever it is" do
    assert_document("[oops]", json: false) do |**out|
      ToJson.generate([ToJson::Fragment.new("oops", check: false)], **out)
    end
    assert_equal "[\xff]".b, ToJson.generate([ToJson::Fragment.new("\xff", check: false)]).b
  end

  test "an unknown keyword of Fragment.new is an ArgumentError" do
    assert_raises(ArgumentError) { ToJson::Fragment.new("1", checked: false) }
    assert_raises(ArgumentError) { ToJson::Fragment.new }
  end

  test "a Fragment cannot be made without a text" do
    assert_raises(NoMethodError, TypeError) { ToJson::Fragment.allocate }
    assert_raises(NoMethodError) { ToJson::Fragment.wrap("{", false) }
  end

  test "a Fragment is not copied, since it never changes" do
    assert_raises(TypeError) { ToJson::Fragment.new("[1]").dup }
    assert_raises(TypeError) { ToJson::Fragment.new("[1]").clone }
  end

  test "every case of JSONTestSuite is judged as the suite says" do
    cases = shared_data("json_test_suite/*.json")
    judged = cases.to_h do |path|
      taken = begin
        ToJson::Fragment.new(File.binread(path))
        true
      rescue ToJson::FragmentError
        false
      end
      [File.basename(path), taken]
    end
    assert_empty judged.select { |name, taken| name.start_with?("y_") && !taken }.keys
    assert_empty judged.select { |name, taken| name.start_with?("n_") && taken }.keys
    assert_operator judged.size, :>=, 250
    puts "JSONTestSuite: #{judged.size} cases, of them " \
         "#{judged.keys.count { |name| name.start_with?("y_") }} valid, " \
         "#{judged.keys.count { |name| name.start_with?("n_") }} invalid"
  end

  test "random cuts and changes of valid texts are judged as another strict parser does" do
    skip "json is not here" unless Without.library?("json")
    random = Random.new(17)
    # json refuses half a surrogate pair
    texts = VALID.select { |text| text.size < 200 && !text.match?(/ud8/i) }
    refused = 0
    5000.times do
      text = texts.sample(random: random).b
      at = random.rand(text.bytesize + 1)
      case random.rand(3)
      when 0 then text[at, 1] = ""
      when 1 then text.insert([at, text.bytesize].min, "[]{},:\"\\01e.-+ n".b[random.rand(16)])
      else text = text[0, at]
      end
      text.force_encoding("UTF-8")
      next unless text.valid_encoding?

      ours = (ToJson::Fragment.new(text) rescue nil) ? true : false
      theirs = (JSON.parse(text, allow_duplicate_key: true, max_nesting: 0); true) rescue false
      refused += 1 unless ours
      # json takes comments, control characters and odd escapes; what we take, it takes too
      assert theirs, "we take #{text.inspect}, json does not" if ours
    end
    assert_operator refused, :>, 1000
  end
end
