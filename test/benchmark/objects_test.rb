# frozen_string_literal: true

# The objects that a call of ours may allocate, held against what a run measured.

require_relative "../test_helper"

if Without.library?("json")
  require_relative "../../benchmark/harness/cli"

  class BenchmarkObjectsTest < ToJsonTest
    # Objects of a call, how many its contender allows, beside what is told.
    JUDGED = [[2.0, 2, nil], [2.02, 2, nil], [3.0, 2, "3.0, not 2"], [1004.0, 1000, nil], [1006.0, 1000, "1006.0, not 1000"], [9.0, nil, nil], [nil, 2, nil]].freeze

    test "more objects than a contender allows are told; what it does not say is not judged" do
      JUDGED.each do |objects, allowed, told|
        row = { "contender" => "a", "objects_allowed" => allowed, "metrics" => objects ? { "objects" => { "median" => objects } } : {} }
        results = { "scenarios" => [{ "name" => "small", "tables" => [{ "name" => "address", "setup" => "3.1.2", "rows" => [row] }] }] }
        assert_equal([*("MORE OBJECTS: small, address, Ruby 3.1.2: a: #{told}" if told)], Bench::CLI.excess(results))
      end
    end

    test "calls of ours say what they allow in most scenarios" do
      saying = Bench::Scenario.load_all(Bench::CLI::SCENARIOS).select { |scenario| scenario.tables.flat_map(&:contenders).any?(&:objects) }
      assert_operator(saying.size, :>=, 12)
    end
  end
end
