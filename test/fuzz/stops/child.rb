# frozen_string_literal: true

# Stops. What a forked process does: some trials of one scenario, told line by line through a pipe.

require_relative "trial"

module Stops
  # A stop to try.
  #
  # use:: :first or :hundredth
  # way:: a name of Ways::ALL
  # at::  the number of the event
  Case = Struct.new(:scenario, :use, :way, :at, keyword_init: true)

  # Lines: "begin N", "at PLACE" before the thread is stopped, "fine", "missed" or "wrong WHAT"
  # behind it; "end"; of a process that
  # must be ended "stuck PLACE". A crash is known by what is not said.
  class Child
    WARM = 99
    REWARM = 30
    # Writers that some threads may have at a time, and pools keep.
    WRITERS = 12

    # @param cases [Array<Case>] of one scenario and use
    def initialize(scenario, cases, pipe)
      @scenario, @cases, @pipe = scenario, cases, pipe
    end

    def run
      trap(:TERM) { tell("stuck", threads) && exit!(3) }
      subject = warm(@scenario.subject) unless first?
      before = Sound.writers if @cases.size > 1
      @cases.each_with_index { |stop, index| try(subject || @scenario.subject, stop, index) }
      grown = @cases.size > 1 ? Sound.writers - before : 0
      tell("wrong", "#{grown} Writers more after #{@cases.size} stops") if grown > WRITERS
      tell("end")
    rescue Exception => error # without a stop
      tell("wrong", "#{error.class}: #{error.message}")
    end

    # How many events a call has.
    def self.count(scenario, use)
      child = new(scenario, [Case.new(use: use)], nil)
      subject = child.warm(scenario.subject)
      trace = Trace.new
      Thread.new { trace.around { subject.call.call } }.join
      trace.count
    end

    def warm(subject)
      return subject if first?

      repeat(subject, WARM)
      subject
    end

    private

    # Each stop of a first use has classes of its own.
    def first? = @cases.first.use == :first

    def repeat(subject, times)
      times.times do
        got = subject.call.call
        unless got == subject.expect
          raise "#{@scenario.name}: without a stop it gave #{got.inspect}"
        end

        subject.whole&.call(true)
      end
    end

    # Where each thread waits.
    def threads
      Thread.list.filter_map do |thread|
        thread.backtrace&.grep_v(/fuzz.stops/)&.first(3)&.join(" < ")
      end.join(" | ")
    end

    def try(subject, stop, index)
      tell("begin", index)
      trial = Trial.new(@scenario, subject, stop.way, stop.at) { |place| tell("at", place) }
      wrong = trial.wrong
      # what a stop, or a class that was made since, has cooled
      repeat(subject, REWARM) if wrong.nil? && !first? && index < @cases.size - 1
      if wrong then tell("wrong", wrong)
      else tell(trial.reached? ? "fine" : "missed")
      end
    end

    def tell(word, text = nil) = @pipe.syswrite("#{word} #{text.to_s.tr("\n", " ")}\n")
  end
end
