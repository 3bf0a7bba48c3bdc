# frozen_string_literal: true

module Bench
  # One document into one kind of Sink: time, peak memory, and the same document as a String. In a
  # contender's code `v` is the records (an Enumerator over so many, or the value as it is) and
  # `sink` an IO, or nil for a String.
  class Streaming
    WARM_RECORDS = 4_096
    # A document of one value is written for so many nanoseconds, and once at least.
    ENOUGH = 20_000_000
    # A slow reader takes 64 KiB, then sleeps.
    READER = "buffer = +''; (%s) while $stdin.read(65_536, buffer)"
    PAUSE = "sleep 0.002"

    # `count`: records, nil for the value as it is. `small`: what to warm up with then, for the
    # memory of a document that was written before would be there already.
    def initialize(contender, value, count, path, small:)
      %w[objspace tempfile zlib].each { |library| require library }
      @run = Module.new.module_eval("def self.run(v, sink)\n#{contender.code}\nend\nself",
                                    "#{path} (contender at line #{contender.line})", 0)
      @value, @count, @small = value, count, small
    end

    # What one new process measures, by metric.
    def measure(kind)
      warming = ->(sink) { @run.run(@count ? records(WARM_RECORDS) : @small, sink) }
      3.times { warming.call(nil) }
      return to_string if kind == "String"

      File.open(File::NULL, "wb", &warming)
      to_sink(kind)
    end

    private

    # Lazy, the same objects over and over.
    def records(count = @count)
      return @value unless count

      list, last = @value, @value.size - 1 # a power of two
      Enumerator.new { |yielder| count.times { |i| yielder << list[i & last] } }.lazy
    end

    def to_string
      text = nil
      measured = watched(again: @count.nil?) { text = @run.run(records, nil) }
      measured.merge("memsize" => ObjectSpace.memsize_of(text).fdiv(text.bytesize),
                     "peak_share" => measured.fetch("peak_rss").fdiv(text.bytesize))
    end

    def to_sink(kind)
      measured = with_sink(kind) do |sink|
        watched(again: @count.nil? && kind == "file") do
          @run.run(records, sink) && sink.flush && (sink.finish if kind == "gzip")
        end
      end
      measured["records_before"] = records_before if kind == "file" && @count
      kind == "slow reader" ? measured : measured.merge(beside_a_string(kind, measured["time"]))
    end

    def beside_a_string(kind, time)
      text = nil
      string = watched(again: @count.nil?) { text = @run.run(records, nil) }
      return {"by_string" => time.fdiv(string["time"])} unless kind == "gzip"

      ready = with_sink(kind) { |sink| watched { sink.write(text) && sink.finish } }
      {"by_ready" => time.fdiv(ready["time"])}
    end

    # The memory that the process had at most meanwhile, and processor time, the kernel's share
    # included: of this time, or with `again` of one of so many as are enough.
    def watched(again: false, &block)
      GC.start
      File.write("/proc/self/clear_refs", "5") # the peak is forgotten
      before = memory("VmRSS")
      time = spent(&block)
      peak = memory("VmHWM") - before
      if again
        times = [ENOUGH / [time, 1].max, 1].max
        time = spent { times.times(&block) }.fdiv(times)
      end
      {"time" => time, "peak_rss" => peak}
    end

    def spent
      start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :nanosecond)
      yield
      Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :nanosecond) - start
    end

    def memory(name) = File.read("/proc/self/status")[/^#{name}:\s+(\d+)/, 1].to_i * 1024

    # How many records were asked for when the first byte left.
    def records_before
      asked, sink = 0, Object.new
      sink.define_singleton_method(:write) { |_| throw :written }
      catch(:written) { @run.run(records.map { |record| (asked += 1) && record }, sink) }
      asked
    end

    def with_sink(kind, &block)
      case kind
      when "file" then Tempfile.create("to_json-bench", binmode: true, &block)
      when "gzip" then File.open(File::NULL, "wb") { |file| yield Zlib::GzipWriter.new(file) }
      else # a process of its own reads; its time is not ours
        reader = [RbConfig.ruby, "--disable=gems", "-e", format(READER, (PAUSE if kind != "pipe"))]
        IO.popen(reader, "wb", &block)
      end
    end
  end
end
