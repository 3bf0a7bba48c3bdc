# frozen_string_literal: true

# :rails and the hook into ActiveSupport with json, Oj.mimic_JSON and Oj.optimize_rails before,
# after and absent: each order is a process of its own, and all say the same.

require "test_helper"
require "open3"
require "rbconfig"

class LoadOrdersTest < ToJsonTest
  SCRIPT = <<~'RUBY'
    require "bigdecimal"
    require "set"
    Point = Struct.new(:x, :y)
    plain = Class.new { def initialize = @a = { b: [1.5, Time.at(0).utc] } }
    own = Class.new { def as_json(options = nil) = { own: options&.keys, "t" => Time.at(1).utc } }
    values = [
      nil, true, 1, 2**70, 1.5, 1e20, 1e-7, "text<>&\u2028\u00e9", :symbol, [1, [nil]],
      { a: { "b" => nil } }, 1..3, Set[1, 2], Point.new(1, [:a]), plain.new, own.new,
      BigDecimal("1.10"), Time.at(0, 123_456, :usec).utc,
      Time.new(2026, 1, 2, 3, 4, 5, "+01:00"), Date.new(2026, 1, 2),
      DateTime.new(2026, 1, 2, 3, 4, 5), Comparable, StandardError.new("x"), /a/, Float::NAN,
      Time.at(0).in_time_zone("Europe/Berlin"), 5.minutes, ActiveSupport::SafeBuffer.new("<b>"),
      ActiveSupport::HashWithIndifferentAccess.new(a: 1)
    ]
    values.each { |value| puts ToJson.generate([value], rules: :rails) }
    encode = ->(value, options) { ToJson::ActiveSupportEncoder.new(options).encode(value) }
    values.each { |value| puts encode.({ k: [value] }, nil), encode.([value], { only: :a }) }
    puts "encoder"
    puts ActiveSupport.json_encoder, ActiveSupport::JSON.encode({ a: "<" })
    ToJson::ActiveSupportEncoder.uninstall
    puts ActiveSupport.json_encoder
    ToJson::ActiveSupportEncoder.install
    puts ActiveSupport.json_encoder, [values[23], { b: "<" }].to_json
  RUBY
  AS = 'require "active_support/all"'
  HOOK = 'require "to_json/active_support"'

  # {what is loaded in which order => [Ruby, the encoder in force, the one before ours]}
  ORDERS = {
    "nothing else" => [HOOK, AS],
    "ActiveSupport, ours" => [AS, HOOK],
    "ActiveSupport's core only, ours, the rest" => ['require "active_support"', HOOK, AS],
    "json, ActiveSupport, ours" => ['require "json"', AS, HOOK],
    "the gem, json, ActiveSupport, the hook" => ['require "to_json"', 'require "json"', AS, HOOK],
    "Oj, ours" => ['require "oj"', AS, HOOK],
    "ActiveSupport's JSON only, ours, the rest" =>
      ['require "active_support/json"; require "to_json"; ToJson.generate([1..2, Time.at(0)], ' \
       "rules: :rails)",
       AS, HOOK],
    "mimic_JSON, ActiveSupport, ours" => ['require "oj"; Oj.mimic_JSON', AS, HOOK],
    "ActiveSupport, mimic_JSON, ours" => [AS, 'require "oj"; Oj.mimic_JSON', HOOK],
    "ActiveSupport, ours, mimic_JSON" => [AS, HOOK, 'require "oj"; Oj.mimic_JSON'],
    "ActiveSupport, optimize_rails, ours" => [AS, 'require "oj"; Oj.optimize_rails', HOOK],
    "ActiveSupport, ours, optimize_rails" => [AS, HOOK, 'require "oj"; Oj.optimize_rails'],
    "optimize_rails without its encoder, ours" =>
      [AS, 'require "oj"; Oj::Rails.set_encoder; Oj::Rails.optimize', HOOK]
  }.freeze

  def self.output(lines)
    library = $LOAD_PATH.find { |path| File.file?(File.join(path, "to_json.rb")) }
    text, errors,
    status = Open3.capture3(*PlainRuby.start(rubygems: true), "-I", library, "-e",
                            "#{lines.join("\n")}\n#{SCRIPT}")
    raise "the process failed: #{errors}" unless status.success?

    text.split("encoder\n", 2).map { |part| part.lines(chomp: true) }
  end

  def self.once(lines) = (@once ||= {})[lines] ||= output(lines)
  def self.alone = once([AS, HOOK])

  if Without.library?("active_support") && Without.library?("oj")
    test "json's additions replace as_json of Struct, Time and others: they are called as " \
         "ActiveSupport calls them" do
      script = <<~'RUBY'
        values = [Struct.new(:x).tap { |type| Named = type }.new(1), Time.at(0).utc,
                  Date.new(2026, 1, 2), 1..2, /a/, 1/3r, BigDecimal("1.5"),
                  StandardError.new("x"), Set[1], DateTime.new(2026, 1, 2)]
        values.each do |value|
          puts ToJson.generate([value], rules: :rails) ==
               ActiveSupport::JSON::Encoding::JSONGemEncoder.new.encode([value])
        end
        exit
      RUBY
      same,
      =
        self.class
          .output([AS, HOOK, 'require "json/add/core"', 'require "json/add/bigdecimal"', script])
      assert_equal ["true"] * 10, same
    end

    ORDERS.each do |what, lines|
      test "#{what}: every value is written as with ActiveSupport alone" do
        expected, = self.class.alone
        values, (encoder, text, *) = self.class.once(lines)
        assert_equal 87, expected.size
        assert_equal expected, values
        if lines.last.include?("optimize_rails")
          assert_equal "Oj::Rails::Encoder", encoder, "whoever came last"
        else
          assert_equal ["ToJson::ActiveSupportEncoder", '{"a":"\u003c"}'], [encoder, text]
        end
      end

      test "#{what}: uninstalling gives back what there was, and installing takes over again" do
        before = case lines.join
                 when /HOOK.*optimize_rails|optimize_rails|set_encoder/ then "Oj::Rails::Encoder"
                 else self.class.alone.last[2]
                 end
        _, (*, uninstalled, installed, text) = self.class.once(lines)
        # mimicked before 8.1 looks for a Coder
        if lines.first.include?("mimic_JSON")
          before = "ActiveSupport::JSON::Encoding::JSONGemEncoder"
        end
        assert_equal [before, "ToJson::ActiveSupportEncoder"], [uninstalled, installed]
        assert_equal '["(?-mix:a)",{"b":"\u003c"}]', text unless lines.join.include?("Oj.")
      end
    end
  end
end
