# frozen_string_literal: true

# While the place of an exception is being found, a kill, a throw or an interrupt may come. It goes
# on its way then,
# and the exception does not take its place. Before the fix the thread went on as if nothing had
# happened.

require_relative "../test_helper"

class StoppedPlaceTest < ToJsonTest
  class Boom < StandardError
    attr_writer :code

    def backtrace_locations = @code&.call # the place of a declared field is read from it
  end

  class Interrupting < StandardError; end

  class ValueSerializer < ToJson::Serializer
    attribute(:value) { |code| raise Boom.new.tap { |boom| boom.code = code } }
  end

  # Where the exception leaves from; all but the last rescue it.
  DOCUMENTS = {
    "a record with on_error:" => ->(code) { ValueSerializer.ndjson([code], on_error: :skip) },
    "a block of the DSL" =>
      ->(code) { ToJson.json { |j| ignore { j.put(:a) { j.value ValueSerializer.new(code) } } } },
    "a document" => ->(code) { ignore { ValueSerializer.json!(code) } },
    "a document into a Buffer" =>
      ->(code) { ignore { ValueSerializer.json!(code, into: ToJson::Buffer.new) } },
    "records without on_error:" => ->(code) { ignore { ValueSerializer.ndjson([code], into: []) } }
  }.freeze

  def self.ignore
    yield
  rescue Boom
    nil
  end

  def after_it = assert_equal('{"a":1}', ToJson.json { |j| j.put :a, 1 })

  DOCUMENTS.each do |name, write|
    test "Thread#kill is not lost in #{name}" do
      thread = Thread.new { write.call(-> { Thread.current.kill }) && :went_on }
      assert_nil thread.value
      after_it
    end

    test "throw is not lost in #{name}" do
      assert_equal :thrown, catch(:out) { write.call(-> { throw :out, :thrown }) }
      after_it
    end

    test "an interrupt of another thread, even a StandardError, is not lost in #{name}" do
      assert_raises(Interrupting) do
        write
          .call(
            -> { Thread.new(Thread.current) { |waiting| waiting.raise(Interrupting) }.join && nil }
          )
      end
      after_it
    end

    # As the handler of a signal does, which handle_interrupt does not hold back.
    test "an exception that does not come again is not lost in #{name}" do
      calls = 0
      assert_raises(Interrupting) { write.call(-> { raise Interrupting if (calls += 1) == 1 }) }
      after_it
    end

    test "an exception that finding the place raises itself is overlooked in #{name}" do
      write.call(-> { raise ArgumentError, "of backtrace_locations" })
      after_it
    end
  end

  test "the place is found as before" do
    error = assert_raises(Boom) { ValueSerializer.json!([-> {}]) }
    assert_equal "$[0].value", ToJson.location(error)
  end
end
