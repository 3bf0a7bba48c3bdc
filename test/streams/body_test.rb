# frozen_string_literal: true

# A document as a body that is consumed later.

require_relative "stream_case"

class StreamBodyTest < StreamCase
  class RestSerializer < ToJson::Serializer
    def serialize(one, two, *others) = value([one, two, *others])
  end

  class OptionalSerializer < ToJson::Serializer
    def serialize(one, two = nil) = value([one, two])
  end

  class NamedSerializer < ToJson::Serializer
    def serialize(one, **others) = value([one, others])
  end

  test "keywords of any name are taken where serialize takes them" do
    body = NamedSerializer.stream(1, any: 2)
    assert_equal '[1,{"any":2}]', body.each.to_a.join
  end

  # {what makes a body => [the body, the document]}
  BODIES = {
    "a declared serializer" => -> { [RowSerializer.stream(rows(3)), RowSerializer.json!(rows(3))] },
    "one with only, root and meta" => lambda do
      options = { only: :id, root: :all, meta: { total: 3 } }
      [RowSerializer.stream(rows(3), **options), RowSerializer.json!(rows(3), **options)]
    end,
    "one of its views" =>
      -> {
        [RowSerializer.stream(rows(3), view: :short), RowSerializer.json!(rows(3), view: :short)]
      },
    "a lazy enumerator" =>
      -> { [RowSerializer.stream(lazily(rows(3))), RowSerializer.json!(rows(3))] },
    "an imperative serializer" =>
      -> { [WordsSerializer.stream(rows(3)), WordsSerializer.json!(rows(3))] },
    "a value" => -> { [ToJson.stream({ a: [1, 2] }), '{"a":[1,2]}'] },
    "a value under Rules" => -> { [ToJson.stream([0.0 / 0], nan: :null), "[null]"] },
    "a serializer as a value" =>
      -> {
        [ToJson.stream(RowSerializer.new(rows(2), view: :short)), '{"rows":[{"id":0},{"id":1}]}']
      },
    "a block with a receiver" =>
      -> { [ToJson.stream(context: 7) { |j| j.put :c, j.context }, '{"c":7}'] },
    "the block form" =>
      -> { [ToJson::Serializer.stream(rows(1)) { |all| put :ids, all.map(&:id) }, '{"ids":[0]}'] },
    "nil" => -> { [RowSerializer.stream(nil), '{"row":null}'] },
    "one object" => -> { [RowSerializer.stream(rows(1)[0]), '{"row":{"id":0,"text":"é"}}'] },
    "3,000 rows of 100 bytes" => -> do
      [RowSerializer.stream(rows(3_000, "é" * 50)), RowSerializer.json!(rows(3_000, "é" * 50))]
    end
  }.freeze

  BODIES.each do |what, make|
    test "each gives the document of #{what} in chunks of UTF-8 that may be kept" do
      body, json = instance_exec(&make)
      pieces = []
      assert_same body, body.each { |chunk| pieces << chunk }
      assert_equal json, pieces.join
      assert pieces.all? { |piece|
        piece.encoding == Encoding::UTF_8 && piece.valid_encoding? && piece.bytesize.between?(
          1, CHUNK
        )
      }
      assert_equal pieces.size, pieces.map(&:object_id).uniq.size
    end

    test "call writes the document of #{what} and closes the stream" do
      body, json = instance_exec(&make)
      stream = Connection.new
      assert_nil body.call(stream)
      assert_equal json, stream.text
      assert_predicate stream, :closed?
    end
  end

  test "nothing is read before the body is consumed, and then only a chunk ahead" do
    log = []
    body = RowSerializer.stream(lazily(rows(100, "a" * 20_000), log))
    assert_empty log
    reader = body.each
    reader.next
    assert_operator log.size, :<=, 4
  end

  test "a body that is closed unread reads nothing" do
    log = []
    body = RowSerializer.stream(lazily(rows(3), log))
    body.close
    assert_predicate body, :closed?
    assert_empty log
  end

  test "a body is consumed once: after each, call, a failure or close it says so" do
    { "read" => [->(b) { b.each { nil } }, ->(b) { b.call(Connection.new) },
                 ->(b) { b.each { break } }],
      "closed" => [->(b) { b.close }, ->(b) { b.each { nil }; b.close }] }.each do |word, ways|
      ways.each do |way|
        body = RowSerializer.stream(rows(1))
        way.call(body)
        [-> { body.each { flunk } }, -> { body.each.next },
         -> { body.call(Connection.new) }].each do |again|
          assert_equal "this body was already #{word}. Create another with stream.",
                       assert_raises(ToJson::SinkError, &again).message
        end
      end
    end
  end

  test "a body has no copy that could be consumed too" do
    body = RowSerializer.stream(rows(1))
    %i[dup clone].each do |copy|
      assert_match(/can be read once, so it cannot be copied/,
                   assert_raises(ToJson::SinkError) { body.public_send(copy) }.message)
    end
    assert_equal RowSerializer.json!(rows(1)), chunks(body).join
  end

  test "call writes to what cannot be closed, and lets errors of the document through" do
    pieces = []
    assert_nil RowSerializer.stream(rows(2)).call(pieces)
    assert_equal RowSerializer.json!(rows(2)), pieces.join
    assert_raises(ToJson::NumberError) { ToJson.stream([0.0 / 0]).call([]) }
  end

  test "a body is no value: an error says what it is for" do
    body = RowSerializer.stream(rows(1))
    [-> { ToJson.generate(body) }, -> { ToJson.json { |j| j.put :rows, body } },
     -> { ToJson.generate([body], dialect: :strict) }, -> { body.as_json },
     -> { body.to_json }, -> { JSON.generate([body]) }].each do |call|
      assert_includes assert_raises(ToJson::UnsupportedTypeError, &call).message,
                      "ToJson::Stream has no JSON form. A Stream is a body: give it to Rack, or " \
                      "read it by each."
    end
  end

  test "it is no Array, no path and no Proc for middleware to unfold" do
    body = RowSerializer.stream([])
    %i[to_ary to_a to_path to_proc to_str].each { |name| refute_respond_to body, name }
    assert_equal "#<ToJson::Stream>", body.inspect
    body.close
    assert_equal "#<ToJson::Stream closed>", body.inspect
  end

  class MarkedSerializer < ToJson::Serializer
    def serialize(text, *more, mark:, loud: false)
      array([text, *more, mark, loud])
    end
  end

  test "arguments that serialize takes are taken" do
    assert_equal ["[1,2,3,true]"],
                 MarkedSerializer.stream(1, 2, mark: 3, loud: true, rules: {}).each.to_a
    hash = Class.new(ToJson::Serializer) { define_method(:serialize) { |given| put :given, given } }
    assert_equal ['{"given":{"a":1}}'], hash.stream(a: 1).each.to_a
    assert_equal ["7"], ToJson.stream(context: 7, max_depth: 5, rules: :strict) { |j|
      j.value j.context
    }.each.to_a
  end

  # {arguments that json! refuses => [the error, its words]}
  REFUSED = {
    "an unknown field" =>
      [-> { RowSerializer.stream([], only: :x) }, ToJson::UnknownFieldError, /unknown field "x"/],
    "an unknown view" =>
      [-> { RowSerializer.stream([], view: :x) }, ToJson::UnknownViewError, /unknown view :x/],
    "an only: that is none" =>
      [-> { RowSerializer.stream([], only: "id(") }, ToJson::SelectionError,
       /offset 3: expected a name/],
    "an unknown keyword" =>
      [-> { RowSerializer.stream([], onyl: :x) }, ArgumentError, /did you mean :only/],
    "no object" => [-> { RowSerializer.stream }, ArgumentError, /takes one argument/],
    "a view where none are declared" =>
      [-> { WordsSerializer.stream([], view: :x) }, ArgumentError, /needs declared fields/],
    "unknown rules" =>
      [-> { RowSerializer.stream([], rules: { tiem: 1 }) }, ArgumentError, /did you mean :time/],
    "a depth of 0" =>
      [-> { RowSerializer.stream([], max_depth: 0) }, ArgumentError, /max_depth: takes/],
    "into:" =>
      [-> { RowSerializer.stream([], into: +"") }, ArgumentError,
       /into: does not work with stream/],
    "into: of a value" =>
      [-> { ToJson.stream([], into: +"") }, ArgumentError, /into: does not work with stream/],
    "an unknown keyword of a block" =>
      [-> { ToJson.stream(ruels: {}) { nil } }, ArgumentError,
       /unknown keyword :ruels, did you mean :rules\?/],
    "a flush: of a block that is none" =>
      [-> { ToJson.stream(flush: :x) { nil } }, ArgumentError, /flush: takes :record/],
    "unknown rules of a block" =>
      [-> { ToJson.stream(rules: { tiem: 1 }) { nil } }, ArgumentError, /did you mean :time/],
    "unknown rules of the block form" =>
      [-> { ToJson::Serializer.stream(rules: { tiem: 1 }) { nil } }, ArgumentError,
       /did you mean :time/],
    "too few arguments for serialize" =>
      [-> { WordsSerializer.stream }, ArgumentError,
       /WordsSerializer#serialize takes 1 argument; got 0/],
    "too many" =>
      [-> { WordsSerializer.stream(1, 2) }, ArgumentError, /serialize takes 1 argument; got 2/],
    "too many for records" =>
      [-> { WordsSerializer.stream([], 2, format: :ndjson) }, ArgumentError,
       /serialize takes 1 argument; got 2/],
    "too few for a rest" =>
      [-> { RestSerializer.stream(1) }, ArgumentError,
       /RestSerializer#serialize takes 2 or more arguments; got 1/],
    "too many for one that may be left out" =>
      [-> { OptionalSerializer.stream(1, 2, 3) }, ArgumentError,
       /OptionalSerializer#serialize takes 1\.\.2 arguments; got 3/],
    "a keyword that serialize has not" =>
      [-> { MarkedSerializer.stream(1, mrak: 2) }, ArgumentError,
       /unknown keyword :mrak, did you mean :mark\?/],
    "a keyword that serialize needs" =>
      [-> { MarkedSerializer.stream(1) }, ArgumentError, /missing keyword: :mark/],
    "a value and a block" =>
      [-> { ToJson.stream(1) { nil } }, ArgumentError, /value or a block; got 1 argument and a/],
    "neither" =>
      [-> { ToJson.stream }, ArgumentError, /one value or a block; got 0 arguments and no block/],
    "the base class without a block" =>
      [-> { ToJson::Serializer.stream(1) }, ToJson::Error, /needs a block/]
  }.freeze

  REFUSED.each do |what, (make, error, words)|
    test "#{what} is refused when the body is made, before any header is sent" do
      assert_match words, assert_raises(error) { instance_exec(&make) }.message
    end
  end
end
