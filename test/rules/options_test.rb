# frozen_string_literal: true

# Every option of the Rules: its values, its default, and what is refused.

require_relative "../values/value_case"
require "bigdecimal"

class RuleOptionsTest < ValueCase
  DEFAULTS = { dialect: :standard, html_safe: false, nan: :raise, invalid: :raise, decimal: :string,
               time: :iso8601,
               duplicates: :write, max_depth: 100, convert: nil, indent: nil, space: nil,
               space_before: nil, object_nl: nil, array_nl: nil,
               depth: 0, ascii_only: false, script_safe: false, js_separators: false, binary: :text,
               strict: false, as_json: nil,
               sort_keys: nil, rfc8785: false, models: :raise }.freeze

  test "the defaults are those that the documentation names" do
    assert_equal DEFAULTS, ToJson::Rules.new.to_h
    assert_equal DEFAULTS, ToJson.default_rules.to_h
  end

  # {option => values that it takes}
  ACCEPTED = {
    dialect: %i[standard strict], html_safe: [true, false], nan: %i[raise null allow],
    invalid: %i[raise replace], decimal: %i[string number],
    time: [:iso8601, :utc, :unix, :unix_ms, "%Y", ""], duplicates: %i[write raise mixed],
    indent: [nil, "", "  "], space: [nil, " "],
    space_before: [nil, " "], object_nl: [nil, "\n"], array_nl: [nil, "\n"], depth: [0, 1, 99],
    ascii_only: [true, false],
    script_safe: [true, false], js_separators: [true, false], binary: %i[text raise],
    strict: [false], as_json: [nil], sort_keys: [nil], max_depth: [1, 100, 2**31 - 1],
    convert: [nil, {}, { String => ->(s) { s } },
              { Comparable => :upcase.to_proc, Integer => method(:Integer) }]
  }.freeze

  ACCEPTED.each do |option, values|
    values.each do |value|
      test "#{option}: takes " \
           "#{value.is_a?(Hash) ? "a Hash of #{value.keys.inspect}" : value.inspect}" do
        assert_equal DEFAULTS.merge(option => value), ToJson::Rules.new(option => value).to_h
        assert_equal "[]", ToJson.generate([], option => value)
      end
    end
  end

  # {option => values that it refuses}
  REFUSED = {
    dialect: [nil, "standard", :nope], html_safe: [nil, 1, :yes, "true"],
    nan: [nil, :nul, true, "null"], invalid: [nil, :ignore, true],
    decimal: [nil, :float, "number"], time: [nil, :iso, 1, true, ["%Y"]],
    duplicates: [nil, :ignore, true],
    indent: [1, :tab, true], space: [0], space_before: [0], object_nl: [0], array_nl: [0],
    depth: [nil, -1, 0.5, "1"], ascii_only: [nil, 1], script_safe: [nil, :yes],
    js_separators: [nil, 1], binary: [nil, :ignore], as_json: [1, "a"],
    max_depth: [nil, 0, -1, 1.5, "100", 2**31, 2**70, false, Float::INFINITY],
    convert: [[], :upcase, { "String" => ->(s) { s } }, { String => 1 }, { String => nil }]
  }.freeze

  REFUSED.each do |option, values|
    values.each do |value|
      test "#{option}: refuses #{value.inspect[0, 40]} and says what it takes" do
        error = assert_raises(ArgumentError) { ToJson::Rules.new(option => value) }
        assert_match(/\A#{option}: takes .+; got /, error.message)
        assert_raises(ArgumentError) { ToJson.generate([], option => value) }
        assert_raises(ArgumentError) { ToJson.generate([], rules: { option => value }) }
        assert_raises(ArgumentError) { ToJson.default_rules = { option => value } }
        assert_equal DEFAULTS, ToJson.default_rules.to_h
      end
    end
  end

  { nann: "nan", htmlsafe: "html_safe", max_dept: "max_depth",
    decimals: "decimal" }.each do |wrong, right|
    test "an unknown option #{wrong}: raises and suggests #{right}:" do
      [-> { ToJson::Rules.new(wrong => 1) }, -> { ToJson.generate([], wrong => 1) }, -> {
        ToJson.generate([], rules: { wrong => 1 })
      },
       -> { ToJson.pretty_generate([], wrong => 1) }, -> { ToJson::Rules.new.with(wrong => 1) },
       -> do
         Class.new(ToJson::Serializer) { rules wrong => 1 }
       end].each do |call|
        error = assert_raises(ArgumentError, &call)
        assert_includes error.message, "unknown option :#{wrong}"
        assert_includes error.message, "did you mean :#{right}?" if defined?(DidYouMean)
        assert_includes error.message, "Known: #{DEFAULTS.keys.join(", ")}"
      end
    end
  end

  test "an unknown option that is like none raises and lists them" do
    error = assert_raises(ArgumentError) { ToJson.generate([], zzz: 1) }
    assert_includes error.message, "unknown option :zzz. Known: dialect"
  end

  if defined?(DidYouMean)
    test "an unknown option is told without did_you_mean too, which Ruby may be started without" do
      hidden = Object.send(:remove_const, :DidYouMean)
      error = begin
        ToJson.generate([], nann: 1)
      rescue ArgumentError => e
        e
      ensure
        Object.const_set(:DidYouMean, hidden)
      end
      assert_equal "unknown option :nann. Known: #{DEFAULTS.keys.join(", ")}, into, chunk, " \
                   "flush, rules.", error.message
    end
  end

  test "an option that raises leaves the Sink untouched" do
    string = +"x"
    assert_raises(ArgumentError) { ToJson.generate([1], into: string, nan: 1) }
    assert_equal "x", string
  end

  writes("options work together", '["\u003c",null,"\ufffd",1.5,0]'.sub("\\ufffd", "\uFFFD"),
         html_safe: true, nan: :null, invalid: :replace, decimal: :number, time: :unix) do
    ["<", Float::NAN, "\xff", BigDecimal("1.5"), Time.at(0)]
  end

  # -- html_safe ---------------------------------------------------------------------------------

  writes("html_safe: escapes in values, keys, Symbols and Fragments",
         '{"\u003ca\u003e\u0026":["\u003c","\u2028\u2029",{"\u003e":"\u003e"},["\u003c"]]}',
         html_safe: true) do
    { "<a>&" => [:<, "\u2028\u2029", { ">": :> }, ToJson::Fragment.new('["<"]')] }
  end
  writes("html_safe: escapes what strftime, to_s, to_h and to_json give",
         '["\u003c1970\u003e","\u003cs\u003e",{"\u003ch\u003e":1},"\u003cj\u003e"]',
         html_safe: true, time: "<%Y>") do
    [Time.at(0).utc, object_with(to_s: "<s>"), object_with(to_h: { "<h>": 1 }),
     object_with(to_json: '"<j>"')]
  end
  writes("html_safe: escapes transcoded and replaced text",
         "[\"\\u003cé\\u003e\",\"\\u003c\uFFFD\\u003e\"]", html_safe: true, invalid: :replace) do
    ["<é>".encode("UTF-16LE"), "<\xff>"]
  end
  writes("html_safe: leaves all other text alone", "[\"/'\u00A0\u2027\u202A\x7f\"]",
         html_safe: true) do
    ["/'\u00A0\u2027\u202A\x7f"]
  end

  test "html_safe text of every length is escaped at every place" do
    ["<", ">", "&", "\u2028", "\u2029"].each do |char|
      code = format("\\u%04x", char.ord)
      (0..130).each do |at|
        assert_equal "\"#{"a" * at}#{code}#{"b" * (130 - at)}\"",
                     ToJson.generate("#{"a" * at}#{char}#{"b" * (130 - at)}", html_safe: true)
      end
    end
    ["\u2027", "\u202A", "\u2128", "\u20A8", "\u00E2", "\u2000"].each do |char|
      (0..70).each do |at|
        assert_equal "\"#{"a" * at}#{char}\"",
                     ToJson.generate("#{"a" * at}#{char}", html_safe: true)
      end
    end
  end

  # -- convert -----------------------------------------------------------------------------------

  Money = Struct.new(:cents)
  Base = Class.new
  Derived = Class.new(Base)

  writes("convert: writes what the rule gives instead", '[10.5,{"a":3.0}]',
         convert: { Money => ->(m) { m.cents / 100.0 } }) do
    [Money.new(1050), { a: Money.new(300) }]
  end
  writes("convert: may give any value, which goes through the Rules again",
         '[{"at":"1970-01-01T00:00:00.000Z","list":[1,"x"]}]',
         convert: { Money => ->(m) { { at: Time.at(0).utc, list: [m.cents, :x] } } }) do
           [Money.new(1)]
         end
  writes("convert: may give nil", "[null]", convert: { Money => ->(_) {} }) { [Money.new(1)] }
  writes("convert: covers subclasses", '["base"]', convert: { Base => ->(_) { "base" } }) do
    [Derived.new]
  end
  writes("convert: the nearest class wins", '["derived","base"]',
         convert: { Base => ->(_) { "base" }, Derived => ->(_) { "derived" } }) do
    [Derived.new, Base.new]
  end
  writes("convert: a module covers what includes it", '["less","less"]',
         convert: { Comparable => ->(_) { ToJson::Fragment.new('"less"') } }) do
    [1, "a"]
  end
  writes("convert: a rule goes before own methods", '["rule"]',
         convert: { Base => ->(_) { "rule" } }) do
    [Class.new(Base) { def to_s = "own" }.new]
  end
  writes("convert: a chain of rules is followed", "[3]",
         convert: { Money => ->(m) { Base.new.tap { |b| b.instance_variable_set(:@c, m.cents) } },
                                                                     Base => ->(b) do
                                                                       b.instance_variable_get(:@c)
                                                                     end }) do
                                                                       [Money.new(3)]
                                                                     end
  writes("convert: anything with call is a rule", '["1970"]',
         convert: { Time => Class.new { def self.call(time) = time.utc.year.to_s } }) do
    [Time.at(0)]
  end

  # [class, value, JSON of the converted]: the rows of the table may be taken over too
  [
    [NilClass, nil], [TrueClass, true], [FalseClass, false], [Integer, 7], [Integer, 2**80],
    [Float, 1.5], [Float, 1e300], [String, "s"], [Symbol, :s],
    [Array, [1]], [Hash, { a: 1 }], [Time, Time.at(0)], [Range, 1..2],
    [BigDecimal, BigDecimal("1")], [Rational, 1/2r], [Module, Kernel], [Class, String],
    [Complex, 1i], [Proc, -> {}], [Object, Object.new], [Exception, IOError.new("x")]
  ].each do |type, value|
    writes("convert: takes over #{type}, as #{value.inspect[0, 30]}", '"taken"',
           convert: { type => ->(_) { ToJson::Fragment.new('"taken"') } }) do
      value
    end
    writes("convert: takes over #{type} inside others, as #{value.inspect[0, 30]}", '{"k":"taken"}',
           convert: { type => ->(_) { ToJson::Fragment.new('"taken"') } }) do
      { k: value }
    end unless [Hash, Object].include?(type)
  end

  # The fast path of a Part once wrote these as they are, and the slow one converted them: what
  # stood beside a field decided.
  NAMED = Class.new(ToJson::Serializer) { attributes :name }
  AS_MADE = [
    [Integer, 7, { as: :integer }], [Integer, "7", { as: :integer }], [Float, 1, { as: :float }],
    [String, :text, { as: :string }], [TrueClass, 1, { as: :boolean }],
    [Time, Time.at(0).utc, { as: :time }], [Object, Time.at(0).utc, { as: :time }],
    [Integer, Time.at(0), { as: :time, format: :unix }],
    *[{ as: :string }, { as: :time }, { as: NAMED }].map { |options| [NilClass, nil, options] }
  ].freeze
  ASSOCIATIONS = {
    "has_one" => ->(made) { made.has_one :it, serializer: NAMED },
    "has_many" => ->(made) { made.has_many :it, serializer: NAMED },
    "association" => ->(made) { made.association :it, serializer: NAMED },
    "inline" => ->(made) { made.has_one(:it) { attributes :name } }
  }.freeze

  # Alone, and beside a value for which no buffer has room at first.
  def assert_taken(type, value)
    rules = { convert: { type => ->(_) { ToJson::Fragment.new('"taken"') } } }
    [false, true].each do |beside|
      made = Class.new(ToJson::Serializer)
      yield made
      made.attribute(:more) { |_| ToJson::Fragment.new("\"#{"x" * 5000}\"") } if beside
      json = made.json!({ it: value }, rules: rules)
      assert_operator json, :start_with?, '{"it":"taken"', json[0, 60]
    end
  end

  AS_MADE.each do |type, value, options|
    test "convert: covers the #{type} that #{options} makes of #{value.inspect}" do
      assert_taken(type, value) { |made| made.attribute(:it, **options) }
    end
  end

  ASSOCIATIONS.each do |kind, declare|
    test "convert: covers nil of #{kind}" do
      assert_taken(NilClass, nil, &declare)
    end
  end

  writes("convert: a rule that gives its own class says how, not what", '["a!",["b!"]]',
         convert: { String => ->(s) { "#{s}!" } }) do
    ["a", ["b"]]
  end
  writes("convert: a rule for Hash that gives a Hash", '{"a":1,"more":true}',
         convert: { Hash => ->(hash) { hash.merge(more: true) } }) do
    { a: 1 }
  end
  writes("convert: keys are not values", '{"a":"A"}', convert: { String => ->(s) { s.upcase } }) do
    { "a" => "a" }
  end
  writes("convert: what no rule covers is as ever", '[1,"a",null]',
         convert: { Money => ->(_) { 1 } }) do
    [1, "a", nil]
  end
  writes("convert: an empty Hash is no rule", "[1]", convert: {}) { [1] }
  writes("convert: Object covers everything but BasicObjects", '"x"',
         convert: { Object => ->(o) { o.is_a?(String) ? o : "x" } }) do
    Thread.current
  end

  test "convert: an exception of a rule passes with its path" do
    error = assert_raises(IOError) do
      ToJson.generate({ a: [1, Money.new(1)] }, convert: { Money => ->(_) { raise IOError, "no" } })
    end
    assert_equal "$.a[1]", ToJson.location(error)
  end

  test "convert: is asked once for each value" do
    asked = []
    ToJson.generate([Money.new(1), Money.new(2)],
                    convert: { Money => ->(m) { asked << m.cents; m.cents } })
    assert_equal [1, 2], asked
  end

  test "convert: the Hash that was given may change afterwards" do
    given = { Money => ->(m) { m.cents } }
    rules = ToJson::Rules.new(convert: given)
    given.clear
    assert_equal "[1]", ToJson.generate([Money.new(1)], rules: rules)
    assert_predicate rules.to_h[:convert], :frozen?
  end

  refuses("convert: a value that no rule and no row covers is refused as ever",
          ToJson::UnsupportedTypeError, path: "$[0]", convert: { Money => ->(_) { 1 } }) do
    [1i]
  end
end
