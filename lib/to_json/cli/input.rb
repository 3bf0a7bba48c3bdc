# frozen_string_literal: true

# Layer: cli. Reads a file or stdin, whole or line by line.

module ToJson
  module CLI
    # One input. What goes wrong in reading is a Failure with its name.
    class Input
      # Bytes of one read.
      PIECE = 1024 * 1024

      attr_reader :name, :io

      # @param argument [String] a path, or "-" for stdin
      # @yieldparam input [Input]
      def self.open(argument, console)
        return yield(new("<stdin>", $stdin.binmode, console)) if argument == "-"

        io = guard(argument) { File.open(argument, "rb") }
        begin
          guard(argument) { raise Errno::EISDIR if io.stat.directory? }
          yield new(argument, io, console)
        ensure
          io.close
        end
      end

      # The system's own words, without the place in Ruby's source that it adds.
      def self.guard(name)
        yield
      rescue SystemCallError => error
        raise Failure, "#{name.b}: #{error.class.new.message.b}"
      rescue IOError => error
        raise Failure, "#{name.b}: #{error.message.b}"
      end

      def initialize(name, io, console)
        @name = name
        @io = io
        @console = console
      end

      # All of it, as UTF-8 that nobody has looked at yet.
      def text
        whole = String.new(capacity: (size || 0) + 1, encoding: Encoding::BINARY)
        piece = String.new(capacity: PIECE)
        progress("reading ") do |advance|
          while guard { @io.read(PIECE, piece) }
            whole << piece
            advance.call(piece.bytesize)
          end
        end
        whole.force_encoding(Encoding::UTF_8)
      end

      # Yields each line that holds more than white space, its line end still there, and its number,
      # from 1. Memory: one line.
      def each_line
        number = 0
        progress do |advance|
          while (line = guard { @io.gets("\n") })
            number += 1
            advance.call(line.bytesize)
            yield line, number unless line.getbyte(0) <= 32 && line.match?(/\A[ \t\r\n]*\z/n)
          end
        end
      end

      # @yieldparam advance [#call]
      def progress(doing = "", &block) = @console.progress("#{doing}#{name}", size, &block)

      # Bytes, or nil where there is no end known: pipes, devices, what /proc makes up.
      def size
        stat = @io.stat
        stat.size if stat.file? && stat.size.positive?
      rescue SystemCallError
        nil
      end

      # Reads; see Input.guard.
      def guard(&block) = Input.guard(@name, &block)
    end
  end
end
