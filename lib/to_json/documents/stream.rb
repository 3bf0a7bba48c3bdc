# frozen_string_literal: true

# Layer: stream. A document that waits for who takes it: a Rack body. Nothing is serialized before `each` or `call`.
# What makes one stands in records.rb.

module ToJson
  # A body of a Rack 3 response, and anything else that takes its text in chunks: what {Streams#stream} and {ToJson.stream}
  # give. It may be consumed once: another time, or after `close`, raises.
  #
  # Rack's servers call {#each}, as Rack says for bodies that answer both. Memory holds one chunk of about 64 KiB, or one
  # record of NDJSON where that is larger.
  #
  # @example
  #   body = ToJson.stream([1, [2, 3]])
  #   chunks = []
  #   body.each { |chunk| chunks << chunk }
  #   chunks # => ["[1,[2,3]]"]
  #
  # @example A Rack application
  #   app = lambda do |env|
  #     body = ToJson.stream({ path: env["PATH_INFO"] })
  #     [200, { "content-type" => body.content_type }, body]
  #   end
  #   app.call({ "PATH_INFO" => "/" }).last.each.to_a # => ["{\"path\":\"/\"}"]
  class Stream
    # Gives chunks to a block; the Sink of {Stream#each}.
    class Receiver
      def initialize(body, block)
        @body = body
        @block = block
      end

      def write(chunk)
        raise SinkError, "the body was closed while it was being written." if @body.closed?

        @block.call(chunk)
        nil # all of it was taken, whatever the block gives
      end
    end
    private_constant :Receiver

    # The media type of each format.
    TYPES = { json: "application/json", ndjson: "application/x-ndjson", json_seq: "application/json-seq" }.freeze

    # @return [String] for the response's content-type, one of {TYPES}
    attr_reader :content_type

    # @api private
    # @param format [Symbol]
    # @yieldparam sink [#write] that the document is to be written to
    def initialize(format, &document)
      @content_type = TYPES.fetch(format)
      @document = document
      @closed = false
    end

    # Writes the document; of NDJSON and sequences each chunk holds whole records. Where the block raises, breaks or throws, as
    # a server does when its client hung up, nothing more is made, and `ensure` blocks of what was being read have run. An
    # Enumerator that is left between two `next` is another matter: Ruby drops its Fiber without running them.
    #
    # @yieldparam chunk [String] UTF-8, of whole characters, about 64 KiB; the block's to keep
    # @return [self, Enumerator] the latter without a block
    # @raise [SinkError] for a body that was consumed or closed before
    # @raise [Error] as `json!`, and whatever user code raises: what was given so far is then no JSON
    def each(&block)
      return to_enum(:each) unless block

      produce(Receiver.new(self, block))
      self
    end

    # Writes the document and closes the stream, also where something raises. A stream that can be told of an error when it
    # is closed (protocol-http's, in Falcon) is told, so that it does not end the response in good order.
    #
    # @param stream [#write] as Rack 3 gives it, or any IO; closed where it can be
    # @return [nil]
    # @raise [SinkError, Error] as {#each}, and what the stream raises
    def call(stream)
      done = false
      produce(stream)
      done = true
      nil
    rescue Exception => error # not $!: that may be one which the caller is rescuing
      raise
    ensure
      done ? finish(stream) : abandon(stream, error)
    end

    # For servers: the body will not be consumed, or no longer. Where {#each} is at work, in another Thread or an Enumerator,
    # it raises instead of giving its next chunk.
    # @return [nil]
    def close
      @closed = true
      @document = nil
    end

    # @return [Boolean] whether {#close} was called
    def closed? = @closed

    # @return [String] without the document, which may be long
    def inspect = "#<#{self.class}#{" closed" if @closed}>"

    private

    def produce(sink)
      document = @document
      @document = nil
      raise SinkError, "this body was already #{@closed ? "closed" : "read"}. Create another with stream." unless document

      document.call(sink)
    end

    def initialize_copy(_other)
      raise SinkError, "a body can be read once, so it cannot be copied. Create another with stream."
    end

    # Some write for themselves and have nothing to close.
    def finish(stream) = (stream.close if stream.respond_to?(:close))

    def abandon(stream, error)
      error && takes_error?(stream) ? stream.close(error) : stream.close
    rescue StandardError
      nil # what stopped the document is the error to hear of
    end

    # By its name: Tempfile's close takes something else.
    def takes_error?(stream)
      stream.method(:close).parameters == [%i[opt error]]
    rescue NameError
      false # a proxy
    end
  end
end
