# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../robustness/user_code_points"
require "fuzz/scripts/target"

# Random DSL scripts, and the document left from every point where user code runs, small enough for
# a collection at every allocation. Everything that need not be stressed (the model, the compiled
# script) is made before.
class StressScriptsTest < ToJsonTest
  Boom = Class.new(StandardError)

  # The first scripts of a fixed seed that are neither trivial nor long: [script, lambda, text or
  # nil].
  SCRIPTS = (0..).lazy.map { |index| Fuzz::ScriptsTarget.new.generate(Fuzz::Dice.new(11, index)) }
                 .select do |script|
                   script.body.lines.size.between?(6, 16) && !script.body.include?("Fiber")
                 end
                 .first(16).map do |script|
    text = begin
      Fuzz::Text.of(Fuzz::Model.new(max_depth: script.max_depth).document(script.steps))
    rescue Fuzz::Refused
      nil
    end
    [script, eval(script.body), text] # rubocop:disable Security/Eval
  end.freeze

  SCRIPTS.each_with_index do |(script, body, text), index|
    test "random script #{index} gives #{text ? "its document" : "an error"} under a busy " \
         "collector" do
      if text then assert_equal text, script.run(body, nil), script.body
      else assert_raises(StandardError) { script.run(body, nil) }
      end
    end
  end

  Points::ALL.each do |name, point|
    next if name.include?("Sink") # long documents: documents_test.rb

    test "raise out of #{name} under a busy collector" do
      assert_raises(Boom) { point.call(-> { raise Boom }) }
    end
  end

  test "after all of them the next document is right" do
    Points::ALL.each_value { |point| catch(:out) { point.call(-> { throw :out }) } }
    assert Points.sound?
  end

  test "a field list becomes a compiled reader and is used under a busy collector" do
    record = Points::Record.new(-> { +"name" })
    4.times do
      assert_equal '{"id":1,"called":"name","last":3}', ToJson.json { |j|
        j.put_fields record, :id, %i[name called], :last
      }
    end
  end

  test "a Writer's Fiber is dropped in mid-document under a busy collector" do
    3.times do
      Fiber.new { Points::ALL.fetch("a block for each of many").call(-> { Fiber.yield }) }.resume
    end
    assert_equal "[1]", ToJson.generate([1])
  end
end
