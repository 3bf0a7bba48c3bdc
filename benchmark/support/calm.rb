# frozen_string_literal: true

# Layer: none below it. On the parent's side: samples from a machine that others use as well.
#
# Where cores are shared with strangers, a core has two speeds, which follow each other every few seconds: the slow one takes half as long
# again, and it does not slow all code alike, so that contenders' ratios to each other differ by a fifth between the two. Seen on two shared
# cores of an EPYC over 90 seconds: 40 % of all readings were slow ones, and hardly any stood between. So a Gauge is read around each sample,
# and a sample of a slow core is taken again, for as long as there is patience. Where bursts of strangers are shorter than a sample, slices of it tell
# (SlicedSample).

module Bench
  # Tells whether a core has its full speed, and keeps what is left of the time to wait for one. One for all workers of a setup, which read the
  # same Gauge.
  class Calm
    # A reading this much above the least is slow. Those of a core at full speed are up to 15 % apart, the slow ones begin at 35 %.
    SLOWER = 1.2
    # The same of a short reading, which fits into a core's nearest cache: 8 % apart at full speed, the slow ones begin at 50.
    SLOWER_SHORT = 1.1
    # The least is that of so many that are less than all others: one alone may be luck.
    LUCKY = 5
    # Of so many short readings the share that is slow tells whether the machine is quiet, and up to this much it is.
    OF_LATE, FEW_SLOW = 300, 0.1
    # How often a sample in slices is taken at most: where strangers come and go for a while, patience would be spent on one.
    TRIES = 3
    # Seconds between two readings of a slow core.
    PAUSE = 0.01

    # @return [Integer] samples that were kept though the core was slow
    attr_reader :disturbed

    # @param pause [Numeric] seconds
    def initialize(pause: PAUSE)
      @pause, @left, @least, @least_short, @of_late, @disturbed, @lock = pause, 0, [], [], [], 0, Mutex.new
    end

    # More patience; what a table does not use is left for those that follow.
    # @param seconds [Numeric]
    def add(seconds) = @lock.synchronize { @left += seconds }

    # What the block gives on a core at full speed, before as well as after; what its last try gave when the patience is at an end.
    # @param worker [#ask, nil] reads the Gauge; nil: nobody does, and what the block gives first is kept
    # @return [Object]
    def sample(worker, &block) = take(worker, &block).first

    # The same, and whether the core had its full speed.
    # @return [Array(Object, Boolean)]
    def take(worker)
      loop do
        ready = wait_for(worker)
        start = now
        value = yield
        return [value, true] if full_speed?(worker) && ready
        return [value, false].tap { disturb } unless patient?

        spend(now - start)
      end
    end

    # The same of a sample in slices, taken again where too few of them were at full speed, unless slices are so long that they would be by luck alone. Nobody
    # waits before it.
    # @yieldreturn [SlicedSample]
    # @return [Array(Float, Boolean, Float)] nanoseconds of a call, whether at full speed, and those of the whole sample
    def take_slices
      TRIES.downto(1) do |tries|
        start = now
        sample = yield
        limit, quiet = look_at(sample.gauges)
        value, calmly = sample.at_full_speed(limit, quiet: quiet)
        return [value, calmly, sample.whole].tap { disturb unless calmly } if calmly || sample.long? || tries == 1 || !patient?

        spend(now - start)
      end
    end

    private

    # Whether it came to that.
    def wait_for(worker)
      until (fast = full_speed?(worker)) || !patient?
        start = now
        sleep @pause
        spend(now - start)
      end
      fast
    end

    def full_speed?(worker)
      return true unless worker

      reading = worker.ask(:gauge)
      @lock.synchronize { reading <= SLOWER * standing(@least = [*@least, reading].min(LUCKY)) }
    end

    # Short readings: what the limit is with them, and whether the machine is quiet. Of one sample the LUCKY-th counts, since the clock may be
    # faster for a whole one.
    def look_at(readings)
      @lock.synchronize do
        @least_short = [*@least_short, readings.min(LUCKY).last].min(LUCKY)
        limit = SLOWER_SHORT * standing(@least_short)
        @of_late = (@of_late + readings.map { |reading| reading > limit }).last(OF_LATE)
        [limit, @of_late.count(true) <= FEW_SLOW * @of_late.size]
      end
    end

    def standing(least) = least.size < LUCKY ? least.first : least.last

    def disturb = @lock.synchronize { @disturbed += 1 }
    def patient? = @lock.synchronize { @left.positive? }
    def spend(seconds) = @lock.synchronize { @left -= seconds }
    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end
end
