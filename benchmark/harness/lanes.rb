# frozen_string_literal: true

module Bench
  # Independent measurements side by side: threads that wait for worker processes.
  module Lanes
    # Calls the block with each job, `count` at a time, begun in their order. After an exception
    # none is begun any more; it is raised when those at work are done.
    def self.each(jobs, count)
      queue = Queue.new(jobs).close
      failure = nil
      lanes = Array.new(count) do
        Thread.new do
          while (job = queue.pop) do yield job end
        rescue StandardError => error
          queue.clear
          failure ||= error
        end
      end
      lanes.each(&:join)
      raise failure if failure
    ensure
      lanes&.each(&:kill)
    end
  end
end
