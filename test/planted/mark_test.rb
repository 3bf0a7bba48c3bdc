# frozen_string_literal: true

require "test_helper"

# The build TO_JSON_BUILD=plant-mark forgets to mark the hidden String in which a document of more
# than 64 KiB grows: a collection in mid-document must meet it here. On every other build these
# pass.
class PlantedMarkTest < ToJsonTest
  LINE = "x" * 1000
  # what was planted need not show at the first
  TIMES = ENV["TO_JSON_NATIVE"].to_s.include?("/plant-") ? 8 : 1

  # Collects, and fills what was freed with something else.
  def collect
    GC.start
    @heap = Array.new(40) { |i| "z" * (130_000 + i) }
  end

  def long_document(rounds)
    ToJson.json do |j|
      j.array do
        rounds.times do |i|
          100.times { j.value LINE }
          collect
          j.value i
        end
      end
    end
  end

  test "a long document survives collections while it is written" do
    due = "[#{Array.new(4) { |i| (["\"#{LINE}\""] * 100 + [i]).join(",") }.join(",")}]"
    TIMES.times do
      assert_operator due, :==, long_document(4),
                      "the storage of a document was collected while it was written"
    end
  end

  test "a long document survives a collection just before it ends" do
    TIMES.times do
      json = ToJson.json do |j|
        j.put :long, LINE * 200
        collect
        j.put :last, 1
      end
      assert_operator "{\"long\":\"#{LINE * 200}\",\"last\":1}", :==, json
    end
  end
end
