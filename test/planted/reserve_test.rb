# frozen_string_literal: true

require "test_helper"

# The build TO_JSON_BUILD=plant-reserve believes in one byte of room that is not there: its debug
# assert must stop it here. On every other build these pass.
class PlantedReserveTest < ToJsonTest
  def teardown = ToJson::Writer.sizes(4096, 64 * 1024)

  test "every length of document around each growth of a buffer ends where the buffer does" do
    (0..300).each do |length|
      ToJson::Writer.sizes(16, 65_536)
      open, close = "[" * (length % 7), "]" * (length % 7)
      comma = "," unless open.empty?
      assert_equal "[#{open}#{close}#{comma}\"#{"x" * length}\"]",
                   ToJson.generate([*nested(length % 7), "x" * length])
    end
  end

  test "single bytes at the end of a full buffer: braces, commas and brackets of the DSL" do
    (16..80).each do |capacity|
      ToJson::Writer.sizes(capacity, 65_536)
      json = ToJson.json do |j|
        j.array { 40.times { j.put(:a) { j.array { 2.times { j.array } } } } }
      end
      assert_equal "[{#{(['"a":[[],[]]'] * 40).join(",")}}]", json
    end
  end

  private

  # [[]] for 2, nothing for 0.
  def nested(depth) = depth.zero? ? [] : [(depth - 1).times.inject([]) { |inner, _| [inner] }]
end
