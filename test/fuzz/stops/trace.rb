# frozen_string_literal: true

# Stops. Counts the events of a call and stops it at one of them.

module Stops
  # Events of all kinds are numbered together, from 1 on, in the order in which they happen in the
  # thread that makes the call. Number 1 is the block of this file around the call. An event that
  # RubyGems' `require` makes stands for the next one elsewhere: whatever leaves that method
  # half-way leaves its monitor, or Ruby's autoload, broken, without us as well.
  class Trace
    EVENTS = %i[call c_call c_return return line b_call].freeze

    # @return [Integer] how many events there were
    attr_reader :count
    # @return [String, nil] the event at which the call was stopped
    attr_reader :place

    # @param at [Integer, nil] the event to stop at; nil: none
    # @yield [place] at that event: stops the thread
    def initialize(at = nil, &stop)
      @at = at
      @stop = stop
      @count = 0
    end

    # @return [Object] what the block gives
    def around(&)
      TracePoint.new(*EVENTS) { |event| reached(event) if (@count += 1) == @at }
                .enable(target_thread: Thread.current, &)
    end

    private

    def reached(event)
      return @at += 1 if rubygems?

      file = event.path.to_s.delete_prefix("#{ROOT}/")
      @place =
        "#{event.event} " \
        "#{"#{event.defined_class}##{event.method_id} " if event.method_id}#{file}:#{event.lineno}"
      @stop.call(@place)
    end

    # Its `require` is "<internal:…/rubygems/core_ext/kernel_require.rb>"; what it calls of Ruby's
    # own may be "<internal:kernel>".
    def rubygems?
      caller(3).find { |frame| !frame.start_with?("<internal:") || frame.include?(RUBYGEMS) }
               .to_s.include?(RUBYGEMS)
    end

    ROOT = File.expand_path("../../..", __dir__)
    RUBYGEMS = File.join(File.dirname(Gem.method(:path).source_location.first), "rubygems").freeze
    private_constant :ROOT, :RUBYGEMS
  end
end
