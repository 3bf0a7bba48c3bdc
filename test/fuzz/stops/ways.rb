# frozen_string_literal: true

# Stops. The ways to stop a thread. A stop comes from another thread, so that
# Thread.handle_interrupt holds it back like a real one.

require "timeout"

module Stops
  # No StandardError: nothing but `rescue Exception` may catch it.
  class Stop < Exception; end # rubocop:disable Lint/InheritException

  # Stands for a user's MyTimeout in `Timeout.timeout(1, MyTimeout)`. A RuntimeError, as
  # Timeout::Error is.
  class Failed < RuntimeError; end

  # Throws when it is raised in the thread that it is for: what Timeout.timeout of Ruby 3.1 does.
  class Throw < Exception # rubocop:disable Lint/InheritException
    def initialize(thread)
      super()
      @thread = thread
    end

    def exception(*) = Thread.current == @thread ? throw(:stop, :stopped) : self
  end

  # Each way has two methods. The thread that is to be stopped calls `stop`. `guard` runs a block,
  # and returns :stopped if the stop ended it. A killed thread returns nothing.
  module Ways
    # Thread#kill
    module Kill
      def self.guard(_seconds) = yield
      def self.stop(thread, _seconds) = Thread.new { thread.kill }.join
    end

    # Thread#raise of an Exception
    module Raise
      def self.guard(_seconds)
        yield
      rescue Stop
        :stopped
      end

      def self.stop(thread, _seconds) = Thread.new { thread.raise(Stop) }.join
    end

    # Thread#raise of a StandardError, which a `rescue` of our code catches
    module Fail
      def self.guard(_seconds)
        yield
      rescue Failed
        :stopped
      end

      def self.stop(thread, _seconds) = Thread.new { thread.raise(Failed) }.join
    end

    # throw
    module Thrown
      def self.guard(_seconds, &) = catch(:stop, &)
      def self.stop(thread, _seconds) = Thread.new { thread.raise(Throw.new(thread)) }.join
    end

    # Timeout.timeout, which stops a thread in its own way on each Ruby. The thread reaches the
    # event in a small part of `seconds`, and then sleeps until the `seconds` are over.
    module TimedOut
      def self.guard(seconds, &)
        Timeout.timeout(seconds, &)
      rescue Timeout::Error
        :stopped
      end

      def self.stop(_thread, seconds) = sleep(seconds + 1)
    end

    ALL = { "kill" => Kill, "raise" => Raise, "fail" => Fail, "throw" => Thrown,
            "timeout" => TimedOut }.freeze

    # Without `fail`: ActiveModel's `value.to_i rescue nil` rescues its StandardError.
    USUAL = (ALL.keys - ["fail"]).freeze
  end
end
