# frozen_string_literal: true

# Stops. A process that has loaded and warmed what the scenarios of a group need, and forks a child
# for each batch of stops. It waits for no child for ever.

require_relative "child"
require_relative "hearing"

module Stops
  # One group's work, in the calling process.
  class Nest
    # After so many seconds without a word a child hangs: a trial takes some milliseconds.
    TIMEOUT = Float(ENV.fetch("TO_JSON_STOPS_TIMEOUT", "15"))
    BATCH = 50

    # What came of a case. outcome:: "fine", "missed" or a sentence
    Result = Struct.new(:case, :place, :outcome, :before, keyword_init: true)

    # Loads the group's libraries, and makes each scenario's call more than once, so that what the
    # gem reads later is there, and generic code warm.
    def initialize(group)
      ToJson.eager_load!
      LIBRARIES.fetch(group).each { |library| require library }
      scenarios = Stops.scenarios.values.select { |scenario| scenario.group == group }
      2.times { scenarios.each { |scenario| warm(scenario) } }
      raise Sound.wrong if Sound.wrong

      # the first TracePoint rewrites all code in memory: once here, not in each child
      Trace.new.around {}
      GC.start
    end

    # @return [Integer] events of a call
    def count(scenario, use)
      reader, writer = IO.pipe
      process = fork do
        reader.close
        writer.write(Child.count(scenario, use))
        writer.close
        exit!(0)
      end
      writer.close
      answer = reader.read
      Process.wait(process)
      raise "#{scenario.name}: the call without a stop ended its process (#{$?})" unless $?.success?

      Integer(answer)
    ensure
      [reader, writer].each(&:close)
    end

    # Tries the cases, which are of one scenario and use.
    # @yieldparam result [Result]
    def run(scenario, cases, &)
      cases.each_slice(BATCH) do |batch|
        batch = batch.drop(in_child(scenario, batch, &)) until batch.empty?
      end
    end

    private

    def warm(scenario)
      subject = scenario.subject
      3.times do
        got = subject.call.call
        broken = subject.whole&.call(true)
        next if got == subject.expect && broken.nil?

        raise "#{scenario.name}: without a stop " \
              "#{broken || "it gave #{got.inspect} instead of #{subject.expect.inspect}"}"
      end
      subject.wrong_again&.then { |wrong| raise "#{scenario.name}: without a stop #{wrong}" }
    end

    # @return [Integer] how many of the batch were tried: the others need another process, since one
    #   went wrong
    def in_child(scenario, batch, &)
      reader, writer = IO.pipe
      process = fork do
        reader.close
        $stderr.reopen(File::NULL) # a crash tells of itself at length
        Child.new(scenario, batch, writer).run
        exit!(0)
      end
      writer.close
      Hearing.new(batch, process, reader, TIMEOUT).results(&)
    ensure
      [reader, writer].each(&:close)
    end
  end
end
