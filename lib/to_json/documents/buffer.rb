# frozen_string_literal: true

# Layer: envelope. A Sink in memory that is used again and again; its native part is ext/to_json/classes/buffer_class.c.

module ToJson
  # Memory for documents that stays from one to the next. With `into: buffer` a document is written where it will stay, behind what
  # stands there already; nothing is allocated once the Buffer is large enough. After an error it is as it was.
  #
  # While a document is being written into it, it reads as it was before, and changing it raises {SinkError}. A frozen one can be
  # used in any Ractor. Not for several threads at once without a lock of yours.
  #
  # @example
  #   buffer = ToJson::Buffer.new
  #   ToJson.generate({ id: 1 }, into: buffer)
  #   buffer << "\n"
  #   ToJson.generate({ id: 2 }, into: buffer)
  #   buffer.to_s                     # => "{\"id\":1}\n{\"id\":2}"
  #   buffer.write_to([])             # => ["{\"id\":1}\n{\"id\":2}"]
  #   buffer.clear.bytesize           # => 0
  #   buffer.capacity >= 17           # => true
  class Buffer
    # @!method initialize(capacity: 16)
    #   @param capacity [Integer] bytes that it has room for from the start; it grows as needed
    # @!method write(*texts)
    #   Appends each one's `to_s`; in UTF-8, unless it is binary.
    #   @example
    #     ToJson::Buffer.new.write("[", 1, "]") # => 3
    #   @param texts [String, #to_s]
    #   @return [Integer] bytes
    #   @raise [SinkError, FrozenError] as for all that changes it: see {Buffer}
    # @!method <<(text)
    #   {#write} for one text.
    #   @example
    #     (ToJson::Buffer.new << "é" << 1).to_s # => "é1"
    #   @param text [String, #to_s]
    #   @return [self]
    # @!method to_s
    #   @return [String] a copy of what stands in it, as UTF-8
    # @!method bytesize
    #   @return [Integer]
    # @!method empty?
    #   @return [Boolean]
    # @!method capacity
    #   @return [Integer] bytes for which it has memory; `ObjectSpace.memsize_of` counts them
    # @!method clear
    #   Empties it and keeps its memory.
    #   @return [self]
    # @!method shrink(capacity = bytesize)
    #   Gives memory back that is not needed for so many bytes, nor for what stands in it.
    #   @example
    #     buffer = ToJson::Buffer.new(capacity: 1_000_000)
    #     buffer.shrink(4096).capacity # => 4096
    #   @param capacity [Integer]
    #   @return [self]
    # @!method write_to(sink)
    #   Hands it to a Sink as a document is handed: in pieces of 64 KiB, what `write` did not take once more.
    #   @example
    #     (ToJson::Buffer.new << "[1]").write_to(StringIO.new).string # => "[1]"
    #   @param sink [String, Buffer, #write, #<<]
    #   @return [Object] the Sink
    #   @raise [SinkError] as for `into:`
    # @!method freeze
    #   @return [self]
    #   @raise [SinkError] while a document is being written into it

    # Its bytes in pieces of whole characters, for `each` bodies.
    #
    # @example
    #   (ToJson::Buffer.new << "[10,20]").each_chunk(4).to_a # => ["[10,", "20]"]
    # @param bytes [Integer] of a piece at most; a longer character is not cut
    # @yieldparam chunk [String]
    # @return [self, Enumerator]
    # @raise [ArgumentError] where that is less than 1
    def each_chunk(bytes = 65_536)
      raise ArgumentError, "each_chunk takes a number of bytes, an Integer of at least 1; got #{bytes.inspect}." unless bytes.is_a?(Integer) && bytes.positive?
      return enum_for(:each_chunk, bytes) unless block_given?

      from = 0
      until (chunk = piece(from, bytes)).empty?
        from += chunk.bytesize
        yield chunk
      end
      self
    end

    # {#write} for callers of an IO, such as a Logger.
    #
    # @example
    #   buffer = ToJson::Buffer.new
    #   buffer.print(1, "é")
    #   buffer.to_s # => "1é"
    # @param texts [String, #to_s]
    # @return [nil]
    # @raise [SinkError, FrozenError] as {#write}
    def print(*texts)
      write(*texts)
      nil
    end

    # Each text on a line of its own, as an IO's: an Array's elements too.
    #
    # @example
    #   buffer = ToJson::Buffer.new
    #   buffer.puts("a", ["b\n", 3])
    #   buffer.to_s # => "a\nb\n3\n"
    # @param texts [String, Array, #to_s]
    # @return [nil]
    # @raise [SinkError, FrozenError] as {#write}
    def puts(*texts)
      return print("\n") if texts.empty?

      texts.flatten.each do |text|
        line = text.to_s
        line = line.encode(Encoding::UTF_8) unless line.encoding.ascii_compatible?
        line.end_with?("\n") ? write(line) : write(line, "\n")
      end
      nil
    end

    # For callers of an IO: there is nothing to pass on.
    # @return [self]
    def flush = self

    # For callers of an IO: it stays as it is, and can be written to.
    # @return [nil]
    def close = nil

    # @return [String]
    def inspect = "#<#{self.class} #{bytesize} bytes, room for #{capacity}>"

    alias reset clear
    alias size bytesize
    alias length bytesize
  end
end
