# frozen_string_literal: true

require_relative "contender_loop"
require_relative "go_loop"
require_relative "libraries"
require_relative "parallel"
require_relative "start"
require_relative "streaming"

module Bench
  # A process that holds the contenders of one table and does what the harness asks. Requests and
  # answers are Marshal objects on stdin and stdout; a request is {op: …} with arguments.
  class Worker
    # A young process gives every large buffer back to the kernel (glibc keeps them once it has
    # seen one freed): all contenders start from a process that has freed one.
    WARM_BYTES = 31 << 20

    def initialize(input, output)
      @input, @output, @loops = input, output, {}
      ("x" * WARM_BYTES).clear
    end

    # Answers requests until stdin ends.
    def serve
      loop do
        request, value = Marshal.load(@input), nil # the harness's, over a pipe of our own
        error = error_of { value = send(:"op_#{request.delete(:op)}", **request) }
        Marshal.dump({"error" => error, "value" => value}, @output)
        @output.flush
      end
    rescue EOFError
      nil
    end

    private

    # What this process is.
    def op_identity
      yjit = defined?(RubyVM::YJIT) && RubyVM::YJIT.enabled?
      {"ruby" => RUBY_DESCRIPTION, "yjit" => yjit ? true : false}
    end

    # Loads the contenders' libraries and sets them up. Returns, by name, the error of those that
    # cannot run here, and the versions of what was loaded.
    def op_open(scenario:, table:, contenders:, peers:)
      @table = Scenario.load_file(scenario).table_named(table)
      @peers, @done = peers, []
      @table.needed.each { |peer| Libraries.load(peer, peers.fetch(peer)) }
      @values = @table.values ? @table.values.call : [nil]
      errors = contenders.to_h { |name| [name, error_of { prepare(@table.contender_named(name)) }] }
      {"errors" => errors.compact, "versions" => {**Libraries.versions, **@go.to_h}}
    end

    def op_documents(contender:)
      text = @table.contender_named(contender).document
      (text ? loop_of(contender, text, before: nil) : @loops.fetch(contender)).documents
    end

    # Nanoseconds of one call, after so many seconds of calls.
    def op_warm(contender:, seconds:, records: nil) = loop_for(contender, records).warm(seconds)

    # Nanoseconds of so many calls. What the contenders before left is collected first; what it
    # leaves itself is collected meanwhile, as always.
    def op_sample(contender:, iterations:, records: nil)
      GC.start
      loop_for(contender, records).time(iterations)
    end

    def op_allocations(contender:, iterations:)
      @loops.fetch(contender).allocations(iterations)
    end

    # How many calls take about so long: whole periods of values, or one.
    def op_calls_within(contender:, seconds:)
      per_call = @loops.fetch(contender).warm(seconds)
      [(seconds * 1e9 / per_call / @values.size).to_i, 1].max * @values.size
    end

    # Has callgrind count so many calls, several times, without the garbage collector, whose runs
    # fall where they fall. See Bench::Callgrind.
    def op_instructions(contender:, iterations:, windows:)
      require "probe"
      target = @loops.fetch(contender)
      target.time(0) # measures the empty loop
      GC.start
      GC.disable
      windows.times do
        Probe.start
        target.time(iterations)
        Probe.stop
      end
      nil
    ensure
      GC.enable
    end

    def op_parallel(contender:, kind:, workers:, iterations:)
      Parallel.rate(@loops.fetch(contender), kind, workers, iterations)
    end

    # Asked of a worker that was asked nothing before.
    def op_start(scenario:, table:, contender:, peers:, count:)
      table = Scenario.load_file(scenario).table_named(table)
      Start.measure(table.contender_named(contender), peers, count, table.values.call.first)
    end

    # Asked of a worker that has opened this contender alone.
    def op_stream(contender:, sink:, records:)
      raise @failed if @failed

      contender = @table.contender_named(contender)
      Streaming.new(contender, @values.first, records, @table.path, small: @values.last)
               .measure(sink)
    end

    def prepare(contender)
      Libraries.load_for(contender, @peers)
      @table.setups_of(contender).each do |index, text, line|
        next if @done.include?(index)

        Object.class_eval("# frozen_string_literal: true\n#{text}", @table.path, line - 1)
        @done << index
      end
      Object.class_eval(contender.define, @table.path, contender.line) if contender.define
      @loops[contender.name] = program(contender) || loop_of(contender.name, contender.code)
      @loops[contender.name].run(1)
      return unless contender.base

      @loops[base = "#{contender.name}, base"] = loop_of(contender.name, contender.base)
      @loops[base].run(1)
    rescue StandardError, ScriptError => error
      @failed = error
      raise
    end

    # Of a peer that is one. It gets its data as the documents of the first contender in Ruby.
    def program(contender)
      name = contender.peer.find { |peer| @peers.dig(peer, "source") } or return
      first = @loops.values.first or raise "nothing ran that has its data"
      path = $LOAD_PATH.map { |directory| File.join(directory, name) }.find do |one|
        File.file?(one)
      end
      program = GoLoop.new(path, contender.code, first.documents)
      @go = {name => program.run(1).fetch("version")}
      program
    end

    def loop_of(name, code, before: @table.contender_named(name).before, values: @values)
      line = @table.contender_named(name).line
      ContenderLoop.new(code, before, values, @table.path, line)
    end

    # The contender's loop, or the one over so many records: those of the first value, over and
    # over.
    def loop_for(name, records)
      return @loops.fetch(name) unless records

      @loops[[name, records]] ||= begin
        many = @values.first.cycle.first(records)
        loop_of(name, @table.contender_named(name).code, values: [many])
      end
    end

    def error_of
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
