# frozen_string_literal: true

require_relative "../test_helper"

# ToJson::Part::TABLE is ext/to_json/plans/ops.h as Ruby sees it.
class OpsTest < ToJsonTest
  TABLE = ToJson::Part::TABLE
  PAGE = Project.read("docs/internals/plans.md")
  LAYOUT = ToJson::Compiler::PartLayout

  # The rows of the table in the page under a heading, without the heading itself.
  def page_rows(heading)
    table = PAGE[/^\| #{heading} \|.*\n\|[-|]+\n((?:\|.*\n)+)/,
                 1] or flunk("no table of #{heading}")
    table.lines.to_h { |line| line.strip.delete_prefix("| ").delete_suffix(" |").split(" | ", 2) }
  end

  { ops: "op", flags: "flag" }.each do |name, heading|
    test "the page has a row for each of the #{name}, with the table's words" do
      expected = TABLE[name].to_h { |row, entry| ["`#{row}`", entry[:means]] }
      assert_equal(expected, page_rows(heading))
    end
  end

  test "ops are numbered one after the other, flags are one bit each" do
    assert_equal([*0...TABLE[:ops].size], TABLE[:ops].values.map { |row| row[:number] })
    [TABLE[:flags].values.map { |row| row[:number] }, TABLE[:part_flags].values].each do |bits|
      assert_equal(Array.new(bits.size) { |place| 1 << place }, bits)
    end
    assert_equal([*1..TABLE[:as].size], TABLE[:as].values)
  end

  test "each kind of as: has a conversion, and a row in docs/serializers.md" do
    options = Project.read("docs/serializers.md")
    TABLE[:as].each_key do |kind|
      assert_respond_to(ToJson::Conversion, kind)
      assert_includes(options, "`:#{kind}`")
    end
  end

  # What a Part of these ops would write: [kind, text].
  def part(*ops, flags: 3)
    ToJson::Part.new(flags,
                     ops.map do |kind, text, number|
                       LAYOUT::Op.new(LAYOUT::KINDS.fetch(kind), text, text, :a, 0,
                                      number || 0).to_a
                     end)
  end

  WRONG = {
    "an end without an object" => [[:end, "}"]],
    "an object without an end" => [[:open, '"a":'], [:value, '"b":']],
    "out of bounds" => [[:value, '"a":', 1 << TABLE[:flags].size]],
    "too many objects" => [[:open, '"a":']] * 300
  }.freeze
  WRONG.each do |message, ops|
    test "no Part is made of ops with #{message}" do
      assert_match(/#{message}/, assert_raises(ArgumentError) { part(*ops) }.message)
    end
  end

  test "a Part counts the values that its call takes" do
    assert_equal(3, part([:open, '"a":'], [:value, '"b":'], [:end, "}"], [:value, ',"c":']).size)
  end
end
