# frozen_string_literal: true

# Two runs side by side: how many of their ratios are the same.

require_relative "../test_helper"

if Without.library?("json")
  require_relative "../../benchmark/support/metrics"
  require_relative "../../benchmark/support/agreement"
  require "open3"
  require "rbconfig"
  require "tmpdir"

  class BenchmarkAgreementTest < ToJsonTest
    RESULTS = JSON.parse(Project.read("test/data/benchmark_results.json"))

    # A copy in which the times of these contenders are so many times as long.
    def changed(factor, *contenders)
      copy = Marshal.load(Marshal.dump(RESULTS))
      rows = copy["scenarios"].flat_map { |scenario| scenario["tables"].flat_map { |table| table["rows"] } }
      rows.select { |row| contenders.include?(row["contender"]) }.flat_map { |row| row["metrics"].values }.each do |metric|
        next unless metric["unit"] == "ns"

        %w[best_third median].each { |reading| metric[reading] *= factor }
        metric["samples"].map! { |sample| sample * factor }
      end
      copy
    end

    test "a run agrees with itself, and with one that was slower throughout" do
      same = Bench::Agreement.new(RESULTS, RESULTS)
      assert_operator(same.ratios.size, :>, 20)
      assert_equal([1.0, true], [same.share, same.sound?])
      assert_match(/\A\d+ ratios in both runs; 100\.0 % agree within 10 %, due 95 %\z/, same.text)
      all = RESULTS["scenarios"].flat_map { |scenario| scenario["tables"].flat_map { |table| table["rows"].map { |row| row["contender"] } } }.uniq
      assert_in_delta(1.0, Bench::Agreement.new(RESULTS, changed(3, *all)).share)
    end

    test "what is 10 % apart agrees, what is more is told with its spread, the furthest first" do
      assert(Bench::Agreement.new(RESULTS, changed(1.09, "Jbuilder")).ratios.all?(&:agrees?))
      found = Bench::Agreement.new(changed(0.5, "Hash + JSON::Coder"), changed(1.2, "Jbuilder"))
      apart = found.ratios.reject(&:agrees?)
      assert_equal(["Hash + JSON::Coder", "Jbuilder"], apart.map { |ratio| ratio.place[/: (.*)/, 1] }.uniq.sort)
      assert_match(/\Asmall, address, 3\.1\.2: Hash \+ JSON::Coder: .*× and .*×, 100 % apart; the middle half of the samples is up to [\d.]+ % wide$/, found.text)
      refute(found.sound?)
    end

    test "ratios under a setup that is not judged are told, and do not count" do
      printed = Marshal.load(Marshal.dump(RESULTS)).tap { |copy| copy["setups"].last["judged_as"] = nil }
      changed = changed(2, "Jbuilder", "Hash + JSON::Coder")
      changed["scenarios"].each { |scenario| scenario["tables"].reject! { |table| table["setup"] == printed["setups"].first["id"] } }
      found = Bench::Agreement.new({ **printed, "scenarios" => changed["scenarios"] }, { **printed, "scenarios" => changed(1, "x")["scenarios"] })
      refute(found.ratios.all?(&:agrees?))
      assert_match(/\d+ ratios that are printed only; \d\d?\.\d % agree within 10 %\z/, found.text)
      refute(found.sound?)
    end

    test "runs without a ratio in common do not agree" do
      none = Bench::Agreement.new(RESULTS, { "scenarios" => [] })
      assert_equal([false, "the runs have no ratio in common"], [none.sound?, none.text])
    end

    test "bin/bench --agree exits with 1 where too many differ" do
      Dir.mktmpdir do |directory|
        paths = { "a" => RESULTS, "b" => changed(2, "Jbuilder", "Hash + JSON::Coder") }.map { |name, results| File.join(directory, name).tap { |path| File.write(path, JSON.generate(results)) } }
        command = [RbConfig.ruby, File.join(Project::ROOT, "benchmark/support/cli.rb"), "--agree"]
        text, status = Open3.capture2e(*command, *paths)
        assert_equal([1, true], [status.exitstatus, text.include?("100 % apart")], text)
        _, status = Open3.capture2e(*command, paths[0], paths[0])
        assert_equal(0, status.exitstatus)
      end
    end
  end
end
