# frozen_string_literal: true

require "test_helper"
require "support/ways_out"

# Options that nobody knows, values that they do not take: errors that say what there is.
class OptionsTest < ToJsonTest
  TYPOS = { html_saef: :html_safe, nann: :nan, tiem: :time, max_dept: :max_depth,
            converts: :convert, duplicate: :duplicates, decimals: :decimal }.freeze

  TYPOS.each do |typo, meant|
    test "the unknown option #{typo} is an ArgumentError that suggests #{meant}" do
      calls = [-> { ToJson.generate(1, typo => true) }, -> {
        ToJson.pretty_generate(1, typo => true)
      }, -> { ToJson::Rules.new(typo => true) },
               -> { ToJson.json(rules: { typo => true }) { flunk } },
               -> { Class.new(ToJson::Serializer) { rules(typo => true) } },
               -> { ToJson::Serializer.json!(rules: { typo => true }) { flunk } }, -> do
                 ToJson.default_rules.with(typo => true)
               end]
      calls.each do |call|
        error = assert_raises(ArgumentError, &call)
        assert_includes error.message,
                        "unknown option #{typo.inspect}, did you mean #{meant.inspect}?"
        assert_includes error.message, "Known: dialect, html_safe, nan"
      end
    end
  end

  test "an option like no other is unknown without a suggestion" do
    error = assert_raises(ArgumentError) { ToJson.generate(1, zzzzzz: 1) }
    assert_match(/\Aunknown option :zzzzzz\. Known: /, error.message)
  end

  # option => values that it does not take
  VALUES = {
    dialect: [:standrad, nil, "standard"], html_safe: [nil, 1, :yes], nan: [:nil, true],
    invalid: [:ignore, nil], decimal: [:float, "number"],
    time: [:seconds, 5, nil], duplicates: [:skip, true], max_depth: [0, -1, 1.5, "9", 2**31],
    convert: [[], { 1 => 2 }, { Integer => 5 }, "x"]
  }.freeze

  VALUES.each do |name, values|
    values.each do |value|
      test "#{name}: #{value.inspect} is an ArgumentError that tells what it takes" do
        error = assert_raises(ArgumentError) { ToJson::Rules.new(name => value) }
        assert_operator error.message, :start_with?, "#{name}: takes "
        assert_operator error.message, :end_with?, "got #{value.inspect}"
      end
    end
  end

  test "rules: that is neither Rules, Hash nor dialect is an ArgumentError" do
    [5, "strict", [], true].each do |given|
      error = assert_raises(ArgumentError) { ToJson.json(rules: given) { flunk } }
      assert_equal "rules: takes ToJson::Rules, a Hash of options or a dialect, got #{given.class}",
                   error.message
    end
    assert_raises(ArgumentError) { ToJson.json(rules: :strcit) { flunk } }
  end

  test "rules: nil and into: nil are as if they were not given" do
    assert_equal '{"a":1}', ToJson.json(rules: nil, into: nil, max_depth: nil) { |j| j.put :a, 1 }
    assert_equal "1", ToJson.generate(1, rules: nil, into: nil)
    assert_equal '{"a":1}', Class.new(ToJson::Serializer) {
      def serialize = put(:a, 1)
    }.json!(rules: nil, into: nil)
  end

  test "ToJson.json takes no arguments and no keywords of its block" do
    [-> { ToJson.json(1) { flunk } }, -> { ToJson.json(name: 1) { flunk } }].each do |call|
      assert_includes assert_raises(ArgumentError, &call).message, "its block sees your variables"
    end
  end

  test "ToJson.json without a block says how it is called" do
    assert_includes assert_raises(ToJson::Error) { ToJson.json }.message,
                    'ToJson.json { |j| j.put :name, "Fred" }'
  end

  test "generate with a wrong number of arguments is an ArgumentError" do
    [-> { ToJson.generate }, -> { ToJson.generate(1, 2) }, -> { ToJson.pretty_generate },
     -> { ToJson.generate(nan: :null) }].each do |call|
      assert_match(/wrong number of arguments/, assert_raises(ArgumentError, &call).message)
    end
  end
end
