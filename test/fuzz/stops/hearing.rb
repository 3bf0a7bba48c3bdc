# frozen_string_literal: true

# Stops. What a child says, and how it ends.

module Stops
  # Listens to one child until it has ended.
  class Hearing
    def initialize(batch, process, pipe, timeout)
      @batch, @process, @pipe, @timeout = batch, process, pipe, timeout
      @text = +""
    end

    # @yieldparam result [Nest::Result]
    # @return [Integer] how many cases of the batch were tried
    def results(&)
      while (line = line_in_time)
        word, text = line.split(" ", 2)
        break ended(&) if word == "end"

        hear(word, text, &)
        break if @over
      end
      finish(&)
      @over ? @index + 1 : @batch.size
    end

    private

    def hear(word, text, &)
      case word
      when "begin" then @index, @place, @open = Integer(text), nil, true
      when "at" then @place = text
      when "fine", "missed" then give(word, &)
      when "wrong" then stop(text, &)
      when "stuck" then stop("hangs at #{text}", &)
      end
    end

    # Nothing more is to be learnt from this process.
    def stop(outcome, &)
      @over = true
      give(outcome, &)
    end

    def give(outcome)
      @open = false
      @index ||= 0
      yield Nest::Result.new(case: @batch[@index], place: @place, outcome: outcome, before: @index)
    end

    def ended = @complete = true

    # nil: the child closed the pipe, or says nothing for too long; then it is asked where it is.
    def line_in_time
      asked = false
      until @text.include?("\n")
        if IO.select([@pipe], nil, nil, asked ? 2 : @timeout)
          @text << @pipe.readpartial(65_536)
        elsif asked
          break @late = true
        else
          asked = Process.kill(:TERM, @process)
        end
      end
      @text.slice!(/\A.*\n/)&.chomp
    rescue EOFError
      nil
    end

    def finish(&)
      Process.kill(:KILL, @process) if @over || @late
      _, status = Process.wait2(@process)
      return if @over || (@complete && status.success?)

      stop(@late ? "hangs" : died(status), &)
    end

    def died(status)
      if status.signaled?
        "SIGNAL #{Signal.signame(status.termsig)}"
      else
        "the process ended: #{status.exitstatus}"
      end
    end
  end
end
