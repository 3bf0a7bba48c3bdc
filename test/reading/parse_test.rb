# frozen_string_literal: true

require_relative "reading_case"
require "bigdecimal"
require "date"
require "stringio"
require "tempfile"

# What `parse` makes of plain documents.
class ParseTest < ReadingCase
  class Money
    def self.encode(cents) = format("%.2f", cents / 100.0)
    def self.decode(text) = (Float(text) * 100).round
  end

  # [options of the attribute, what stands in the document, what is read]
  VALUES = [
    [{}, "a", "a"], [{}, 1, 1], [{}, 1.5, 1.5], [{}, true, true], [{}, false, false],
    [{}, nil, nil],
    [{ as: :string }, "12", "12"], [{ as: :integer }, 12, 12], [{ as: :float }, 2, 2.0],
    [{ as: :boolean }, false, false],
    [{ as: :date }, "2026-11-20", Date.new(2026, 11, 20)],
    [{ as: :date }, nil, nil],
    [{ as: :time }, "2026-11-20T10:00:00.125Z", Time.utc(2026, 11, 20, 10, 0, 0.125r)],
    [{ as: :time }, "2026-11-20T10:00:00+01:30", Time.new(2026, 11, 20, 10, 0, 0, "+01:30")],
    [{ as: :time }, "2026-11-20 10:00:00 UTC", Time.utc(2026, 11, 20, 10)],
    [{ as: :time }, "2026-11-20 10:00:00 +0130", Time.new(2026, 11, 20, 10, 0, 0, "+01:30")],
    [{ as: :time, format: :unix }, 5, Time.at(5)],
    [{ as: :time, format: :unix_ms }, 5125, Time.at(5, 125, :millisecond)],
    [{ as: :time, format: "%d.%m.%Y %H:%M %z" }, "20.11.2026 10:00 +0000",
     Time.utc(2026, 11, 20, 10)],
    [{ as: :fragment }, { "a" => [1] }, '{"a":[1]}'],
    [{ as: Money }, "12.50", 1250],
    [{ writable: { as: :decimal } }, "12.50", BigDecimal("12.5")],
    [{ writable: { as: :decimal } }, 12.5, BigDecimal("12.5")],
    [{ as: :string, writable: { as: :integer } }, 7, 7],
    [{ writable: { as: :array } }, [1, "a", nil], [1, "a", nil]],
    [{ writable: { as: :object } }, { "a" => [{}] }, { "a" => [{}] }],
    [{ writable: { as: :any } }, [[1]], [[1]]],
    [{ writable: { as: ->(text) { text.upcase } } }, "a", "A"],
    [{ writable: { in: %i[draft published] } }, "draft", :draft],
    [{ writable: { in: { "draft" => 0 } } }, "draft", "draft"]
  ].freeze

  VALUES.each do |options, given, expected|
    test "#{given.inspect} of a field with #{options.inspect.gsub(/0x\h+/, "0x")} is read" do
      made = serializer { attribute :a, **{ writable: true }, **options }
      found = made.parse(JSON.generate("a" => given))
      assert_equal [:a], found.keys
      expected.nil? ? assert_nil(found[:a]) : assert_equal(expected, found[:a])
      assert_instance_of expected.class, found[:a]
    end
  end

  # [options, what stands in the document, code]
  WRONG = [
    [{}, [1], :type], [{}, {}, :type],
    [{ as: :string }, 1, :type], [{ as: :integer }, "1", :type], [{ as: :integer }, 1.5, :type],
    [{ as: :float }, "1", :type], [{ as: :float }, 10**400, :range], [{ as: :boolean }, 1, :type],
    [{ as: :boolean }, "true", :type],
    [{ as: :date }, "2026-02-30", :type], [{ as: :date }, "2026-2-3", :type],
    [{ as: :date }, 5, :type], [{ as: :date }, "2026-11-20\n", :type],
    [{ as: :time }, "2026-11-20", :type], [{ as: :time }, "2026-13-20T10:00:00Z", :type],
    [{ as: :time }, "2026-02-30T10:00:00Z", :type], [{ as: :time }, "2026-11-20T25:00:00Z", :type],
    [{ as: :time }, "2026-11-20T24:00:00Z", :type],
    [{ as: :time }, "2026-13-20T10:00:00.000Z", :type],
    [{ as: :time }, "2026-11-20T10:00:00+99:99", :type], [{ as: :time }, 5, :type],
    [{ as: :time, format: :unix }, "5", :type], [{ as: :time, format: :unix }, 10**30, :type],
    [{ as: :time, format: "%d.%m.%Y" }, "yesterday", :type],
    [{ as: Money }, "much", :invalid], [{ as: Money }, [], :invalid],
    [{ writable: { as: :decimal } }, "1e999999999", :type],
    [{ writable: { as: :decimal } }, "NaN", :type],
    [{ writable: { as: :decimal } }, "1_000", :type],
    [{ writable: { as: :array } }, "a", :type], [{ writable: { as: :object } }, [], :type],
    [{ writable: { in: %w[a b] } }, "c", :choice], [{ writable: { in: %w[a b] } }, ["a"], :choice]
  ].freeze

  WRONG.each do |options, given, code|
    test "#{given.inspect[0, 30]} of a field with #{options.inspect} is a #{code} problem" do
      made = serializer { attribute :a, **{ writable: true }, **options }
      assert_problems(["/a", code]) { made.parse(JSON.generate("a" => given)) }
    end
  end

  test "a number that no Float can be is out of range" do
    made = serializer do
      attributes :a, writable: true
      attribute :b, writable: { as: :any }
      attribute :c, writable: { as: :array }
      attribute :d, as: :fragment, writable: true
    end
    assert_problems(["/a", :range]) { made.parse('{"a":1e400}') }
    assert_problems(["/b/0/x", :range]) { made.parse('{"b":[{"x":-1e400}]}') }
    assert_problems(["/c/1", :range]) { made.parse('{"c":[1,1e400]}') }
    assert_problems(["/d", :range]) { made.parse('{"d":[1e400]}') }
  end

  # Before, `decode` and the callables got Infinity and integers of any length, and :collect kept
  # them. docs/reading.md says that both are refused.
  test "decode, callables of as: and unknown: :collect get no number that is out of range" do
    decoder = Class.new do
      def self.encode(value) = value
      def self.decode(value) = value
    end
    made = serializer do
      attribute :a, as: decoder, writable: true
      attribute :b, writable: { as: ->(value) { value } }
    end
    ["1e400", '[{"x":-1e400}]', "9" * 1001].each do |number|
      assert_problems(["/a", :range]) { made.parse("{\"a\":#{number}}") }
      assert_problems(["/b", :range]) { made.parse("{\"b\":#{number}}") }
      assert_problems(["/c", :range]) { made.parse("{\"c\":#{number}}", unknown: :collect) }
    end
    assert_equal({ a: [1.5], b: { "x" => 7 } }, made.parse('{"a":[1.5],"b":{"x":7}}'))
  end

  test "an array of values and an array of objects name the element that is wrong" do
    made = serializer do
      attribute :tags, writable: { as: :array }
      has_many(:comments, writable: true) { attributes :body, writable: true }
    end
    assert_problems(["/tags/1", :type]) { made.parse('{"tags":["a",["b"]]}') }
    assert_problems(["/comments/1/body", :type]) do
      made.parse('{"comments":[{"body":"a"},{"body":{}}]}')
    end
    assert_problems(["/comments/0", :type]) { made.parse('{"comments":[null]}') }
    assert_problems(["/comments", :type]) { made.parse('{"comments":{"0":{"body":"a"}}}') }
  end

  test "names are mapped back and key case is undone, in inline blocks too" do
    made = serializer do
      transform_keys :camel_lower
      attributes first_name: :given_name, writable: true
      attribute :note_text, writable: :body
      has_many(:old_posts, writable: true) { attributes :post_title, writable: true }
    end
    assert_equal({ first_name: "a", body: "b", old_posts: [{ post_title: "c" }] },
                 made.parse('{"givenName":"a","noteText":"b","oldPosts":[{"postTitle":"c"}]}'))
    assert_problems(["/first_name", :unknown]) { made.parse('{"first_name":"a"}') }
  end

  test "nested fields belong to the object, and fields of a flatten to another one" do
    made = serializer do
      nested(:address) { attributes :street, :city, writable: true }
      flatten(:profile, writable: true) { attributes :bio, writable: true }
    end
    assert_equal({ street: "a", city: "b", profile: { bio: "c" } },
                 made.parse('{"address":{"street":"a","city":"b"},"bio":"c"}'))
    assert_equal({ street: "a" }, made.parse('{"address":{"street":"a"}}'))
    assert_problems(["/address", :type]) { made.parse('{"address":null}') }
    assert_problems(["/address/zip", :unknown]) { made.parse('{"address":{"zip":1}}') }
  end

  test "associations are read by their serializers, with view:, only: and except:" do
    made = serializer do
      has_one :author, serializer: "AuthorSerializer", view: :full, writable: true
      has_one :editor, serializer: "AuthorSerializer", only: :name, writable: true
    end
    Blog.const_set(:AuthorSerializer, Class.new(ToJson::Serializer) do
      attributes :name, :email, writable: true
      view(:full) { attributes :phone, writable: true }
    end)
    assert_equal({ author: { name: "a", phone: "b" }, editor: { name: "c" } },
                 made.parse('{"author":{"name":"a","phone":"b"},"editor":{"name":"c"}}'))
    assert_equal({ author: nil }, made.parse('{"author":null}'))
    assert_problems(["/editor/email", :unknown]) { made.parse('{"editor":{"email":"c"}}') }
    assert_problems(["/author", :type]) { made.parse('{"author":[]}') }
  end

  test "a serializer may lead back to itself" do
    made = serializer do
      attributes :body, writable: true
      has_many :replies, serializer: "PostSerializer", writable: true
    end
    assert_equal({ body: "a", replies: [{ body: "b", replies: [] }] },
                 made.parse('{"body":"a","replies":[{"body":"b","replies":[]}]}'))
  end

  test "an object of a polymorphic association says its type" do
    made = serializer do
      has_one :subject, writable: true,
                        serializer: { String => "PhotoSerializer", Integer => "PageSerializer" }
    end
    Blog.const_set(:PhotoSerializer, Class.new(ToJson::Serializer) do
      attributes :url, writable: true
    end)
    Blog.const_set(:PageSerializer, Class.new(ToJson::Serializer) do
      attributes :text, writable: true
    end)
    %w[String string strings].each do |type|
      assert_equal({ subject: { type: "String", url: "a" } },
                   made.parse(JSON.generate(subject: { type: type, url: "a" })))
    end
    assert_problems(["/subject/type", :missing]) { made.parse('{"subject":{"url":"a"}}') }
    assert_problems(["/subject/type", :choice]) { made.parse('{"subject":{"type":"Kernel"}}') }
    assert_problems(["/subject/url", :unknown]) do
      made.parse('{"subject":{"type":"Integer","url":"a"}}')
    end
  end

  test "nested: true assigns what accepts_nested_attributes_for takes" do
    made = serializer do
      has_many(:comments, writable: { nested: true, destroy: true }) do
        attributes :id, :body, writable: true
      end
      has_one(:author, writable: { nested: true }) { attributes :name, writable: true }
    end
    assert_equal({ comments_attributes: [{ id: 1, _destroy: true }, { body: "a" }],
                   author_attributes: { name: "b" } },
                 made.parse('{"comments":[{"id":1,"_destroy":true},{"body":"a"}],' \
                            '"author":{"name":"b"}}'))
    assert_problems(["/author/_destroy", :unknown]) { made.parse('{"author":{"_destroy":true}}') }
    assert_problems(["/comments/0/_destroy", :type]) { made.parse('{"comments":[{"_destroy":7}]}') }
    assert_equal({ comments_attributes: [{ body: "a", _destroy: nil }] },
                 made.parse('{"comments":[{"body":"a","_destroy":null}]}'))
    # `comments_attributes=` of a model raises an ArgumentError for nil
    assert_equal({}, made.parse('{"comments":null,"author":null}'))
  end

  test "as: a serializer and association read one or many" do
    made = serializer do
      attribute :author, as: Class.new(ToJson::Serializer) { attributes :name, writable: true },
                         writable: true
      association(:tags, writable: true) { attributes :label, writable: true }
    end
    assert_equal({ author: { name: "a" }, tags: [{ label: "b" }] },
                 made.parse('{"author":{"name":"a"},"tags":[{"label":"b"}]}'))
    assert_equal({ author: [{ name: "a" }], tags: { label: "b" } },
                 made.parse('{"author":[{"name":"a"}],"tags":{"label":"b"}}'))
  end

  test "the declared root is where the data is" do
    made = serializer do
      root :post, :posts
      attributes :a, writable: true
    end
    assert_equal({ a: 1 }, made.parse('{"post":{"a":1},"meta":{"b":2}}'))
    assert_equal([{ a: 1 }], made.parse('{"posts":[{"a":1}]}', collection: true))
    assert_equal([{ a: 1 }], made.parse('{"posts":[{"a":1}]}', collection: nil))
    assert_equal({ a: 1 }, made.parse('{"a":1}', root: false))
    assert_equal({ a: 1 }, made.parse('{"x":{"a":1}}', root: :x))
    assert_problems(["/post", :missing]) { made.parse('{"a":1}') }
    assert_problems(["/post", :type]) { made.parse('{"post":[]}') }
    assert_problems(["/post/b", :unknown]) { made.parse('{"post":{"b":1}}') }
    assert_problems(["/more", :unknown]) { made.parse('{"post":{"a":1},"more":{}}') }
  end

  test "many objects are read where the call says so" do
    made = serializer { attributes :a, writable: true }
    assert_equal([{ a: 1 }, {}], made.parse('[{"a":1},{}]', collection: true))
    assert_equal({ a: 1 }, made.parse('{"a":1}', collection: nil))
    assert_equal([{ a: 1 }], made.parse('[{"a":1}]', collection: nil))
    assert_problems(["", :type]) { made.parse('[{"a":1}]') }
    assert_problems(["", :type]) { made.parse('{"a":1}', collection: true) }
    assert_problems(["/1/a", :type]) { made.parse('[{},{"a":[]}]', collection: true) }
  end

  test "text, IOs, Hashes and Arrays are read alike" do
    made = serializer { has_many(:a, writable: true) { attributes :b, writable: true } }
    expected = { a: [{ b: "ü" }] }
    text = '{"a":[{"b":"ü"}]}'
    [text, text.b, text.encode("UTF-16LE"), StringIO.new(text.b), { a: [{ b: "ü" }] },
     { "a" => [{ "b" => "ü".encode("ISO-8859-1") }] }].each do |given|
      found = made.parse(given)
      assert_equal expected, found
      assert_equal Encoding::UTF_8, found[:a][0][:b].encoding
    end
    assert_raises(ArgumentError) { made.parse(5) }
  end

  test "a Hash of a program may have what JSON has not" do
    made = serializer do
      attribute :name, as: :string, writable: true
      attribute :size, as: :float, writable: true
    end
    assert_equal({ name: "draft", size: 1.0 }, made.parse({ name: :draft, size: 1 }))
    assert_problems(["/name", :type]) { made.parse({ name: 1 }) }
    assert_problems(["/size", :range]) { made.parse({ size: Float::INFINITY }) }
    error = assert_raises(ToJson::ReadError) { made.parse({ 1 => 2 }) }
    assert_match(/the keys must be Strings or Symbols/, error.message)
  end

  test "an IO whose read returns no String is refused" do
    made = serializer { attributes :a, writable: true }
    io = Object.new
    io.define_singleton_method(:read) { |*| 1 }
    error = assert_raises(ArgumentError) { made.parse(io) }
    assert_equal "read of Object returned Integer instead of a String", error.message
  end

  # The last three have no converter.
  %w[UTF-16LE IBM037 EUC-JP UTF-7 CP65000 ISO-2022-JP-2].each do |encoding|
    test "NDJSON in #{encoding} is read, or refused with its line" do
      made = serializer { attributes :a, writable: true }
      lines = %({"a":1}\n{"a":2}\n)
      text = begin
        lines.encode(encoding)
      rescue Encoding::ConverterNotFoundError
        lines.dup.force_encoding(encoding)
      end
      if text.encoding.dummy? && encoding != "IBM037"
        error = assert_raises(ToJson::ReadError) { made.parse_ndjson(text).to_a }
        assert_match(/\Aline 1: the document: cannot be converted from (UTF-7|ISO-\S+) to UTF-8/,
                     error.message)
      else
        assert_equal [{ a: 1 }, { a: 2 }], made.parse_ndjson(text).to_a
      end
    end
  end

  test "lines of NDJSON are read as they come, and each error names its line" do
    made = serializer { attributes :a, writable: true }
    text = "{\"a\":1}\n\n{\"a\":2}\r\n{\"a\":[]}\n{\"a\":3}"
    assert_equal [{ a: 1 }, { a: 2 }], made.parse_ndjson(StringIO.new(text)).first(2)
    error = assert_problems(["/a", :type]) { made.parse_ndjson(text).to_a }
    assert_equal 4, error.line
    assert_equal "line 4: /a: takes text, a number, true, false or null; got an array.",
                 error.message
    errors, found = [], []
    keep = ->(error) { errors << error.line }
    assert_nil(made.parse_ndjson(StringIO.new(text), on_error: keep) { |*one| found << one })
    assert_equal [[{ a: 1 }, 1], [{ a: 2 }, 3], [{ a: 3 }, 5]], found
    assert_equal [4], errors
  end

  test "an endless line of NDJSON is not read whole" do
    made = serializer { attributes :a, writable: true }
    io = StringIO.new("{\"a\":\"#{"x" * 50}\"}\n{\"a\":1}\n")
    lines = []
    keep = ->(error) { lines << error.problems[0].code }
    made.parse_ndjson(io, max_bytes: 20, on_error: keep) { |*one| lines << one }
    assert_equal [:size, [{ a: 1 }, 2]], lines
  end

  # What Rack asks of the body of a request.
  class Body
    def initialize(text) = @io = StringIO.new(text.b)
    def gets = @io.gets
    def read(bytes = nil) = @io.read(bytes)
  end

  # Does not do what Rack asks: gives text.
  class TextBody < Body
    def read(bytes = nil) = super&.force_encoding("UTF-8")
  end

  # A request without a body raised a NoMethodError in Puma.
  test "the body of a request is read by lines, with gets and read alone" do
    made = serializer { attributes :a, writable: true }
    text = "{\"a\":1}\n#{" " * 20_000}{\"a\":2}\n\n{\"a\":\"#{"é" * 20_000}\"}\n{\"a\":3}"
    lines = made.parse_ndjson(StringIO.new(text)).to_a
    assert_equal 4, lines.size
    [nil, 50_000].each do |most|
      assert_equal lines, made.parse_ndjson(Body.new(text), max_bytes: most).to_a
      assert_empty made.parse_ndjson(Body.new(""), max_bytes: most).to_a
    end
    [5, 7, 8, 20, 16_384, 20_007, 20_008, 40_007, 40_008].each do |most|
      found = [Body, TextBody, StringIO].map do |kind|
        errors = []
        keep = ->(error) { errors << [error.line, error.problems[0].code] }
        [made.parse_ndjson(kind.new(text), max_bytes: most, on_error: keep).to_a, errors]
      end
      assert_equal [found[2]] * 2, found.first(2), most
    end
  end

  test "$/ does not cut the lines" do
    made = serializer { attributes :a, writable: true }
    before, verbose, $VERBOSE = $/, $VERBOSE, nil
    text = "{\"a\":1}\n{\"a\":2}"
    file = Tempfile.new # the body of a large request
    file.write(text)
    [nil, ":", ""].each do |separator|
      $/ = separator # rubocop:disable Style/SpecialGlobalVars
      [text, text.b, StringIO.new(text), file.tap(&:rewind)].each do |io|
        assert_equal [{ a: 1 }, { a: 2 }], made.parse_ndjson(io).to_a
      end
    end
  ensure
    $/ = before # rubocop:disable Style/SpecialGlobalVars
    $VERBOSE = verbose
    file&.close!
  end

  # As OpenSSL's sockets, it has no Enumerator. It raised a LocalJumpError.
  test "an each_line that returns no Enumerator is read" do
    made = serializer { attributes :a, writable: true }
    io = Object.new
    def io.gets = nil
    def io.each_line = 2.times { |number| yield %({"a":#{number}}\n) }
    assert_equal [{ a: 0 }, { a: 1 }], made.parse_ndjson(io).to_a
  end

  test "max_bytes: keeps the encoding of an IO" do
    made = serializer { attributes :a, writable: true }
    %w[UTF-8 UTF-16LE ISO-8859-1 BINARY].each do |name|
      text = '{"a":"é"}'
      text = name == "BINARY" ? text.b : text.encode(name)
      assert_equal({ a: "é" }, made.parse(StringIO.new(text), max_bytes: 100), name)
      assert_problems(["", :size]) { made.parse(StringIO.new(text), max_bytes: 8) }
    end
  end

  test "a frozen class and other threads read" do
    made = serializer { attributes :a, writable: true }
    found = Array.new(4) { Thread.new { 50.times.map { made.parse('{"a":1}') }.uniq } }
    assert_equal [[{ a: 1 }]], found.map(&:value).uniq
    made.freeze
    assert_equal({ a: 1 }, made.parse('{"a":1}'))
  end

  test "times follow the Rules of the class" do
    [{ time: :unix }, { time: :unix_ms }, { time: :utc }, { dialect: :json },
     { time: "%d.%m.%Y %H:%M:%S %z" }].each do |rules|
      made = serializer do
        rules(**rules)
        attribute :at, as: :time, writable: true
      end
      at = Time.utc(2026, 11, 20, 10)
      assert_equal at, made.parse(made.json!({ at: at }))[:at], rules.inspect
    end
  end

  test "names with quotes and code inject nothing" do
    names = ["a\"b", "c\#{exit}d", "e\nf", "g'", "h\\", "\u2028"]
    made = serializer do
      names.each { |name| attribute name, name, writable: true }
      has_one("x\"].freeze; exit; [\"", writable: true) { attribute "y\"", writable: true }
    end
    given = { **names.to_h { |name| [name.to_sym, 1] },
              "x\"].freeze; exit; [\"": { "y\"": 2 } }
    assert_equal given, made.parse(JSON.generate(given))
  end

  test "texts of in: cannot be changed for all" do
    made = serializer { attribute :a, writable: { in: %w[b] } }
    assert_predicate made.parse({ a: "b" })[:a], :frozen?
  end

  test "unknown keywords and wrong values of them are refused" do
    made = serializer { attributes :a, writable: true }
    error = assert_raises(ArgumentError) { made.parse("{}", unkown: 1) }
    assert_match(/unknown keyword :unkown, did you mean :unknown\?/, error.message)
    [{ unknown: :nothing }, { errors: 1 }, { missing: true }, { envelope: :xml }, { collection: 1 },
     { root: 1 }, { max_depth: 0 }, { max_bytes: -1 }].each do |keywords|
      assert_raises(ArgumentError, keywords.inspect) { made.parse("{}", **keywords) }
    end
  end
end
