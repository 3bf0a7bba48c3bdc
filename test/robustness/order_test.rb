# frozen_string_literal: true

require "test_helper"
require "fuzz/scripts/target"

# Every short sequence of words, legal or not, against the model: the same document or the same
# named error.
class OrderOfCallsTest < ToJsonTest
  # The word on paper, and the call itself.
  WORDS = {
    "put" => [Fuzz::Put.new(Fuzz::Plain.new(:k), value: Fuzz::Plain.new(1)), ->(j) { j.put :k, 1 }],
    "value" => [Fuzz::Value.new(nil, value: Fuzz::Plain.new(2)), ->(j) { j.value 2 }],
    "array" => [Fuzz::ArrayWord.new([]), ->(j) { j.array }],
    "open" => [Fuzz::Primitive.new("open"), ->(j) { j.open }],
    "open :o" => [Fuzz::Primitive.new("open", Fuzz::Plain.new(:o)), ->(j) { j.open :o }],
    "open_array" => [Fuzz::Primitive.new("open_array"), ->(j) { j.open_array }],
    "close" => [Fuzz::Primitive.new("close"), ->(j) { j.close }]
  }.freeze

  # Words with a block around a sequence.
  BLOCKS = {
    "put :b do" =>
      [->(block) { Fuzz::Put.new(Fuzz::Plain.new(:b), block: block) },
       ->(j, inner) { j.put(:b, &inner) }],
    "value do" =>
      [->(block) { Fuzz::Value.new(nil, block: block) }, ->(j, inner) { j.value(&inner) }],
    "array do" =>
      [->(block) { Fuzz::ArrayWord.new([], block: block) }, ->(j, inner) { j.array(&inner) }],
    "array 1, 2 do" =>
      [->(block) { Fuzz::ArrayWord.new([Fuzz::Plain.new(1), Fuzz::Plain.new(2)], block: block) },
       ->(j, inner) { j.array(1, 2, &inner) }]
  }.freeze

  # All sequences of up to `length` words, the empty one too.
  def self.sequences(length)
    (0..length).flat_map { |size| WORDS.keys.repeated_permutation(size).to_a }
  end

  test "every sequence of up to five words gives the model's document or its error" do
    documents = check(self.class.sequences(5)) do |names|
      [names.map { |name| WORDS[name][0] }, ->(j) { names.each { |name| WORDS[name][1].call(j) } }]
    end
    assert_equal 1 + 7 + 7**2 + 7**3 + 7**4 + 7**5, documents
  end

  test "every sequence of up to three words inside every block, and one word behind it" do
    cases = BLOCKS.keys.product([nil, *WORDS.keys]).flat_map do |block, last|
      self.class.sequences(3).map { |names| [block, names, last] }
    end
    documents = check(cases) do |block, names, last|
      inner = ->(j) { names.each { |name| WORDS[name][1].call(j) } }
      steps = [BLOCKS[block][0].call(Fuzz::Block.new(1, 0, names.map { |name| WORDS[name][0] })),
               *(WORDS[last][0] if last)]
      [steps, lambda { |j|
        BLOCKS[block][1].call(j, proc { inner.call(j) })
        WORDS[last][1].call(j) if last
      }]
    end
    assert_equal 4 * 8 * 400, documents
  end

  test "the same with each failure rescued where it happens: the document goes on" do
    documents = check(self.class.sequences(4)) do |names|
      [names.map { |name| Fuzz::Rescue.new([WORDS[name][0]]) }, lambda { |j|
        names.each do |name|
          WORDS[name][1].call(j)
        rescue ToJson::GrammarError
          nil
        end
      }]
    end
    assert_equal 1 + 7 + 7**2 + 7**3 + 7**4, documents
  end

  private

  def check(cases)
    count = 0
    cases.each do |one|
      steps, script = yield(one)
      due, refused = modelled(steps)
      results(script).each { |way, result| compare("#{one.inspect}, #{way}", due, refused, result) }
      count += 1
    end
    count
  end

  def modelled(steps)
    [Fuzz::Text.of(Fuzz::Model.new.document(steps)), nil]
  rescue Fuzz::Refused => refused
    [nil, refused.names]
  end

  def results(script)
    { "String" => Fuzz::WaysOut.plain { ToJson.json { |j| script.call(j) } },
      "one byte a time" => Fuzz::WaysOut.one_byte do |io|
        ToJson.json(into: io) { |j| script.call(j) }
      end }
  end

  def compare(name, due, refused, result)
    if refused
      unless refused.include?(result.error.class.name&.delete_prefix("ToJson::"))
        flunk "#{name}: #{refused} is due, got #{result}"
      end
      flunk "#{name}: no path in #{result.error.message}" unless result.error.path&.start_with?("$")
      if result.partial && Fuzz::Text.parsed(result.partial) != :invalid
        flunk "#{name}: part of it parses: #{result.partial}"
      end
    elsif result.text != due then flunk "#{name}: due #{due}, got #{result}"
    end
    self.assertions += 1
  end
end
