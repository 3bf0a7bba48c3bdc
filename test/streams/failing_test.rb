# frozen_string_literal: true

# Records that fail, Sinks that fail, and what was sent then.

require_relative "stream_case"

class FailingRecordsTest < StreamCase
  Boom = Class.new(StandardError)

  class Part
    attr_reader :name

    def initialize(name, &bang)
      @name = name
      @bang = bang
    end

    def size = @bang ? @bang.call : 1
  end

  class PartSerializer < ToJson::Serializer
    attributes :name, :size
    has_many(:parts) { attributes :name, :size }
  end

  # The same by hand.
  class PartWords < ToJson::Serializer
    def serialize(whole)
      put :name, whole.name
      put(:parts, whole.parts) { |part| put_fields part, :name, :size }
    end
  end

  class Whole < Part
    attr_reader :parts

    def initialize(name, parts)
      super(name)
      @parts = parts
    end
  end

  # `count` records of which those at `bad` raise what `bang` raises, within their last part.
  def wholes(count, bad = [], text = "x", &bang)
    bang ||= -> { raise Boom, "no size" }
    Array.new(count) do |n|
      Whole.new("#{text}#{n}", [Part.new("a"), Part.new("b", &(bang if bad.include?(n)))])
    end
  end

  def lines_of(serializer, records) = records.map { |record| "#{serializer.json!(record)}\n" }

  # {how many records are given => them as something to read}
  SOURCES = { "an Array" => ->(all) { all }, "an Enumerator" => ->(all) { all.each },
              "a lazy one" => ->(all) { all.lazy.map { |one| one } } }.freeze

  # put_fields reads all of its few fields before it writes one.
  { PartSerializer => ".parts[1].size", PartWords => ".parts[1]" }.each do |serializer, path|
    SOURCES.each do |what, source|
      name = "#{serializer.name[/\w+\z/]}, #{what}"

      test "#{name}: a record that fails aborts with its index and path; the whole ones before " \
           "it are delivered" do
        [[3, [1]], [2_000, [1_500]], [5, [0]]].each do |count, bad|
          with_each_size([USUAL_SIZES, [16, 16]]) do |how|
            pieces = []
            error = assert_raises(Boom) do
              serializer.ndjson(source.call(wholes(count, bad)), into: pieces)
            end
            assert_equal "$[#{bad[0]}]#{path}", ToJson.location(error), how
            assert_equal lines_of(serializer, wholes(bad[0])).join, pieces.join, how
          end
          string = +"before"
          assert_raises(Boom) { serializer.ndjson(source.call(wholes(count, bad)), into: string) }
          assert_equal "before", string
          assert_raises(Boom) { serializer.ndjson(source.call(wholes(count, bad))) }
        end
      end

      test "#{name}: on_error: :skip leaves out what fails, however much of it was written" do
        with_each_size do |how|
          expected = lines_of(serializer, wholes(6).values_at(1, 2, 4)).join
          assert_equal expected,
                       serializer.ndjson(source.call(wholes(6, [0, 3, 5])), on_error: :skip,
                                         into: []).join, how
          assert_equal expected,
                       serializer.ndjson(source.call(wholes(6, [0, 3, 5])), on_error: :skip), how
        end
      end

      test "#{name}: a callable gets error, record and index, and its answer stands for the " \
           "record" do
        all = wholes(4, [1, 3])
        calls = []
        policy = lambda do |error, record, index|
          calls << [error.class, ToJson.location(error), record, index]
          index == 1 ? { error: error.message, record: index } : nil
        end
        with_each_size do |how|
          calls.clear
          pieces = serializer.ndjson(source.call(all), on_error: policy, into: [])
          first, third = lines_of(serializer, wholes(3).values_at(0, 2))
          assert_equal "#{first}{\"error\":\"no size\",\"record\":1}\n#{third}", pieces.join, how
          assert_equal [[Boom, "$[1]#{path}", all[1], 1], [Boom, "$[3]#{path}", all[3], 3]], calls
        end
      end
    end
  end

  test "an error line may be any value; one that fails itself aborts with the record's index" do
    answers = ["text", 7, [1], { a: nil }, ToJson::Fragment.new("[1,\n2]"), ToJson::Serializer.new,
               Float::NAN]
    policy = ->(_, _, index) { answers[index] }
    pieces = []
    error = assert_raises(ToJson::Error) do
      ToJson.ndjson([Float::NAN] * 7, on_error: policy, into: pieces)
    end
    assert_equal "$[5]", ToJson.location(error)
    assert_equal "\"text\"\n7\n[1]\n{\"a\":null}\n[1, 2]\n", pieces.join
    answers.delete_at(5)
    assert_equal "$[5]",
                 ToJson
                   .location(
                     assert_raises(ToJson::NumberError) do
                       ToJson.ndjson([Float::NAN] * 6, on_error: policy)
                     end
                   )
  end

  test "what a policy raises aborts, and what it throws passes through" do
    assert_raises(Boom) { ToJson.ndjson([Float::NAN], on_error: ->(*) { raise Boom }) }
    pieces = []
    assert_equal 5, catch(:out) {
      ToJson.ndjson([1, Float::NAN], on_error: ->(*) { throw :out, 5 }, into: pieces)
    }
    assert_equal "[1]", ToJson.generate([1])
  end

  test "in a sequence what fails leaves no separator behind" do
    assert_equal "\x1E1\n\x1E3\n", ToJson.json_seq([1, Float::NAN, 3], on_error: :skip)
    assert_equal "\x1E1\n\x1E\"no\"\n", ToJson.json_seq([1, Float::NAN], on_error: ->(*) { "no" })
    pieces = []
    assert_raises(ToJson::NumberError) { ToJson.json_seq([1, Float::NAN], into: pieces) }
    assert_equal ["\x1E1\n"], pieces
  end

  test "the error that is being rescued around a stream is the same after a record that was " \
       "skipped" do
    raise Boom
  rescue Boom => outer
    assert_equal "1\n", ToJson.ndjson([Float::NAN, 1], on_error: :skip)
    assert_same outer, $!
  end

  test "what is no record's own error is let out, whatever on_error: says" do
    never = ->(*) { flunk "asked about it" }
    source = Enumerator.new { |y| y << 1; y << 2; raise Boom }
    pieces = []
    error = assert_raises(Boom) { ToJson.ndjson(source, on_error: never, into: pieces) }
    assert_equal "$[2]", ToJson.location(error)
    assert_equal "1\n2\n", pieces.join
    [Interrupt, NotImplementedError, SystemExit, NoMemoryError].each do |type|
      assert_raises(type) { PartSerializer.ndjson(wholes(2, [1]) { raise type }, on_error: never) }
    end
    assert_equal 9, catch(:out) {
      PartSerializer.ndjson(wholes(2, [1]) { throw :out, 9 }, on_error: never)
    }
    assert_raises(Errno::EPIPE) do
      ToJson.ndjson(["a" * 50_000] * 10, on_error: never, into: Connection.new(fails_at: 1))
    end
    assert_raises(Errno::EPIPE) do
      ToJson.ndjson([["a" * 200_000] * 2] * 3, on_error: never, into: Connection.new(fails_at: 1))
    end
    Thread.new do
      PartSerializer.ndjson(wholes(2, [1]) { Thread.current.kill }, on_error: never)
    end.join
    assert_equal "[1]", ToJson.generate([1])
  end

  test "a Sink that fails once gets nothing more, and has whole records" do
    (0..6).each do |at|
      sink = Connection.new(fails_at: at)
      error = assert_raises(Errno::EPIPE) do
        RowSerializer.ndjson(rows(500, "a" * 1_000), into: sink)
      end
      assert_match(/\A\$\[\d+\]/, ToJson.location(error))
      assert_equal at, sink.pieces.size
      assert sink.pieces.all? { |piece| piece.end_with?("}\n") && piece.start_with?("{\"id\"") }
      assert RowSerializer.ndjson(rows(500, "a" * 1_000)).start_with?(sink.text)
    end
  end

  test "a large record is never sent in part: not behind an error in it, a throw, a kill" do
    { "raise" => -> { raise Boom }, "throw" => -> { throw :out },
      "kill" => -> { Thread.current.kill } }.each do |what, bang|
      parts = Array.new(300) { |n| Part.new("a" * 1_000, &(bang if n == 299)) }
      pieces = []
      Thread.new do
        catch(:out) do
          PartSerializer.ndjson([*wholes(2), Whole.new("large", parts)], into: pieces) rescue nil
        end
      end.join
      assert_equal lines_of(PartSerializer, wholes(2)).join, pieces.join, what
    end
  end

  test "errors that a collection's each rescues leave no part of their record" do
    rescuing = Class.new do
      include Enumerable
      def initialize(all) = @all = all
      def each = @all.each { |one| yield one rescue nil }
    end
    with_each_size do |how|
      assert_equal "1\n3\n",
                   ToJson.ndjson(rescuing.new([1, [2, Float::NAN], 3, { a: [Float::NAN] }]),
                                 into: []).join, how
    end
  end

  test "contexts of associations of failed records are given up" do
    inner = Class.new(ToJson::Serializer) { attribute(:n) { |part| part.size + context[:n] } }
    outer = Class.new(ToJson::Serializer) do
      has_one :itself, serializer: inner, context: ->(_) { { n: 1 } }
    end
    all = Array.new(3_000) { |n| Part.new("p", &(-> { raise Boom } if n.odd?)) }
    before = ObjectSpace.each_object(inner).count
    policy = ->(_, _, index) do
      index == 2_999 ? ObjectSpace.each_object(inner).count - before : nil
    end
    GC.disable
    last = outer.ndjson(all, on_error: policy).lines.last
    assert_operator Integer(last), :<=, 3_001
  ensure
    GC.enable
  end
end
