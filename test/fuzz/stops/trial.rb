# frozen_string_literal: true

# Stops. One stop of one call, in the process that is to survive it.

require_relative "scenario"
require_relative "sound"
require_relative "trace"
require_relative "ways"

module Stops
  # Runs in a child of the Nest.
  class Trial
    # The seconds of a call that a Timeout ends: many times what the call takes, so that its event
    # comes before them.
    SECONDS = 0.03
    # Ruby itself says so, with a `fatal`, where the event is within `raise`.
    REENTERED = "exception reentered"

    # @yield [place] before the thread is stopped, since it may be the last thing that this process
    #   does
    def initialize(scenario, subject, way, at, &tell)
      @scenario, @subject, @at, @tell = scenario, subject, at, tell
      @way = Ways::ALL.fetch(way)
      @finished = @looked = false
    end

    # @return [String, nil] what is wrong after the stop
    def wrong
      stop_call || broken_state || @subject.wrong_again || Sound.wrong || wrong_anew
    end

    # Whether the event was reached; where the call had fewer events this time, it was not.
    def reached? = !@trace.place.nil?

    private

    # Makes the call in a thread of its own. That thread looks for itself what is wrong: it has its
    # own last Writer.
    def stop_call
      @trace = Trace.new(@at) do |place|
        @tell.call(place)
        @way.stop(Thread.current, SECONDS)
      end
      found = nil
      thread = Thread.new do
        result = @way.guard(SECONDS) do
          @trace.around { @subject.call.call.tap { @finished = true } }
        end
        found = lost(result) || broken_state || @subject.wrong_again
      end
      thread.report_on_exception = false
      thread.join
      found
    rescue Exception => error # what the call raised instead of the stop
      return if error.message == REENTERED

      "the stopped call raised #{error.class}: #{error.message[0, 200]} (#{error.backtrace&.first})"
    end

    def lost(result)
      return if result == :stopped
      return "the stop was lost: the call went on and gave #{result.inspect}" if reached?

      "the call gave #{result.inspect}" unless result == @subject.expect
    end

    # Asked once, by who comes first after the stop.
    def broken_state
      return if @looked

      @looked = true
      @subject.whole&.call(@finished)
    end

    def wrong_anew
      fresh = @scenario.subject
      got = fresh.call.call
      "a new class of the same kind gave #{got.inspect}" unless got == fresh.expect
    rescue Exception => error # as in Subject#wrong_again
      "a new class of the same kind raised #{error.class}: #{error.message[0, 200]} " \
      "(#{error.backtrace&.first})"
    end
  end
end
