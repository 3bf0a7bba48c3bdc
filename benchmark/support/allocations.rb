# frozen_string_literal: true

# Layer: contender loop. What one call allocates: objects as slots in use with the
# collector off, bytes as slots plus what it asks of malloc. malloc is counted by a preloaded library (malloc_count.c), since Ruby does
# not see what C extensions ask of malloc themselves; without it there is no figure for bytes.

module Bench
  # Counts over `iterations` calls with the garbage collector off.
  module Allocations
    COUNTS = ENV["TO_JSON_BENCH_MALLOC"]
    # Of calls that are short; of others so many that YJIT has compiled what it will, but for those that take so long that only
    # a few are counted.
    WARMING_CALLS, FEWEST_WARMING_CALLS, FEW = 200, 32, 8

    # {"objects", "allocated"} of one call; "allocated" is nil where malloc is not counted.
    def self.measure(contender_loop, iterations)
      WARMING_CALLS.times { contender_loop.run(1) } if iterations >= WARMING_CALLS
      contender_loop.run(iterations < FEW ? iterations : [iterations, FEWEST_WARMING_CALLS].max)
      base, full = Array.new(countings(iterations)) { counting(contender_loop, iterations) }.min_by { |empty, calls| calls.first - empty.first }
      objects, slots, bytes = full.zip(base).map { |with, without| with && (with - without).fdiv(iterations) }
      {"objects" => objects, "allocated" => bytes && slots + bytes}
    ensure
      GC.enable
    end

    # [of an empty run, of the calls], without a collection between.
    def self.counting(contender_loop, iterations)
      GC.enable
      GC.start
      GC.disable
      difference { contender_loop.run(0) } # the first reading fills caches of Ruby's own
      [difference { contender_loop.run(0) }, difference { contender_loop.run(iterations) }]
    end

    # Among few calls four objects that are made once and for all would be 0.13 a call (seen on 3.1): a second counting does not have them.
    def self.countings(iterations) = iterations.between?(FEW, WARMING_CALLS) ? 2 : 1

    # [objects, bytes of their slots, bytes asked of malloc] while the block runs.
    def self.difference
      before = snapshot
      yield
      snapshot.zip(before).map { |after, value| after && after - value }
    end

    # Both readings allocate alike, so that their own objects cancel against an empty run.
    def self.snapshot
      bytes = COUNTS && File.binread(COUNTS, 8).unpack1("Q")
      [live_objects, slot_bytes, bytes]
    end

    # Slots in use, exactly: the counter of all ever allocated is brought up to date a page at a time.
    # The Hash is filled again, not made again.
    def self.live_objects
      @counts ||= {}
      ObjectSpace.count_objects(@counts)
      @counts.fetch(:TOTAL) - @counts.fetch(:FREE)
    end

    # Bytes of all slots ever handed out, up to a page behind: so many calls are needed. Ruby >= 3.3 counts per slot size; before, all are of one size
    # (3.2 has sizes but no count of each: the smallest is assumed).
    def self.slot_bytes
      if (heaps = heap_statistics)
        heaps.sum { |heap| heap.fetch(:total_allocated_objects) * heap.fetch(:slot_size) }
      else
        GC.stat(:total_allocated_objects) * GC::INTERNAL_CONSTANTS.fetch(:RVALUE_SIZE, 40)
      end
    end

    def self.heap_statistics
      return nil unless GC.respond_to?(:stat_heap)

      heaps = GC.stat_heap.values
      heaps if heaps.all? { |heap| heap.key?(:total_allocated_objects) }
    end
  end
end
