# frozen_string_literal: true

require_relative "../test_helper"

# bin/missed-table: the table of missed figures of docs/performance.md comes from results.json and
# benchmark/bounds.yml.
if Without.library?("json")
  require_relative "../../benchmark/harness/definition"
  load File.join(Project::ROOT, "bin/missed-table")

  class MissedTableTest < ToJsonTest
    def metric(name, value)
      { "unit" => name == "time" ? "ns" : "×", "better" => "lower", "best" => value,
        "median" => value, "samples" => 9 }
    end

    def row(contender, group, value, name)
      { "contender" => contender, "group" => group, "at" => nil,
        "metrics" => { name => metric(name, value) } }
    end

    def claim(value, required, over: "Slow by hand", name: "time", kind: "reach")
      words = over ? "to_json, json!: times better than hand" : "to_json, json!: #{name}"
      { "claim" =>
          words, "kind" => kind, "metric" => name, "at" => nil, "subject" => "to_json, json!",
          "over" => over, "value" => value, "required" => required,
        "status" => (kind == "reach" ? value >= required : value <= required) ? "met" : "missed" }
    end

    # Ours takes 100 ns or 80, by hand 150: 1.5 times, or 1.88. `bounds` by name.
    def results(bounds: { "lower bound, kept right" => 70.0 }, required: [2, 1.6],
                scenario: "small", setups: nil, name: "time", over: "Slow by hand")
      times = { "3.1.2" => 100.0, "3.4.5 --yjit" => 80.0 }
      tables = times.zip(required).map do |(setup, time), due|
        made_of = [row("to_json, json!", "ours", time, name),
                   row("Slow by hand", "hand", 150.0, name), *bounds.map { |which, value|
                     row(which, "control", value, name)
                   }]
        made = over ? claim((150 / time).round(2), due)
                    : claim(time / 10, due, over: nil, name: name, kind: "limit")
        bound = { "claim" => "lower bound, native: times better than hand", "kind" => "reach",
                  "metric" => name, "status" => "missed", "over" => "Slow by hand", "value" => 1.0,
                  "subject" => bounds.keys.first }
        { "name" => "address", "setup" => setup, "rows" => made_of,
          "claims" => [made, bound].first(bounds.empty? ? 1 : 2) }
      end
      others = Dir[File.join(Project::ROOT, "benchmark/scenarios/*.rb")].map do |path|
        { "name" => File.basename(path, ".rb"), "tables" => [] }
      end
      setups ||= { "3.1.2" => "interpreter", "3.4.5 --yjit" => "yjit" }
      { "generated_at" => "2026-11-23T10:00:00Z", "seconds" => 2100.0,
        "commit" => { "id" => "abc123", "changed" => false },
        "settings" => { "quick" => false, "rounds" => 24, "lanes" => 2 },
        "setups" => setups.map { |id, judged_as| { "id" => id, "judged_as" => judged_as } },
        "scenarios" => [{ "number" => 1, "name" => scenario, "tables" => tables },
                        *others.reject { |other| other["name"] == scenario }] }
    end

    def lines(...) = MissedTable.markdown(results(...)).lines.map(&:chomp).grep(/\A\| \d/)

    test "a row tells what was due, what was reached, and what the bounds reach; the bound says " \
         "whether there is room" do
      assert_equal(["| 1 address, times the fastest by hand | 2 / 1.6 | 1.50 · met | kept right " \
                    "2.14 · 2.14: open on 3.1.2 |"], lines)
      assert_equal(["| 1 address, times the fastest by hand | 2 / 1.6 | 1.50 · met | kept right " \
                    "1.88 · 1.88 |"], lines(bounds: { "lower bound, kept right" => 80.0 }))
    end

    test "what is met everywhere, and claims of bounds, are left out; so are setups that are not " \
         "judged" do
      assert_empty(lines(required: [1.5, 1.5]))
      assert_equal(["| 1 address, times the fastest by hand | 2 | 1.50 | kept right 1.88 |"],
                   lines(bounds: { "lower bound, kept right" => 80.0 },
                         setups: { "3.1.2" => "interpreter", "3.4.5 --yjit" => nil }))
    end

    test "a figure of its own is beside that of a bound" do
      assert_equal(["| 1 address, growth | 1.5 / 1.4 | 10.0 · 8.00 | appended 2.65 · 2.65 |"],
                   lines(name: "growth", over: nil, required: [1.5, 1.4],
                         bounds: { "lower bound, appended" => 2.65 }))
    end

    test "ours beside another of ours has no bound" do
      both = results
      both["scenarios"][0]["tables"].flat_map { |table| table["rows"] }.each do |row|
        row["group"] = "ours" if row["contender"] == "Slow by hand"
      end
      assert_includes(MissedTable.markdown(both),
                      "| 1 address, times the fastest by hand | 2 / 1.6 | 1.50 · met | none " \
                      "measured |")
    end

    test "what was not measured is told, and a setup that a claim has nothing of is a dash" do
      partial = results(bounds: { "lower bound, kept right" => 80.0 })
      partial["scenarios"][0]["tables"][0]["claims"].shift
      partial["scenarios"][0]["tables"][1]["claims"][0].update(
        "status" => "not measured", "value" => nil
      )
      assert_includes(MissedTable.markdown(partial),
                      "| 1 address, times the fastest by hand | 1.6 | – · not measured | none " \
                      "measured |")
    end

    test "a quick run and one of some scenarios are refused" do
      quick, part = results, results
      quick["settings"]["quick"] = true
      part["scenarios"].reject! { |scenario| scenario["name"] == "streams" }
      assert_match(/quick/, assert_raises(ArgumentError) { MissedTable.markdown(quick) }.message)
      assert_match(/streams/, assert_raises(ArgumentError) { MissedTable.markdown(part) }.message)
    end

    test "what no contender bounds is told in words, or that nothing is known" do
      assert_equal(
        ["| 1 address, times the fastest by hand | 2 / 1.6 | 1.50 · met | none measured |"],
        lines(bounds: {})
      )
      assert_match(/\| the wall clock [^|]+ \|\z/, lines(scenario: "parallel", bounds: {}).first)
    end

    test "the words of benchmark/bounds.yml are of claims that exist" do
      scenarios = Bench::Scenario.load_all(File.join(Project::ROOT, "benchmark/scenarios"))
      YAML.safe_load_file(File.join(Project::ROOT, "benchmark/bounds.yml")).each do |entry|
        assert_empty(entry.keys - %w[scenario table metric at subject over because])
        tables = scenarios.find do |scenario|
          scenario.name == entry["scenario"]
        end.tables.select do |table|
          [nil, table.name].include?(entry["table"])
        end
        claims = tables.flat_map(&:claims).select do |claim|
          %w[metric at subject].all? { |key| [nil, claim.public_send(key)].include?(entry[key]) }
        end
        refute_empty(claims, entry.inspect)
        refute_empty(entry["because"])
      end
    end

    test "the date, the commit and the settings stand above the table, which replaces what stood " \
         "between the markers" do
      text = MissedTable.markdown(results)
      ["2026-11-23", "abc123", "35 minutes", "least of 24 samples",
       "3.1.2 · 3.4.5 with YJIT"].each { |fact| assert_includes(text, fact) }
      page = "a\n<!-- missed: begin (x) -->\nold\n<!-- missed: end -->\nz\n"
      assert_equal("a\n<!-- missed: begin (x) -->\n#{text}<!-- missed: end -->\nz\n",
                   MissedTable.insert(page, text))
      assert_raises(ArgumentError) { MissedTable.insert("no markers", text) }
      assert_includes(MissedTable.insert(Project.read("docs/performance.md"), text),
                      "| 1 address, times the fastest by hand | 2 / 1.6 |")
    end
  end
end
