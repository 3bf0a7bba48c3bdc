# frozen_string_literal: true

# Stops. What a run prints.

module Stops
  # Of a Runner.
  class Report
    def initialize(runner, seed)
      @runner, @seed = runner, seed
    end

    # @return [String] how many stops of a scenario were tried, and of how many events
    def row(name, use)
      tallies = @runner.tallies.select { |key, _| key.first(2) == [name, use] }
      counts = tallies.map { |(_, _, way), tally| "#{way} #{told(tally)}" }
      format("%-58s %-9s %6d events: %s", name, use, tallies.first.last.events, counts.join(", "))
    end

    # @return [String] one failure, and what repeats it
    def failure(result)
      stop = result.case
      ["FAIL #{stop.scenario}, #{stop.use} use, #{stop.way} at event #{stop.at} of seed " \
       "#{@seed}: #{result.outcome}",
       ("  stopped at #{result.place}" if result.place), "  #{command(result)}"].compact.join("\n")
    end

    # Failures by what came of them and where.
    # @return [String]
    def causes
      groups = @runner.failures.group_by { |result| [result.outcome[0, 160], result.case.scenario] }
      groups.sort_by { |_, results| -results.size }.map do |(outcome, name), results|
        places = most(results.map { |result| result.place.to_s[/[^ ]+\z/] })
        ways = most(results.map { |result| result.case.way })
        "#{results.size} #{name}: #{outcome}\n     #{ways}; " \
          "#{results.map { |result| result.case.use }.uniq.join(", ")}; at #{places}"
      end.join("\n")
    end

    # @return [String] the last line
    def summary
      failed = @runner.failures.size + @runner.unreached.size
      format("fuzz stops: seed %d, %.1f s, %d stops a minute: %d passed, %d failed",
             @seed, @runner.seconds, @runner.tried / @runner.seconds * 60,
             @runner.tried - @runner.failures.size, failed)
    end

    private

    def told(tally)
      ["#{tally.tried - tally.missed}", ("missed #{tally.missed}" if tally.missed.positive?),
       ("FAILED #{tally.failed}" if tally.failed.positive?)].compact.join(" ")
    end

    # The four most frequent.
    def most(names)
      names.tally.max_by(4, &:last).map { |name, count| "#{name} (#{count})" }.join(", ")
    end

    # A stop of a hundredth use that fails alone is tried alone; else with those before it, in one
    # process.
    def command(result)
      stop = result.case
      before = result.before.to_i
      "bin/fuzz stops --scenario '#{stop.scenario}' --use #{stop.use} --way #{stop.way} " \
        "--at #{stop.at}#{" (or all: it was number #{before + 1} of its process)" if before > 0}"
    end
  end
end
