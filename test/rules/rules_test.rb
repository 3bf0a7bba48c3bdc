# frozen_string_literal: true

# ToJson::Rules as values, and where they come from: per call, and for all.

require "test_helper"
require "support/own_process"
require_relative "../support/ways_out"

class RulesTest < ToJsonTest
  def teardown
    ToJson.default_rules = {}
    super
  end

  test "Rules are frozen, with everything that they hold" do
    format = +"%Y"
    rules = ToJson::Rules.new(time: format, convert: { String => ->(s) { s } })
    assert_predicate rules, :frozen?
    assert_predicate rules.to_h, :frozen?
    assert_predicate rules.to_h[:time], :frozen?
    format << "-%m"
    assert_equal "%Y", rules.to_h[:time]
    assert_raises(FrozenError) { rules.instance_variable_set(:@to_h, {}) }
    assert_raises(FrozenError) { rules.to_h[:nan] = :null }
  end

  test "with gives other Rules and leaves these" do
    rules = ToJson::Rules.new(nan: :null)
    other = rules.with(html_safe: true)
    assert_equal({ nan: :null, html_safe: true }, other.to_h.slice(:nan, :html_safe))
    assert_equal false, rules.to_h[:html_safe]
    assert_equal rules, rules.with
  end

  test "Rules may be based on others" do
    base = ToJson::Rules.new(nan: :null, time: :unix)
    assert_equal({ nan: :null, time: :utc },
                 ToJson::Rules.new(base, time: :utc).to_h.slice(:nan, :time))
  end

  test "Rules are equal where all options are" do
    one, same, other = ToJson::Rules.new(nan: :null), ToJson::Rules.new(nan: :null, time: :iso8601),
                       ToJson::Rules.new
    assert_equal one, same
    assert_operator one, :eql?, same
    assert_equal one.hash, same.hash
    refute_equal one, other
    refute_equal one, one.to_h
    assert_equal 1, { one => 1 }[same]
  end

  test "inspect names what differs from the defaults" do
    assert_equal "#<ToJson::Rules>", ToJson::Rules.new.inspect
    assert_equal "#<ToJson::Rules nan: :null, time: \"%Y\">",
                 ToJson::Rules.new(nan: :null, time: "%Y").inspect
  end

  test "Rules without procs are Ractor-shareable" do
    assert Ractor.shareable?(ToJson::Rules.new(html_safe: true, time: "%Y"))
    assert Ractor.shareable?(ToJson.default_rules)
  end

  # Ruby 4.0: of an object of C's, what holds its instance variables is never frozen.
  test "what C makes to be shared between Ractors has no instance variables" do
    plan =
      Class.new(ToJson::Serializer) { attributes :id }
        .then { |serializer| ToJson::PlanCache.plan_of(serializer) }
    shared = [ToJson.default_rules, ToJson::Rules.new(nan: :null, time: "%Y", indent: " "),
              ToJson::Fragment.new("[1]"),
              ToJson::Buffer.new.freeze, plan]
    assert_instance_of ToJson::Plan, plan
    shared.each { |object| assert_empty object.instance_variables, object.inspect }
  end

  test "Rules with procs that see their surroundings are not Ractor-shareable, with a class as " \
       "callable they are" do
    refute Ractor.shareable?(ToJson::Rules.new(convert: { String => ->(s) { s + inspect } }))
    upcase = Class.new { def self.call(text) = text.upcase }
    rules = ToJson::Rules.new(convert: { String => upcase })
    assert_equal '["A"]', ToJson.generate(["a"], rules: rules)
    assert Ractor.shareable?(rules)
  end

  test "Rules cannot be made round their checks" do
    assert_raises(NoMethodError, TypeError) { ToJson::Rules.allocate }
    assert_raises(NoMethodError) { ToJson::Rules.from_checked({}) }
  end

  # -- per call ----------------------------------------------------------------------------------

  test "rules: takes Rules, a Hash of options, or a dialect" do
    [ToJson::Rules.new(dialect: :strict), { dialect: :strict }, :strict].each do |rules|
      assert_raises(ToJson::UnsupportedTypeError) { ToJson.generate(1..2, rules: rules) }
      assert_equal "[1]", ToJson.generate([1], rules: rules)
    end
  end

  test "rules: nil is as if it were not given" do
    assert_equal "[1,2]", ToJson.generate(1..2, rules: nil)
    assert_equal "null", ToJson.generate(Float::NAN, rules: nil, nan: :null)
  end

  ["strict", 1, [], Object, true].each do |rules|
    test "rules: refuses #{rules.inspect}" do
      error = assert_raises(ArgumentError) { ToJson.generate(1, rules: rules) }
      assert_includes error.message,
                      "rules: takes ToJson::Rules, a Hash of options or a dialect, got " \
                      "#{rules.class}"
    end
  end

  test "options beside rules: are laid over them" do
    rules = ToJson::Rules.new(nan: :null, html_safe: true)
    assert_equal '[null,"<"]', ToJson.generate([Float::NAN, "<"], rules: rules, html_safe: false)
    assert_equal '[null,"\u003c"]',
                 ToJson.generate([Float::NAN, "<"], rules: { nan: :null }, html_safe: true)
  end

  # -- for all -----------------------------------------------------------------------------------

  test "the global default holds for every call and class that names none" do
    serializer = Class.new(ToJson::Serializer) { def serialize(v) = put(:v, v) }
    assert_equal '{"v":"<"}', serializer.json!("<")
    ToJson.default_rules = { html_safe: true }
    assert_equal '"\u003c"', ToJson.generate("<")
    assert_equal '{"v":"\u003c"}', serializer.json!("<")
    assert_equal '"\u003c"', ToJson.json { |j| j.value "<" }
    ToJson.default_rules = ToJson::Rules.new
    assert_equal '"<"', ToJson.generate("<")
    assert_equal '{"v":"<"}', serializer.json!("<")
  end

  test "options of a call are laid over the global default, a Hash in rules: too" do
    ToJson.default_rules = { nan: :null }
    assert_equal '[null,"\u003c"]', ToJson.generate([Float::NAN, "<"], html_safe: true)
    assert_equal '[null,"\u003c"]', ToJson.generate([Float::NAN, "<"], rules: { html_safe: true })
    assert_raises(ToJson::NumberError) { ToJson.generate(Float::NAN, rules: ToJson::Rules.new) }
  end

  test "the global default takes a dialect, and a Hash stands over the built-in defaults" do
    ToJson.default_rules = :strict
    assert_raises(ToJson::UnsupportedTypeError) { ToJson.generate(1..2) }
    ToJson.default_rules = { nan: :null }
    assert_equal "[1,2]", ToJson.generate(1..2)
    assert_raises(ArgumentError) { ToJson.default_rules = "strict" }
    assert_raises(ArgumentError) { ToJson.default_rules = nil }
    assert_equal "null", ToJson.generate(Float::NAN), "what was refused changed nothing"
  end

  # -- Ractors -----------------------------------------------------------------------------------

  # What a Ractor of its own makes of the block's text, run in a process of its own: Ractors warn
  # once.
  def in_ractor(code)
    library = $LOADED_FEATURES.find { |path| path.end_with?("/lib/to_json.rb") }
    IO.popen([*PlainRuby.start, "-W0", "-r#{library}", "-r#{OwnProcess::RACTOR_VALUE}", "-e", code],
             err: %i[child out], &:read)
  end

  test "documents are written in a Ractor, under the default and under shareable Rules" do
    assert_equal '["[1,\"a\",{\"k\":1.5}]","[null,\"\\\\u003c\"]"]', in_ractor(<<~'RUBY')
      rules = ToJson::Rules.new(nan: :null, html_safe: true)
      ractor = Ractor.new(rules) do |r|
        [ToJson.generate([1, "a", { k: 1.5 }]), ToJson.generate([Float::NAN, "<"], rules: r)]
      end
      print ToJson.generate(ractor.value)
    RUBY
  end

  test "a Ractor does not call the Procs of the main one's Rules, unless they are shareable" do
    said = "the Rules call a Proc of the main Ractor"
    assert_equal ["$[1]: #{said}", "$.name: #{said}", "$: #{said}", '"A"', '"B"'].join("\n"),
                 in_ractor(<<~'RUBY')
      seen = +""
      proc = ->(text) { (seen << text).upcase }
      class RowSerializer < ToJson::Serializer
        attributes :name
      end
      RowSerializer.rules convert: { String => proc }
      RowSerializer.compile!
      said = ->(ractor) { ractor.value.sub(/,.*/, "") }
      row = Ractor.new { RowSerializer.json!({ name: "a" }) rescue $!.message }
      ToJson.default_rules = { convert: { String => proc } }
      all = Ractor.new { ToJson.generate([1, "a"]) rescue $!.message }
      texts = [said.(all), said.(row)]
      ToJson.default_rules = { dialect: :json, sort_keys: ->(hash) { seen << "x"; hash } }
      texts << said.(Ractor.new { ToJson.generate({ a: 1 }) rescue $!.message })
      raise "called" unless seen.empty?
      shareable = nil.instance_eval { Ractor.make_shareable(->(text) { text.upcase }) }
      ToJson.default_rules = { convert: { String => shareable } }
      texts << Ractor.new { ToJson.generate("a") }.value
      texts << Ractor.new {
        more = "b"
        ToJson.generate("a", convert: { String => ->(_) { more.upcase } })
      }.value
      print texts.join("\n")
    RUBY
  end

  test "errors in a Ractor have their paths, and options are checked there" do
    assert_equal '["$.a[1]","ArgumentError"]', in_ractor(<<~'RUBY')
      print Ractor.new {
        value = { a: [1, Object.new] }
        path = begin; ToJson.generate(value); rescue ToJson::Error => e; e.path; end
        wrong = begin; ToJson.generate(1, nann: 1); rescue ArgumentError => e; e.class.name; end
        ToJson.generate([path, wrong])
      }.value
    RUBY
  end

  test "every row of the table is written in a Ractor" do
    assert_equal '["2026-01-02T03:04:05.000Z","1/2",[1,2],{"a":1},"Kernel","1.5",[1],"own",{"x":' \
                 '1},"2026-01-02"]',
                 in_ractor(<<~'RUBY')
      require "bigdecimal"; require "date"; require "set"
      Point = Struct.new(:x)
      Own = Class.new { def to_s = "own" }
      print Ractor.new {
        ToJson.generate([Time.utc(2026, 1, 2, 3, 4, 5), 1/2r, 1..2, { a: 1 }, Kernel,
                         BigDecimal("1.5"), Set[1], Own.new, Point.new(1), Date.new(2026, 1, 2)])
      }.value
    RUBY
  end

  test "options given as keywords of generate mean the same each time, whatever they were before" do
    3.times do
      assert_equal "[0]", ToJson.generate([Time.at(0)], time: :unix)
      assert_equal "[null]", ToJson.generate([Float::NAN], nan: :null)
      assert_raises(ToJson::NumberError) { ToJson.generate([Float::NAN], time: :unix) }
      assert_equal '["\\u003c"]', ToJson.generate(["<"], html_safe: true)
      assert_equal "[0,null]",
                   ToJson.generate([Time.at(0), Float::NAN], rules: { nan: :null }, time: :unix)
      assert_raises(ToJson::NumberError) do
        ToJson.generate([Float::NAN], rules: { nan: :raise }, time: :unix)
      end
    end
    pattern = +"%Y"
    2.times { assert_equal '["1970"]', ToJson.generate([Time.at(0).utc], time: pattern) }
    pattern << "!"
    2.times { assert_equal '["1970!"]', ToJson.generate([Time.at(0).utc], time: pattern) }
  end

  test "options that differ from call to call keep no memory" do
    made = ->(range) do
      range.each { |depth| ToJson.generate([], max_depth: depth, time: "%Y #{depth}") } && GC.start
    end
    made.(1..200)
    before = ObjectSpace.each_object(ToJson::Rules).count
    made.(1000..2000)
    assert_operator ObjectSpace.each_object(ToJson::Rules).count - before, :<, 100
  end

  test "new defaults hold for the next call with keywords too" do
    defaults = ToJson.default_rules
    2.times { assert_raises(ToJson::NumberError) { ToJson.generate([Float::NAN], time: :unix) } }
    ToJson.default_rules = { nan: :null }
    2.times { assert_equal "[null]", ToJson.generate([Float::NAN], time: :unix) }
  ensure
    ToJson.default_rules = defaults
  end

  test "a pattern that changes after its call changes no later call" do
    time = Time.utc(2020, 5)
    pattern = +"%Y"
    assert_equal '"2020"', ToJson.generate(time, time: pattern)
    pattern.replace("%m")
    20.times { |depth| ToJson.generate(time, time: :unix, max_depth: depth + 1) }
    assert_equal '"05"', ToJson.generate(time, time: "%m")
    assert_equal '"2020"', ToJson.generate(time, time: "%Y")
  end

  test "options given as keywords hold in a Ractor" do
    ractor = silently do
      Ractor.new do
        [ToJson.generate([0.0 / 0], nan: :null), ToJson.generate([1], rules: :strict),
         ToJson.generate(["<"], html_safe: true)]
      end
    end
    assert_equal ["[null]", "[1]", '["\\u003c"]'], ractor.value
  end
end
