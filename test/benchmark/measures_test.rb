# frozen_string_literal: true

# Whole runs of what is not the default: growth over numbers of records, starts of processes,
# programs that are not Ruby, rows that are left out or mapped.

require_relative "../test_helper"

if Without.library?("json")
  require_relative "../support/bench_run"

  class BenchmarkMeasuresTest < ToJsonTest
    GROWTH = <<~RUBY
      Bench.scenario 99, "growth", "growth" do
        table "sums", measure: "growth", records: [2, 8, 32], base: 2, quick_records: 8 do
          data { [[1, 2]] }
          contender "sum", :ours, code: "v.sum", document: "v.sum.to_s"
          limit "sum", metric: "growth", at: 8, at_most: 1000
          limit "sum", metric: "growth", at: 32, at_most: 1000
        end
      end
    RUBY

    START = <<~RUBY
      Bench.scenario 99, "start", "start" do
        table "modules", measure: "start", count: 3 do
          data { [7] }
          contender "modules", :control,
                    code: "Numbered_0.text(v)",
                    define: "module Numbered_0\\n def self.text(v) = v.to_s\\nend"
          contender "unequal", :control,
                    code: "Unequal_0.text(v)",
                    define: "module Unequal_0\\n" \\
                            " def self.text(v) = v.to_s + name[/\\\\d/].tr('0', '')\\nend",
                    differs: "numbered"
          limit "modules", metric: "start", at_most: 10_000
        end
      end
    RUBY

    STREAMS = <<~RUBY
      Bench.scenario 99, "streams", "streams" do
        table "rows", measure: "streams", sinks: ["String", "file", "pipe", "gzip"],
                      records: 3_000, quick_records: 3_000, quick_rounds: 1 do
          data { [[1, 2]] }
          contender "at once", :hand,
                    before: "sink = nil",
                    code: 'text = "[\#{v.to_a.join(",")}]"; sink ? sink.write(text) : text'
          contender "each", :control, before: "sink = nil", code: <<~CODE
            out = sink ? sink.method(:write) : (text = +"").method(:<<)
            out.call("[")
            v.each_with_index { |number, i| out.call(i > 0 ? [",", number].join : number.to_s) }
            out.call("]")
            sink ? true : text
          CODE
          limit "each", metric: "peak_rss", at: "pipe", at_most: 1 << 30
          limit "each", metric: "memsize", at: "String", at_most: 100
        end
      end
    RUBY

    REQUESTS = <<~RUBY
      Bench.scenario 99, "requests", "requests" do
        table "arrays", measure: "requests", apart: true do
          data { [1, 2] }
          contender "much", :ours, code: "(0..400).map { v.to_s }.last", base: "v.to_s"
          contender "little", :gem, code: "(0..40).map { v.to_s }.last", base: "v.to_s"

          limit "much", metric: "net", over: "little", at_most: 1000
        end
      end
    RUBY

    PROGRAM = <<~RUBY
      Bench.scenario 99, "program", "a program" do
        table "documents" do
          data { [1, 2] }
          contender "ruby", :hand, code: '"[\#{v}]"'
          contender "program", :other, peer: "script", code: "echo"
          contender "program, wrong", :other, peer: "script", code: "wrong"
        end
      end
    RUBY

    # Answers as a compiled peer does: the documents that it was given, or others.
    SCRIPT = <<~'RUBY'
      #!/usr/bin/env ruby
      require "json"
      documents = JSON.parse($stdin.read)
      documents = documents.map { "[3]" } if ARGV[0] == "wrong"
      calls = Integer(ARGV[1])
      puts JSON.generate("documents" => documents, "version" => "1", "time" => calls * 100,
                         "objects" => calls, "bytes" => calls * 2)
    RUBY

    LEFT_OUT = <<~RUBY
      Bench.scenario 99, "left", "left out" do
        table "some" do
          data { [[1, 2]] }
          contender "ours", :ours, code: 'v.inspect.delete(" ")'
          contender "mapped", :hand,
                    code: 'v.reverse.inspect.delete(" ")',
                    maps: ->(document) { document.reverse },
                    differs: "turned"
          contender "slow", :gem, code: '"[1,2]"', quick: false
          reach "ours", over: "slow", at_least: 1
        end
        table "later Rubies", ruby: ">= 99" do
          contender "ours", :ours, code: "1"
        end
      end
    RUBY

    test "growth is a row for each number of records, and what --quick leaves out is told" do
      results, text = BenchRun.measure(GROWTH)
      table = results["scenarios"][0]["tables"][0]
      assert_equal([[2, "measured"], [8, "measured"], [32, "skipped"]],
                   table["rows"].map { |row| row.values_at("at", "status") })
      assert_equal(1.0, table["rows"][0]["metrics"]["growth"]["median"])
      assert_equal(["met", "not judged"], table["claims"].map { |claim| claim["status"] })
      assert_includes(text, "left out by --quick: sum × 32")
    end

    test "growth without --quick has every number" do
      results, = BenchRun.measure(GROWTH, quick: false)
      assert_equal(%w[measured measured measured],
                   results["scenarios"][0]["tables"][0]["rows"].map { |row| row["status"] })
    end

    test "a start is the sum of its steps, each in a new process; classes that write something " \
         "else fail" do
      results, text = BenchRun.measure(START)
      fine, unequal = results["scenarios"][0]["tables"][0]["rows"]
      steps = fine["metrics"].values_at("require", "define", "first_calls").map do |metric|
        metric["best"]
      end
      assert_operator(fine["metrics"]["start"]["best"], :>=, steps.sum)
      assert(steps.all?(&:positive?))
      assert_equal(Bench::Settings.make(quick: true, only_equality: false).process_rounds,
                   fine["metrics"]["start"]["samples"])
      assert_equal(["failed", "RuntimeError: the serializers did not write the same documents"],
                   unequal.values_at("status", "error"))
      assert_includes(text, "first calls")
    end

    test "streams has a row for each kind of Sink, with memory, and ratios to the String of the " \
         "same records" do
      needs_proc("clear_refs", writable: true)
      results, text = BenchRun.measure(STREAMS)
      table = results["scenarios"][0]["tables"][0]
      rows = table["rows"].to_h do |row|
        [row.values_at("contender", "at"),
         row["metrics"].transform_values { |metric| metric["median"] }]
      end
      assert_equal(8, rows.size, text)
      assert_equal(["met"], table["claims"].map { |claim| claim["status"] }.uniq)
      assert_equal([3_000, 1],
                   [rows[["at once", "file"]]["records_before"],
                    rows[["each", "file"]]["records_before"]].map do |asked|
                     [asked, 1].max
                   end)
      assert_equal(%w[memsize peak_rss peak_share time], rows[["each", "String"]].keys.sort)
      assert_equal(%w[by_string peak_rss time], rows[["each", "pipe"]].keys.sort)
      assert_equal(%w[by_ready peak_rss time], rows[["each", "gzip"]].keys.sort)
    end

    test "what a base takes is taken off time, objects and bytes" do
      results, = BenchRun.measure(REQUESTS, quick: false)
      much, little, = results["scenarios"][0]["tables"][0]["rows"].map { |row| row["metrics"] }
      assert_operator(much["net"]["best"], :>, 2 * little["net"]["best"])
      assert_operator(much["net"]["best"], :<, much["time"]["best"])
      # The texts and the Array, without one text.
      assert_in_delta(much["objects"]["median"] - 1, much["net_objects"]["median"], 0.5)
      refute(much.key?("base_time"))
    end

    test "a program that is not Ruby is compared and measured as the others are" do
      Dir.mktmpdir do |directory|
        path = File.join(directory, "script")
        File.write(path, SCRIPT.sub("/usr/bin/env ruby", RbConfig.ruby), perm: 0o755)
        results, = BenchRun.measure(PROGRAM, quick: false, programs: {"script" => path})
        ruby, program, wrong = results["scenarios"][0]["tables"][0]["rows"]
        assert_equal(%w[measured measured different],
                     [ruby, program, wrong].map { |row| row["status"] })
        assert_equal([1, 2],
                     program["metrics"].values_at("objects", "allocated").map do |metric|
                       metric["median"]
                     end)
        assert_equal("1", results["setups"][0]["versions"]["script"])
      end
    end

    test "a program that ends is a row that says so" do
      results, = BenchRun.measure(PROGRAM.gsub("script", "true"), programs: {"true" => "/bin/true"})
      assert_equal(["measured", "failed", "failed"],
                   results["scenarios"][0]["tables"][0]["rows"].map { |row| row["status"] })
    end

    test "what is left out is told in a line, and claims about it are not judged" do
      results, text = BenchRun.measure(LEFT_OUT)
      some, later = results["scenarios"][0]["tables"]
      assert_equal(%w[measured measured skipped], some["rows"].map { |row| row["status"] })
      assert_equal("not judged", some["claims"][0]["status"])
      assert_equal(["skipped", "needs Ruby >= 99"], later["rows"][0].values_at("status", "error"))
      assert_includes(text, "left out by --quick: slow")
      assert_includes(text, "needs Ruby >= 99: all")
    end

    test "with --compare-all the documents of what --quick does not time are compared" do
      rows = [LEFT_OUT, LEFT_OUT.sub('"[1,2]"', '"[1,3]"')].map do |text|
        BenchRun.measure(text,
                         compare_all: true)[0]["scenarios"][0]["tables"][0]["rows"].map do |row|
          row.values_at("status", "document_bytes")
        end
      end
      assert_equal([["measured", 5.0], ["measured", 5.0], ["skipped", 5.0]], rows[0])
      assert_equal([["measured", 5.0], ["measured", 5.0], ["different", nil]], rows[1])
    end

    test "where only documents are compared --quick leaves nothing out" do
      results, = BenchRun.measure(LEFT_OUT, only_equality: true)
      assert_equal(%w[equal equal equal],
                   results["scenarios"][0]["tables"][0]["rows"].map { |row| row["status"] })
    end
  end
end
