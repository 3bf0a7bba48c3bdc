# frozen_string_literal: true

require "fileutils"
require "time"
require_relative "../report/report"
require_relative "console"
require_relative "definition"
require_relative "job"
require_relative "lanes"
require_relative "machine"
require_relative "progress"
require_relative "sources"

module Bench
  # The whole run: scenarios under setups, to results.json and report.html.
  class Runner
    # `directory` gets both files.
    def initialize(scenarios, setups, settings, directory:, output: $stdout)
      @scenarios, @setups, @settings = scenarios, setups, settings
      @directory, @output = directory, output
    end

    # Measures everything, prints, writes the files; returns the results.
    def run
      machine, start = Machine.facts, Process.clock_gettime(Process::CLOCK_MONOTONIC)
      tables = measure(jobs).group_by(&:scenario)
      seconds = Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
      results = {
        "schema" => SCHEMA, "generated_at" => Time.now.utc.iso8601,
        "seconds" => seconds.round(1), "commit" => Machine.commit, "machine" => machine,
        "settings" => @settings.to_results, "setups" => @setups.map(&:to_results),
        "peers" => peers, "scenarios" => tables.map { |scenario, done| fields(scenario, done) }
      }
      @output.puts("", Console.head(results), Console.summary(results))
      results.tap { write(results) }
    end

    private

    def jobs
      @scenarios.flat_map do |scenario|
        scenario.tables.product(@setups).map do |table, setup|
          Job.new(scenario, table, setup, @settings)
        end
      end
    end

    # Side by side, but for what measures all cores. A table is printed when it is done.
    def measure(jobs)
      progress, equality = Progress.new(jobs.size), Equality.new
      alone, beside = jobs.partition(&:alone?)
      {alone => 1, beside => @settings.lanes}.each do |list, lanes|
        Lanes.each(list, lanes) do |job|
          progress.part(job.label) { job.run(equality) }
          place = {"number" => job.scenario.number, "title" => job.scenario.title}
          progress.puts(Console.table(place, job.to_results), to: @output)
        end
      end
      progress.clear
      jobs
    end

    def fields(scenario, jobs)
      {"number" => scenario.number, "name" => scenario.name, "title" => scenario.title,
       "code" => Sources.of(scenario), "tables" => jobs.map(&:to_results)}
    end

    # What peers.yml says of those that took part.
    def peers
      listed = @setups.first.stage.peers
      names = @scenarios.flat_map(&:tables).flat_map(&:contenders).flat_map(&:peer).uniq
      names.to_h do |name|
        entry = listed.fetch(name, {})
        [name, {"about" => entry["about"] || "", "docs" => entry["docs"], "used" => entry["used"]}]
      end
    end

    # Whole or not at all.
    def write(results)
      FileUtils.mkdir_p(@directory)
      path = File.join(@directory, "results.json")
      File.write("#{path}.tmp", JSON.pretty_generate(results))
      File.rename("#{path}.tmp", path)
      page = Report.write(results, File.join(@directory, "report.html"))
      @output.puts("written: #{[path, page].join(", ")}")
    end
  end
end
