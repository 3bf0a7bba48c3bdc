# frozen_string_literal: true

# Layer: cli. Writes to stdout, or to a file that appears when it is complete.

module ToJson
  module CLI
    # A Sink. A file is written beside its place and renamed at the end, so that a run that fails
    # leaves what was there.
    class Output
      # @param path [String, nil] nil or "-": stdout
      # @param line_buffered [Boolean] whether each record leaves when its line ends
      # @yieldparam output [Output]
      # @yieldreturn [Boolean] whether the file is to be kept
      def self.open(path, line_buffered: false)
        output = new(path, line_buffered)
        keep = yield(output)
        output.finish(keep)
      ensure
        output&.discard
      end

      def initialize(path, line_buffered)
        @line_buffered = line_buffered
        @path = path unless path == "-"
        @name = @path || "<stdout>"
        @waiting = String.new(capacity: 2 * ENOUGH, encoding: Encoding::BINARY)
        guard { @io = @path ? open_file : $stdout.binmode }
      end

      # Lines are gathered to pieces of this size.
      ENOUGH = 64 * 1024

      # What a Sink must have.
      def write(text)
        @waiting << text
        return flush if @line_buffered && @waiting.end_with?("\n")

        deliver if @waiting.bytesize >= ENOUGH
      end

      # Before a message, so that a terminal shows both in their order.
      def flush
        deliver
        guard { @io.flush }
      end

      # To be called once all inputs had their turn; `keep`: whether the file takes its place.
      def finish(keep)
        flush
        guard do
          next unless @path

          @io.close
          File.rename(@beside, @target) if @beside && keep
          @beside = nil if keep
        end
      end

      # Nothing stays of what was not finished.
      def discard
        return unless @path

        @io&.close
        File.unlink(@beside) if @beside
      rescue SystemCallError
        nil
      end

      private

      def deliver
        guard { @io.write(@waiting) }
        @waiting.clear
      end

      # Devices and pipes are written to as they are; of a link, what it leads to is replaced.
      def open_file
        there = File.exist?(@path)
        @target = there ? File.realpath(@path) : @path
        stat = File.stat(@target) if there
        raise Errno::EISDIR if stat&.directory?
        raise Errno::EACCES if there && !File.writable?(@target)
        return File.open(@target, "wb") if stat && !stat.file?

        # not the PID: in a container a later run may get the PID of a killed one
        beside = "#{@target}.#{Random.urandom(6).unpack1("H*")}.tmp"
        io = File.open(beside, File::WRONLY | File::CREAT | File::EXCL | File::BINARY, 0o666)
        @beside = beside
        io.chmod(stat.mode & 0o7777) if stat
        io
      end

      def guard
        yield
      rescue Errno::EPIPE
        raise PipeClosed
      rescue SystemCallError => error
        raise OutputFailure, "#{@name.b}: #{error.class.new.message.b}"
      end
    end
  end
end
