# frozen_string_literal: true

require "test_helper"
require "support/own_process"

# A Writer that nobody ends: its Fiber never comes back, or an interrupt (Thread#kill, Thread#raise)
# came behind the return of the method that opened its document, before a variable had the result.
# The pool counts the documents at work, and from 65 on each new one asks for the machine stack.
class LostWritersTest < ToJsonTest
  Row = Struct.new(:id)
  TIMES = 200
  # What the conservative collector may keep, since a stale word of a stack looks like a reference.
  KEPT = 20

  class Declared < ToJson::Serializer
    attributes :id
  end

  class Imperative < ToJson::Serializer
    def serialize(row) = put(:id, row.id)
  end

  WAYS = {
    "a Fiber left for good" => lambda {
      Fiber.new { ToJson.json { |j| j.put(:a) { Fiber.yield } } }.resume
    }
  }.freeze

  # On a stack of its own, of which nothing stays. Few at once, since each Fiber has a stack.
  def lose(times, way) = times.times { Thread.new { way.call }.join }

  WAYS.each do |name, way|
    test "a Writer that is lost behind #{name} counts no more when it is collected" do
      [Declared, Imperative].each { |type| type.json!(Row.new(1)) }
      before = ToJson::Writer.at_work
      lose(TIMES, way)
      GC.start
      assert_operator ToJson::Writer.at_work, :<, before + KEPT
      assert_equal('{"id":1}', Declared.json!(Row.new(1)))
    end
  end

  test "documents within documents count, and a collection takes none of them back" do
    document = '{"at_work":1,"inner":{"at_work":2,"inner":{"at_work":3}}}'
    assert_equal "#{document} 0", OwnProcess.run(<<~RUBY)
      nested = lambda do |depth|
        ToJson.json do |j|
          GC.start if depth == 3
          j.put :at_work, ToJson::Writer.at_work
          j.put :inner, ToJson::Fragment.new(nested.call(depth + 1)) if depth < 3
        end
      end
      print nested.call(1), " ", ToJson::Writer.at_work
    RUBY
  end

  # A Ractor's pool may be freed before its Writers, or after.
  test "Writers that are lost in a Ractor may outlive its pool" do
    assert_equal "done", OwnProcess.run(<<~RUBY)
      class Lost < ToJson::Serializer
        def serialize(id) = put(:id, id)
      end
      Lost.json!(1)
      20.times do
        ractor = Ractor.new do
          40.times { Fiber.new { ToJson.json { |j| j.put(:a) { Fiber.yield } } }.resume }
          Lost.json!(1)
        end
        ractor.value
        GC.start
      end
      print "done"
    RUBY
  end
end
