# frozen_string_literal: true

# `rules:` by value, a Hash or a dialect: made once, found again, and never those of other options.

require_relative "../test_helper"
require_relative "../support/ractor_value"

class KeptRulesTest < ToJsonTest
  class ClockSerializer < ToJson::Serializer
    attributes :at, :rate
  end

  CLOCK = Struct.new(:at, :rate).new(Time.at(5, in: "UTC"), 2.5)

  def self.lines
    %i[unix unix_ms unix].map do |time|
      ToJson.generate([0.0 / 0, Time.at(5)], rules: { nan: :null, time: time })
    end
  end

  def json(rules) = ClockSerializer.json!(CLOCK, rules: rules)

  # @return [Integer] objects that a call allocates
  def objects
    yield
    before = GC.stat(:total_allocated_objects)
    yield
    GC.stat(:total_allocated_objects) - before
  end

  {
    "a Hash" => -> { { time: :unix } },
    "a Hash with frozen text" => -> { { time: "%Y" } },
    "no options" => -> { {} },
    "a dialect" => -> { :json }
  }.each do |what, given|
    test "#{what} makes Rules once" do
      assert_operator(objects { json(given.call) }, :<, 12) # to make them takes 16 and more
      assert_equal(ClockSerializer.json!(CLOCK, rules: ToJson::Rules.coerce(given.call)),
                   json(given.call))
    end
  end

  test "options of the same names or values are told apart" do
    both = [{ time: :unix }, { time: :unix_ms }, { time: "%Y" }, { time: "%H" }, { nan: :null },
            { time: :unix, nan: :null }, :json, :oj, :standard, {}, nil]
    due = both.map { |rules| json(rules && ToJson::Rules.coerce(rules)) }
    3.times { assert_equal(due, both.map { |rules| json(rules) }) }
    3.times { assert_equal(due.reverse, both.reverse.map { |rules| json(rules) }) }
  end

  test "a Hash and its text may change after the call" do
    rules = { time: +"%Y" }
    assert_equal '{"at":"1970","rate":2.5}', json(rules)
    rules[:time] << "-%m"
    assert_equal '{"at":"1970-01","rate":2.5}', json(rules)
    rules[:time] = :unix
    assert_equal '{"at":5,"rate":2.5}', json(rules)
    rules[:time] = :unix_ms
    assert_equal '{"at":5000,"rate":2.5}', json(rules)
    rules.delete(:time)
    assert_equal json({}), json(rules)
  end

  test "what may change, or is compared in its own way, is read each time" do
    seen = 1
    convert = { Float => ->(_) { seen } }
    assert_equal '{"at":"1970-01-01T00:00:05.000Z","rate":1}', json({ convert: convert })
    convert[Float] = ->(_) { 2 }
    assert_equal '{"at":"1970-01-01T00:00:05.000Z","rate":2}', json({ convert: convert })
    text = Class.new(String) { def eql?(_) = true }
    assert_equal '{"at":"1970","rate":2.5}', json({ time: text.new("%Y").freeze })
    assert_equal '{"at":"00","rate":2.5}', json({ time: text.new("%H").freeze })
    assert_equal '{"at":5,"rate":2.5}', json({ time: :unix }.compare_by_identity)
  end

  test "a Hash means options over the default Rules of now, a dialect does not" do
    previous = ToJson.default_rules
    assert_equal '{"at":"1970-01-01T00:00:05.000Z","rate":2.5}', json({ nan: :null })
    ToJson.default_rules = { time: :unix }
    assert_equal '{"at":5,"rate":2.5}', json({ nan: :null })
    assert_equal '{"at":"1970-01-01T00:00:05.000Z","rate":2.5}', json(:standard)
    ToJson.default_rules = { time: :unix_ms }
    assert_equal '{"at":5000,"rate":2.5}', json({ nan: :null })
  ensure
    ToJson.default_rules = previous
  end

  test "a dialect among the keywords of generate is another matter than rules:" do
    previous = ToJson.default_rules
    ToJson.default_rules = { time: :unix }
    2.times do
      assert_equal "[5]", ToJson.generate([CLOCK.at], dialect: :standard)
      assert_equal '["1970-01-01T00:00:05.000Z"]', ToJson.generate([CLOCK.at], rules: :standard)
      assert_equal "[5]", ToJson.generate([CLOCK.at], dialect: :standard)
    end
  ensure
    ToJson.default_rules = previous
  end

  test "wrong options raise each time" do
    [{ tiem: :unix }, { time: :never }, { "time" => :unix }, :no_dialect, 5, [], "json",
     { html_safe: nil }].each do |wrong|
      messages = Array.new(3) { assert_raises(ArgumentError) { json(wrong) }.message }
      assert_equal 1, messages.uniq.size
    end
  end

  test "many different options cost no memory" do
    count = lambda do
      GC.start
      ObjectSpace.each_object(ToJson::Rules).count
    end
    before = count.call
    500.times { |i| assert_equal "{\"at\":\"#{i}\",\"rate\":2.5}", json({ time: i.to_s.freeze }) }
    assert_operator count.call - before, :<, 100
  end

  test "another Ractor finds its own" do
    made = silently { Ractor.new { KeptRulesTest.lines } }
    assert_equal KeptRulesTest.lines, made.value
  end
end
