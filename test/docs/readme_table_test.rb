# frozen_string_literal: true

require_relative "../test_helper"

# bin/readme-table: the measured table of README.md comes from results.json as it is.
if Without.library?("json")
  require_relative "../support/page_tree"
  require "tmpdir"
  load File.join(Project::ROOT, "bin/readme-table")

  class ReadmeTableTest < ToJsonTest
    MARKERS = Bench::Report::Section

    def metric(unit, value)
      { "unit" => unit, "better" => "lower", "best" => value,
        "median" => unit == "ns" ? value * 2 : value, "samples" => 9 }
    end

    def row(contender, group, nanoseconds, status: "measured", error: nil)
      metrics = { "time" => metric("ns", nanoseconds), "objects" => metric("objects", 2.0),
                  "allocated" => metric("B", 177.4) }
      { "contender" =>
          contender, "group" => group, "peers" => [], "at" => nil, "status" => status,
          "error" => error, "differs" => nil,
        "document_bytes" => 96.0, "metrics" => status == "measured" ? metrics : {} }
    end

    # Two setups of one scenario. The code by hand that is fastest differs between them.
    def results(ours: row("to_json, json!", "ours", 250.4))
      by_hand = { "3.1.2" => [12_345.0, 500.0], "3.4.5 --yjit" => [300.0, 400.0] }
      setups = by_hand.keys
      tables = by_hand.map do |id, (first, second)|
        { "name" => "address", "setup" => id, "claims" => [],
          "rows" =>
            [row("Jbuilder", "gem", 4000.0), row("Hand A", "hand", first),
             row("Hand B", "hand", second), ours, row("kept", "ours", 1.0)] }
      end
      { "generated_at" =>
          "2026-11-21T10:00:00Z", "commit" => { "id" => "abc123", "changed" => false },
        "machine" =>
          { "cpu" => "AMD EPYC", "cores" => 2, "load_before" => 0.2 },
          "settings" => { "quick" => false, "rounds" => 15 },
        "setups" =>
          setups.map do |id|
            { "id" => id, "ruby" => "ruby #{id[/\S+/]} (2026)",
              "versions" => { "json" => "3.1.0", "to_json" => "0.1.0" } }
          end,
        "scenarios" => [{ "name" => "small", "tables" => tables }] }
    end

    test "the table shows ours, the fastest by hand on the newest Ruby, then Jbuilder" do
      lines = ReadmeTable.markdown(results).lines.map(&:chomp).grep(/\A\|/)
      assert_equal ["| document | written by | 3.1.2 | 3.4.5 YJIT | objects | bytes allocated |",
                    "| --- | --- | ---: | ---: | ---: | ---: |",
                    "| small, 96 B | **to_json, json!** | 250 ns | 250 ns | 2 | 177 |",
                    "|  | Hand A | 12.3 µs | 300 ns | 2 | 177 |",
                    "|  | Jbuilder | 4000 ns | 4000 ns | 2 | 177 |"], lines
    end

    test "date, commit, machine and versions stand above the table" do
      text = ReadmeTable.markdown(results).tr("\n", " ")
      ["2026-11-21", "commit abc123", "2 shared cores of an AMD EPYC", "ruby 3.4.5", "json 3.1.0",
       "least of 15 samples"].each do |fact|
        assert_includes text, fact
      end
      refute_includes text, "quick"
    end

    MEASURED = JSON.parse(Project.read("test/data/benchmark_results.json"))

    test "results with kinds of work have pictures, wide and narrow, drawn beside README.md, and " \
         "words for who does not see them" do
      Dir.mktmpdir do |directory|
        paths = ReadmeTable.draw(MEASURED, directory)
        assert_equal %w[docs/images/benchmarks.svg docs/images/benchmarks-narrow.svg], paths
        wide, narrow = paths.map do |path|
          PageTree.parse(File.read(File.join(directory, path), encoding: "UTF-8")).all("svg").first
        end
        assert_equal [wide.words.sort, %w[868 440]],
                     [narrow.words.sort,
                      [wide, narrow].map { |picture| picture.attributes["width"] }]
        ["Times as fast as the fastest gem", "Times as fast as the fastest by hand",
         "0.28× – slower", "Ruby 3.4.5 with YJIT, 2026-11-22, Example CPU"].each do |words|
          assert_includes wide.text, words
        end
        refute_match(/(?:href|url|@import)/, File.read(File.join(directory, paths[0])))
      end
      copy = Marshal.load(Marshal.dump(MEASURED))
      copy["scenarios"][0]["tables"].each do |table|
        table["rows"].select! { |row| row["status"] == "measured" }
      end
      image = ReadmeTable.markdown(copy)[/<picture>.*?<\/picture>\n/m]
      assert_operator image.lines.map { |line| line.chomp.size }.max, :<=, 100
      text = image.tr("\n", " ")
      assert_includes text, 'srcset="docs/images/benchmarks-narrow.svg"'
      assert_includes text, 'src="docs/images/benchmarks.svg" alt="Bar charts. Times as fast as ' \
                            "the fastest gem, Ruby 3.4.5 --yjit: 0.28× to 10.7×. Times"
      refute_includes ReadmeTable.markdown(results), "<picture>"
    end

    test "a setup whose documents were compared only has no column, and such a document a dash" do
      late = results
      setup = ->(copy, id) do
        copy["scenarios"].flat_map { |scenario| scenario["tables"] }.select do |table|
          table["setup"] == id
        end
      end
      compare = ->(table) do
        table["claims"], table["rows"] = [],
                                         table["rows"].map do |row|
                                           row.merge("status" => "equal", "metrics" => {})
                                         end
      end
      late["scenarios"] <<
        Marshal.load(Marshal.dump(late["scenarios"][0]))
          .merge("name" => "complex")
          .tap do |scenario|
        scenario["tables"].each { |table| table["name"] = "person" }
      end
      compare[setup[late, "3.4.5 --yjit"].last]
      lines = ReadmeTable.markdown(late).lines.map(&:chomp).grep(/\A\|/)
      assert_equal ["| small, 96 B | **to_json, json!** | 250 ns | 250 ns | 2 | 177 |",
                    "| complex, 96 B | **to_json, json!** | 250 ns | – | 2 | 177 |"],
                   lines.grep(/json!/)
      compare[setup[late, "3.4.5 --yjit"].first]
      lines = ReadmeTable.markdown(late).lines.map(&:chomp).grep(/\A\|/)
      assert_equal ["| document | written by | 3.1.2 | objects | bytes allocated |",
                    "| small, 96 B | **to_json, json!** | 250 ns | 2 | 177 |"],
                   lines.values_at(0, 2)
      late["scenarios"].flat_map { |scenario| scenario["tables"] }.each(&compare)
      assert_raises(ArgumentError) { ReadmeTable.markdown(late) }
    end

    test "a row of ours that was not measured makes no table" do
      failed = row("to_json, json!", "ours", 1.0, status: "failed", error: "LoadError: no\nmore")
      error = assert_raises(ArgumentError) { ReadmeTable.markdown(results(ours: failed)) }
      assert_equal "small: to_json, json! on 3.1.2 is failed: LoadError: no", error.message
    end

    test "only what stands between the markers is replaced" do
      readme = "before\n<!-- results: begin (x) -->\nold\n<!-- results: end -->\nafter\n"
      assert_equal readme.sub("old", "new"), ReadmeTable.insert(readme, "new\n")
      assert_raises(ArgumentError) { ReadmeTable.insert("no markers\n", "new\n") }
    end

    test "README.md has the markers, once, and is short" do
      readme = Project.read("README.md")
      assert_equal [1, 1],
                   [readme.scan(MARKERS.begins("results")).size,
                    readme.scan(MARKERS.ends("results")).size]
      assert_operator readme.lines.size, :<=, 205
    end

    test "the measured section names when, on which commit and machine" do
      section = Project.read("README.md")[
        /#{MARKERS.begins("results")}(.*)#{MARKERS.ends("results")}/m, 1
      ]
      assert_match(/\d{4}-\d{2}-\d{2}\s\(.*commit\s\h+.*\)\son\s\d+\sshared cores/, section)
      rows = section.lines.grep(/\A\|/).drop(2)
      assert_includes 1..6, rows.size
      assert_operator rows.grep(/\*\*to_json/).size, :>=, 2
    end
  end
end
