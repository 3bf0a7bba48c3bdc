# frozen_string_literal: true

require_relative "reading_case"
require_relative "../support/own_process"

# Documents that are wrong as a whole, and what is never assigned.
class BadInputTest < ReadingCase
  def made
    @made ||= serializer do
      attributes :id, :role
      attributes :title, writable: true
      attribute :more, writable: { as: :any }
      has_many(:comments, writable: true) { attributes :body, writable: true }
    end
  end

  SYNTAX = {
    "" => "is no valid JSON: expected a value, the text is empty at offset 0.",
    '{"title":' => "is no valid JSON: expected a value at offset 9.",
    '{"title":1}x' =>
      "is no valid JSON: expected nothing more: the text holds one value at offset 11.",
    '{"title":NaN}' => nil, '{"title":Infinity}' => nil, '{"title":1,}' => nil,
    '{"title":/* no */1}' => nil, '{"title":01}' => nil, "{'title':1}" => nil,
    "\u{FEFF}{}" => nil, "{\"title\":\"a\nb\"}" => nil
  }.freeze

  SYNTAX.each do |text, message|
    test "#{text.inspect} is no JSON" do
      assert_problems(["", :syntax, message].compact) { made.parse(text) }
    end
  end

  # json took the second half alone, and returned a String that is no UTF-8. Oj makes other
  # characters of some of them.
  HALVES = ['\ud800', '\udc00', '\udc00\ud800', '\ud800x', '\ud800\u0041', '\uD800\ud800',
            '\uDBFF\\\\udc00', '\u00e9\ud83d'].freeze
  %i[ByCoder ByPairs ByOj ByScan].each do |kind|
    test "the error of half of a surrogate pair has its place: #{kind}" do
      parser = ToJson::Reading::Parser
      chosen = parser.choose
      require "oj" if kind == :ByOj
      with = parser.const_get(:PARSERS).find { |one| one.name.end_with?(kind.name) }.new
      parser.instance_variable_set(:@chosen, with)
      HALVES.each do |half|
        assert_problems(["/title", :encoding, "has half of a surrogate pair."]) do
          made.parse(%({"title":"#{half}","more":{"a":[1]}}))
        end
        assert_problems(["/more/1/a", :encoding]) { made.parse(%({"more":[1,{"a":"#{half}"}]})) }
        assert_raises(ToJson::ReadError) { made.parse(%({"more":{"#{half}":1}})) }
      end
      text = '\\\\ud800 \\"\ud83d\ude00\uD83D\uDE00'
      assert_equal({ title: "\\ud800 \"\u{1F600}\u{1F600}" }, made.parse(%({"title":"#{text}"})))
    rescue LoadError
      skip "without Oj"
    ensure
      parser.instance_variable_set(:@chosen, chosen)
    end
  end

  # One pattern for a whole String took 40 bytes for each character, also of an escape.
  test "finding the place in a long text takes little memory" do
    needs_proc
    grown = OwnProcess.run(<<~'RUBY', "-rjson").lines.map(&:to_i)
      serializer = Class.new(ToJson::Serializer) { attribute :name, writable: true }
      most = -> { File.read("/proc/self/status")[/^VmHWM:\s+(\d+)/, 1].to_i }
      ['\ud83d\ude00', "twelve bytes"].product(['\ud800","', '","name":"']) do |part, wrong|
        text = %({"name":"#{part * 500_000}#{wrong}more":""})
        before = most.call
        begin
          serializer.parse(text)
        rescue ToJson::ReadError
          puts (most.call - before) * 1024 / text.bytesize
        end
      end
    RUBY
    assert_equal 4, grown.size
    assert_operator grown.max, :<, 8, "bytes for each byte of the text"
  end

  # As the handler of a signal does that comes while the library is tried. The library counted as
  # missing, and the exception was lost.
  test "an exception of a handler is raised while a library is tried" do
    cut = Class.new(StandardError)
    usual = ToJson::Reading::Parser.const_get(:PARSERS).first
    5.times do |at|
      calls = 0
      kind = Class.new(usual) do
        define_method(:call) { |*given| (calls += 1) == at ? raise(cut) : super(*given) }
      end
      try = -> { ToJson::Reading::Parser.send(:working, kind) }
      at.between?(1, 4) ? assert_raises(cut, &try) : assert_kind_of(kind, try.call)
    end
  end

  # As Timeout.timeout(1, Cut) does if it ends while the library parses.
  test "an exception that another thread raises into the parser is no problem of the text" do
    cut = Class.new(StandardError)
    parser = ToJson::Reading::Parser
    chosen = parser.choose
    calls = 0
    interrupted = ->(*given) { (calls += 1) == 1 ? raise(cut) : chosen.call(*given) }
    parser.instance_variable_set(:@chosen, interrupted)
    assert_raises(cut) { made.parse('{"title":"Tea"}') }
    assert_equal 2, calls
    assert_equal({ title: "Tea" }, made.parse('{"title":"Tea"}'))
  ensure
    parser.instance_variable_set(:@chosen, chosen)
  end

  test "a BasicObject in the place of a document or a value" do
    error = assert_raises(ArgumentError) { made.parse(BasicObject.new) }
    assert_match(/got BasicObject\z/, error.message)
    bare = BasicObject.new
    assert bare.__id__ == made.parse({ title: bare })[:title].__id__
    assert_problems(["/comments", :type]) { made.parse({ comments: BasicObject.new }) }
    assert_problems(["/comments/0", :type]) { made.parse({ comments: [BasicObject.new] }) }
    converted = serializer do
      %i[string integer float boolean date time].each { |as| attribute as, as: as, writable: true }
      attribute :decimal, writable: { as: :decimal }
      attribute :state, writable: { in: %i[draft live] }
    end
    %w[string integer float boolean date time decimal].each do |name|
      assert_problems(["/#{name}", :type]) { converted.parse({ name => bare }) }
    end
    [bare, [bare]].each do |state|
      assert_problems(["/state", :choice]) { converted.parse({ state: state }) }
    end
  end

  test "invalid UTF-8 is refused" do
    assert_problems(["", :encoding]) { made.parse("{\"title\":\"\xFF\"}") }
    assert_problems(["", :encoding]) { made.parse("{\"title\":\"\xFF\"}".b) }
    assert_problems(["/title", :encoding]) { made.parse({ title: "\xFF" }) }
    assert_problems(["/more/0", :encoding]) { made.parse({ more: ["\xFF".b] }) }
    wide = "\x00\xD8".b.force_encoding("UTF-16LE")
    assert_problems(["", :encoding]) { made.parse(wide) }
    words = { wide => "cannot be converted from UTF-16LE to UTF-8.",
              "\xFF" => "is not valid UTF-8 text." }
    words.each do |title, message|
      error = assert_raises(ToJson::ReadError) { made.parse({ title: title }) }
      assert_equal [message], error.problems.map(&:message)
    end
  end

  test "a key that stands twice is refused with its pointer" do
    assert_problems(["/title", :duplicate]) { made.parse('{"title":1,"title":1}') }
    assert_problems(["/comments/1/body", :duplicate]) do
      made.parse('{"comments":[{"body":1},{"body":1,"bo\\u0064y":2}]}')
    end
    assert_problems(["/more/a~1b/~0", :duplicate]) { made.parse('{"more":{"a/b":{"~":1,"~":2}}}') }
    assert_problems(["/title", :duplicate]) { made.parse({ "title" => 1, title: 2 }) }
  end

  test "what is nested deeper than max_depth is refused, however deep it is" do
    deep = ->(depth) { "{\"more\":#{"[" * (depth - 1)}1#{"]" * (depth - 1)}}" }
    assert_equal [1], made.parse(deep.call(100))[:more].flatten
    assert_problems(["/more#{"/0" * 99}", :depth]) { made.parse(deep.call(101)) }
    assert_problems(["/more#{"/0" * 99}", :depth]) { made.parse(deep.call(100_000)) }
    assert_problems(["/more/0", :depth]) { made.parse('{"more":[[1]]}', max_depth: 2) }
    cycle = []
    cycle << cycle
    assert_problems(["/more#{"/0" * 99}", :depth]) { made.parse({ more: cycle }) }
  end

  test "what is larger than max_bytes is refused before it is parsed" do
    text = '{"title":"abc"}'
    assert_equal({ title: "abc" }, made.parse(text, max_bytes: text.bytesize))
    assert_problems(["", :size]) { made.parse(text, max_bytes: text.bytesize - 1) }
    io = StringIO.new("[" * 10_000)
    assert_problems(["", :size]) { made.parse(io, max_bytes: 10) }
    assert_equal 11, io.pos
  end

  test "a field that is not writable is never read, whatever unknown: says" do
    text = '{"title":"a","id":1,"role":"admin","comments":[{"body":"b","id":2}]}'
    assert_problems(["/comments/0/id", :unknown]) { made.parse(text) }
    assert_problems(["/comments/0/id", :unknown], ["/id", :not_writable],
                    ["/role", :not_writable]) { made.parse(text, errors: :all) }
    expected = { title: "a", comments: [{ body: "b" }] }
    assert_equal expected, made.parse(text, unknown: :ignore)
    found, unknown = made.parse(text, unknown: :collect)
    assert_equal expected, found
    assert_equal({ "/comments/0/id" => 2, "/id" => 1, "/role" => "admin" }, unknown)
  end

  test "keys of a client make no Symbol and no method call" do
    text = '{"__send__":1,"title=":1,"instance_eval":"exit"}'
    assert_equal({}, made.parse(text, unknown: :ignore))
    object = Struct.new(:title).new("a")
    assert_equal "a", made.read(text, into: object, unknown: :ignore).title
    before = Symbol.all_symbols.size
    100.times { |n| made.parse({ "strange_key_#{n}_of_reading" => 1 }, unknown: :ignore) }
    assert_operator Symbol.all_symbols.size - before, :<, 50
  end

  test "keys and texts of any size make no large message" do
    error = assert_problems(["/#{"k" * 200}…", :unknown]) { made.parse({ "k" * 100_000 => 1 }) }
    assert_operator error.message.size, :<, 600
    error = assert_raises(ToJson::ReadError) do
      serializer { attribute :a, as: :integer, writable: true }.parse({ a: "x" * 100_000 })
    end
    assert_operator error.message.size, :<, 200
    error = assert_raises(ToJson::ReadError) do
      serializer { attribute :a, as: :boolean, writable: true }.parse({ a: 10**5000 })
    end
    assert_equal "/a: takes true or false; got Integer of 16610 bits.", error.message
  end

  test "errors: :all ends after 100 problems" do
    comments = Array.new(1000) { { body: [] } }
    error = assert_raises(ToJson::ReadError) { made.parse({ comments: comments }, errors: :all) }
    assert_equal 100, error.problems.size
    found = made.parse((1..1000).to_h { |n| ["k#{n}", n] }, unknown: :collect)
    assert_equal 100, found.last.size
  end

  test "missing: :raise wants each field that is always written" do
    made = serializer do
      attributes :a, :b, writable: true
      attribute :c, writable: true, skip_nil: true
      attribute :d, writable: true, if: :there?
      attribute :e
      nested(:n) { attributes :f, writable: true }
    end
    whole = '{"a":1,"b":null,"n":{"f":2}}'
    assert_equal({ a: 1, b: nil, f: 2 }, made.parse(whole, missing: :raise))
    assert_problems(["/b", :missing, "is missing."], ["/n", :missing]) do
      made.parse('{"a":1}', missing: :raise, errors: :all)
    end
    assert_problems(["/n/f", :missing]) { made.parse('{"a":1,"b":1,"n":{}}', missing: :raise) }
  end

  test "an exception of decode that is no refusal passes through with its place" do
    made = serializer do
      has_many(:a, writable: true) do
        attribute :b, writable: { as: ->(text) { text.no_such_method } }
      end
    end
    error = assert_raises(NoMethodError) { made.parse('{"a":[{"b":1}]}') }
    assert_equal "/a/0/b", ToJson.location(error)
  end

  # A FrozenError replaced it.
  test "a frozen exception of decode passes through without its place" do
    gone = Class.new(StandardError)
    error = gone.new("gone").freeze
    made = serializer { attribute :a, writable: { as: ->(_) { raise error } } }
    assert_same error, assert_raises(gone) { made.parse('{"a":1}') }
    assert_raises(gone) { made.parse_ndjson('{"a":1}').to_a }
  end

  # What json's newest, an older json and Oj must agree on.
  DOCUMENTS = ['{"title":"ü\\n\\u00e9","more":[1,-0.5,1e3,true,false,null,{}]}',
               '{"title":1,"title":2}', '{"more":{"a":[{"b":1,"b":2}]}}', "[[[[[[1]]]]]]",
               '{"title":"\\ud83d\\ude00"}', '{"title":"\\ud800"}', "5", '"a"', "null",
               '{"more":123456789012345678901234567890}', '{"more":0.1}',
               '{"more":0.12345678901234567890}', "[123456789012345678901.5e10]"].freeze

  test "json, Oj, and json whose text is scanned first, read the same" do
    require "oj" if Without.library?("oj")
    kinds = ToJson::Reading::Parser.const_get(:PARSERS).values_at(0, *(2 if defined?(Oj)), 3)
    ways = kinds.map { |kind| ToJson::Reading::Parser.send(:working, kind) }
    assert_empty ways.select(&:nil?)
    DOCUMENTS.each do |text|
      found = ways.map { |way| parsed_by(way, text) }
      assert_equal [found.first], found.uniq, text
    end
  end

  def parsed_by(way, text)
    value = way.call(text, 5)
    [value, value.to_s]
  rescue StandardError
    :refused
  end

  # What takes a key twice, any depth, or is not there.
  WRONG_WAYS = {
    twice: ->(text, depth) { JSON.parse(text, allow_duplicate_key: true, max_nesting: depth) },
    deep: lambda do |text, _|
      JSON.parse(text, allow_duplicate_key: false, max_nesting: false)
    end,
    missing: ->(_, _) { raise NameError, "no library" }
  }.freeze

  WRONG_WAYS.each do |name, way|
    test "a parser that is #{name} is not taken" do
      kind = Class.new { define_method(:call) { |text, depth| way.call(text, depth) } }
      assert_nil ToJson::Reading::Parser.send(:working, kind)
    end
  end

  test "a key of an unknown object is noticed beside one that comes in its place" do
    made = serializer do
      attributes :a, writable: true
      nested(:n) { attributes :b, writable: true }
      has_one :s, serializer: { Integer => "PartSerializer" }, writable: true
    end
    Blog.const_set(:PartSerializer, Class.new(ToJson::Serializer) { attributes :b, writable: true })
    assert_problems(["/n/x", :unknown]) { made.parse('{"a":1,"n":{"x":1}}') }
    assert_problems(["/s/x", :unknown]) { made.parse('{"s":{"type":"Integer","x":1}}') }
  end

  # Ruby 3.1 comes with json 2.6, which has no option for keys that stand twice.
  test "the json that Ruby comes with reads the same" do
    out = OwnProcess.run(<<~RUBY, arguments: DOCUMENTS)
      require "json"
      way = ToJson::Reading::Parser.choose
      ARGV.each do |text|
        value = way.call(text, 5)
        puts [value, value.to_s].inspect
      rescue StandardError
        puts :refused
      end
    RUBY
    expected = DOCUMENTS.map { |text| parsed_by(ToJson::Reading::Parser.choose, text) }
    assert_equal expected.map { |one| one == :refused ? "refused" : one.inspect },
                 out.lines(chomp: true)
  end

  test "default options of Oj change nothing, set before or after the first document" do
    skip "without Oj" unless Without.library?("oj")
    before = Oj.default_options
    texts = ['{"a":{"b":[1.5,1e2,":c",12345678901234567890.5]}}', '{"a":""}', "[]"]
    way = ToJson::Reading::Parser.const_get(:ByOj).new
    parse = -> { texts.map { |text| way.call(text, 5).inspect } }
    expected = parse.call
    [{ symbol_keys: true }, { mode: :object }, { bigdecimal_load: :bigdecimal },
     { empty_string: false }, { mode: :compat, compat_bigdecimal: true }].each do |options|
      Oj.default_options = options
      assert_equal expected, parse.call, options.to_s
    ensure
      Oj.default_options = before
    end
  end

  test "without a parser the error says which to require" do
    out = OwnProcess.run(<<~RUBY)
      class A < ToJson::Serializer
        attributes :a, writable: true
      end
      p A.parse({ a: 1 })
      A.parse("{}") rescue puts $!.message
    RUBY
    assert_equal "{:a=>1}\nJSON is parsed by the json gem or Oj, and neither is loaded. Add " \
                 "require \"json\".\n", out.gsub("{a: 1}", "{:a=>1}")
  end
end
