# frozen_string_literal: true

require_relative "reading_case"
require_relative "../support/own_process"
require "bigdecimal"
require "stringio"

# Documents that are small and ask for much, and values that look right and are not.
class ReadingLimitsTest < ReadingCase
  # @return [Hash] a document whose resource leads to the first of these
  def linked(resources)
    { data: { type: "posts", relationships: kids(%w[0]) },
      included: resources.each_with_index.map do |lids, index|
        { type: "posts", lid: index.to_s, attributes: { name: "n" }, relationships: kids(lids) }
      end }
  end

  def kids(lids) = { kids: { data: lids.map { |lid| { type: "posts", lid: lid } } } }

  def tree
    serializer do
      type :posts
      attributes :name, writable: true
      has_many :kids, serializer: "PostSerializer", writable: true
    end
  end

  test "a resource with a lid is read once: others cannot ask for it again and again" do
    doubled = Array.new(14) { |index| [(index + 1).to_s] * 2 }
    doubled << []
    error = assert_problems(["/included/13/relationships/kids/data/1/lid", :duplicate]) do
      tree.parse(linked(doubled))
    end
    assert_match(/names a resource that another relationship has/, error.message)
  end

  # 100 unknown fields with nearly the names of known ones took 0.1 s.
  test "only ten unknown fields are compared with the known ones" do
    names = Array.new(30) { |index| :"field_of_a_record_#{index}" }
    made = serializer { attributes(*names, writable: true) }
    error = assert_raises(ToJson::ReadError) do
      made.parse(names.to_h { |name| ["#{name}s", 1] }, errors: :all)
    end
    messages = error.problems.map(&:message)
    assert_equal [30, 10], [messages.size, messages.grep(/did you mean/).size]
    assert_equal 'unknown field "field_of_a_record_29s".', messages.last
  end

  # It took a SystemStackError, with 100 levels of max_depth.
  test "a chain of lids has room on the stack of a Fiber" do
    chain = Array.new(100) { |index| index < 99 ? [(index + 1).to_s] : [] }
    made = tree
    given = linked(chain)
    Fiber.new do
      assert_problems(["/included/49/relationships/kids/data/0/lid", :depth]) { made.parse(given) }
      assert_kind_of Hash, made.parse(linked([*chain.first(49), []]))
    end.resume
  end

  test "a chain of lids is no deeper than a document may be" do
    chain = Array.new(30) { |index| index < 29 ? [(index + 1).to_s] : [] }
    made = tree
    found = made.parse(linked(chain))
    depth = 0
    depth += 1 while (found = found[:kids]&.first)
    assert_equal 30, depth
    # Each is in an array, so it counts as two levels.
    assert_problems(["/included/4/relationships/kids/data/0/lid", :depth]) do
      made.parse(linked(chain), max_depth: 10)
    end
    assert_problems(["/included/1/relationships/kids/data/0/lid", :depth]) do
      made.parse(linked([%w[1], %w[0]]))
    end
  end

  test "a line that is no UTF-8 is an error of that line" do
    made = serializer { attributes :a, writable: true }
    text = "{\"a\":1}\n\xFF\n{\"a\":2}\n"
    [text, text.b].product([{}, { max_bytes: 50 }]).each do |given, keywords|
      lines = []
      keep = ->(error) { lines << [error.line, error.problems[0].code] }
      assert_equal [{ a: 1 }, { a: 2 }],
                   made.parse_ndjson(StringIO.new(given), on_error: keep, **keywords).to_a
      assert_equal [[2, :encoding]], lines
    end
    # Some Rubies know where a line in UTF-16 ends, others do not.
    wide = StringIO.new("{\"a\":1}\n".encode("UTF-16LE"))
    found = begin
      made.parse_ndjson(wide).to_a
    rescue ToJson::ReadError => error
      error.line
    end
    assert_includes [[{ a: 1 }], 1], found
  end

  test "the unknown keys of ten lines are compared with the fields" do
    made = serializer { attribute :title, writable: true }
    messages = []
    keep = ->(error) { messages << error.problems[0].message }
    assert_empty made.parse_ndjson("{\"titel\":1}\n" * 15, on_error: keep).to_a
    assert_equal ['unknown field "titel", did you mean "title"? Known: title.'] * 10 +
                 ['unknown field "titel".'] * 5, messages
  end

  test "of a class with many fields fewer unknown keys are compared" do
    { 3 => 10, 30 => 10, 60 => 5, 400 => 1 }.each do |fields, compared|
      made = serializer { fields.times { |i| attribute :"field_#{i}", writable: true } }
      text = JSON.generate((0...20).to_h { |i| ["fiel_#{i}", 1] })
      error = assert_raises(ToJson::ReadError) { made.parse(text, errors: :all) }
      assert_equal compared, error.problems.count { |one| one.message.include?("Known: ") }
    end
  end

  test "a leap second does not make a day of one that is none" do
    made = serializer { attribute :a, as: :time, writable: true }
    %w[2026-02-29T23:59:60Z 2026-02-30T00:00:00Z 2026-04-31T10:00:00+01:00 2026-00-10T00:00:00Z
       2026-01-00T00:00:00Z 2026-02-29T23:59:59Z 2026-01-32T00:00:00Z
       2026-02-29T23:59:60.000Z 2026-02-30T00:00:00.000Z].each do |text|
      assert_problems(["/a", :type]) { made.parse({ a: text }) }
    end
    assert_equal Time.utc(2027, 1, 1), made.parse({ a: "2026-12-31T23:59:60Z" })[:a]
    assert_equal Time.utc(2028, 3, 1), made.parse({ a: "2028-02-29T23:59:60Z" })[:a]
    assert_equal Time.utc(2028, 2, 29), made.parse({ a: "2028-02-29T00:00:00Z" })[:a]
  end

  test "a leap second at -00:00 is the first second of the next day" do
    made = serializer { attribute :a, as: :time, writable: true }
    %w[2026-12-31T23:59:60-00:00 2026-12-31T23:59:60.000-0000].each do |text|
      time = made.parse({ a: text })[:a]
      assert_equal [0, 0, 0, 1, 1, 2027], time.to_a.first(6), text
      assert_predicate time, :utc?
    end
  end

  test "a fragment has no integer of more than 1,000 digits" do
    made = serializer { attribute :a, as: :fragment, writable: true }
    assert_equal "9" * 1_000, made.parse("{\"a\":#{"9" * 1_000}}")[:a]
    ["9" * 1_001, "-#{"9" * 1_001}", "[1,{\"b\":#{"9" * 1_001}}]"].each do |value|
      assert_problems(["/a", :range]) { made.parse("{\"a\":#{value}}") }
      assert_problems(["/a", :range]) { made.parse("{\"a\":#{value}}", errors: :all) }
    end
  end

  test "a time in a form of the application has a year of four digits" do
    made = serializer do
      attribute :year, as: :time, format: "%Y-%m-%d", writable: true
      attribute :seconds, as: :time, format: "%s", writable: true
    end
    [{ year: "10000-01-01" }, { year: "#{"9" * 1_000_000}-01-01" }, { seconds: "9" * 30 },
     { seconds: "9" * 1_000_000 }].each do |given|
      assert_problems(["/#{given.keys.first}", :type]) { made.parse(given) }
    end
    assert_equal Time.utc(9999, 1, 1), made.parse({ year: "9999-01-01" })[:year]
    assert_equal Time.at(5), made.parse({ seconds: "5" })[:seconds]
  end

  test "a decimal number that is none is out of range" do
    made = serializer { attribute :a, writable: { as: :decimal } }
    [Float::NAN, Float::INFINITY, BigDecimal("NaN"), BigDecimal("-Infinity")].each do |number|
      assert_problems(["/a", :range]) { made.parse({ a: number }) }
    end
    assert_problems(["/a", :range]) { made.parse('{"a":1e999999999}') }
    assert_problems(["/a", :type]) { made.parse('{"a":"1e999999999"}') }
  end

  test "an integer has at most 1,000 digits" do
    kinds = { nil => :a, integer: :b, decimal: :c, array: :d, any: :e, object: :f }
    made = serializer do
      kinds.each { |kind, name| attribute name, writable: kind ? { as: kind } : true }
    end
    texts = { a: "%s", b: "%s", c: "%s", d: "[%s]", e: "{\"x\":[%s]}", f: "{\"x\":%s}" }
    places = { a: "/a", b: "/b", c: "/c", d: "/d/0", e: "/e/x/0", f: "/f/x" }
    texts.each do |name, text|
      [10**1_000, -(10**1_000), 10**10_000].each do |number|
        assert_problems([places[name], :range]) do
          made.parse("{\"#{name}\":#{format(text, number)}}")
        end
      end
      [(10**1_000) - 1, 1 - (10**1_000), 10**18, -(10**18), 5].each do |number|
        found = made.parse("{\"#{name}\":#{format(text, number)}}")[name]
        assert_equal number, unwrapped(found), name.inspect
      end
    end
  end

  def unwrapped(value)
    case value
    when Hash then unwrapped(value["x"])
    when Array then unwrapped(value.first)
    else value
    end
  end

  test "text of JSON may be as deep as the document" do
    made = serializer { attribute :a, as: :fragment, writable: true }
    deep = ("[" * 300) + ("]" * 300)
    assert_equal deep, made.parse("{\"a\":#{deep}}", max_depth: 400)[:a].to_s
    assert_problems(["", :syntax]) { made.parse("{\"a\":#{"[" * 200_000}") }
  end

  # [what is loaded, the kind, what stands in the document]
  LIBRARIES = [[:decimal, "1.50", "BigDecimal"], [:date, "2026-11-20", "Date"]].freeze

  LIBRARIES.each do |kind, text, expected|
    test "#{kind} needs no require of the application" do
      script = <<~RUBY
        require "json"
        class CoinSerializer < ToJson::Serializer
          attribute :a, writable: { as: #{kind.inspect} }
        end
        print CoinSerializer.parse('{"a":"#{text}"}')[:a].class
      RUBY
      assert_equal expected, OwnProcess.run(script, rubygems: true)
    end
  end

  # Ruby 3.1 comes with json 2.6, which takes a key twice.
  test "an old version of json refuses keys that stand twice, and its Hashes are plain ones" do
    script = <<~RUBY
      require "json"
      class BoxSerializer < ToJson::Serializer
        attribute :a, writable: { as: ->(value) { value } }
      end
      found, = BoxSerializer.parse('{"a":[{"b":{"c":1}}],"d":{"e":1}}', unknown: :collect)
      classes = [found[:a][0], found[:a][0]["b"],
                 BoxSerializer.parse('{"d":{"e":1}}', unknown: :collect)[1]["/d"]].map(&:class)
      twice = BoxSerializer.parse('{"a":{"b":1,"b":2}}') rescue $!.message
      print [classes.uniq, twice].inspect
    RUBY
    assert_equal '[[Hash], "/a/b: appears twice in one object."]', OwnProcess.run(script)
  end

  test "symbols are not made of what a client sends" do
    made = serializer do
      attributes :a, writable: true
      attribute :b, writable: { as: :any }
      attribute :c, writable: { in: %w[x y] }
      view(:v) { attributes :d, writable: true }
    end
    calls = lambda do |word|
      try = ->(given, **keywords) { made.parse(given, **keywords) rescue ToJson::Error }
      try.call("{\"#{word}1\":1}", errors: :all)
      try.call("{\"#{word}2\":1}", unknown: :collect)
      try.call("{\"b\":{\"#{word}3\":1}}")
      try.call("{\"c\":\"#{word}4\"}")
      try.call("{}", view: "#{word}5")
      try.call({ "data" => { "type" => "#{word}6" } }, envelope: :json_api)
    end
    calls.call("first_word_of_a_client")
    before = Symbol.all_symbols.size
    100.times { |index| calls.call("later_word_of_a_client_#{index}_") }
    made_of_it = Symbol.all_symbols.map { |one| one.name.b }
                          .grep(/\Alater_word_of_a_client/)
    assert_empty made_of_it
    assert_operator Symbol.all_symbols.size - before, :<, 100
  end

  test "an error can be made of a message, as test runners do" do
    error = assert_raises(ToJson::ReadError) { raise ToJson::ReadError, "no such post" }
    assert_equal "the document: no such post", error.message
    assert_equal [["", :invalid]], error.problems.map { |one| [one.pointer, one.code] }
  end

  test "a key with line breaks makes no lines of a log" do
    made = serializer { attributes :a, writable: true }
    error = assert_problems(["/b\n\u0000\u0085", :unknown]) do
      made.parse({ "b\n\u0000\u0085" => 1 })
    end
    assert_operator error.message, :start_with?, '/b\u000a\u0000\u0085: unknown field '
    assert_equal 1, error.message.lines.size
  end
end
