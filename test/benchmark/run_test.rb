# frozen_string_literal: true

# A whole run over a scenario of plain Ruby: workers, equality, samples, allocations, results.json.

require_relative "../test_helper"

if Without.library?("json")
  require_relative "../support/bench_run"

  class BenchmarkRunTest < ToJsonTest
    SCENARIO = <<~RUBY
      Bench.scenario 99, "plain", "plain Ruby" do
        table "numbers" do
          data { [1, 2] }
          setup :ours, "NUMBERS_READY = true"
          contender "reference", :hand, code: '"[\#{v}]"'
          contender "ours", :ours, code: 'NUMBERS_READY && "[\#{v}]"', peer: []
          contender "spaced", :hand, code: '"[ \#{v} ]"', differs: "spaces"
          contender "wrong", :hand, code: '"[\#{v + 1}]"'
          contender "broken", :hand, code: 'raise "no way"'
          contender "absent", :gem, peer: "absent", code: "1"
          reach "reference", over: "spaced", at_least: 1000
          limit "ours", metric: "objects", at_most: 100
          reach "reference", over: "absent", at_least: 1
        end
        table "many", measure: "parallel", kind: "processes", workers: [1, 2], calls: 20_000 do
          contender "control", :control, code: '"[1]" + ""'
          limit "control", metric: "scaling", at: 2, at_most: 1000
        end
      end
    RUBY

    # Samples of a whole run.
    ROUNDS = Bench::Settings.make(quick: false, only_equality: false).rounds

    STATUS = {"reference" =>
                "measured", "ours" => "measured", "spaced" => "measured", "wrong" => "different",
                "broken" => "failed",
              "absent" => "missing"}.freeze

    test "a run measures what is equal, and prints every row" do
      results, text = run_scenario(only_equality: false)
      numbers, many = results["scenarios"][0]["tables"]
      assert_equal(STATUS, numbers["rows"].to_h { |row| [row["contender"], row["status"]] })
      assert_equal(["missed", "met", "not measured"],
                   numbers["claims"].map { |claim| claim["status"] })
      assert_equal([1, 2], many["rows"].map { |row| row["at"] })
      assert_equal(["met"], many["claims"].map { |claim| claim["status"] })
      STATUS.each_key { |name| assert_includes(text, name) }
      ["MISSED", "MISSING: absent: is not here", "FAILED: RuntimeError: no way",
       "DIFFERENT: document 0 has other values"].each do |words|
        assert_includes(text, words)
      end
    end

    test "a sample is made of at least nine rounds" do
      results, = run_scenario(only_equality: false)
      time = results["scenarios"][0]["tables"][0]["rows"][0]["metrics"]["time"]
      assert_operator(time["samples"], :>=, 9)
      assert_operator(time["best"], :>, 0)
      assert_operator(time["median"], :>=, time["best"])
    end

    test "the first valid document is what the others are compared with" do
      results, = BenchRun.measure(<<~RUBY, only_equality: true)
        Bench.scenario 99, "first", "first" do
          table "one" do
            contender "half", :hand, code: '"[1"'
            contender "whole", :hand, code: '"[1]"'
            contender "same", :hand, code: '"[1]"'
            contender "other", :hand, code: '"[2]"'
          end
        end
      RUBY
      assert_equal(%w[different equal equal different],
                   results["scenarios"][0]["tables"][0]["rows"].map { |row| row["status"] })
    end

    test "a worker that ends in the middle has failed, its last words are kept, and the others " \
         "have their figures" do
      in_temporary_directory do |directory|
        results, = BenchRun.measure(<<~SCENARIO, quick: false)
          Bench.scenario 99, "ends", "ends" do
            table "one" do
              data { [1] }
              contender "text", :hand, code: '"[\#{v}]"'
            end
            table "other" do
              data { [1] }
              contender "ends", :ours,
                        before: "calls = ($calls = $calls.to_i + 1)",
                        code: 'exit!(3) if calls > 9; "[\#{v}]"'
            end
          end
        SCENARIO
        one, other = results["scenarios"][0]["tables"].map { |table| table["rows"][0] }
        assert_equal(ROUNDS, one["metrics"]["time"]["samples"])
        assert_equal(["failed", {}], other.values_at("status", "metrics"))
        assert_match(/\Athe worker ended: .*exit 3; kept in /, other["error"])
        refute_empty(Dir.children(directory), "last words")
      end
    end

    test "with only equality nothing is timed and differences still show" do
      results, = run_scenario(only_equality: true)
      rows = results["scenarios"][0]["tables"][0]["rows"]
      assert_equal(STATUS.transform_values { |status| status == "measured" ? "equal" : status },
                   rows.to_h { |row| [row["contender"], row["status"]] })
      assert(rows.all? { |row| row["metrics"].empty? })
    end

    # Where workers leave their last words.
    def in_temporary_directory
      kept = ENV.fetch("TMPDIR", nil)
      Dir.mktmpdir do |directory|
        ENV["TMPDIR"] = directory
        yield directory
      ensure
        ENV["TMPDIR"] = kept
      end
    end

    # One run of each kind serves all tests.
    def run_scenario(only_equality:)
      (@@runs ||= {})[only_equality] ||= BenchRun.measure(SCENARIO, only_equality: only_equality,
                                                          missing: { "absent" => "is not here" })
    end
  end
end
