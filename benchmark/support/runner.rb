# frozen_string_literal: true

# Layer: all of the parent's side but the command line. Runs scenarios under setups and makes results.json.

require "fileutils"
require "json"
require "time"
require_relative "console"
require_relative "lanes"
require_relative "machine"
require_relative "measure_calls"
require_relative "measure_growth"
require_relative "measure_parallel"
require_relative "measure_start"
require_relative "measure_streams"
require_relative "progress"
require_relative "report"
require_relative "schema"
require_relative "sources"
require_relative "verdicts"

module Bench
  # How long and how often: `rounds` in all, spread over so many `processes`; `process_rounds` where a sample takes processes of its own.
  Settings = Struct.new(:quick, :only_equality, :rounds, :processes, :process_rounds, :sample_seconds, :warm_seconds, :seed, :lanes, keyword_init: true) do
    def self.make(quick:, only_equality:, seed: 1, lanes: Lanes.count)
      figures = {rounds: 24, processes: 3, process_rounds: Statistics::SAMPLES, sample_seconds: 0.01, warm_seconds: 0.08}
      figures = {rounds: Statistics::SAMPLES, processes: 1, process_rounds: 3, sample_seconds: 0.015, warm_seconds: 0.06} if quick
      new(quick: quick, only_equality: only_equality, seed: seed, lanes: lanes, **figures)
    end

    # With --quick not everything is timed; all is compared where nothing is timed.
    def leaves_out? = quick && !only_equality

    def to_json_fields = {"quick" => quick, "only_equality" => only_equality, "rounds" => rounds, "processes" => processes,
                          "sample_seconds" => sample_seconds, "seed" => seed, "lanes" => lanes}
  end

  # The whole run.
  class Runner
    MEASURES = {"calls" => MeasureCalls, "growth" => MeasureGrowth, "parallel" => MeasureParallel, "start" => MeasureStart,
                "streams" => MeasureStreams}.freeze

    # `scenarios` and `setups` as loaded and prepared; `directory` gets results.json and report.html.
    def initialize(scenarios, setups, settings, directory:, output: $stdout)
      @scenarios, @setups, @settings, @directory, @output = scenarios, setups, settings, directory, output
    end

    # Measures everything, prints, writes the file; returns the results.
    def run
      @machine, start = Machine.facts, Process.clock_gettime(Process::CLOCK_MONOTONIC)
      @progress = Progress.new(jobs.sum { |_, table, _| seconds(table) })
      measured = measure_all
      tables = jobs.group_by(&:first).transform_values { |list| list.map { |job| measured.fetch(job) } }
      @progress.clear
      results = assemble(tables, Process.clock_gettime(Process::CLOCK_MONOTONIC) - start)
      @output.puts("", Console.head(results), Console.summary(results))
      write(results)
      results
    ensure
      @setups.each(&:close)
    end

    private

    def jobs = @scenarios.flat_map { |scenario| scenario.tables.flat_map { |table| @setups.map { |setup| [scenario, table, setup] } } }

    def seconds(table) = @settings.only_equality ? 1.0 : MEASURES.fetch(table.measure).estimate(table, @settings)

    # Side by side, but for what measures all cores.
    def measure_all
      alone, beside = jobs.partition { |_, table, _| table.measure == "parallel" && !@settings.only_equality }
      measured = {}
      {alone => 1, beside => @settings.lanes}.each { |list, lanes| Lanes.each(list, lanes) { |job| measured[job] = measure(*job) } }
      measured
    end

    def measure(scenario, table, setup)
      result = nil
      @progress.part("#{scenario.number}. #{scenario.name}, #{table.name}, #{setup.id}", seconds(table)) do |share|
        Pool.open(setup, scenario, table, quick: @settings.leaves_out?) do |pool|
          pool.compare
          measured = @settings.only_equality || pool.live.empty? ? [] : MEASURES.fetch(table.measure).run(pool, @settings, &share)
          result = table_result(pool, measured)
        end
      end
      @progress.puts(Console.table({"number" => scenario.number, "title" => scenario.title}, result), to: @output)
      result
    end

    def table_result(pool, measured)
      rows = pool.entries.flat_map { |entry| rows(entry, measured.select { |row| row["contender"] == entry.name }) }
      verdicts = Verdicts.new(rows, pool.setup.judged_as)
      claims = @settings.only_equality ? [] : pool.table.claims.map { |claim| verdicts.of(claim) }
      {"name" => pool.table.name, "setup" => pool.setup.id, "measure" => pool.table.measure,
       "options" => pool.table.options.transform_keys(&:to_s), "parsers" => pool.parsers || [], "rows" => rows, "claims" => claims}
    end

    def rows(entry, measured)
      fields = {"contender" => entry.name, "group" => entry.contender.group, "peers" => entry.contender.peer, "at" => nil,
                "status" => entry.ok? && @settings.only_equality ? "equal" : entry.status, "error" => entry.error,
                "differs" => entry.contender.differs, "document_bytes" => entry.document_bytes, "metrics" => {}}
      measured.empty? ? [fields] : measured.map { |row| fields.merge(row) }
    end

    def assemble(tables, seconds)
      {"schema" => Schema::VERSION, "generated_at" => Time.now.utc.iso8601, "seconds" => seconds.round(1), "commit" => Machine.commit,
       "machine" => @machine, "settings" => @settings.to_json_fields, "setups" => @setups.map { |setup| setup_fields(setup) },
       "peers" => peers, "scenarios" => tables.map { |scenario, list| scenario_fields(scenario, list) }}
    end

    def scenario_fields(scenario, tables)
      {"number" => scenario.number, "name" => scenario.name, "title" => scenario.title, "code" => Sources.of(scenario), "tables" => tables}
    end

    # What peers.yml says of those that took part: what each is, where it is documented, which of its ways was taken.
    def peers
      listed = @setups.first.stage.peers
      named = @scenarios.flat_map(&:tables).flat_map(&:contenders).flat_map(&:peer).uniq
      named.to_h { |name| [name, {"about" => "", "docs" => nil, "used" => nil}.merge(listed.fetch(name, {}).slice("about", "docs", "used"))] }
    end

    def setup_fields(setup)
      {"id" => setup.id, "ruby" => setup.description, "yjit" => setup.yjit, "judged_as" => setup.judged_as&.to_s,
       "versions" => setup.versions, "missing" => setup.stage.missing, "disturbed" => setup.calm.disturbed}
    end

    # Written whole or not at all, and only if it is what the schema says.
    def write(results)
      problems = Schema.problems(results)
      raise "results.json would not fit its schema:\n#{problems.first(10).join("\n")}" unless problems.empty?

      FileUtils.mkdir_p(@directory)
      path = File.join(@directory, "results.json")
      File.write("#{path}.tmp", JSON.pretty_generate(results))
      File.rename("#{path}.tmp", path)
      @output.puts("written: #{[path, Report.write(results, File.join(@directory, "report.html"))].map { |file| file.delete_prefix("#{ROOT}/") }.join(", ")}")
    end
  end
end
