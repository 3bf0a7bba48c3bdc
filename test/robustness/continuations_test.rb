# frozen_string_literal: true

require "test_helper"
require_relative "../support/own_process"

# A Continuation (`callcc`) comes back to a call that had returned. What that call has kept, such as
# how many bytes it delivers, or the level in which it writes, belongs to a document that has ended,
# while its Writer is at work for another one. So it raises; each of these ended the process.
class ContinuationsTest < ToJsonTest
  # `first` prints how the call ended that takes the Continuation, and ends the process when it
  # ends for the second time.
  PRELUDE = <<~RUBY
    require "continuation"
    NUMBERS = Array.new(2000) { |at| at }
    class Sink
      def initialize(&on) = @on = on
      def write(text) = @on.call && text.bytesize
    end
    class Value
      def initialize(&on) = @on = on
      def to_json(*) = @on.call.to_s
    end
    def take = callcc { |again| $again ||= again } && 1
    def come_back = $again.call(true)
    def first
      yield
      print "returned "
    rescue ToJson::Error => error
      print error.class, " "
    ensure
      exit if ($ends = $ends.to_i + 1) > 1
    end
    at_exit { print ToJson.generate(NUMBERS, into: [], chunk: 64).join.bytesize }
  RUBY

  { "write of a Sink" => <<~RUBY, "a value of ndjson" => <<~LINES, "write_to" => <<~BUFFER,
    first { ToJson.generate(NUMBERS, into: Sink.new { take }, chunk: 4000) }
    ToJson.generate(NUMBERS, into: Sink.new { come_back }, chunk: 64)
  RUBY
    first { ToJson.ndjson([*NUMBERS, Value.new { take }]) }
    ToJson.ndjson([Value.new { come_back }])
  LINES
    buffer = ToJson::Buffer.new << "x" * 300_000
    first { buffer.write_to(Sink.new { take }) }
    buffer.clear.shrink
    come_back
  BUFFER
    "a value deep in Arrays" => <<~DEEP }
    deep = Array.new(40).inject(Value.new { take }) { |at, _| [at, Value.new { 3 }] }
    first { ToJson.generate(deep) }
    ToJson.generate([Value.new { come_back }])
  DEEP
    .each do |what, code|
    test "a Continuation that comes back to #{what} raises" do
      assert_equal "returned ToJson::GrammarError 8891", OwnProcess.run(PRELUDE + code)
    end
  end
end
