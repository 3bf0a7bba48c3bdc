# frozen_string_literal: true

require_relative "pool"

module Bench
  # Tables side by side: more would measure what all cores share, memory and clock.
  LANES = Etc.nprocessors.clamp(1, 2)

  # How long and how often: `rounds` samples of a contender at each point, `process_rounds` of what
  # takes a process for each sample.
  Settings = Struct.new(:quick, :only_equality, :compare_all, :rounds, :process_rounds,
                        :sample_seconds, :warm_seconds, keyword_init: true) do
    def self.make(quick: false, **more)
      new(quick: quick, rounds: quick ? 9 : 15, process_rounds: quick ? 3 : 9,
          sample_seconds: 0.015, warm_seconds: 0.05, **more)
    end

    # What is printed and not judged has fewer samples: it would take a quarter of the time.
    def fewer = dup.tap { |other| other.rounds, other.process_rounds = 9, 3 }
  end

  # A way to measure the contenders of a table: by turns, round after round, in an order that
  # changes, so that what else the machine does hits all alike. A subclass says at which points
  # (`ats`: sizes, numbers of workers …) and takes one sample of a contender at a point.
  class Measure
    # `pool` is open.
    def initialize(pool, settings)
      @pool, @settings, @table, @options = pool, settings, pool.table, pool.table.options
      @calls = {}
    end

    # {[name, at] => [{metric => value}]}
    def samples
      samples, random = Hash.new { |hash, key| hash[key] = [] }, Random.new(1)
      points = @pool.live.product(ats)
      points.each { |entry, at| guard(entry) { prepare(entry, at) } }
      rounds.times do
        points.shuffle(random: random).each do |entry, at|
          samples[[entry.name, at]] << guard(entry) { take(entry, at) } if entry.ok?
        end
      end
      @pool.live.each { |entry| guard(entry) { finish(entry, samples) } }
      samples
    end

    # Rows of results.json with metrics that come of others, and those that --quick leaves out.
    def complete(rows) = rows

    private

    def rounds = @settings.process_rounds
    def ats = [nil]
    def prepare(_entry, _at) = nil
    def finish(_entry, _samples) = nil

    # Who fails, or whose worker ends, has no figures.
    def guard(entry)
      yield
    rescue WorkerProcess::Failure => error
      entry.fail(error.message)
    end

    # A metric of each row by that of the same contender's row at `base`.
    def compare_to_base(rows, base, metric, by)
      rows.each do |row|
        first = rows.find { |one| one.values_at("contender", "at") == [row["contender"], base] }
        pair = [row, first].map { |one| one && one["metrics"][by] }
        row["metrics"][metric] = Metrics.quotient(metric, *pair) if pair.all?
      end
    end

    # A sample in a process of its own.
    def in_new_process
      worker = @pool.setup.start
      yield worker
    ensure
      worker&.close
    end
  end

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

    private

    def rounds = @settings.rounds

    def prepare(entry, _at)
      per_call = entry.ask(:warm, seconds: @settings.warm_seconds)
      @calls[entry] = self.class.calls(per_call, @settings)
    end

    def take(entry, _at)
      time = entry.ask(:sample, iterations: @calls[entry]).fdiv(@calls[entry])
      {"time" => time, "throughput" => entry.document_bytes * 1000 / time}
    end

    # With --quick only of ours.
    def finish(entry, samples)
      return if @settings.quick && entry.group != "ours"

      taken = samples.fetch([entry.name, nil])
      in_time = ALLOCATION_NANOSECONDS / taken.map { |sample| sample["time"] }.min
      in_memory = ALLOCATION_BYTES / (entry.document_bytes * 20)
      calls = [in_time, in_memory].min.to_i.clamp(FEWEST_CALLS[entry.group], ALLOCATION_CALLS)
      taken << entry.ask(:allocations, iterations: calls).compact
    end
  end

  # Calls of which each has a base, another call that does less. `net` is what remains when the
  # least time of all bases of the table is taken off: they do the same work.
  class Requests < Calls
    # Many methods are to be compiled; short samples, and more of them.
    WARM, MOST_CALLS, MORE = 10, 6, 2

    def complete(rows)
      bases = rows.map { |row| row["metrics"].delete("base_time") }
      base = Metrics.of("time", bases.map { |one| one["best"] })
      rows.each do |row|
        row["metrics"]["net"] = Metrics.difference("net", row["metrics"]["time"], base)
      end
    end

    private

    def rounds = super * MORE

    def prepare(entry, _at)
      seconds = @settings.warm_seconds * WARM
      per_call = %i[ask_base ask].map { |ask| entry.send(ask, :warm, seconds: seconds) }.last
      @calls[entry] = [self.class.calls(per_call, @settings), MOST_CALLS].min
    end

    def take(entry, _at)
      base = entry.ask_base(:sample, iterations: @calls[entry])
      {**super, "base_time" => base.fdiv(@calls[entry])}
    end

    def finish(entry, samples)
      own = super&.last or return
      base = entry.ask_base(:allocations, iterations: FEWEST_CALLS[entry.group]).compact
      own.update(base.to_h { |name, figure| ["net_#{name}", own[name] - figure] })
    end
  end

  # How the time for one record grows with their number. The table's data is one list of records;
  # its options are `records` (how many: those of the list over and over), `base` (the number that
  # growth is set in relation to) and `quick_records` (the largest number that --quick has).
  class Growth < Measure
    def complete(rows)
      compare_to_base(rows, @options.fetch(:base), "growth", "record_time")
      left_out = rows.map { |row| row["contender"] }.uniq.product(@options[:records] - ats)
      rows + left_out.map do |name, number|
        {"contender" => name, "at" => number, "status" => "skipped",
         "error" => "left out by --quick"}
      end
    end

    private

    def rounds = @settings.rounds

    def ats
      most = @settings.quick ? @options.fetch(:quick_records) : Float::INFINITY
      @options.fetch(:records).select { |number| number <= most }
    end

    # How many calls fill a sample.
    def prepare(entry, number)
      per_call = entry.ask(:warm, records: number, seconds: @settings.warm_seconds)
      @calls[[entry, number]] = [(@settings.sample_seconds * 1e9 / per_call).to_i, 1].max
    end

    def take(entry, number)
      calls = @calls.fetch([entry, number])
      time = entry.ask(:sample, records: number, iterations: calls)
      {"record_time" => time.fdiv(calls * number)}
    end
  end

  # How a contender's rate grows with the number of workers. The table's options are `kind`
  # ("processes" or "ractors"), `workers` (a list that starts with 1) and `calls` (by each).
  class ParallelRates < Measure
    QUICK_SHARE = 4

    def complete(rows) = compare_to_base(rows, 1, "scaling", "rate")

    private

    def ats = @options.fetch(:workers)

    def take(entry, workers)
      calls = @options.fetch(:calls) / (@settings.quick ? QUICK_SHARE : 1)
      {"rate" => entry.ask(:parallel, kind: @options.fetch(:kind), workers: workers,
                                      iterations: calls)}
    end
  end

  # How long a new process takes until it serializes (worker/start.rb). The table's option is
  # `count`: how many serializers.
  class Starts < Measure
    private

    def take(entry, _at)
      in_new_process do |worker|
        worker.ask(:start, scenario: @pool.scenario.path, table: @table.name,
                           contender: entry.name, peers: @pool.setup.stage.peers, **@options)
      end
    end
  end

  # One long document into Sinks of every kind (worker/streaming.rb), each sample in a process of
  # its own: peak memory is what a process had at most. The table's options are `sinks`, `records`
  # (of a document; without, the first value is written as it is, and the last one warms up),
  # `quick_records`, `rounds` and `quick_rounds`.
  class Streams < Measure
    private

    def rounds = [@options[@settings.quick ? :quick_rounds : :rounds], super].compact.min
    def ats = @options.fetch(:sinks)

    def take(entry, sink)
      records = (@options[:quick_records] if @settings.quick) || @options[:records]
      in_new_process do |worker|
        worker.open(@pool.scenario, @table, [entry.name], @pool.setup.stage.peers)
        worker.ask(:stream, contender: entry.name, sink: sink, records: records)
      end
    end
  end

  MEASURES = {"calls" => Calls, "requests" => Requests, "growth" => Growth,
              "parallel" => ParallelRates, "start" => Starts, "streams" => Streams}.freeze
end
