# frozen_string_literal: true

# The same JSON with json, ActiveSupport, Oj loaded before, after, or not at all: docs/values.md.
# Each case is a process of its own.

require_relative "value_case"
require "open3"
require "rbconfig"

class LibrariesTest < ValueCase
  # Prints a line for each value: its JSON, or the class of the error.
  SCRIPT = <<~'RUBY'
    require "bigdecimal"
    require "date"
    require "set"
    require "ostruct"
    require "delegate"
    point = Struct.new(:x, :y)
    own = Class.new { def to_h = { own: 1 } }
    chatty = Class.new { def to_s = "chatty" }
    patched = Class.new { def as_json(*) = { as: "json" } }
    texty = Class.new { def to_json(*) = '{"to": "json"}' }
    each = Class.new { include Enumerable; def each = yield(1) }
    subclasses = [Class.new(String).new("s"), Class.new(Array).new([1]), Class.new(Hash)[a: 1],
                  Class.new(Struct.new(:m)).new(1)]
    values = [
      nil, true, false, 1, 2**70, 1.5, 1e20, 1e-7, "text<>&\u2028é", :symbol, [1],
      { a: { "b" => nil } }, { nil => 1, 2 => 3 }, 1..3, Set[1, 2], [1].each,
      (1..3).lazy.map { |n| n * 2 }, point.new(1, 2), own.new, chatty.new, patched.new, texty.new,
      each.new, *subclasses, BigDecimal("1.10"), 1/3r, Time.at(0, 123_456, :usec).utc,
      Time.new(2026, 1, 2, 3, 4, 5, "+01:00"), Date.new(2026, 1, 2),
      DateTime.new(2026, 1, 2, 3, 4, 5), Comparable, String, OpenStruct.new(a: 1),
      SimpleDelegator.new({ a: 1 }), SimpleDelegator.new(1),
      SimpleDelegator.new(point.new(1, 2)), SimpleDelegator.new(Object.new),
      SimpleDelegator.new(own.new), Object.new,
      Object.new.tap { |o| o.instance_variable_set(:@a, 1) }, StandardError.new("x"),
      NameError.new("x"), KeyError.new("k"), 1i, proc {}, method(:puts), $stderr, Thread.current,
      /a/, Float::NAN, Class.new, Encoding::UTF_8, BasicObject.new, Random.new,
      Process.clock_gettime(Process::CLOCK_REALTIME).then { Process::Status }
    ]
    values.each_with_index do |value, index|
      text = begin
        ToJson.generate([value])
      rescue ToJson::Error => error
        error.class.name
      end
      puts "#{index} #{text}"
      pretty = begin
        ToJson.pretty_generate({ v: value }, html_safe: true)
      rescue ToJson::Error => error
        error.class.name
      end
      puts pretty
    end
  RUBY

  # {what is loaded => [Ruby before the library, Ruby after it]}
  LOADED = {
    "json before" => ['require "json"', ""], "json after" => ["", 'require "json"'],
    "json with its additions" =>
      ['require "json"; require "json/add/core"; require "json/add/bigdecimal"', ""],
    "ActiveSupport before" =>
      ['require "active_support/all"', ""],
      "ActiveSupport after" => ["", 'require "active_support/all"'],
    "ActiveSupport's JSON only" => ['require "active_support"; require "active_support/json"', ""],
    "ActiveRecord" => ['require "active_record"', ""], "Oj" => ['require "oj"', ""],
    "Oj.mimic_JSON before" =>
      ['require "oj"; Oj.mimic_JSON', ""],
      "Oj.mimic_JSON after" => ["", 'require "oj"; Oj.mimic_JSON'],
    "Oj.add_to_json" => ['require "oj"; Oj.mimic_JSON; Oj.add_to_json', ""],
    "Oj.optimize_rails before" =>
      ['require "active_support/all"; require "oj"; Oj.optimize_rails', ""],
    "Oj.optimize_rails after" =>
      ["", 'require "active_support/all"; require "oj"; Oj.optimize_rails']
  }.freeze

  # The output of SCRIPT in a process with nothing but what is given.
  def self.output(before, after)
    library = $LOADED_FEATURES.find { |path| path.end_with?("/lib/to_json.rb") }
    code = "#{before}\nrequire #{library.inspect}\n#{after}\n#{SCRIPT}"
    text, errors, status = Open3.capture3(*PlainRuby.start(rubygems: true), "-e", code)
    raise "the process failed: #{errors}" unless status.success?

    text
  end

  def self.alone = @alone ||= output("", "")

  test "without any library nothing but the gem's own is loaded, and every value is written or " \
       "refused" do
    assert_operator self.class.alone.lines.size, :>, 110
    assert_equal "false false",
                 self.class.send(:output, "",
                                 "print defined?(JSON).inspect == 'nil' ? 'false ' : 'json '; " \
        "print defined?(ActiveSupport) ? 'as' : 'false'; exit")
  end

  LOADED.each do |what, (before, after)|
    libraries = "#{before} #{after}".scan(/require "(\w+)/).flatten.uniq
    next unless libraries.all? { |name| Without.library?(name) }

    test "with #{what} every value is written as without" do
      expected = self.class.alone.lines
      actual = self.class.output(before, after).lines
      assert_equal expected, actual,
                   "differ: #{(expected - actual).inspect} became #{(actual - expected).inspect}"
    end
  end
end
