# frozen_string_literal: true

require_relative "../test_helper"

# docs/internals/limits.md lists limits with their values. The code has the same values.
class LimitsTest < ToJsonTest
  ROWS = Project.read("docs/internals/limits.md").lines(chomp: true).grep(/^\| .*\d/).freeze
  ROW = %r{\A\| [^|]+ \| (\d+) \| `([@\w]+)` in `([\w/.]+)` \| [^|]+ \|\z}

  # The value of a constant in a source text, or nil if it is not there.
  def value(source, constant)
    name = constant == "DEFAULTS" ? /.*\bmax_depth:/ : /(?:#define |\w+ |) *#{constant}(?: =)?/
    source[/^#{name} (?:\(\(size_t\))?(\d[\d_]*(?: \* \d+)?)/, 1]
      &.split(" * ")&.inject(1) { |product, factor| product * factor.delete("_").to_i }
  end

  test "the page has a row for each limit, of one form" do
    assert_operator(ROWS.size, :>=, 40)
    assert_empty(ROWS.grep_v(ROW))
  end

  ROWS.each do |row|
    limit, constant, file = row.match(ROW)&.captures
    test "the limit #{constant} of #{file} is #{limit}" do
      path = "#{file.end_with?(".rb") ? "lib" : "ext"}/to_json/#{file}"
      assert_equal(limit.to_i, value(Project.read(path), constant))
    end
  end

  test "a value is found in each form that the code has, and nothing else is one" do
    { "#define A 48\n" => 48, "#define A 48 /* bytes */" => 48, "    A = 1_000\n" => 1000,
      "#define A ((size_t)64 * 1024)\n" => 65_536, "uint32_t A = 100;" => 100,
      "#define AB 1\n" => nil, "x < A + 1" => nil }.each do |source, expected|
      assert_equal([source, expected], [source, value(source, "A")])
    end
  end
end
