# frozen_string_literal: true

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
    # Options, the class of their argument, and what they do.
    OPTIONS = [
      ["--quick", "short samples of what may be the fastest"],
      ["--only-equality", "compare the documents, time nothing; exit 1 if any differ"],
      ["--compare-all", "with --quick: compare the documents of what it does not time, too"],
      ["--[no-]yjit", "only with, or only without YJIT (default: both)"],
      ["--lanes N", Integer, "tables side by side (default: one a core, two at most)"],
      ["--strict", "exit 1 too when a figure was missed or a peer is missing"],
      ["--accept-allocations", "write the objects that were measured to allocations.yml"],
      ["--against COMMIT", "instructions and allocations of a call of ours, there and here;",
       "exit 1 where it asks for more here"],
      ["--callgrind", "NAME[/TABLE] CONTENDER: instructions of a call, by function"],
      ["--report [FILE]", "write report.html again, beside FILE; measure nothing"],
      ["--list", "print scenarios, tables and contenders"]
    ].freeze
    TOOLS = %i[against callgrind report list].freeze

    attr_reader :names, :rubies

    def initialize(arguments, scenarios)
      @names, @scenarios, @given = arguments, scenarios, {}
      @rubies = ENV["TO_JSON_BENCH_RUBIES"].to_s.split(":")
    end

    def parse
      list = @scenarios.map { |one| "  #{one.name.ljust(14)}#{one.title}\n" }.join
      parser = OptionParser.new("#{USAGE}#{list}\n")
      OPTIONS.each { |option| parser.on(*option) }
      parser.on("--ruby PATH", "also on this Ruby (repeatable; TO_JSON_BENCH_RUBIES=a:b)") do |path|
        @rubies << path
      end
      parser.on("-h", "--help", "this text") { puts(parser) || exit }
      parser.parse!(@names, into: @given)
      raise ArgumentError, "--lanes takes 1 or more" unless @given.fetch(:lanes, 1).positive?
    end

    # What was given for that option, or nil.
    def [](option) = @given[option]

    # What to do: :scenarios, :against, :callgrind, :report or :list.
    def tool = TOOLS.find { |tool| @given.key?(tool) } || :scenarios

    def quick? = @given.key?(:quick)
    def only_equality? = @given.key?(:"only-equality")
    def compare_all? = @given.key?(:"compare-all")
    def chosen = @names.empty? ? @scenarios : @names.map { |name| scenario_named(name) }

    def settings
      Settings.make(quick: quick?, only_equality: only_equality?, compare_all: compare_all?,
                    lanes: @given.fetch(:lanes, Settings.default_lanes))
    end

    # [scenario, table, name of the contender] of --callgrind.
    def contender
      raise ArgumentError, "--#{tool} takes NAME and CONTENDER (see --list)" if @names.size != 2

      name, table_name = @names.first.split("/", 2)
      scenario = scenario_named(name)
      table = scenario.tables.find do |one|
        [nil, one.name].include?(table_name) && one.contender_named(@names.last)
      end
      return [scenario, table, @names.last] if table

      raise ArgumentError, "#{@names.first} has no contender #{@names.last.inspect}; see --list"
    end

    private

    def scenario_named(name)
      @scenarios.find { |scenario| [scenario.name, scenario.number.to_s].include?(name) } or
        raise ArgumentError, "no scenario #{name.inspect}; " \
                             "there are #{@scenarios.map(&:name).join(", ")}"
    end
  end
end
