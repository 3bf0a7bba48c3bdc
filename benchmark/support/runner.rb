# frozen_string_literal: true

# Layer: all of the parent's side but the command line. Runs scenarios under setups and makes results.json.

require "fileutils"
require "json"
require "time"
require_relative "console"
require_relative "job"
require_relative "lanes"
require_relative "machine"
require_relative "pace"
require_relative "progress"
require_relative "report"
require_relative "schema"
require_relative "sources"

module Bench
  # What a whole run may take, with what is installed for it: two Rubies with and without YJIT on two cores have 40.
  MINUTES = 36

  # How long and how often: `rounds` in all, `process_rounds` where a sample takes processes of its own, both divided among the `passes`. Many passes tell
  # more than many rounds: of the ratios of four runs 70 % agreed by seven rounds of one pass, 80 % by three rounds of three passes, 86 by seven of three.
  Settings = Struct.new(:quick, :only_equality, :passes, :rounds, :process_rounds, :sample_seconds, :warm_seconds, :seed, :lanes, :minutes,
                        keyword_init: true) do
    def self.make(quick:, only_equality:, seed: 1, lanes: Lanes.count, minutes: MINUTES)
      figures = {passes: 4, rounds: 20, process_rounds: Statistics::SAMPLES, sample_seconds: 0.01, warm_seconds: 0.05}
      figures = {passes: 1, rounds: Statistics::SAMPLES, process_rounds: 3, sample_seconds: 0.015, warm_seconds: 0.06} if quick
      new(quick: quick, only_equality: only_equality, seed: seed, lanes: lanes, minutes: minutes, **figures)
    end

    # What is printed and not judged has fewer samples, in one pass: it would take a quarter of the time.
    def for_setup(judged_as) = judged_as ? self : dup.tap { |fewer| fewer.passes, fewer.rounds, fewer.process_rounds = 1, Statistics::SAMPLES, 3 }

    # Of one table, whose option `passes` says fewer.
    def passes_of(table) = only_equality ? 1 : [table.options.fetch(:passes, passes), passes].min

    # With --quick not everything is timed; all is compared where nothing is timed.
    def leaves_out? = quick && !only_equality

    def to_json_fields = {"quick" => quick, "only_equality" => only_equality, "passes" => passes, "rounds" => rounds,
                          "sample_seconds" => sample_seconds, "seed" => seed, "lanes" => lanes, "minutes" => minutes}
  end

  # The whole run.
  class Runner
    # `scenarios` and `setups` as loaded and prepared, which took `spent` seconds; `directory` gets results.json and report.html.
    def initialize(scenarios, setups, settings, directory:, spent: 0, output: $stdout)
      @scenarios, @setups, @settings, @directory, @spent, @output = scenarios, setups, settings, directory, spent, output
    end

    # Measures everything, prints, writes the file; returns the results.
    def run
      @machine, start = Machine.facts, Process.clock_gettime(Process::CLOCK_MONOTONIC)
      jobs = @scenarios.flat_map { |scenario| scenario.tables.flat_map { |table| @setups.map { |setup| Job.new(scenario, table, setup, @settings) } } }
      total = jobs.sum { |job| job.seconds * job.passes }
      @progress, @pace = Progress.new(total), Pace.new(total, seconds: (@settings.minutes * 60) - @spent)
      measured = measure_all(jobs)
      tables = jobs.group_by(&:scenario).transform_values { |list| list.map { |job| measured.fetch(job) } }
      @progress.clear
      results = assemble(tables, Process.clock_gettime(Process::CLOCK_MONOTONIC) - start)
      @output.puts("", Console.head(results), Console.summary(results))
      write(results)
      results
    ensure
      @setups.each(&:close)
    end

    private

    # {job => its table}. Side by side, but for what measures all cores; a pass begins when the one before is done.
    def measure_all(jobs)
      (0...@settings.passes).each_with_object({}) do |number, measured|
        alone, beside = jobs.select { |job| number < job.passes }.partition(&:alone?)
        {alone => 1, beside => @settings.lanes}.each { |list, lanes| Lanes.each(list, lanes) { |job| measure(job, number, measured) } }
      end
    end

    # A table is printed after its last pass.
    def measure(job, number, measured)
      @pace.part(job.seconds_of(number), optional: job.optional?(number), deferred: job.deferred) do |share|
        label = share ? job.label(number) : "#{job.label(number)}: left out, since the run is late"
        @progress.part(label, job.seconds) { |done| share ? job.run(number, share: share, &done) : job.leave_out }
      end
      return if number < job.passes - 1

      result = measured[job] = job.result
      @progress.puts(Console.table({"number" => job.scenario.number, "title" => job.scenario.title}, result), to: @output)
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
