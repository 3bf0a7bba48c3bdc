# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/own_process"

# Where an error happened is kept under Thread.handle_interrupt. What fails there does not take the
# place of the user's exception.
class LocationFailsTest < ToJsonTest
  # Each in a process of its own, since it changes Thread.
  def outcomes(handle_interrupt)
    OwnProcess.run(<<~RUBY).lines(chomp: true)
      ToJson.eager_load! # else files are loaded under handle_interrupt
      Row = Struct.new(:id) { def id = raise(IndexError, "mine") }
      class Declared < ToJson::Serializer
        attributes :id
      end
      class Imperative < ToJson::Serializer
        def serialize(row) = put(:id, row.id)
      end
      Thread.singleton_class.prepend(Module.new { def handle_interrupt(*) = #{handle_interrupt} })
      row = Row.new(1)
      [-> { Declared.json!(row) }, -> { Declared.json!([row, row]) }, -> { Imperative.json!(row) },
       -> { Imperative.new.json!(row) }, -> { ToJson.json { |j| j.put(:a) { j.put :id, row.id } } },
       -> { Declared.json!(row, into: +"") }].each do |call|
        2.times do
          call.call
        rescue SystemStackError, NoMemoryError, StandardError => error
          puts error.message
        end
      end
      abort "busy" unless Imperative.json!(Struct.new(:id).new(2)) == '{"id":2}'
    RUBY
  end

  [SystemStackError, NoMemoryError].each do |error|
    test "the user's exception goes on where handle_interrupt itself raises #{error}" do
      assert_equal ["mine"], outcomes("raise(#{error}, 'its own')").uniq
    end

    test "#{error} that another thread raised meanwhile, and handle_interrupt delivers, goes on" do
      assert_equal ["theirs"], outcomes("(yield; raise(#{error}, 'theirs'))").uniq
    end
  end

  test "what a hook raises before handle_interrupt has begun goes on" do
    assert_equal ["theirs"], outcomes("raise(ArgumentError, 'theirs')").uniq
  end
end
