# frozen_string_literal: true

# Layer: documents. A Sink in memory that can be used again. ext/to_json/classes/buffer_class.c has
# its methods.

module ToJson
  # Memory for documents that is used again. With `into: buffer` a document is written directly
  # behind the text that the Buffer holds. Nothing is allocated once the Buffer is large enough.
  # After an error it is as it was before.
  #
  # While a document is being written into it, it reads as it was before, and changing it raises
  # {SinkError}. A frozen Buffer can be read in every Ractor. Several threads need a lock of your
  # own.
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
    #   @param capacity [Integer] how many bytes it has room for at first; it grows as needed
    # @!method write(*texts)
    #   Appends the `to_s` of each argument, transcoded to UTF-8 unless it is binary.
    #   @example
    #     ToJson::Buffer.new.write("[", 1, "]") # => 3
    #   @param texts [String, #to_s]
    #   @return [Integer] the number of bytes
    #   @raise [SinkError, FrozenError] like every method that changes it, see {Buffer}
    # @!method <<(text)
    #   Like {#write}, for one text.
    #   @example
    #     (ToJson::Buffer.new << "é" << 1).to_s # => "é1"
    #   @param text [String, #to_s]
    #   @return [self]
    # @!method to_s
    #   @return [String] a copy of the text in UTF-8
    # @!method bytesize
    #   @return [Integer]
    # @!method empty?
    #   @return [Boolean]
    # @!method capacity
    #   @return [Integer] how many bytes it has memory for; `ObjectSpace.memsize_of` counts them
    # @!method clear
    #   Empties it and keeps its memory.
    #   @return [self]
    # @!method shrink(capacity = bytesize)
    #   Gives back memory beyond that many bytes, but keeps the text.
    #   @example
    #     buffer = ToJson::Buffer.new(capacity: 1_000_000)
    #     buffer.shrink(4096).capacity # => 4096
    #   @param capacity [Integer]
    #   @return [self]
    # @!method write_to(sink)
    #   Writes its text to a Sink, as a document is written: in chunks of 64 KiB. If `write` took
    #   only a part, the rest is written again.
    #   @example
    #     (ToJson::Buffer.new << "[1]").write_to(StringIO.new).string # => "[1]"
    #   @param sink [String, Buffer, #write, #<<]
    #   @return [Object] the Sink
    #   @raise [SinkError] as for `into:`
    # @!method freeze
    #   @return [self]
    #   @raise [SinkError] while a document is being written into it

    # Yields its text in pieces of whole characters, for bodies that need `each`.
    #
    # @example
    #   (ToJson::Buffer.new << "[10,20]").each_chunk(4).to_a # => ["[10,", "20]"]
    # @param bytes [Integer] the maximum size of a piece; a longer character is not cut
    # @yieldparam chunk [String]
    # @return [self, Enumerator]
    # @raise [ArgumentError] if the size is less than 1
    def each_chunk(bytes = 65_536)
      unless bytes.is_a?(Integer) && bytes.positive?
        raise ArgumentError,
              "each_chunk takes a number of bytes, an Integer of at least 1; got #{bytes.inspect}."
      end
      return enum_for(:each_chunk, bytes) unless block_given?

      from = 0
      until (chunk = piece(from, bytes)).empty?
        from += chunk.bytesize
        yield chunk
      end
      self
    end

    # Like {#write}, for callers that expect an IO, such as a Logger.
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

    # Appends each text as a line, like `puts` of an IO. The elements of an Array become lines too.
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

    # Does nothing. For callers that expect an IO.
    # @return [self]
    def flush = self

    # Does nothing: the Buffer can still be written to. For callers that expect an IO.
    # @return [nil]
    def close = nil

    # @return [String]
    def inspect = "#<#{self.class} #{bytesize} bytes, room for #{capacity}>"

    alias reset clear
    alias size bytesize
    alias length bytesize
  end
end
