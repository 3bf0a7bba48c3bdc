# frozen_string_literal: true

module Bench
  # What one call allocates: objects as slots in use with the collector off, which is exact; bytes
  # as slots plus what it asks of malloc, which native/probe.c counts, since Ruby does not see what
  # C extensions ask for; where it is not preloaded there is no figure for bytes.
  module Allocations
    PROBED = ENV["LD_PRELOAD"].to_s.end_with?("probe.so")
    # Of short calls, so that YJIT has compiled what it will; of long ones fewer, of a few none.
    WARMING_CALLS, FEWEST_WARMING_CALLS, FEW = 200, 32, 8

    class << self
      # {"objects", "allocated"} of one call; "allocated" is nil where malloc is not counted.
      def measure(target, iterations)
        require "probe" if PROBED
        WARMING_CALLS.times { target.run(1) } if iterations >= WARMING_CALLS
        target.run(iterations < FEW ? iterations : [iterations, FEWEST_WARMING_CALLS].max)
        # Among few calls what is made once and for all shows: a second count does not have it.
        counts = Array.new(iterations.between?(FEW, WARMING_CALLS) ? 2 : 1) do
          count(target, iterations)
        end
        objects, slots, bytes = counts.min_by(&:first).map { |all| all&.fdiv(iterations) }
        {"objects" => objects, "allocated" => bytes && (slots + bytes)}
      ensure
        GC.enable
      end

      private

      # [objects, bytes of slots, bytes of malloc] of so many calls, without a collection between.
      def count(target, iterations)
        GC.enable
        GC.start
        GC.disable
        difference { target.run(0) } # the first reading fills caches of Ruby's own
        base, full = [0, iterations].map { |calls| difference { target.run(calls) } }
        full.zip(base).map { |with, without| with && (with - without) }
      end

      # Both readings allocate alike, so that their own objects cancel against an empty run.
      def difference
        before = snapshot
        yield
        snapshot.zip(before).map { |after, value| after && (after - value) }
      end

      # GC.stat's counter of all objects is brought up to date a page at a time; this is exact.
      def snapshot
        ObjectSpace.count_objects(@counts ||= {})
        [@counts.fetch(:TOTAL) - @counts.fetch(:FREE), slot_bytes, (Probe.bytes if PROBED)]
      end

      # Bytes of all slots ever handed out, up to a page behind: so many calls are needed.
      def slot_bytes
        heaps = GC.respond_to?(:stat_heap) ? GC.stat_heap.values : [{}]
        if heaps.all? { |heap| heap.key?(:total_allocated_objects) } # Ruby >= 3.3
          heaps.sum { |heap| heap.fetch(:total_allocated_objects) * heap.fetch(:slot_size) }
        else
          GC.stat(:total_allocated_objects) * GC::INTERNAL_CONSTANTS.fetch(:RVALUE_SIZE, 40)
        end
      end
    end
  end
end
