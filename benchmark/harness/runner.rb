# frozen_string_literal: true

require "fileutils"
require "time"
require_relative "../report/page"
require_relative "claims"
require_relative "console"
require_relative "machine"
require_relative "measures"
require_relative "turns"

module Bench
  # The version of results.json: raised when a reader of older files would misread.
  SCHEMA = 5

  # One table under one setup, from comparing its documents to its part of results.json.
  class Job
    attr_reader :scenario, :table

    def initialize(scenario, table, setup, settings)
      @scenario, @table, @setup = scenario, table, setup
      @settings = setup.judged_as ? settings : settings.fewer
    end

    # Measures all cores, so that nothing may run beside it.
    def alone? = @table.measure == "parallel" && !@settings.only_equality

    def label = "#{@scenario.number}. #{@scenario.name}, #{@table.name}, #{@setup.id}"

    # Compares, then measures. With --quick not everything is timed; what is not timed is not
    # compared either, unless nothing is timed or --compare-all says so.
    def run(equality)
      @parsers = equality.parsers.keys
      short = @settings.quick && !@settings.only_equality
      Pool.open(@setup, @scenario, @table, quick: short && !@settings.compare_all) do |pool|
        pool.compare(equality)
        pool.leave_out(short)
        @entries, @measured = pool.entries, []
        next if @settings.only_equality || pool.live.empty?

        measure = MEASURES.fetch(@table.measure).new(pool, @settings)
        @measured = measure.complete(rows_of(measure.samples))
      end
      self
    end

    # The table as results.json has it.
    def to_results
      rows = @entries.flat_map do |entry|
        own = @measured.select { |row| row["contender"] == entry.name && entry.ok? }
        own.empty? ? [fields(entry)] : own.map { |row| fields(entry).merge(row) }
      end
      claims = @settings.only_equality ? [] : @table.claims
      judge = Claims.new(rows, @setup.judged_as)
      {"name" => @table.name, "setup" => @setup.id, "measure" => @table.measure,
       "options" => @table.options.transform_keys(&:to_s), "parsers" => @parsers, "rows" => rows,
       "claims" => claims.map { |claim| judge.of(claim) }}
    end

    private

    def rows_of(samples)
      points = samples.keys.map(&:last).uniq
      points = @table.options[:sinks] || (points.all?(Numeric) ? points.sort : points)
      samples.sort_by { |(_, at), _| points.index(at) }.map do |(name, at), taken|
        metrics = taken.flat_map(&:keys).uniq.to_h do |metric|
          [metric, Metrics.of(metric, taken.filter_map { |sample| sample[metric] })]
        end
        {"contender" => name, "at" => at, "metrics" => metrics}
      end
    end

    def fields(entry)
      equal = entry.ok? && @settings.only_equality
      {"contender" => entry.name, "group" => entry.group, "peers" => entry.contender.peer,
       "at" => nil, "status" => equal ? "equal" : entry.status, "error" => entry.error,
       "differs" => entry.contender.differs, "document_bytes" => entry.document_bytes,
       "objects_allowed" => entry.contender.objects, "metrics" => {}}
    end
  end

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
      settings = %i[quick only_equality rounds sample_seconds]
      results = {
        "schema" => SCHEMA, "generated_at" => Time.now.utc.iso8601,
        "seconds" => seconds.round(1), "commit" => Machine.commit, "machine" => machine,
        "settings" => @settings.to_h.slice(*settings).transform_keys(&:to_s),
        "setups" => @setups.map(&:to_results), "peers" => peers,
        "scenarios" => tables.map { |scenario, done| fields(scenario, done) }
      }
      @output.puts("", Console.head(results), Console.summary(results))
      results.tap { write(results) }
    end

    private

    def jobs
      @scenarios.flat_map do |scenario|
        scenario.tables.product(@setups).map { |pair| Job.new(scenario, *pair, @settings) }
      end
    end

    # Side by side, but for what measures all cores. A table is printed when it is done.
    def measure(jobs)
      turns, equality = Turns.new(jobs.size, output: @output), Equality.new
      alone, beside = jobs.partition(&:alone?)
      {alone => 1, beside => LANES}.each do |list, lanes|
        turns.each(list, lanes, label: :label.to_proc) do |job|
          place = {"number" => job.scenario.number, "title" => job.scenario.title}
          Console.table(place, job.run(equality).to_results)
        end
      end
      jobs
    end

    def fields(scenario, jobs)
      {"number" => scenario.number, "name" => scenario.name, "title" => scenario.title,
       "code" => scenario.tables.to_h { |table| [table.name, table.sources] },
       "tables" => jobs.map(&:to_results)}
    end

    # What peers.yml says of those that took part.
    def peers
      listed = @setups.first.stage.peers
      names = @scenarios.flat_map(&:tables).flat_map(&:contenders).flat_map(&:peer).uniq
      names.to_h { |name| [name, listed.fetch(name, {}).slice("docs", "used")] }
    end

    # Whole or not at all.
    def write(results)
      FileUtils.mkdir_p(@directory)
      path = File.join(@directory, "results.json")
      File.write("#{path}.tmp", JSON.pretty_generate(results))
      File.rename("#{path}.tmp", path)
      page = Report.write(results, File.join(@directory, "report.html"))
      @output.puts("written: #{path}, #{page}")
    end
  end
end
