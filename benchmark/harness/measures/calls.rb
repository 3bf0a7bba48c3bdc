# frozen_string_literal: true

require_relative "measure"

module Bench
  # How long one call takes, and what it allocates.
  class Calls < Measure
    # A sample of slow calls has so many, though it then takes so many times as long: of ten calls
    # of a millisecond none may hold a garbage collection, which a thousand would.
    SAMPLE_CALLS, LONGER = 12, 3
    # Calls over which allocations are counted: many, since Ruby counts slots a page at a time, but
    # no more than fit in memory with the collector off, or take longer than that.
    ALLOCATION_CALLS, ALLOCATION_BYTES, ALLOCATION_NANOSECONDS = 20_000, 100 << 20, 3e7
    # One stray object in so many calls is no object a call; of others' slow calls fewer do.
    FEWEST_CALLS = Hash.new(4).merge("ours" => 32)

    # How many calls of so many nanoseconds make a sample.
    def self.calls(per_call, settings)
      in_time = settings.sample_seconds * 1e9 / per_call
      longer = settings.quick ? in_time : [in_time * LONGER, SAMPLE_CALLS].min
      [in_time, longer, 1].max.to_i
    end

    # With --quick objects only, and only of ours; bytes take processes of their own.
    def finish(samples)
      entries = @pool.live.select { |entry| !@settings.quick || entry.group == "ours" }
      return if entries.empty?
      return count(@pool, entries, samples) if @settings.quick || !@pool.setup.stage.malloc_counter

      Pool.open(@pool.setup, @pool.scenario, @table, only: entries.map(&:name),
                                                     counting: true) do |counting|
        count(counting, entries, samples)
      end
    end

    private

    def prepare
      @calls = @pool.live.to_h do |entry|
        [entry, self.class.calls(entry.ask(:warm, seconds: @settings.warm_seconds), @settings)]
      end
    end

    def take(entry, _at)
      calls = @calls.fetch(entry)
      time = entry.ask(:sample, iterations: calls).fdiv(calls)
      {"time" => time, "throughput" => entry.document_bytes * 1000 / time}
    end

    def count(pool, entries, samples)
      entries.each do |entry|
        taken = samples.fetch([entry.name, nil])
        counting = pool.named(entry.name)
        next unless counting.ok?

        taken << counting.ask(:allocations, iterations: counted_calls(entry, taken)).compact
      end
    end

    def counted_calls(entry, taken)
      in_time = ALLOCATION_NANOSECONDS / taken.map { |sample| sample["time"] }.min
      in_memory = ALLOCATION_BYTES / (entry.document_bytes * 20)
      [in_time, in_memory].min.to_i.clamp(FEWEST_CALLS[entry.group], ALLOCATION_CALLS)
    end
  end
end
