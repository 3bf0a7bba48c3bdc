# frozen_string_literal: true

# The report: a page of its own from results.json, with every contender, win, loss and failure of
# it. How it looks is in test/examples/benchmark_report_test.rb.

require_relative "../test_helper"

if Without.library?("json")
  require_relative "../../benchmark/report/page"
  require_relative "../support/page_tree"
  require "open3"
  require "rbconfig"
  require "tmpdir"

  class BenchmarkReportTest < ToJsonTest
    RESULTS = JSON.parse(Project.read("test/data/benchmark_results.json"))
    def results = Marshal.load(Marshal.dump(RESULTS))
    def page(from = RESULTS) = Bench::Report::Page.new(from).html
    def html = @@html ||= page

    def tree = @@tree ||= PageTree.parse(html)
    def ids = tree.all.filter_map { |element| element.attributes["id"] }
    def hrefs(name) = tree.all(name).filter_map { |element| element.attributes["href"] }
    def scenario(name) = tree.all("section", id: "s-#{name}").first

    test "the page is well-formed, and its ids are unique" do
      assert_operator(ids.size, :>, 6)
      assert_equal(ids.uniq, ids)
    end

    test "links within the page lead somewhere" do
      inner = hrefs("a").grep(/\A#/).map { |href| href.delete_prefix("#") }
      assert_operator(inner.size, :>, 6)
      assert_empty(inner - ids)
    end

    test "nothing is loaded from anywhere: what names another place are links" do
      assert_empty(html.scan(/(?:\ssrc=|url\(|@import|<script|<iframe|<object|<embed)[^>]*/))
      assert_equal(["data:,"], hrefs("link"))
      elsewhere = html.scan(%r{(\S+)"https?://}).flatten.uniq
      assert_equal(["href="], elsewhere)
    end

    test "every contender of every table stands on the page, with its code" do
      shown = tree.text
      RESULTS["scenarios"].each do |scenario|
        names = scenario["tables"].flat_map do |table|
          table["rows"].map { |row| row["contender"] }
        end.uniq
        assert_empty(names.reject { |name| shown.include?(name) })
        pieces = scenario["code"].values.flat_map(&:values)
        assert_operator(pieces.size, :>=, 1)
        assert_empty(pieces.reject { |piece| shown.include?(piece.split.join(" ")) })
      end
    end

    test "what stands in results.json is escaped" do
      assert_includes(html, "document 0 has other values: {&quot;zip&quot;=&gt;1} &amp; &lt;b&gt;")
    end

    test "a lost comparison and a missed figure are told in the summary, with what bounds it" do
      lost = tree.all("section", id: "summary").first.all("div", class: "of of1").first.text
      assert_match(/Where it is slower .*200 serializers: 0\.28× the speed of Panko/, lost)
      bound = /61 % below what is due; lower bound, native misses it too \(2\.\d\d\)/
      assert_match(/Figures that were missed .*#{bound}/, lost)
      assert_match(/Times as fast as the fastest gem.*0\.28× – slower/, lost)
    end

    test "a run without losses says so" do
      copy = results
      copy["scenarios"].each do |scenario|
        scenario["tables"].each { |table| table["claims"].clear }
      end
      copy["scenarios"].each do |scenario|
        slower = scenario["tables"].flat_map { |table| table["rows"] }.reject do |row|
          row["group"] == "ours"
        end.flat_map do |row|
          row["metrics"].values
        end
        slower.reject { |metric| metric["better"] == "higher" }.each do |metric|
          metric["best"] *= 1000
        end
      end
      text = page(copy)
      assert_match(/Nowhere in this run: \d+ comparisons/, text)
      refute_includes(text, "Figures that were missed")
    end

    test "a row that is missing, failed or different says why, and figures have bars" do
      article = scenario("small").all("pre").first.text
      ["MISSING: lower_bound: lower_bound.c does not compile", "FAILED: RuntimeError: no way",
       "DIFFERENT: document 0 has other values"].each { |words| assert_includes(article, words) }
      assert_match(/to_json, json!\s+\(ours\) [\d. ]*\d █+\s/, article)
    end

    test "a peer's documentation is linked, with the way that was taken" do
      code = scenario("associations").all("details", class: "code").first
      assert_includes(code.all("a").map { |link| link.attributes["href"] },
                      "https://panko.dev/getting-started")
      assert_includes(code.text, "the fastest documented way here: serialize_to_json")
      assert_includes(code.text, "class PankoPost < Panko::Serializer")
    end

    test "machine, commit, versions, what is missing and the command stand on the page" do
      shown = tree.text
      ["Example CPU", "0123456789ab", "2026-11-22", "jsonify is missing: no such gem",
       "load before: 0.9",
       "bin/bench --quick --ruby PATH-TO-RUBY-3.4.5 small"].each do |fact|
         assert_includes(shown, fact)
       end
      RESULTS["setups"].each do |setup|
        setup["versions"].each { |name, version| assert_includes(shown, "#{name} #{version}") }
      end
    end

    test "a run that compared documents only has a page as well" do
      copy = results
      copy["settings"]["only_equality"] = true
      copy["scenarios"].each do |scenario|
        scenario["tables"].each do |table|
          table["claims"].clear and table["rows"].each do |row|
            row.merge!("metrics" => {}, "status" => "equal")
          end
        end
      end
      assert_includes(page(copy), "Only documents were compared in this run")
    end

    test "bin/bench --report writes the page beside the file, and says what is wrong with " \
         "another" do
      Dir.mktmpdir do |directory|
        file = File.join(directory, "old.json")
        command = [RbConfig.ruby, File.join(Project::ROOT, "benchmark/harness/cli.rb"), "--report",
                   file]
        File.write(file, JSON.generate(RESULTS))
        text, status = Open3.capture2e(*command)
        assert(status.success?, text)
        assert_equal(html, File.read(File.join(directory, "report.html"), encoding: "UTF-8"))
        { "{" => "is no JSON", "[]" => "is not of this version",
          '{"schema": 99}' => "is not of this version" }.each do |content, words|
          File.write(file, content)
          text, status = Open3.capture2e(*command)
          assert_equal([2, true], [status.exitstatus, text.include?(words)], text)
        end
      end
    end

    test "write leaves a whole file" do
      Dir.mktmpdir do |directory|
        path = File.join(directory, "report.html")
        assert_equal(path, Bench::Report.write(RESULTS, path))
        assert_equal(["report.html"], Dir.children(directory))
        assert_equal(html, File.read(path, encoding: "UTF-8"))
      end
    end
  end
end
