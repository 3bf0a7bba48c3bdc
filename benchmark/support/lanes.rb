# frozen_string_literal: true

# Layer: none below it. Independent measurements side by side, as many as the machine has cores to spare.

require "etc"

module Bench
  # Threads that wait for worker processes, which do the work.
  module Lanes
    # With more than two, what all cores share (memory, clock) would be measured too.
    MOST = 2

    def self.count = Etc.nprocessors.clamp(1, MOST)

    # Calls the block with each job, `count` at a time, begun in their order. After an exception none is begun any more; it is raised when those at work
    # are done.
    def self.each(jobs, count)
      queue = Queue.new(jobs).close
      lanes = Array.new(count) do
        Thread.new do
          Thread.current.report_on_exception = false
          while (job = queue.pop) do yield job end
        rescue StandardError
          queue.clear
          raise
        end
      end
      lanes.each(&:join)
    ensure
      lanes&.each(&:kill)&.each { |lane| lane.join rescue nil } # rubocop:disable Style/RescueModifier -- it was raised above
    end
  end
end
