# frozen_string_literal: true

# Stops. The ways to stop a thread. All come from another thread, so that Thread.handle_interrupt
# holds them back
# where it would hold back the real ones.

require "timeout"

module Stops
  # No StandardError: nothing but `rescue Exception` may catch it.
  class Stop < Exception; end # rubocop:disable Lint/InheritException

  # What `Timeout.timeout(1, Failed)` raises. Timeout::Error is a RuntimeError, too.
  class Failed < RuntimeError; end

  # Throws when it is raised in the thread that it is for: what Timeout.timeout of Ruby 3.1 does.
  class Throw < Exception # rubocop:disable Lint/InheritException
    def initialize(thread)
      super()
      @thread = thread
    end

    def exception(*) = Thread.current == @thread ? throw(:stop, :stopped) : self
  end

  # Each answers `stop`, called by the thread that is to be stopped, and `guard`, which runs a block
  # and gives
  # :stopped where the stop left it. A killed thread gives nothing.
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

    # Thread#raise of a StandardError, which our code may rescue
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

    # Timeout.timeout in its own way on this Ruby. The event is reached in a small part of
    # `seconds`; the thread then
    # sleeps until they are over.
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
  end
end
