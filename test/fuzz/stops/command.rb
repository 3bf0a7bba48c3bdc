# frozen_string_literal: true

# Stops. `bin/fuzz stops`.

require "optparse"
require_relative "../kit/seed"
require "to_json"
require_relative "runner"
require_relative "report"

module Stops
  # The command line.
  module Command
    COUNT = 10_000
    BANNER = <<~TEXT
      Usage: bin/fuzz stops [options]

      Makes a call of each feature and stops it at one of its events (TracePoint's call, c_call,
      c_return, return, line and b_call, numbered together from 1 on). The stop is Thread#kill,
      Thread#raise of an Exception (raise), throw or a Timeout; with --way fail it is Thread#raise
      of a StandardError. It is tried on the first use of a feature and on the hundredth, in a
      process of its own. Then the next call, other classes and the caller's state must be right.
      #{COUNT} stops, unless told otherwise.

    TEXT

    # @return [Boolean] whether all was well
    def self.run(arguments)
      options = { seed: Fuzz.seed, count: COUNT, jobs: 1 }
      filter = nil
      parser = OptionParser.new do |o|
        o.banner = BANNER
        o.on("--all",
             "every event of every call once, by the usual ways in turn, or by --way") do
          options[:count] = nil
        end
        o.on("--count N", Integer, "stops in all (#{COUNT})") { |n| options[:count] = n }
        o.on("--seed S", Integer, "the same stops again") { |s| options[:seed] = s }
        o.on("--jobs J", Integer, "processes (1)") { |j| options[:jobs] = j }
        o.on("--scenario NAME", "those whose name contains it") { |name| filter = name }
        o.on("--use USE", Runner::USES, "first or hundredth") { |use| options[:uses] = [use] }
        o.on("--way WAY", Ways::ALL.keys, "#{Ways::ALL.keys.join(", ")}") do |way|
          options[:ways] = [way]
        end
        o.on("--at N", "event number N, or N..M") { |at| options[:at] = range(at) }
        o.on("--list", "the scenarios") { return puts(Stops.scenarios.keys) || true }
      end
      parser.parse!(arguments)
      go(chosen(filter), options)
    end

    def self.range(text)
      first, last = text.split("..").map { |number| Integer(number) }
      first..(last || first)
    end

    # One by its whole name, or all that contain it.
    def self.chosen(filter)
      all = Stops.scenarios
      return all.values if filter.nil?

      found = all.key?(filter) ? [all[filter]] : all.values.select do |one|
        one.name.include?(filter)
      end
      found.empty? ? abort("bin/fuzz stops: no scenario #{filter}; --list has them") : found
    end

    def self.go(scenarios, options)
      runner = Runner.new(scenarios: scenarios, **options)
      report = Report.new(runner, options[:seed])
      $stdout.sync = true
      done = ->(name, use) { puts report.row(name, use) }
      runner.call(done: done) do |result|
        puts report.failure(result) if runner.failures.size <= 20
      end
      puts "by what came of them:", report.causes if runner.failures.any?
      runner.unreached.each { |name, use, way| puts "never reached: #{name}, #{use} use, #{way}" }
      puts report.summary
      runner.ok?
    end
    private_class_method :range, :chosen, :go
  end
end
