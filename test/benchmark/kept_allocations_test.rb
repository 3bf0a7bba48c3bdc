# frozen_string_literal: true

# Objects of a call that are committed, held against what a run measured.

require_relative "../test_helper"

if Without.library?("json")
  require_relative "../../benchmark/harness/definition"
  require_relative "../../benchmark/harness/kept_allocations"
  require "tmpdir"

  class BenchmarkKeptAllocationsTest < ToJsonTest
    def row(name, objects, group: "ours", at: nil)
      { "contender" => name, "group" => group, "at" => at,
        "metrics" => objects ? { "objects" => { "median" => objects } } : {} }
    end

    def results(*rows, setup: "3.1.2")
      {
        "scenarios" =>
          [{ "name" => "small",
             "tables" => [{ "name" => "address", "setup" => setup, "rows" => rows }] }]
      }
    end

    KEPT = { "3.1" => { "small, address" => { "a" => 2, "b" => 1000 } },
             "3.4 --yjit" => { "small, address" => { "a" => 1 } } }.freeze

    # Setup, contender, objects beside what is told.
    JUDGED = [["3.1.2", "a", 2.0, []], ["3.1.2", "a", 2.02, []],
              ["3.1.2", "a", 3.0,
               ["small, address, Ruby 3.1: a: 3.0 objects, 2 in benchmark/allocations.yml"]],
              ["3.1.9", "a", 2.5,
               ["small, address, Ruby 3.1: a: 2.5 objects, 2 in benchmark/allocations.yml"]],
              ["3.1.2", "b", 1004.0, []],
              ["3.4.5 --yjit", "a", 2.0,
               ["small, address, Ruby 3.4 --yjit: a: 2.0 objects, 1 in benchmark/allocations.yml"]],
              ["3.4.5", "a", 9.0, []], ["3.1.2", "new", 9.0, []], ["3.1.2", "a", nil, []]].freeze

    test "more objects than are committed for that Ruby are told; what is not committed is not " \
         "judged" do
      JUDGED.each do |setup, name, objects, told|
        assert_equal(told,
                     Bench::KeptAllocations.new(KEPT)
                       .excess(results(row(name, objects), setup: setup))
                       .map(&:to_s), [setup, name, objects].inspect)
      end
    end

    test "others than ours are not judged" do
      assert_empty(
        Bench::KeptAllocations.new(KEPT)
          .excess(results(row("a", 99.0, group: "gem"), row("a", 99.0, at: 10)))
      )
    end

    test "what is accepted takes the place of what was committed, and nothing else" do
      Dir.mktmpdir do |directory|
        path = File.join(directory, "allocations.yml")
        File.write(path, YAML.dump(KEPT))
        Bench::KeptAllocations.load(path).accept(results(row("a", 3.001), row("c", 1.5)), path)
        assert_equal({ "a" => 3, "b" => 1000, "c" => 1.5 },
                     Bench::KeptAllocations.load(path).kept["3.1"]["small, address"])
        assert_equal(KEPT["3.4 --yjit"], Bench::KeptAllocations.load(path).kept["3.4 --yjit"])
        assert_empty(Bench::KeptAllocations.load(File.join(directory, "none.yml")).kept)
      end
    end

    test "the committed figures are of contenders that exist" do
      scenarios = Bench::Scenario.load_all(File.join(Project::ROOT, "benchmark", "scenarios"))
      known = scenarios.flat_map do |scenario|
        scenario.tables.map do |table|
          ["#{scenario.name}, #{table.name}", table.contenders.map(&:name)]
        end
      end.to_h
      kept = Bench::KeptAllocations.load.kept
      assert_includes(kept.keys, "3.1")
      kept.each_value do |tables|
        tables.each { |table, contenders| assert_empty(contenders.keys - known.fetch(table)) }
      end
    end
  end
end
