# frozen_string_literal: true

# Records and bodies of serializers that are no ToJson::Serializer: the module form and the block
# form.

require_relative "stream_case"

class StreamModuleAndBlockFormsTest < StreamCase
  # The module form: one object writes all records.
  class Host
    include ToJson::Serialize
    attr_reader :written

    def serialize(row, note: nil)
      @written = @written.to_i + 1
      put_fields row, :id, :text
      put :note, note if note
      put :at, @written
      raise ArgumentError, "three" if row.id == 3
    end
  end

  class Ruled
    include ToJson::Serialize
    rules time: :unix, html_safe: true

    def serialize(time)
      put :at, time
      put :tag, "<b>"
      put :seen, context[:by] if context[:by]
    end
  end

  Pair = Struct.new(:a, :b) do
    include ToJson::Serialize

    def serialize(*) = put(a: a, b: b)
  end

  LINES = "{\"id\":0,\"text\":\"é\",\"at\":1}\n{\"id\":1,\"text\":\"é\",\"at\":2}\n"

  test "a class of the module form has ndjson, json_seq and stream" do
    two = rows(2)
    assert_equal LINES, Host.ndjson(two)
    assert_equal LINES, Host.ndjson(lazily(two), into: []).join
    assert_equal LINES.gsub(/^/, "\u001E"), Host.json_seq(two)
    assert_equal [LINES], chunks(Host.stream(two, format: :ndjson))
    assert_equal ['{"id":7,"text":null,"note":"n","at":1}'],
                 chunks(Host.stream(Row.new(7), note: "n"))
    assert_equal "{\"id\":0,\"text\":\"é\",\"note\":1,\"at\":1}\n", Host.ndjson(rows(1), note: 1)
    assert_equal %w[application/json application/x-ndjson],
                 [Host.stream(two).content_type, Host.stream(two, format: :ndjson).content_type]
  end

  test "Rules and contexts of the module form hold, and those of the call" do
    times = [Time.at(5).utc]
    assert_equal "{\"at\":5,\"tag\":\"\\u003cb\\u003e\",\"seen\":1}\n",
                 Ruled.ndjson(times, context: { by: 1 })
    assert_equal "{\"at\":\"1970-01-01T00:00:05Z\",\"tag\":\"<b>\"}\n",
                 Ruled.ndjson(times, rules: {}).sub(".000", "")
    assert_equal ['{"at":5,"tag":"\u003cb\u003e"}'], chunks(Ruled.stream(times[0]))
  end

  test "objects that serialize themselves are records of ToJson.ndjson" do
    pairs = [Pair.new(1, nil), Pair.new(2, "x")]
    assert_equal "{\"a\":1,\"b\":null}\n{\"a\":2,\"b\":\"x\"}\n", ToJson.ndjson(pairs)
    assert_equal pairs.map(&:json!), ToJson.ndjson(pairs).lines(chomp: true)
    assert_equal ['{"a":1,"b":null}'], chunks(ToJson.stream(pairs[0]))
  end

  test "on_error: works in the module form as in a class, and so do paces" do
    failing = [Row.new(1), Row.new(3), Row.new(4)]
    assert_equal [1, 4], Host.ndjson(failing, on_error: :skip).lines.map { |line| line[/\d/].to_i }
    error = assert_raises(ArgumentError) { Host.ndjson(failing, into: @sink = []) }
    assert_match(/\A\$\[1\]/, ToJson.location(error))
    assert_equal 1, @sink.join.lines.size
    assert_equal 2, Host.ndjson(rows(2), into: [], flush: :record).size
  end

  test "what a module form's serialize would refuse, and unknown words, are refused when the " \
       "body is made" do
    assert_raises(ArgumentError) { Host.stream }
    assert_raises(ArgumentError) { Host.stream(rows(1), 2, format: :ndjson) }
    assert_match(/unknown keyword "?:?nota/,
                 assert_raises(ArgumentError) do
                   Host.stream(rows(1), nota: 1, format: :ndjson)
                 end.message)
    assert_raises(ArgumentError) { Host.stream(rows(1), into: []) }
    assert_raises(ArgumentError) { Host.ndjson(rows(1), only: :id) }
    assert_match(/ndjson takes no block/,
                 assert_raises(ArgumentError) { Host.ndjson(rows(1)) { flunk } }.message)
    assert_raises(ToJson::UnsupportedTypeError) { Host.ndjson(Row.new(1)) }
  end

  test "methods of the class's own win" do
    assert_equal :mine, Class.new { include ToJson::Serialize; def self.stream = :mine }.stream
  end

  class Seen < ToJson::Serializer
    def serialize(_) = value(context[:by])
  end

  def helper(n) = n * 10

  test "the block form writes records beside what surrounds it" do
    @seen = []
    local = "l"
    text = ToJson::Serializer.ndjson([1, 2]) do |n|
      @seen << n; put local, helper(n); put(:in) { put :n, n }
    end
    assert_equal "{\"l\":10,\"in\":{\"n\":1}}\n{\"l\":20,\"in\":{\"n\":2}}\n", text
    assert_equal [1, 2], @seen
    @count = 0
    ToJson::Serializer.ndjson([5, 6]) { |n| @count += n; put :n, n }
    assert_equal 11, @count, "what it assigns comes back"
    assert_equal "\u001E[1]\n", ToJson::Serializer.json_seq([1]) { |n| array n }
    assert_equal "{}\n", ToJson::Serializer.ndjson([1]) { nil }
  end

  test "the block form takes what json! of a block takes" do
    assert_equal "{\"n\":3}\n", ToJson::Serializer.ndjson([1], 2) { |n, m| put :n, n + m }
    assert_equal "{\"n\":3}\n", ToJson::Serializer.ndjson([1], by: 2) { |n, by:| put :n, n + by }
    assert_equal "{\"s\":[7],\"c\":2}\n", ToJson::Serializer.ndjson([[7]], context: { by: 2 }) {
      put :s, scope; put :c, Seen.new(1)
    }
    assert_equal "{\"t\":5}\n",
                 ToJson::Serializer.ndjson([Time.at(5)], rules: { time: :unix }) { |t|
      put :t, t
    }
    assert_equal 2, ToJson::Serializer.ndjson([1, 2], into: [], flush: :record) { |n|
      put :n, n
    }.size
    assert_equal "{\"n\":2}\n", ToJson::Serializer.ndjson([0, 1], on_error: :skip) { |n|
      put :n, 2 / n
    }
    assert_raises(ArgumentError) { ToJson::Serializer.ndjson([1], only: :id) { flunk } }
    assert_raises(ToJson::UnsupportedTypeError) { ToJson::Serializer.ndjson(1) { flunk } }
  end

  test "break, return, throw and errors leave the block form as they leave json!" do
    assert_equal :out, ToJson::Serializer.ndjson([1, 2]) { |n| put :n, n; break :out }
    returned = -> { ToJson::Serializer.ndjson([1]) { return :returned } }
    assert_equal :returned, returned.call
    assert_equal 4, catch(:t) { ToJson::Serializer.ndjson([1]) { throw :t, 4 } }
    assert_equal "{\"n\":1}\n{}\n", ToJson::Serializer.ndjson([1, 2]) { |n|
      next if n == 2; put :n, n
    }
    error = assert_raises(ToJson::GrammarError) do
      ToJson::Serializer.ndjson([1, 2], into: @sink = []) { |n| put :n, n; open :x if n == 2 }
    end
    assert_equal ["$[1]", ["{\"n\":1}\n"]], [error.path[0, 4], @sink]
    @kept = 1
    assert_raises(IOError) { ToJson::Serializer.ndjson([1]) { @kept = 2; raise IOError } }
    assert_equal 2, @kept
  end

  test "a body of the block form runs when it is read" do
    ran = 0
    body = ToJson::Serializer.stream([1, 2], format: :ndjson) { |n| ran += 1; put :n, helper(n) }
    assert_equal 0, ran
    assert_equal ["{\"n\":10}\n{\"n\":20}\n"], chunks(body)
    assert_equal 2, ran
  end

  test "the base class without a block has no records" do
    %i[ndjson json_seq].each do |name|
      message = "ToJson::Serializer.#{name} needs a block, or a subclass with serialize."
      assert_equal message, assert_raises(ToJson::Error) {
        ToJson::Serializer.public_send(name, [1])
      }.message
      assert_equal message, assert_raises(ToJson::Error) {
        ToJson::Serializer.stream([1], format: name)
      }.message
    end
  end

  test "a Coder delivers in chunks and as records end" do
    coder = ToJson::Coder.new { |value| value.class.name }
    assert_operator coder.dump([1, 2, [3, 4]], into: sink = [], chunk: 1).size, :>=, 5
    assert_equal "[1,2,[3,4]]", sink.join
    assert_operator coder.dump([Object.new, 2, 3], [], flush: :record).size, :>=, 3
    assert_equal '["Object"]', coder.dump([Object.new], into: [], flush: 0).join
    assert_match(/chunk: takes how many bytes/,
                 assert_raises(ArgumentError) { coder.dump([1], [], chunk: false) }.message)
    assert_match(/is about delivery/,
                 assert_raises(ArgumentError) { coder.dump([1], chunk: 10) }.message)
    assert_equal "[1]", coder.dump([1], chunk: nil, flush: nil)
  end
end
