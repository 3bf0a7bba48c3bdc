# frozen_string_literal: true

# The opt-in hooks to_json/multi_json and to_json/oj: what they serve, what they leave, and that
# they can be taken back.

require_relative "../support/without"

if Without.library?("oj") && Without.library?("multi_json")
  require "test_helper"
  require "open3"
  require "rbconfig"
  require_relative "oj_case"
  require "to_json/multi_json"
  require "to_json/oj"

  ToJson::MultiJsonAdapter.uninstall
  ToJson::OjDump.uninstall

  class HooksTest < ToJsonTest
    Library = defined?(MultiJSON) ? MultiJSON : MultiJson # it changed its name in 1.21

    DUMPED = [nil, 1, 2**70, "a<\u2028", :s, [1.5, 1e20, 1e-7, Float::NAN],
              { 1 => { a: nil }, "b" => Time.at(0).utc }, 1..2, OjCase::Point.new(1, 2),
              OjCase::ToJsonAny.new, BigDecimal("1.5"),
              (1..120).inject([]) { |inner, _| [inner] }].freeze
    MULTI_OPTIONS = [{}, { pretty: true }, { space: " " },
                     { indent: "\t", object_nl: "\n", pretty: true }, { ascii_only: true },
                     { unknown: 1 }, { adapter: nil }, { pretty: false },
                     { pretty: nil, allow_nan: true },
                     { adapter: nil, pretty: false }, { max_nesting: 0 }, { max_nesting: nil },
                     { max_nesting: 200 }].freeze
    # Of no use; json has its own words for them.
    ODD_OPTIONS = [{ max_nesting: -1 }, { max_nesting: "1" }, { max_nesting: 2.5 }, { indent: 1 },
                   { space: :s }, { array_nl: "\xff" }, { "indent" => " " }].freeze

    def outcome
      yield
    rescue StandardError => error
      error.class
    end

    test "MultiJson dumps as with its json_gem adapter, whatever the options" do
      (MULTI_OPTIONS + ODD_OPTIONS).each do |options|
        DUMPED.each do |value|
          expected = outcome { Library::Adapters::JsonGem.dump([value], options) }
          assert_equal expected, outcome { ToJson::MultiJsonAdapter.dump([value], options) },
                       "#{value.inspect}, #{options}"
        end
      end
    end

    test "ToJson.default_rules change nothing of what MultiJson and Oj dump" do
      before = ToJson.default_rules
      ToJson.default_rules = { html_safe: true, space: "  " }
      MULTI_OPTIONS.each do |options|
        # json 3 takes no unknown option
        due = outcome { Library::Adapters::JsonGem.dump({ a: "<" }, options) }
        assert_equal due, outcome { ToJson::MultiJsonAdapter.dump({ a: "<" }, options) },
                     options.inspect
      end
      ToJson::OjDump.install
      assert_equal '{"a":"<"}', Oj.dump({ a: "<" }, mode: :compat)
    ensure
      ToJson.default_rules = before
      ToJson::OjDump.uninstall
    end

    test "MultiJson's adapter comes and goes" do
      before = Library.adapter
      ToJson::MultiJsonAdapter.install
      assert_equal ToJson::MultiJsonAdapter, Library.adapter
      assert_equal '{"a":[1,null]}', Library.dump({ a: [1, nil] })
      assert_equal before, ToJson::MultiJsonAdapter.uninstall
      assert_equal before, Library.adapter
    end

    test "MultiJson's adapter loads as its json_gem adapter does" do
      before = Library.adapter
      due, found = [:json_gem, ToJson::MultiJsonAdapter].map do |adapter|
        Library.use(adapter)
        ['{"a":[1.5]}', "[1"].map { |text| outcome { Library.load(text) } }
      end
      assert_equal due, found
      # json 3 refuses the options that MultiJson 1.19 passes
      assert_includes [[{ "a" => [1.5] }, Library::ParseError], [ArgumentError] * 2], found
    ensure
      Library.use(before)
    end

    test "MultiJson's adapter is installed twice as once, and leaves who has taken over since" do
      before = Library.adapter
      2.times { ToJson::MultiJsonAdapter.install }
      assert_equal before, ToJson::MultiJsonAdapter.uninstall
      ToJson::MultiJsonAdapter.install
      Library.use(:oj)
      assert_equal Library.adapter, ToJson::MultiJsonAdapter.uninstall
      refute_equal ToJson::MultiJsonAdapter, Library.adapter
    ensure
      Library.use(before)
    end

    test "what has no as_json is dumped by MultiJson's adapter as it is" do
      bare = Class.new { undef_method :as_json if method_defined?(:as_json); def to_json(*) = "7" }
      assert_equal "7", ToJson::MultiJsonAdapter.dump(bare.new)
    end

    # How many calls of Oj.dump the block makes that are served by us.
    def served(&block)
      calls, real = 0, ToJson.method(:generate_under)
      counting = ->(*arguments) { (calls += 1) && real.call(*arguments) }
      silently { ToJson.define_singleton_method(:generate_under, &counting) }
      block.call
      calls
    ensure
      silently { ToJson.define_singleton_method(:generate_under, real) }
    end

    test "Oj.dump in the modes :compat and :strict is ours, and says the same" do
      dumps = OjCase.values.to_a.product(%i[compat strict]).map do |(name, value), mode|
        ["#{name}, #{mode}", [[value, { k: value }], { mode: mode }]]
      end
      outcomes = -> do
        dumps.map do |name, (document, options)|
          [name, OjCase.outcome { Oj.dump(document, options) }]
        end
      end
      expected = outcomes.call
      ToJson::OjDump.install
      actual = nil
      assert_equal dumps.size, (served { actual = outcomes.call })
      expected.zip(actual) { |(name, theirs), (_, ours)| assert_equal theirs, ours, name }
    ensure
      ToJson::OjDump.uninstall
    end

    test "arguments that are no options are Oj's to judge" do
      given = [[1, nil], [1, 3], [1, {}, 3], [1, "x"]]
      expected = given.map { |arguments| outcome { Oj.dump(*arguments) } }
      ToJson::OjDump.install
      assert_equal expected, (given.map { |arguments| outcome { Oj.dump(*arguments) } })
    ensure
      ToJson::OjDump.uninstall
    end

    # In a process of its own: they are there to stay.
    CHANGED = <<~'RUBY'
      require "oj"
      require "to_json/oj"
      def served
        calls = 0
        counting = TracePoint.new(:c_call) do |event|
          calls += 1 if event.method_id == :generate_under && event.self == ToJson
        end
        counting.enable { yield }
        calls
      end
      asked = -> { served { Oj.dump([0.1], mode: :compat) } }
      before = asked.call
      eval(ARGV.fetch(0))
      print [before, asked.call].inspect
    RUBY

    # not among the gems of newest_json_test.rb
    rails = "require 'active_support'; require 'active_support/json'; Oj.optimize_rails" unless
      Gem::Specification.find_all_by_name("activesupport").empty?
    chain = "class << Oj; alias_method :before, :dump; def dump(*given) = before(*given); end"
    ["Oj.mimic_JSON", "Oj.add_to_json(Array)", chain, *rails].each do |change|
      test "#{change} changes how Oj dumps: it is Oj's from then on" do
        text, errors, = Open3.capture3(*PlainRuby.start(rubygems: true), "-W0", "-e", CHANGED,
                                       change)
        assert_equal "[1, 0]", text, errors
      end
    end

    test "NaN and Infinity are written or refused as in Oj, for each default mode" do
      before = Oj.default_options
      given = [[], [{ mode: :compat }], [{ mode: :strict }]]
      calls = [Float::NAN, -Float::INFINITY].product(given)
      %i[object compat strict].each do |mode|
        Oj.default_options = { mode: mode }
        ours, theirs = %i[install uninstall].map do |way|
          ToJson::OjDump.public_send(way)
          calls.map { |value, options| outcome { Oj.dump([value], *options) } }
        end
        assert_equal theirs, ours, mode
      end
    ensure
      Oj.default_options = before
      ToJson::OjDump.uninstall
    end

    test "other modes, options and defaults stay Oj's" do
      before = Oj.default_options
      ToJson::OjDump.install
      value = { a: [1, nil, Time.at(0).utc] }
      calls = { "other modes" =>
                  [[:object], [:custom], [:null], [:rails]].map { |(mode)| { mode: mode } },
                "other options" =>
                  [{ mode: :compat, indent: 2 }, { mode: :strict, omit_nil: true }, {}] }
      calls.each do |what, options|
        options.each do |given|
          assert_equal 0, (served { outcome { Oj.dump(value, given) } }), what
        end
      end
      assert_equal 0, (served { Oj.dump(value) }), "the mode as it comes is :object"
      Oj.default_options = { mode: :compat }
      assert_equal 1, (served { assert_equal '{"a":[1,null]}', Oj.dump({ a: [1, nil] }) }),
                   "mode :compat by default"
      Oj.default_options = { indent: 2 }
      assert_equal 0, (served { Oj.dump(value, mode: :compat) }), "another default"
    ensure
      ToJson::OjDump.uninstall
      Oj.default_options = before
    end
  end
end
