# frozen_string_literal: true

# Documents as Ruby values (ToJson::Tree), for to_h and as_json: what any JSON parser makes of them.

require_relative "../test_helper"
require_relative "../support/own_process"
require "json"

class ParsedTest < ToJsonTest
  def parse(text) = ToJson::Tree.parse(text)

  # {text => value}
  VALUES = {
    "null" => nil, "true" => true, "false" => false, "0" => 0, "-0" => 0, "-1" => -1,
    "123456789012345678" => 123_456_789_012_345_678,
    "-999999999999999999" => -999_999_999_999_999_999,
    "9223372036854775808" => 2**63, "1234567890123456789" => 1_234_567_890_123_456_789,
    "1#{"0" * 80}" => 10**80, "-1#{"0" * 80}" => -(10**80), "1.5" => 1.5, "-0.0" => -0.0,
    "0.1" => 0.1, "1e3" => 1000.0, "1E-2" => 0.01, "1e-30" => 1e-30,
    "0.#{"3" * 100}" => 1 / 3.0, "1.7976931348623157e308" => Float::MAX,
    '""' => "", '"a"' => "a", '"é✓😀"' => "é✓😀", '"\"\\\\\/\b\f\n\r\t"' => "\"\\/\b\f\n\r\t",
    '"\u0000\u00e9\u20AC"' => "\u0000é€", '"a\ud83d\ude00b"' => "a😀b", '"\u007f\u0080\u07ff"' =>
    "\u007f\u0080\u07ff", "[]" => [], "{}" => {}, "[[],{}]" => [[], {}], '{"":1}' => { "" => 1 },
    '{"a":1,"b":{"a":[2]}}' => { "a" => 1, "b" => { "a" => [2] } }, '{"a":1,"a":2}' => { "a" => 2 },
    '{"\u0061\n":1}' => { "a\n" => 1 }, " [ 1 ,\n\t2 , { \"a\" : null } ]\r\n " =>
    [1, 2, { "a" => nil }], "{ }" => {}, "[ ]" => []
  }.freeze

  VALUES.each do |text, value|
    test "#{text[0, 40]} is #{value.inspect[0, 40]}" do
      found = parse(text)
      assert_same_value(value, found)
      assert_same_value(value, parse("[#{" " * 20}#{text}#{" " * 20}]").first) # read by vectors
    end
  end

  def assert_same_value(value, found)
    value.nil? ? assert_nil(found) : assert_equal(value, found)
    assert_equal(value.class, found.class)
    assert_equal(1 / value, 1 / found) if value.is_a?(Float) && value.zero?
    assert_equal([Encoding::UTF_8, true], [found.encoding, found.valid_encoding?]) if
      value.is_a?(String)
  end

  test "what Rules may write that is no JSON is read too" do
    assert_predicate parse("NaN"), :nan?
    assert_equal [Float::INFINITY, -Float::INFINITY, -1], parse("[Infinity,-Infinity,-1]")
  end

  test "half of a surrogate pair is text that is not valid" do
    %w["\ud83d" "\ude00" "\ud83dx" "\ud83d\u0061" "\ud83d\ud83d"].each do |text|
      refute_predicate parse(text), :valid_encoding?
    end
  end

  test "Strings are new and may be changed, keys are frozen" do
    text = '[{"a":"b"},{"a":"b"}]'
    one, two = parse(text)
    refute_predicate one["a"], :frozen?
    refute_same one["a"], two["a"]
    assert_predicate one.keys.first, :frozen?
    one["a"] << "c"
    assert_equal '[{"a":"b"},{"a":"b"}]', text
  end

  test "keys of the same size and ends are told apart" do
    keys = ("aa".."zz").map { |middle| "x#{middle}y" } + ["xy", "x", ""]
    text = ToJson.generate([keys.to_h { |key| [key, key] }] * 2)
    assert_equal [keys.to_h { |key| [key, key] }] * 2, parse(text)
  end

  BROKEN = ["", " ", "[", "{", "[1", "[1,", "[1,]", "[,]", "[1 2]", "{\"a\"", "{\"a\":", "{\"a\":1",
            "{\"a\":1,", "{\"a\":1,}", "{1:2}", "{\"a\" 1}", "{,}", "\"", "\"a", "\"\\", "\"\\u12",
            "\"\\x\"", "\"\\u00g0\"", "tru", "nul", "falsy", "nan", "-", "-I", "-Infinit", "Inf",
            "Na", "01", "1.", "1.e3", "1e", "+1", ".5", "1 2", "[]]", "{}x", "\"a\nb\"", "'a'",
            "\u0000", "[1]\u0000", "oops", "//", "-a"].freeze

  BROKEN.each do |text|
    test "#{text.inspect} is no document" do
      ["#{" " * 20}#{text}", *("[#{text}" unless text == "[]]"), text].each do |broken|
        error = assert_raises(ToJson::FragmentError) { parse(broken) }
        assert_match(/\Abyte \d+ of the document: .+\. A Fragment with check: false must be J/,
                     error.message)
      end
    end
  end

  test "every beginning of a document is no document" do
    text = ToJson.generate([{ "a é" => [1.5, "x\n\u0001é", true, nil, -12, {}] }] * 2)
    text.bytesize.times do |size|
      assert_raises(ToJson::FragmentError) { parse(text.byteslice(0, size)) }
    end
  end

  test "bytes of any kind are a value or an error" do
    random = Random.new(5)
    base = ToJson.generate({ "key" => [1.5e10, "te\u0001xt😀", true, nil, -12, {}], "k" => {} })
    2_000.times do
      text = base.dup.force_encoding("UTF-8")
      random.rand(1..4).times do
        text.setbyte(random.rand(text.bytesize), random.rand(256))
      end
      parse(text)
    rescue ToJson::FragmentError
      next
    end
  end

  test "a Fragment that is no JSON raises" do
    broken = Class.new(ToJson::Serializer) do
      attribute(:a) { |one| ToJson::Fragment.new(one, check: false) }
    end
    assert_equal({ "a" => [1] }, broken.to_h("[1]"))
    assert_raises(ToJson::FragmentError) { broken.to_h("oops") }
  end

  test "only a String is taken" do
    [nil, 1, :a, [], StringIO.new("1")].each do |other|
      assert_raises(TypeError) { parse(other) }
    end
  end

  test "documents of to_h and of json are the same" do
    value = { "a" => [1, 2.5, -0.0, 1e300, 2**70, "é\u2028</b>\u0000", nil, { "b" => [[]] }] * 50 }
    %i[standard json rails oj].each do |rules|
      text = ToJson.generate(value, rules: rules)
      assert_equal JSON.parse(text), parse(text)
    end
    assert_equal value, parse(ToJson.pretty_generate(value))
  end

  test "a document deeper than the stack raises" do
    depth = 100_000
    [["[", "]", ""], ["{\"a\":", "}", "1"]].each do |open, close, inner|
      error = Thread.new { parse((open * depth) + inner + (close * depth)) }
                    .tap { |thread| thread.report_on_exception = false }
      error = assert_raises(ToJson::NestingError) { error.value }
      assert_match(/\Anested \d+ deep, which is all that this thread's stack holds\.\z/,
                   error.message)
    end
  end

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

  # A signal, since its handler needs no turn of another thread: that comes after 100 ms only.
  test "a signal's handler runs in the middle of a long document, not behind it" do
    text = "[#{"1," * 2_000_000}1]"
    seen = nil
    before = trap(:USR2) { seen = now }
    early = (1..20).find do
      seen = nil
      sender = spawn("sleep 0.05; kill -USR2 #{Process.pid}")
      until seen
        parse(text)
        ended = now
      end
      Process.wait(sender)
      ended - seen > 0.002
    end
    assert early, "ran at the end of the document in each of 20 attempts"
  ensure
    trap(:USR2, before || "DEFAULT")
  end

  test "what changes the text meanwhile changes nothing" do
    text = +"[#{(["\"abc\""] * 5_000).join(",")}]"
    due = parse(text.dup)
    changer = Thread.new { 50.times { text.replace("{" * 40_000) && Thread.pass } }
    found = begin
      parse(text)
    rescue ToJson::FragmentError
      due # it was changed before
    end
    assert_equal due, found
  ensure
    changer.join
  end

  test "the garbage collector may run at any time" do
    text = ToJson.generate([{ "a#{rand(9)}é" => ["b\n", 1.5, 2**80, {}] }] * 3)
    due = JSON.parse(text)
    found = begin
      GC.stress = true
      parse(text)
    ensure
      GC.stress = false
    end
    assert_equal due, found
  end

  # With $VERBOSE, Ruby warned about the number. A Warning.warn that changed the text caused an
  # error: "byte 6 of the document".
  test "a number out of range causes no warning" do
    text = +"[1e999,-1e999,1e-999,#{"1" * 400}.5,#{"1" * 300}.5]"
    verbose, $VERBOSE = $VERBOSE, true
    found = nil
    assert_silent { found = ToJson::Tree.parse(text) }
    infinity = Float::INFINITY
    assert_equal [infinity, -infinity, 0.0, infinity, ("1" * 300).to_f], found
  ensure
    $VERBOSE = verbose
  end

  test "a signal's handler may change the text that is read" do
    skip "needs fork" unless Process.respond_to?(:fork)
    found = OwnProcess.run(<<~'RUBY')
      text = nil
      changed = 0
      trap("USR1") do
        next if caller_locations.none? { |place| place.base_label == "parse" }
        text.setbyte(-2, "2".ord)
        changed += 1
      end
      parent = Process.pid
      child = fork { loop { Process.kill(:USR1, parent); sleep 0.0001 } }
      late = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 20
      until changed == 20 || Process.clock_gettime(Process::CLOCK_MONOTONIC) > late
        text = "[#{Array.new(1023, 1).join(",")}]" # one check of interrupts, at the last 1
        found = ToJson::Tree.parse(text)
        puts "changed" unless found.last == 1
      end
      Process.kill(:KILL, child)
      Process.wait(child)
    RUBY
    assert_equal "", found
  end
end
