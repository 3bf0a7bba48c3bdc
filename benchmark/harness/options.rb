# frozen_string_literal: true

require "json"
require "optparse"
require_relative "settings"

module Bench
  # The arguments of bin/bench.
  class Options
    RESULTS = File.expand_path("../results/results.json", __dir__)
    USAGE = <<~TEXT
      Usage: bin/bench [options] [NAME...]

      Compares the gem with its peers: documents first, then time and allocations. Writes
      benchmark/results/results.json and report.html, the page to look at. Installs the peers and
      compiles the extension per Ruby. NAME is one of:
    TEXT

    # `tool` is what to do: :scenarios, :against, :callgrind, :report or :list.
    attr_reader :tool, :names, :yjit, :strict, :accept, :commit, :report

    def initialize(arguments, scenarios)
      @names, @scenarios, @tool, @rubies = arguments, scenarios, :scenarios, []
      @quick, @only_equality, @lanes = false, false, Settings.default_lanes
    end

    def parse = parser.parse!(@names)
    def settings = {quick: @quick, only_equality: @only_equality, lanes: @lanes}
    def rubies = @rubies + ENV["TO_JSON_BENCH_RUBIES"].to_s.split(":")
    def chosen = @names.empty? ? @scenarios : @names.map { |name| scenario_named(name) }

    # [scenario, table, name of the contender] of --callgrind.
    def contender
      raise ArgumentError, "--#{@tool} takes NAME and CONTENDER (see --list)" if @names.size != 2

      name, table_name = @names.first.split("/", 2)
      scenario = scenario_named(name)
      table = scenario.tables.find do |one|
        [nil, one.name].include?(table_name) && one.contender_named(@names.last)
      end
      return [scenario, table, @names.last] if table

      raise ArgumentError, "#{@names.first} has no contender #{@names.last.inspect}; see --list"
    end

    # The results of --report.
    def read_report
      raise ArgumentError, "there is no #{@report}" unless File.file?(@report)

      results = JSON.parse(File.read(@report, encoding: "UTF-8"))
      return results if results.is_a?(Hash) && results["schema"] == SCHEMA

      raise ArgumentError, "#{@report} is not of this version (schema #{SCHEMA})"
    rescue JSON::ParserError => error
      raise ArgumentError, "#{@report} is no JSON: #{error.message.lines.first}"
    end

    private

    def parser
      OptionParser.new do |on|
        on.banner = USAGE + @scenarios.map { |one| "  #{one.name.ljust(14)}#{one.title}\n" }.join
        on.separator ""
        what_to_measure(on)
        other_tools(on)
        on.on("-h", "--help", "this text") { puts(on) || exit }
      end
    end

    def what_to_measure(on)
      on.on("--quick", "short samples of what may be the fastest, under two minutes") do
        @quick = true
      end
      on.on("--only-equality", "compare the documents, time nothing; exit 1 if any differ") do
        @only_equality = true
      end
      on.on("--ruby PATH", "also on this Ruby (repeatable; or TO_JSON_BENCH_RUBIES=a:b)") do |path|
        @rubies << path
      end
      on.on("--[no-]yjit", "only with, or only without YJIT (default: both)") do |yjit|
        @yjit = yjit
      end
      on.on("--lanes N", Integer, "tables side by side (default: #{@lanes})") do |number|
        raise ArgumentError, "--lanes takes 1 or more" unless number.positive?

        @lanes = number
      end
      on.on("--strict", "exit 1 too when a figure was missed or a peer is missing") do
        @strict = true
      end
      on.on("--accept-allocations", "write the objects to benchmark/allocations.yml") do
        @accept = true
      end
    end

    def other_tools(on)
      on.on("--against COMMIT", "instructions and allocations of a call of ours, there and here;",
            "exit 1 where it asks for more here") do |commit|
        @tool, @commit = :against, commit
      end
      on.on("--callgrind", "NAME[/TABLE] CONTENDER: instructions of a call, by function") do
        @tool = :callgrind
      end
      on.on("--report [FILE]", "write report.html again, beside FILE; measure nothing") do |file|
        @tool, @report = :report, file || RESULTS
      end
      on.on("--list", "print scenarios, tables and contenders") { @tool = :list }
    end

    def scenario_named(name)
      @scenarios.find { |scenario| [scenario.name, scenario.number.to_s].include?(name) } or
        raise ArgumentError, "no scenario #{name.inspect}; " \
                             "there are #{@scenarios.map(&:name).join(", ")}"
    end
  end
end
