# frozen_string_literal: true

# NDJSON and the sequences of RFC 7464: a line for each record.

require_relative "stream_case"
require "set"
require "stringio"
require "zlib"

class RecordsTest < StreamCase
  class ShoutSerializer < ToJson::Serializer
    attributes :id
    def serialize(row, mark: "!")
      super(row)
      put :text, "#{row.text}#{mark}"
    end
  end

  class TreeSerializer < ToJson::Serializer
    attributes :id
    attribute(:place) { context[:place] }
    has_many(:parts) { attributes :id, :text }
  end
  Tree = Struct.new(:id, :parts)

  # A record by record reader, as ActiveRecord's find_each is one.
  class Batches
    include Enumerable

    def initialize(rows) = @rows = rows
    def each(&block) = @rows.each_slice(2) { |batch| batch.each(&block) }
  end

  # {what is written => [the lines it gives, what json! makes of each record]}
  WRITTEN = {
    "declared objects" =>
      -> {
        [RowSerializer.ndjson(rows(3)), rows(3).map { |row| RowSerializer.json!(row, root: false) }]
      },
    "one of the views" =>
      -> {
        [RowSerializer.ndjson(rows(3), view: :short),
         rows(3).map { |row| RowSerializer.json!(row, view: :short, root: false) }]
      },
    "only some fields" =>
      -> { [RowSerializer.ndjson(rows(3), only: "id"), ['{"id":0}', '{"id":1}', '{"id":2}']] },
    "each under a root" =>
      -> {
        [RowSerializer.ndjson(rows(2), root: true, only: "id"),
         ['{"row":{"id":0}}', '{"row":{"id":1}}']]
      },
    "each under a root of the call's" =>
      -> {
        [RowSerializer.ndjson(rows(2), root: :r, only: "id"), ['{"r":{"id":0}}', '{"r":{"id":1}}']]
      },
    "nil among objects" =>
      -> { [RowSerializer.ndjson([nil, *rows(1)], only: "id"), ["null", '{"id":0}']] },
    "Hashes by key" =>
      -> {
        [RowSerializer.ndjson([{ id: 1, text: "a" }, { "id" => 2 }]),
         ['{"id":1,"text":"a"}', '{"id":2,"text":null}']]
      },
    "a serialize of its own over declared fields" =>
      -> {
        [ShoutSerializer.ndjson(rows(2), mark: "?"),
         rows(2).map { |row| ShoutSerializer.json!(row, mark: "?") }]
      },
    "an imperative serializer" =>
      -> {
        [WordsSerializer.ndjson([rows(2), [], rows(1)]),
         [rows(2), [], rows(1)].map { |some| WordsSerializer.json!(some) }]
      },
    "trees with a context" => lambda do
      trees = [Tree.new(1, rows(2)), Tree.new(2, []), Tree.new(3, nil)]
      [TreeSerializer.ndjson(trees, context: { place: "here" }),
       trees.map { |tree| TreeSerializer.json!(tree, context: { place: "here" }) }]
    end,
    "values of all kinds" => lambda do
      values = [nil, true, 1, 1.5, "a\nb\r\u2028", :s, [], {}, { a: [1, { b: nil }] }, Set[1], 1..3,
                Row.new(1, "x"), RowSerializer.new(rows(1)), Time.at(0).utc]
      [ToJson.ndjson(values), values.map { |value| ToJson.generate(value) }]
    end,
    "values under Rules" =>
      -> { [ToJson.ndjson([0.0 / 0, Time.at(7)], nan: :null, time: :unix), %w[null 7]] },
    "what a block writes of values" =>
      -> {
        [ToJson.ndjson([1, [2]], context: 5) { |j, v| j.put :v, v; j.put :c, j.context },
         ['{"v":1,"c":5}', '{"v":[2],"c":5}']]
      },
    "blocks that write a value, an array, or nothing" =>
      -> {
        [ToJson.ndjson([0, 1, 2]) { |j, v| v == 0 ? j.value("v") : v == 1 ? j.array(1, 2) : nil },
         ['"v"', "[1,2]", "{}"]]
      },
    "no records at all" => -> { [ToJson.ndjson([]), []] },
    "a lazy enumerator" =>
      -> {
        [RowSerializer.ndjson(lazily(rows(3)), only: "id"), ['{"id":0}', '{"id":1}', '{"id":2}']]
      },
    "batches" =>
      -> {
        [RowSerializer.ndjson(Batches.new(rows(3)), only: "id"),
         ['{"id":0}', '{"id":1}', '{"id":2}']]
      },
    "a Set and a Range" => -> do
      [ToJson.ndjson(Set[1, "a"]) + ToJson.ndjson(1..2), ["1", '"a"', "1", "2"]]
    end
  }.freeze

  WRITTEN.each do |what, make|
    test "#{what}: each line is what json! makes of the record" do
      text, lines = instance_exec(&make)
      assert_equal lines.map { |line| "#{line}\n" }.join, text
      assert_equal Encoding::UTF_8, text.encoding
      lines.each { |line| assert_parses line }
    end
  end

  test "a sequence of RFC 7464 has a record separator before each line" do
    assert_equal "\x1E{\"id\":0}\n\x1E{\"id\":1}\n", RowSerializer.json_seq(rows(2), only: :id)
    assert_equal "\x1E1\n\x1Enull\n\x1E[2]\n", ToJson.json_seq([1, nil, [2]])
    assert_equal "", ToJson.json_seq([])
    assert_equal "\x1E{\"v\":1}\n", ToJson.json_seq([1]) { |j, v| j.put :v, v }
    text = RowSerializer.json_seq(rows(5_000), into: +"")
    assert_equal rows(5_000).map { |row| RowSerializer.json!(row, root: false) },
                 text.split("\x1E").drop(1).map(&:chomp)
  end

  # {a Sink => what it got}
  SINKS = {
    "a String" => -> { [text = +"before ", -> { text.delete_prefix("before ") }] },
    "a StringIO" => -> { [io = StringIO.new(+""), -> { io.string }] },
    "an Array" => -> { [all = [], -> { all.join }] },
    "one byte at a time" => -> do
      [sink = WaysOut::OneByte.new, -> { sink.text.force_encoding("UTF-8") }]
    end
  }.freeze

  SINKS.each do |what, make|
    test "into #{what} the lines are the same, whatever the sizes of buffer and chunk" do
      with_each_size do |how|
        sink, text = instance_exec(&make)
        assert_same sink, RowSerializer.ndjson(rows(40, "é\"\n" * 5), into: sink)
        assert_equal RowSerializer.ndjson(rows(40, "é\"\n" * 5)), text.call, how
      end
    end
  end

  test "a GzipWriter gets the lines" do
    packed = StringIO.new("".b)
    Zlib::GzipWriter.wrap(packed) { |gzip| RowSerializer.ndjson(rows(5_000), into: gzip) }
    assert_equal RowSerializer.ndjson(rows(5_000)),
                 Zlib.gunzip(packed.string.b).force_encoding("UTF-8")
  end

  test "each chunk holds whole records: about 64 KiB of them, or one that is larger" do
    { 10 => 0.9, 3_000 => 0.9, 40_000 => 0.5, 200_000 => nil }.each do |size, least|
      pieces = []
      RowSerializer.ndjson(rows(2_000_000 / size, "a" * size), into: pieces)
      assert pieces.all? { |piece| piece.end_with?("}\n") && piece.start_with?("{") }, "#{size}"
      if least then assert_operator pieces[0..-2].map(&:bytesize).min, :>, CHUNK * least
      else assert pieces.all? { |piece| piece.count("\n") == 1 }
      end
      assert_operator pieces.map(&:bytesize).max, :<=, [CHUNK, size + 20].max
    end
  end

  test "with flush: :record each record leaves when it ends, with flush: of seconds those of " \
       "that time, with chunk: so many bytes" do
    [RowSerializer, WordsSerializer].each do |serializer|
      records = serializer == RowSerializer ? rows(5) : [rows(2), [], rows(1), rows(2), []]
      lines = serializer.ndjson(records).lines
      [records, records.each].each do |source|
        assert_equal lines, serializer.ndjson(source, into: [], flush: :record)
        assert_equal lines, chunks(serializer.stream(source, format: :ndjson, flush: :record))
        assert_equal lines, serializer.ndjson(source, into: [], flush: 0)
        assert_equal lines, serializer.ndjson(source, into: [], flush: :record, on_error: :skip)
        assert_equal lines.join, serializer.ndjson(source, into: [], flush: 60).tap { |pieces|
          assert_equal lines[0], pieces[0]
        }.join
      end
    end
    pieces = RowSerializer.ndjson(rows(100), into: [], chunk: 200)
    assert_equal RowSerializer.ndjson(rows(100)), pieces.join
    assert pieces.all? { |piece| piece.end_with?("\n") && piece.bytesize.between?(20, 200) }
    assert_raises(ArgumentError) { RowSerializer.ndjson(rows(1), flush: :record) }
    assert_raises(ArgumentError) { RowSerializer.stream(rows(1), format: :ndjson, flush: :often) }
    assert_equal ["[1", ",2", "]"], chunks(ToJson.stream([1, 2], flush: :record))
  end

  test "a Buffer gets the lines, and nothing of records that abort" do
    buffer = ToJson::Buffer.new
    RowSerializer.ndjson(rows(3), into: buffer)
    assert_equal RowSerializer.ndjson(rows(3)), buffer.to_s
    assert_raises(ToJson::NumberError) { ToJson.ndjson([1, Float::NAN], into: buffer) }
    assert_equal RowSerializer.ndjson(rows(3)), buffer.to_s
  end

  test "an error tells how many bytes of whole records have left" do
    pieces = []
    error = assert_raises(ToJson::NumberError) do
      ToJson.ndjson([1, "é", Float::NAN, 3], into: pieces)
    end
    assert_equal ["$[2]", "1\n\"é\"\n".bytesize], [ToJson.location(error), ToJson.delivered(error)]
    assert_equal ["1\n\"é\"\n"], pieces
  end

  test "no record has a line break, whatever Fragments, layouts and dialects bring" do
    fragment = ToJson::Fragment.new("{\n  \"a\": \"x\\n\",\r\n  \"b\": [1,\r2]\n}")
    own = Class.new { def to_json(*) = "[1,\n\n2]" }.new
    lines = ToJson.ndjson([fragment, own, { a: fragment }, "\n"], dialect: :json, indent: "  ",
                          array_nl: "\n", object_nl: "\n")
    assert_equal 4, lines.lines.size
    refute_includes lines, "\r"
    assert_equal [{ "a" => "x\n", "b" => [1, 2] }, [1, 2],
                  { "a" => { "a" => "x\n", "b" => [1, 2] } }, "\n"], lines.lines.map { |line|
      ToJson::Tree.parse(line.chomp)
    }
  end

  test "the serializer is one for all records, its scope is the record at hand" do
    seen = []
    serializer = Class.new(ToJson::Serializer) do
      define_method(:serialize) { |_| seen << [object_id, scope]; put :s, scope }
    end
    assert_equal "{\"s\":1}\n{\"s\":2}\n", serializer.ndjson([1, 2])
    assert_equal [1, 2], seen.map(&:last)
    assert_equal 1, seen.map(&:first).uniq.size
  end

  test "streams within streams: each writes into its own Sink" do
    serializer = Class.new(ToJson::Serializer) do
      define_method(:serialize) { |n| put :inner, ToJson.ndjson([n, [n]]) }
    end
    assert_equal "{\"inner\":\"1\\n[1]\\n\"}\n{\"inner\":\"2\\n[2]\\n\"}\n",
                 serializer.ndjson([1, 2])
  end

  test "as bodies the formats have chunks of whole records and a media type" do
    text = RowSerializer.ndjson(rows(4_000))
    body = RowSerializer.stream(lazily(rows(4_000)), format: :ndjson)
    assert_equal "application/x-ndjson", body.content_type
    pieces = chunks(body)
    assert_equal text, pieces.join
    assert pieces.all? { |piece| piece.end_with?("\n") }
    assert_operator pieces.size, :>, 1
    body = ToJson.stream([1, 2], format: :json_seq)
    assert_equal ["application/json-seq", ["\x1E1\n\x1E2\n"]], [body.content_type, chunks(body)]
    assert_equal ["{\"v\":1}\n"],
                 chunks(ToJson.stream([1], format: :ndjson, context: {}) { |j, v| j.put :v, v })
    assert_equal "application/json", RowSerializer.stream([]).content_type
  end

  # {what is refused => [who is called, with what, the error, its words]}
  REFUSED = {
    "a Hash" => [ToJson, [{ a: 1 }], {}, ToJson::UnsupportedTypeError, /Hash is not a collection/],
    "nil" =>
      [RowSerializer, [nil], {}, ToJson::UnsupportedTypeError, /NilClass is not a collection/],
    "one object" =>
      [RowSerializer, [Row.new(1, "")], {}, ToJson::UnsupportedTypeError,
       /Row is not a collection/],
    "a serializer" =>
      [ToJson, [RowSerializer.new([])], {}, ToJson::UnsupportedTypeError,
       /a serializer is one document.*RowSerializer\.ndjson\(posts\)/],
    "a serializer for its class" =>
      [RowSerializer, [RowSerializer.new([])], {}, ToJson::UnsupportedTypeError,
       /RowSerializer\.ndjson\(posts\)/],
    "nothing" => [RowSerializer, [], {}, ArgumentError, /its elements are the records/],
    "meta:" => [RowSerializer, [[]], { meta: { a: 1 } }, ArgumentError, /meta: is written beside/],
    "a view where none are declared" =>
      [WordsSerializer, [[]], { view: :x }, ArgumentError, /needs declared fields/],
    "an unknown field" =>
      [RowSerializer, [[]], { only: :x }, ToJson::UnknownFieldError, /unknown field "x"/],
    "an unknown keyword" => [RowSerializer, [[]], { onyl: 1 }, ArgumentError, /did you mean :only/],
    "an unknown option" => [ToJson, [[]], { nam: 1 }, ArgumentError, /did you mean :nan/],
    "a policy that is none" =>
      [ToJson, [[]], { on_error: :stop }, ArgumentError, /on_error: takes :abort, :skip or/]
  }.freeze

  # {a call with a keyword that nobody takes => words of the message}
  KEYWORDS = {
    "on_error of values" =>
      [-> { ToJson.ndjson([1], on_eror: :skip) },
       /\Aunknown option :on_eror, did you mean :on_error\? Known: .*into, .*rules, on_error\.\z/],
    "on_error of a sequence" =>
      [-> { ToJson.json_seq([1], on_eror: :skip) }, /did you mean :on_error\?/],
    "chunk" =>
      [-> { ToJson.generate([1], chunks: 5) },
       /\Aunknown option :chunks, did you mean :chunk\? Known: .*into, chunk, flush, rules\.\z/],
    "into beside chunk" => [-> { ToJson.pretty_generate([1], itno: +"") }, /did you mean :into\?/],
    "format" =>
      [-> { ToJson.stream([1], fromat: :ndjson) },
       /did you mean :format\? Known: .*format, chunk, flush, rules, on_error\.\z/],
    "on_error of a body of values" =>
      [-> { ToJson.stream([1], format: :ndjson, on_eror: :skip) }, /did you mean :on_error\?/],
    "on_error of a class" =>
      [-> { RowSerializer.ndjson([], on_eror: :skip) },
       /RowSerializer: unknown keyword :on_eror, did you mean :on_error\? Known: (?!.*meta)/],
    "format of a class" =>
      [-> { RowSerializer.stream([], fromat: :ndjson) },
       /did you mean :format\? Known: (?!.*into).*format, on_error\.\z/],
    "on_error of a class's body" =>
      [-> { RowSerializer.stream([], format: :json_seq, on_eror: :skip) },
       /did you mean :on_error\?/],
    "on_error for one document" =>
      [-> { RowSerializer.stream([], on_error: :skip) },
       /on_error: works only with format: :ndjson and format: :json_seq/],
    "on_error for one document of values" =>
      [-> { ToJson.stream([], on_error: :skip) },
       /on_error: works only with format: :ndjson and format: :json_seq/],
    "on_error for a block's document" =>
      [-> { ToJson.stream(on_error: :skip) { nil } },
       /on_error: works only with format: :ndjson and format: :json_seq/],
    "format where the method is one" =>
      [-> { RowSerializer.ndjson([], format: :json_seq) },
       /format: works only with stream\..*json_seq/],
    "into, which a stream has no use for" =>
      [-> { RowSerializer.stream([], into: +"") },
       /into: does not work with stream, .* Remove into:, or pass it to json!/],
    "no records" =>
      [-> { ToJson.stream(format: :ndjson) }, /stream takes one value; got 0 arguments and no/]
  }.freeze

  KEYWORDS.each do |what, (call, words)|
    test "a keyword in the wrong place or misspelt is named: #{what}" do
      assert_match words, assert_raises(ArgumentError) { instance_exec(&call) }.message
    end
  end

  test "a block, which would never run, is refused with the call that takes one" do
    [RowSerializer, WordsSerializer].each do |serializer|
      %i[ndjson json_seq].each do |name|
        [-> { serializer.public_send(name, []) { flunk } },
         -> { serializer.stream([], format: name) { flunk } }].each do |call|
          assert_equal "#{serializer}: #{name} takes no block. To write with a block, call " \
                       "ToJson.#{name}(rows) { |j, row| … }",
                       assert_raises(ArgumentError, &call).message
        end
      end
    end
    message = assert_raises(ArgumentError) { RowSerializer.stream([]) { flunk } }.message
    assert_equal "#{RowSerializer}: stream takes no block. To write with a block, call " \
                 "ToJson.stream { |j| … }", message
  end

  test "a serialize of its own may take keywords of these names" do
    serializer = Class.new(ToJson::Serializer) do
      define_method(:serialize) { |n, format: 0| put :n, n; put :format, format }
    end
    assert_equal "{\"n\":1,\"format\":7}\n", serializer.ndjson([1], format: 7)
  end

  REFUSED.each do |what, (receiver, arguments, keywords, error, words)|
    test "#{what} is refused before anything is written, by a body when it is made" do
      %i[ndjson json_seq].each do |method|
        assert_match words, assert_raises(error) {
          receiver.public_send(method, *arguments, **keywords)
        }.message
        assert_match words, assert_raises(error) {
          receiver.stream(*arguments, **keywords, format: method)
        }.message
      end
    end
  end

  test "a format that is none, and into:, are refused by a body" do
    assert_match(/format: takes :json, :ndjson, :json_seq; got :xml/,
                 assert_raises(ArgumentError) { RowSerializer.stream([], format: :xml) }.message)
    assert_match(/got "ndjson"/,
                 assert_raises(ArgumentError) { ToJson.stream([], format: "ndjson") }.message)
    assert_raises(ArgumentError) { RowSerializer.stream([], format: :ndjson, into: []) }
  end

  test "a record that is longer than a chunk leaves when it is complete" do
    made = []
    source = Enumerator.new do |y|
      3.times { |n| y << Row.new(made.size, "b" * (2 * CHUNK)).tap { made << n } }
    end
    seen = RowSerializer.stream(source, format: :ndjson).each.map { |text| [made.size, text] }
    assert_equal [1, 2, 3], seen.map(&:first).uniq
    lines = (1..3).map { |n| seen.select { |many, _| many == n }.map(&:last).join }
    assert_equal [0, 1, 2], lines.map { |line| Integer(line[/"id":(\d+)/, 1]) }
    assert(lines.all? { |line| line.end_with?("\n") })
  end
end
