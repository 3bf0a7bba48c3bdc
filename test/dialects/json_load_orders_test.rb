# frozen_string_literal: true

# The hook to_json/json with json, ActiveSupport, Oj.mimic_JSON, Oj.optimize_rails and our other
# hooks before, after and absent: each order is a process of its own, in which JSON's methods say
# the same with the hook and after its uninstall. If another library serves JSON's methods, they
# also say the same in a process without the hook.

require "test_helper"
require "open3"
require "rbconfig"

class JsonLoadOrdersTest < ToJsonTest
  CALLS = <<~'RUBY'
    require "bigdecimal"
    require "date"
    require "set"
    require "stringio"
    Point = Struct.new(:x, :y)
    own = Class.new do
      def to_json(*) = '{"own": 1}'
      def to_s = "own"
    end
    as_json = Class.new do
      def as_json(options = nil) = { own: options&.keys }
      def to_s = "text"
    end
    values = [
      nil, true, 1, 2**70, 1.5, 1e20, 1e-7, "text<>&\u2028\u00e9/", :symbol, [1, [nil]],
      { a: { "b" => nil }, nil => 1 }, 1..3, Set[1, 2], Point.new(1, [:a]), own.new,
      as_json.new.as_json, [as_json.new], 1/3r, BigDecimal("1.10"), Time.at(0, 123_456, :usec).utc,
      Date.new(2026, 1, 2), Comparable, StandardError.new("x"), /a/, Float::NAN, "\xff",
      [{ "a" => 1, a: 2 }]
    ]
    if defined?(ActiveSupport::TimeZone)
      values.concat([Time.at(0).in_time_zone("Europe/Berlin"), 5.minutes,
                     ActiveSupport::SafeBuffer.new("<b>"),
                     ActiveSupport::HashWithIndifferentAccess.new(a: 1)])
    end
    calls = [
      ->(value) { JSON.generate(value) },
      ->(value) { JSON.generate({ k: [value] }, script_safe: true) },
      ->(value) { JSON.generate(value, nil) }, ->(value) { JSON.pretty_generate(value) },
      ->(value) { JSON.pretty_generate([value]) }, ->(value) { JSON.dump([value]) },
      ->(value) { JSON.dump(value, StringIO.new).string }, ->(value) { [value].to_json }
    ]
    say = lambda do
      values.flat_map do |value|
        calls.map do |call|
          call.call(value)
        rescue SystemStackError, StandardError => error
          "#{error.class}: #{error.message[0, 50]}"
        end
      end
    end
  RUBY
  SCRIPT = CALLS + <<~'RUBY'
    served = ToJson::JsonGenerate.served
    with = say.call
    counted = 0
    counting = TracePoint.new(:c_call) do |event|
      counted += 1 if event.self == ToJson && event.method_id == :generate_under
    end
    counting.enable { JSON.generate([1]) }
    ToJson::JsonGenerate.uninstall
    without = say.call
    ToJson::JsonGenerate.install
    differing = with.zip(without).reject { |ours, theirs| ours == theirs }
    puts served.inspect, counted, with.size >= 150, differing.first(3).inspect,
         served == ToJson::JsonGenerate.served, with.map(&:inspect)
  RUBY
  AS = 'require "active_support/all"'
  HOOK = 'require "to_json/json"'
  MIMIC = 'require "oj"; Oj.mimic_JSON'
  RAILS = 'require "oj"; Oj.optimize_rails'
  # Another library wraps two of the methods.
  CHAIN = 'class << JSON
             alias_method :generate_untimed, :generate
             def generate(*given) = generate_untimed(*given)
             alias_method :dump_untimed, :dump
             def dump(*given) = dump_untimed(*given)
           end'
  ALL = %i[generate pretty_generate dump].freeze

  # {what is loaded in which order => [Ruby, what is served]}
  ORDERS = {
    "nothing else" => [[HOOK], ALL],
    "json, ours" => [['require "json"', HOOK], ALL],
    "the gem, json, the hook" => [['require "to_json"', 'require "json"', HOOK], ALL],
    "json's additions, ours" => [['require "json/add/core"', HOOK], ALL],
    "ours, json's additions" => [[HOOK, 'require "json/add/core"'], ALL],
    "ActiveSupport, ours" => [[AS, HOOK], ALL],
    "ours, ActiveSupport" => [[HOOK, AS], ALL],
    "json, ActiveSupport, ours" => [['require "json"', AS, HOOK], ALL],
    "ActiveSupport with our encoder, ours" => [[AS, 'require "to_json/active_support"', HOOK], ALL],
    "ours, ActiveSupport with our encoder" => [[HOOK, AS, 'require "to_json/active_support"'], ALL],
    "Oj and our hook for it, ours" => [['require "to_json/oj"', HOOK], ALL],
    "ours, Oj" => [[HOOK, 'require "oj"'], ALL],
    "json, an alias chain, ours" => [['require "json"', CHAIN, HOOK], %i[pretty_generate]],
    "ours, an alias chain" => [[HOOK, CHAIN], %i[pretty_generate]],
    "ours, mimic_JSON, an alias chain" => [[HOOK, MIMIC, CHAIN], []],
    "our MultiJson adapter, ours" => [['require "to_json/multi_json"', HOOK], ALL],
    "mimic_JSON without json, ours" => [[MIMIC, HOOK], []],
    "json, mimic_JSON, ours" => [['require "json"', MIMIC, HOOK], []],
    "ours, mimic_JSON" => [[HOOK, MIMIC], []],
    "mimic_JSON, ActiveSupport, ours" => [[MIMIC, AS, HOOK], []],
    "ActiveSupport, ours, mimic_JSON" => [[AS, HOOK, MIMIC], []],
    "ActiveSupport, optimize_rails, ours" => [[AS, RAILS, HOOK], []],
    "ActiveSupport, ours, optimize_rails" => [[AS, HOOK, RAILS], []]
  }.freeze

  def run_ruby(lines, environment = {})
    library = $LOAD_PATH.find { |path| File.file?(File.join(path, "to_json.rb")) }
    text, errors,
    status = Open3.capture3(*PlainRuby.start(environment, rubygems: true), "-W0", "-I", library,
                            "-e", lines.join("\n"))
    assert status.success?, "the process failed: #{errors}"
    text.lines(chomp: true)
  end

  def self.there?(code)
    !(code.include?("active_support") && Without.banned?("active_support")) &&
      !(code.match?(/oj"/) && Without.banned?("oj"))
  end

  unless Without.banned?("json")
    ORDERS.each do |what, (lines, served)|
      next unless there?(lines.join)

      test "#{what}: JSON's methods return the same as without the hook, which serves " \
           "#{served.empty? ? "none" : served.join(", ")}" do
        printed = run_ruby([*lines, SCRIPT])
        assert_equal [served.inspect, served.include?(:generate) ? "1" : "0", "true", "[]", "true"],
                     printed.first(5)
        next if served == ALL

        theirs = lines.map { |line| line == HOOK ? 'require "json"' : line }
        theirs = run_ruby([*theirs, CALLS, "p(*say.call)"])
        assert_empty theirs.zip(printed.drop(5)).reject { |due, given| due == given }
      end
    end
  end

  test "without json the hook cannot be required, and the gem is as ever" do
    script = ['require "to_json"',
              "Object.prepend(Module.new { def require(path) = path == 'json' ? raise(LoadError, " \
              "'no json') : super })",
              'begin; require "to_json/json"; rescue LoadError => e; puts e.message; end',
              "puts ToJson.generate([1], dialect: :json)"]
    assert_equal ["no json", "[1]"], run_ruby(script, { "RUBYOPT" => nil })
  end
end
