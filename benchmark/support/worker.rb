# frozen_string_literal: true

# Layer: all of the child's side. A process that holds the contenders of one table and does what the
# parent asks: requests and answers are Marshal objects on stdin and stdout, {"op" => …} each.

require_relative "contender_loop"
require_relative "allocations"
require_relative "equality"
require_relative "parallel_worker"

module Bench
  # Answers requests until stdin ends.
  class Worker
    # A young process gives every large buffer back to the kernel (glibc's mmap threshold grows only
    # when such a buffer is freed): all contenders start from a process that has freed one.
    WARM_BYTES = 31 << 20

    def initialize(input, output)
      @input, @output, @loops = input, output, {}
      ("x" * WARM_BYTES).clear
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
      @libraries, @done = request.fetch("libraries"), {}
      @values = @table.values ? @table.values.call : [nil]
      errors = request.fetch("contenders").to_h { |name| [name, attempt { prepare(@table.contender_named(name)) }] }
      {"errors" => errors.compact, "versions" => versions}
    end

    def op_documents(request) = loop_of(request).documents

    # Nanoseconds per call, after warming; the empty loop's too.
    def op_warm(request) = loop_of(request).warm(request.fetch("seconds"))

    # Nanoseconds of so many calls; garbage of the contender before is collected first.
    def op_sample(request)
      GC.start
      loop_of(request).time(request.fetch("iterations"))
    end

    def op_allocations(request) = Allocations.measure(loop_of(request), request.fetch("iterations"))

    def op_reads_value(request) = ContenderLoop.reads_value?(@table.contender_named(request.fetch("contender")).code)

    def op_parallel(request) = ParallelWorker.measure(loop_of(request), request)

    # Runs the contender and answers nothing of interest: for profilers.
    def op_run(request)
      target = loop_of(request)
      200.times { target.run(1) }
      target.run(request.fetch("iterations"))
      nil
    end

    # Both strict parsers, over documents of any process.
    def op_judge(request)
      require "json"
      parsers = {"json #{JSON::VERSION}" => ->(text) { JSON.parse(text, max_nesting: false) }}
      attempt do
        require "oj"
        parsers["oj #{Oj::VERSION}"] = ->(text) { Oj.load(text, mode: :strict) }
      end
      equality = Equality.new(parsers)
      reference, documents = request.values_at("reference", "documents")
      problem = reference ? equality.difference(reference, documents, same_bytes: request.fetch("same_bytes")) : equality.invalid(documents)
      {"problem" => problem, "parsers" => parsers.keys}
    end

    private

    def prepare(contender)
      owners = [contender.group, *contender.peer]
      libraries = contender.peer.empty? && contender.group == "ours" ? ["to_json"] : contender.peer.flat_map { |peer| @libraries.fetch(peer) }
      libraries.each { |library| require library }
      @table.setups.each_with_index do |(whose, block), index|
        @done[index] ||= block.call || true if whose.intersect?(owners) || whose.include?(contender.name)
      end
      @loops[contender.name] = ContenderLoop.new(contender.code, contender.before, @values, @table.path, contender.line)
      @loops[contender.name].run(1)
    end

    def loop_of(request)
      return @loops.fetch(request.fetch("contender")) if request["contender"]

      reads = request.fetch("reads_value")
      @loops[reads] ||= ContenderLoop.empty(@values, reads)
    end

    def versions
      found = {"to_json" => defined?(ToJson::VERSION) && ToJson::VERSION, "json" => defined?(JSON::VERSION) && JSON::VERSION}
      $LOADED_FEATURES.each { |path| (match = path.match(%r{/gems/([a-z_-]+)-([0-9][\w.]*?)/})) and found[match[1]] = match[2] }
      found.select { |_, version| version }
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
