# frozen_string_literal: true

# Layer: all of the child's side. A process that holds the contenders of one table and does what the
# parent asks: requests and answers are Marshal objects on stdin and stdout, {"op" => …} each.

require_relative "contender_loop"
require_relative "allocations"
require_relative "equality"
require_relative "gauge"
require_relative "libraries"
require_relative "parallel_worker"
require_relative "start"
require_relative "streaming"

module Bench
  # Answers requests until stdin ends.
  class Worker
    # A young process gives every large buffer back to the kernel (glibc's mmap threshold grows only
    # when such a buffer is freed): all contenders start from a process that has freed one.
    WARM_BYTES = 31 << 20
    # Before a profiler looks.
    WARMING_CALLS = 200

    def initialize(input, output)
      @input, @output, @loops, @records = input, output, {}, {}
      ("x" * WARM_BYTES).clear
      Gauge.warm
    end

    def serve
      loop do
        request = Marshal.load(@input) # the parent's, over a pipe of our own
        answer =
          begin
            {"value" => public_send(:"op_#{request.fetch("op")}", request)}
          rescue StandardError, ScriptError, SystemStackError => error
            {"error" => "#{error.class}: #{error.message.lines.first.to_s.strip}", "backtrace" => error.backtrace&.first(8)}
          end
        Marshal.dump(answer, @output)
        @output.flush
      end
    rescue EOFError
      nil
    end

    # What this process is.
    def op_identity(_request)
      yjit = defined?(RubyVM::YJIT) && RubyVM::YJIT.enabled?
      {"ruby" => RUBY_DESCRIPTION, "version" => RUBY_VERSION, "yjit" => yjit ? true : false}
    end

    # Requires the libraries of the contenders and sets them up. Returns, by name, the error of those
    # that cannot run here, and the versions of what was loaded.
    def op_open(request)
      @table = Scenario.load_file(request.fetch("scenario")).table_named(request.fetch("table"))
      @peers, @done = request.fetch("peers"), {}
      @table.needed.each { |peer| Libraries.load(peer, @peers.fetch(peer)) }
      @values = @table.values ? @table.values.call : [nil]
      errors = request.fetch("contenders").to_h { |name| [name, attempt { prepare(@table.contender_named(name)) }] }
      {"errors" => errors.compact, "versions" => Libraries.versions}
    end

    def op_documents(request)
      contender = @table.contender_named(request.fetch("contender"))
      return loop_of(request).documents unless contender.document

      ContenderLoop.new(contender.document, nil, @values, @table.path, contender.line).documents
    end

    # Nanoseconds per call, after warming; the empty loop's too.
    def op_warm(request) = loop_of(request).warm(request.fetch("seconds"))

    # How long the core takes for the same work as ever (Bench::Gauge).
    def op_gauge(_request) = Gauge.read

    # Collects all garbage.
    def op_collect(_request) = GC.start

    # Nanoseconds of so many calls, after a collection.
    def op_sample(request)
      GC.start
      loop_of(request).time(request.fetch("iterations"))
    end

    # So many slices of so many calls each; what is young of the contender before is collected first.
    def op_slices(request)
      GC.start(full_mark: false)
      loop_of(request).slices(*request.values_at("calls", "count")).to_h
    end

    def op_allocations(request) = Allocations.measure(loop_of(request), request.fetch("iterations"))

    # How many calls take about so long: whole periods of values, or one.
    def op_calls_within(request)
      target, seconds = loop_of(request), request.fetch("seconds")
      target.warm(seconds)
      spent = target.time(@values.size)
      [(seconds * 1e9 / spent).to_i, 1].max * @values.size
    end

    # Has callgrind count so many calls, several times (Bench::InstructionCounts). Without the garbage collector, whose runs fall where they fall. By `time`,
    # which warming compiled: a loop that YJIT knows only as what compiled code calls is left to the interpreter where interpreted code calls it.
    def op_instructions(request)
      require "callgrind_marks"
      target, calls = loop_of(request), request.fetch("iterations")
      GC.start
      GC.disable
      CallgrindMarks.start
      request.fetch("windows").times do
        CallgrindMarks.zero
        target.time(calls)
        CallgrindMarks.dump
      end
      nil
    ensure
      CallgrindMarks.stop
      GC.enable
    end

    def op_reads_value(request) = ContenderLoop.reads_value?(@table.contender_named(request.fetch("contender")).code)

    def op_parallel(request) = ParallelWorker.measure(loop_of(request), request)

    # Runs the contender and answers nothing of interest: for profilers.
    def op_run(request)
      target = loop_of(request)
      calls = 0
      while calls < WARMING_CALLS # no block, which would be compiled
        target.time(1)
        calls += 1
      end
      target.time(request.fetch("iterations"))
      nil
    end

    # Both strict parsers, over documents of any process. What passes without a reference (`first`) is that of those that follow.
    def op_judge(request)
      require "json"
      parsers = {"json #{JSON::VERSION}" => ->(text) { JSON.parse(text, max_nesting: false) }}
      attempt do
        require "oj"
        parsers["oj #{Oj::VERSION}"] = ->(text) { Oj.load(text, mode: :strict) }
      end
      equality = Equality.new(parsers)
      documents, contender = request.fetch("documents"), contender_of(request)
      problem =
        if request.fetch("first") then equality.invalid(documents)
        else equality.difference(@reference, documents, same_bytes: contender.differs.nil?, maps: contender.maps)
        end
      @reference = documents if request.fetch("first")
      {"problem" => problem, "parsers" => parsers.keys}
    end

    # See Bench::Start; asked of a worker that was asked nothing before.
    def op_start(request)
      contender = contender_of(request)
      Start.measure(contender, request.fetch("peers"), request.fetch("count"), @table.values.call.first)
    end

    # See Bench::Streaming; asked of a worker that has opened this contender alone.
    def op_stream(request)
      contender = @table.contender_named(request.fetch("contender"))
      Streaming.measure(contender, @values.first, request.fetch("records"), request.fetch("sink"), @table.path, small: @values.last)
    end

    private

    def contender_of(request)
      @table = Scenario.load_file(request.fetch("scenario")).table_named(request.fetch("table"))
      @table.contender_named(request.fetch("contender"))
    end

    def prepare(contender)
      owners = [contender.group, *contender.peer]
      contender.peer.each { |peer| Libraries.load(peer, @peers.fetch(peer)) }
      require "to_json" if contender.group == "ours"
      @table.setups.each_with_index do |(whose, block), index|
        @done[index] ||= block.call || true if whose.intersect?(owners) || whose.include?(contender.name)
      end
      Object.class_eval(contender.define, @table.path, contender.line) if contender.define
      @loops[contender.name] = ContenderLoop.new(contender.code, contender.before, @values, @table.path, contender.line)
      @loops[contender.name].run(1)
    end

    def loop_of(request)
      name, count = request.values_at("contender", "records")
      return @loops["#{name} × #{count}"] ||= loop_over(@table.contender_named(name), count) if count
      return @loops.fetch(name) if name

      reads = request.fetch("reads_value")
      @loops[reads] ||= ContenderLoop.empty(@values, reads)
    end

    # The contender's loop over so many records: those of the first value, over and over.
    def loop_over(contender, count)
      records = @records[count] ||= @values.first.cycle.first(count)
      ContenderLoop.new(contender.code, contender.before, [records], @table.path, contender.line)
    end

    def attempt
      yield
      nil
    rescue StandardError, ScriptError, SystemStackError => error
      "#{error.class}: #{error.message.lines.first.to_s.strip}"
    end
  end
end

if $PROGRAM_NAME == __FILE__
  Warning[:experimental] = false
  output = $stdout.dup
  $stdout.reopen($stderr)
  input = $stdin.dup
  [input, output].each(&:binmode)
  $stdin.reopen(File::NULL)
  Bench::Worker.new(input, output).serve
end
