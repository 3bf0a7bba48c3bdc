# frozen_string_literal: true

# A dialect among other options: what wins over what, wherever Rules come from, and what makes no
# sense.

require_relative "../test_helper"
require_relative "../support/own_process"

class DialectOptionsTest < ToJsonTest
  test ":rails without ActiveSupport writes colliding keys, too" do
    assert_equal "{\"1\":3}\n", OwnProcess.run(<<~RUBY)
      puts ToJson.generate({ 1 => 2, "1" => 3 }, dialect: :rails)
    RUBY
  end

  test "a dialect as the only keyword gives the same Rules each time, and none of another call's " \
       "options" do
    3.times do
      assert_equal "[1e+20]", ToJson.generate([1e20], dialect: :json)
      assert_equal "[1.0e+20]", ToJson.generate([1e20], dialect: :strict)
      assert_equal "[1e+20]", ToJson.generate([1e20], dialect: :json, into: +"")
      assert_equal "[\n1e+20]",
                   ToJson.generate([1e20], dialect: :json,
                                   array_nl: "\n").delete_suffix("\n]").concat("]")
    end
    assert_raises(ToJson::NestingError, *(defined?(JSON::NestingError) && JSON::NestingError)) do
      ToJson.generate([[]], dialect: :json, max_depth: 1)
    end
    assert_raises(ToJson::NestingError, *(defined?(JSON::NestingError) && JSON::NestingError)) do
      ToJson.generate([[]], max_depth: 1, dialect: :json)
    end
    assert_equal "[[]]", ToJson.generate([[]], dialect: :json)
  end

  test "given options win over the dialect's, a nearer dialect over a farther one" do
    assert_equal '{"a":1,"a":2}',
                 ToJson.generate({ a: 1, "a" => 2 }, dialect: :json, duplicates: :write)
    assert_equal "[null]", ToJson.generate([Float::NAN], dialect: :json, nan: :null)
    %i[oj oj_strict].each do |dialect|
      assert_equal "[null,null]",
                   ToJson.generate([Float::NAN, -Float::INFINITY], dialect: dialect, nan: :null)
      assert_equal "[NaN,-Infinity]",
                   ToJson.generate([Float::NAN, -Float::INFINITY], dialect: dialect, nan: :allow)
      assert_equal "[\"a\uFFFD\",{\"\uFFFD\":1}]",
                   ToJson.generate(["a\xff", { "\xff" => 1 }], dialect: dialect, invalid: :replace)
    end
    base = ToJson::Rules.new(dialect: :json, nan: :null, indent: " ")
    assert_equal "[ null, 1e+20]", ToJson.generate([Float::NAN, 1e20], rules: base)
    assert_equal "[ null, 1.0e+20]",
                 ToJson.generate([Float::NAN, 1e20], rules: base.with(dialect: :standard)),
                 "what the base said itself stays"
    assert_equal '{"a":1,"a":2}',
                 ToJson.generate({ a: 1, "a" => 2 },
                                 rules: base.with(dialect: :standard, indent: "")),
                 "what the other dialect set goes"
  end

  test "a nan: that a default has for another dialect means nothing under :rails, and its own " \
       "options make it again" do
    %i[allow null].each do |nan|
      assert_equal ToJson::Rules.new(dialect: :rails),
                   ToJson::Rules.new(nan: nan).with(dialect: :rails)
    end
    [nil, :null, :raise].each do |nan|
      rules = ToJson::Rules.new(dialect: :rails, indent: " ", **{ nan: nan }.compact)
      assert_equal [nan || :raise, rules, rules],
                   [rules.to_h[:nan], ToJson::Rules.new(**rules.to_h), rules.with(indent: " ")]
    end
    assert_equal "[1.5]", ToJson.generate([1.5], dialect: :rails, nan: :null)
  end

  test "what a default says for another dialect alone is left out" do
    strict = ToJson::Rules.new(dialect: :json, strict: true, sort_keys: true)
    assert_equal({ dialect: :standard },
                 strict.with(dialect: :standard).to_h.slice(:dialect, :strict,
                                                            :sort_keys).compact.reject do |_, value|
                   value == false
                 end)
  end

  test "Rules of a dialect are equal, and say what differs from its defaults" do
    assert_equal ToJson::Rules.new(dialect: :json, allow_nan: true),
                 ToJson::Rules.new(dialect: :json, nan: :allow)
    assert_equal "#<ToJson::Rules dialect: :json>",
                 ToJson::Rules.new(dialect: :json, duplicates: :mixed, max_nesting: 100).inspect
    assert_equal "#<ToJson::Rules dialect: :json, nan: :allow, max_depth: " \
                 "#{ToJson::Rules::MAX_DEPTH_LIMIT}>",
                 ToJson::Rules.new(dialect: :json, allow_nan: true, max_nesting: 0).inspect
  end

  test "a global default may be a dialect" do
    ToJson.default_rules = :json
    assert_equal '{"a":1e+20}', ToJson.generate({ a: 1e20 })
    assert_equal '{"a":1.0e+20}', ToJson.generate({ a: 1e20 }, dialect: :standard)
    assert_equal '{"a":1e+20}', Class.new(ToJson::Serializer) { attributes :a }.json!({ a: 1e20 })
  ensure
    ToJson.default_rules = {}
  end

  {
    { strict: true } =>
      "strict: works only with the dialects :json and :json2, not with :standard",
      { dialect: :strict, sort_keys: true } => "sort_keys: works only with the dialects",
    { dialect: :json, time: :unix } =>
      "time: works only with the dialects :standard and :strict, not with :json",
      { dialect: :oj, decimal: :number } => "decimal: works only with the dialects :standard",
    { dialect: :rails, html_safe: true } =>
      "html_safe: works only with the dialects :standard and",
      { dialect: :rails, ascii_only: true } => "ascii_only: works only with the dialects",
    { dialect: :json2, rfc8785: true } =>
      "rfc8785: works only with the dialects :json, not with :json2",
      { allow_nan: true } => "unknown option :allow_nan",
    { dialect: :json, escape_slash: true } =>
      "unknown option :escape_slash",
      { dialect: :json, rfc8785: true, indent: " " } =>
        "indent cannot be used with rfc8785. Remove one.",
    { dialect: :json, rfc8785: true, nan: :allow } =>
      "allow_nan cannot be used with rfc8785. Remove one.",
    { dialect: :jason } => "dialect: takes :standard",
    { dialect: :json, indent: 1 } =>
      "indent: takes a String of UTF-8 text, nil; got 1",
      { dialect: :json, max_nesting: "3" } => "max_depth: takes an Integer",
    { dialect: :json, "indent" => " " } => "unknown option \"indent\", did you mean :indent?",
    { dialect: :json, max_nesting: -1 } =>
      "max_depth: takes an Integer from 1 to 2147483647; got -1",
    { dialect: :rails, nan: :allow } =>
      "nan: :allow does not work with the dialect :rails: ActiveSupport writes null for NaN and " \
      "the infinities. Remove nan:.",
    { dialect: :json, sort_keys: 1 } =>
      "sort_keys: takes true, false, a callable",
      { dialect: :json, as_json: 1 } => "as_json: takes a callable"
  }.each do |options, words|
    test "#{options.inspect} is refused" do
      [-> { ToJson::Rules.new(**options) }, -> { ToJson.generate(1, **options) }, -> {
        ToJson.generate(1, rules: options)
      },
       -> { Class.new(ToJson::Serializer) { rules(**options) } }].each do |call|
        assert_includes assert_raises(ArgumentError, &call).message, words
      end
    end
  end

  # [as:, value, what :json writes]
  CONVERTED = [
    [:float, 1e20, "1e+20"], [:float, 10**20, "1e+20"], [:float, 5, "5.0"],
    [:string, 1e20, '"1.0e+20"'], [:string, :"a/", '"a/"'], [:integer, 2**61, (2**61).to_s],
    [:time, Time.at(0).utc, '"1970-01-01 00:00:00 UTC"'], [:date, Time.at(0).utc, '"1970-01-01"'],
    [:boolean, 1, "true"], [:fragment, "[1, 2]", "[1, 2]"]
  ].freeze

  CONVERTED.each do |as, value, json|
    test "as: #{as.inspect} of #{value.inspect} is written as :json writes what it gives, alone " \
         "and in a layout" do
      serializer = Class.new(ToJson::Serializer) { attribute :v, as: as }
      assert_equal "{\"v\":#{json}}", serializer.json!({ v: value }, rules: :json)
      assert_equal "{ \"v\":#{json}}",
                   serializer.json!({ v: value }, rules: { dialect: :json, indent: " " })
    end
  end

  test "as: :time with a format of its own keeps it" do
    serializer = Class.new(ToJson::Serializer) { attribute :v, as: :time, format: :unix_ms }
    assert_equal '{"v":1500}', serializer.json!({ v: Time.at(1.5) }, rules: :json)
    canonical = Class.new(ToJson::Serializer) { attributes :v, as: :integer }
    assert_equal '{"v":2305843009213694000}',
                 canonical.json!({ v: 2**61 }, rules: { dialect: :json, rfc8785: true })
    assert_equal '{"v":2305843009213694000}', Class.new(ToJson::Serializer) {
      attributes :v
    }.json!({ v: 2**61 }, rules: { dialect: :json, rfc8785: true })
  end

  test "a Coder keeps its Rules, is frozen, and delivers where it is told" do
    coder = ToJson::Coder.new(indent: " ") { |value| value.class.name }
    assert_predicate coder, :frozen?
    assert_equal "[ 1, \"Object\"]", coder.dump([1, Object.new])
    assert_equal "x[ 1]", coder.generate([1], +"x")
    assert_equal "x[ 1]", coder.dump([1], into: +"x")
    assert_equal true, coder.rules.to_h[:strict]
    assert_match(
      /\A#<ToJson::Coder #<ToJson::Rules dialect: :json, indent: " ", strict: true, as_json: /,
      coder.inspect
    )
  end

  test "to_h of a serializer reads back what a dialect, its layout and nan: :allow make of it" do
    serializer = Class.new(ToJson::Serializer) do
      rules dialect: :json, indent: "\t", object_nl: "\r\n", array_nl: "\n", space_before: " ",
            allow_nan: true, ascii_only: true
      attributes :v
    end
    assert_equal({ "v" => [1e20, 1e-7, Float::INFINITY, -Float::INFINITY, "é/", [], {}] },
                 serializer
                   .to_h({ v: [1e20, 1e-7, Float::INFINITY, -Float::INFINITY, "é/", [], {}] }))
    assert_predicate serializer.to_h({ v: Float::NAN })["v"], :nan?
  end

  test "another Ractor writes :json too" do
    skip_warning do
      assert_equal '{"é":null,"b":[1e+20,"x"]}', Ractor.new {
        ToJson.generate({ "é" => nil, b: [1e20, :x] }, dialect: :json)
      }.value
    end
  end

  def skip_warning
    before, $VERBOSE = $VERBOSE, nil
    yield
  ensure
    $VERBOSE = before
  end

  test "an exception inside a dialect's document leaves the Writer clean, and its place is known" do
    raising = Class.new { def to_json(*) = raise("no") }.new
    error = assert_raises(RuntimeError) { ToJson.generate({ a: [1, raising] }, dialect: :json) }
    assert_equal "$.a[1]", ToJson.location(error)
    assert_equal "[1]", ToJson.generate([1])
    text = ToJson.json(rules: :json) do |j|
      j.put :a, 1
      j.put :b, [2, raising] rescue j.put :b, 3 # rubocop:disable Style/RescueModifier
    end
    assert_equal '{"a":1,"b":3}', text
  end

  test "a to_json may throw, and documents inside documents keep their own Rules" do
    nested = Class.new { def to_json(*) = ToJson.generate({ x: [1e20] }) }.new
    assert_equal "{ \"a\":{\"x\":[1.0e+20]}, \"b\":1e+20}",
                 ToJson.generate({ a: nested, b: 1e20 }, dialect: :json, indent: " ")
    thrower = Class.new { def to_json(*) = throw(:out, 5) }.new
    assert_equal 5, catch(:out) { ToJson.generate([thrower], dialect: :json) }
  end
end
