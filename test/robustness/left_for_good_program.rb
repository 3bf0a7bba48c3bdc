# frozen_string_literal: true

# A program, so that it has a heap of its own: ruby left_for_good_program.rb KIND ROUNDS writes
# documents that are left for good and prints how many words later objects wrote without one.
# Writers, serializers and later objects lie apart, for pages of the heap are swept one by one.

require "to_json"

LEFT = ARGV[0] == "class" ? Class.new(ToJson::Serializer) : Class.new { include ToJson::Serialize }
LEFT.class_eval("def serialize(*) = put(:a, 1) || Fiber.yield", __FILE__, __LINE__)
NESTED = Class.new(ToJson::Serializer) do
  def serialize(depth) = depth.zero? ? put(:x, 1) : put(:x, NESTED.json!(depth - 1))
end
def spread = Array.new(2000) { Object.new }

# Eight of them; `first`: the serializers stand before the Writers.
def leave(first)
  keep = []
  early = first ? Array.new(8) { keep << spread && LEFT.new } : []
  NESTED.json!(7) # as many Writers
  keep << spread
  early.each { |one| Fiber.new { one.json!(0) }.resume }
  8.times { keep << spread && Fiber.new { LEFT.json!(0) }.resume } unless first
  nil
end

written = 0
Integer(ARGV[1]).times do |round|
  leave(round.odd?)
  GC.start(immediate_sweep: false)
  20.times do
    Array.new(1000) { LEFT.allocate }.each do |one|
      one.put(:x, 1)
      written += 1
    rescue ToJson::GrammarError
      next
    end
  end
end
puts written
