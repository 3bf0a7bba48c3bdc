# frozen_string_literal: true

require "test_helper"
require "support/ways_out"

# What was delivered cannot be taken back: then the Writer is poisoned until the document ends, and
# says so.
class PoisonTest < ToJsonTest
  MESSAGE = "an earlier error could not be undone, because its bytes had been delivered. " \
            "Let errors leave json! when streaming, or rescue before writing."

  # Writes into `sink` with a chunk of one byte; a call that was delivered fails and is rescued,
  # then `after` runs.
  def poisoned(sink, leave: -> { raise IndexError, "mine" }, &after)
    with_each_size([[1, 1]]) do
      ToJson.json(into: sink) do |j|
        j.put :a, 1
        begin
          catch(:t) { j.put(:k) { j.put :b, "delivered"; j.put :c, 1; leave.call } }
        rescue IndexError
          nil
        end
        after&.call(j)
      end
    end
  end

  WORDS = {
    "put" =>
      ->(j) { j.put :z, 1 }, "put with a block" => ->(j) { j.put(:z) { flunk } },
      "value" => ->(j) { j.value 1 },
    "array" =>
      ->(j) { j.array }, "open" => ->(j) { j.open }, "open_array" => ->(j) { j.open_array },
      "close" => ->(j) { j.close },
    "put_field" => ->(j) { j.put_field({ a: 1 }, :a) }, "put_fields" => ->(j) do
      j.put_fields({ a: 1 }, :a)
    end
  }.freeze

  WORDS.each do |word, call|
    test "#{word} after a rescue of what was delivered raises PoisonedError" do
      sink = StringIO.new
      error = assert_raises(ToJson::PoisonedError) { poisoned(sink, &call) }
      assert_equal "#{error.path}: #{MESSAGE}", error.message
      assert_raises(ToJson::FragmentError) { ToJson::Fragment.new(sink.string) }
    end
  end

  test "a document that ends after such a rescue raises PoisonedError too" do
    sink = StringIO.new
    error = assert_raises(ToJson::PoisonedError) { poisoned(sink) }
    assert_includes error.message, MESSAGE
    assert_raises(ToJson::FragmentError) { ToJson::Fragment.new(sink.string) }
  end

  test "a throw that is caught in the document poisons it the same" do
    assert_raises(ToJson::PoisonedError) { poisoned(StringIO.new, leave: -> { throw :t }) }
  end

  test "a rescue of PoisonedError changes nothing: the next call raises it again, and so does " \
       "the end" do
    calls = 0
    assert_raises(ToJson::PoisonedError) do
      poisoned(StringIO.new) do |j|
        3.times { assert_raises(ToJson::PoisonedError) { j.put :z, 1 }; calls += 1 }
      end
    end
    assert_equal 3, calls
  end

  test "an exception that leaves the document keeps its class, delivered or not" do
    [[1, 1], [4096, 65_536]].each do |sizes|
      with_each_size([sizes]) do
        error = assert_raises(IndexError) do
          ToJson.json(into: StringIO.new) do |j|
            j.put(:k) { j.put :b, "delivered"; raise IndexError }
          end
        end
        assert_equal "$.k", ToJson.location(error)
      end
    end
  end

  test "what was delivered is no more than what stood there before the error, and no text that " \
       "parses" do
    sink = StringIO.new
    assert_raises(ToJson::PoisonedError) { poisoned(sink) { |j| j.put :z, 1 } }
    assert_operator '{"a":1,"k":{"b":"delivered","c":1', :start_with?, sink.string
  end

  test "the Writer is clean afterwards, for Strings and for IO" do
    3.times do
      assert_raises(ToJson::PoisonedError) { poisoned(StringIO.new) }
      assert_equal '{"a":{"b":[1]}}', ToJson.json { |j| j.put(:a) { j.put :b, [1] } }
      assert_equal '{"a":{"b":[1]}}', ToJson.json(into: StringIO.new) { |j|
        j.put(:a) { j.put :b, [1] }
      }.string
    end
  end

  test "a serializer in place that was delivered and failed poisons the document around it" do
    inner = Class.new(ToJson::Serializer) do
      def serialize = (put :x, "delivered"; put :y, 1; raise IndexError)
    end
    with_each_size([[1, 1]]) do
      assert_raises(ToJson::PoisonedError) do
        ToJson.json(into: StringIO.new) do |j|
          j.put :in, inner.new
        rescue IndexError
          j.put :z, 1
        end
      end
    end
  end

  test "an error before any of its bytes was delivered is taken back into an IO as well" do
    sink = StringIO.new
    ToJson.json(into: sink) do |j|
      j.put :long, "x" * 200_000
      assert_raises(IndexError) { j.put(:k) { j.put :b, 1; raise IndexError } }
      j.put :z, 1
    end
    assert_equal %({"long":"#{"x" * 200_000}","z":1}), sink.string
  end

  test "a call of more than a chunk that fails poisons a document into an IO, and none into a " \
       "String" do
    script = lambda do |j|
      j.put :a, 1
      assert_raises(IndexError) do
        j.put(:k) { j.put :long, "x" * 100_000; j.put :more, "y" * 100_000; raise IndexError }
      end
      j.put :z, 1
    end
    assert_raises(ToJson::PoisonedError) { ToJson.json(into: StringIO.new, &script) }
    assert_equal '{"a":1,"z":1}', ToJson.json(&script)
    assert_equal 'before{"a":1,"z":1}', ToJson.json(into: +"before", &script)
  end

  test "break, next and return are no errors: nothing is taken back and nothing poisoned" do
    with_each_size([[1, 1]]) do
      assert_equal '{"k":{"b":1},"z":1}', ToJson.json(into: StringIO.new) { |j|
        j.put(:k) { j.put :b, 1; break }; j.put :z, 1
      }.string
    end
  end
end
