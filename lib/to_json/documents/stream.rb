# frozen_string_literal: true

# Layer: documents. A document that is written when somebody reads it, such as a Rack body. Nothing
# is serialized before `each` or `call`. records.rb creates Streams.

module ToJson
  # The body of a Rack 3 response, or of anything else that reads text in chunks. {Streams#stream}
  # and {ToJson.stream} return it. It can be read once: a second time, or after `close`, it raises
  # an error.
  #
  # A body has `each` and `call`; Rack servers then use {#each}. Memory holds one chunk of about 64
  # KiB, or one record of NDJSON if that is larger.
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
    # Passes chunks to a block; the Sink of {Stream#each}.
    # @api private
    class Receiver
      # Methods in which a Fiber waits for a scheduler or another Fiber: those of Fiber, Enumerator
      # and schedulers.
      WAITS = %w[transfer resume raise kill next peek next_values peek_values zip block io_wait
                 io_read io_pread io_write io_pwrite io_select kernel_sleep process_wait
                 address_resolve blocking_operation_wait].freeze

      # `stop` raises at most so often, since a body around ours may rescue the error and yield once
      # more.
      MOST_STOPS = 100

      def initialize(body, block)
        @body = body
        @block = block
      end

      # @return [nil] `write` takes all bytes, whatever the block returns
      def write(chunk)
        raise closed_error if @body.closed?

        @giving, @thread = Fiber.current, Thread.current
        @block.call(chunk)
        nil
      ensure
        @giving = nil
      end

      # Ends the document if it is suspended between two calls of an Enumerator's `next`: raises in
      # its Fiber, so that `ensure` blocks run. Ruby would drop that Fiber without running them.
      # Falcon reads bodies in this way.
      # @raise what those blocks raise
      def stop
        MOST_STOPS.times do
          fiber = @giving
          return unless fiber && between_nexts?(fiber)

          fiber.raise(closed_error)
        end
      rescue SinkError => raised
        raise unless raised.equal?(closed_error)
      rescue PoisonedError
        nil # the source rescued the error and went on, or writes in its `ensure`
      end

      private

      # Whether the Fiber is suspended between two calls of an Enumerator's `next`. Such a Fiber
      # begins with Enumerator#each, whatever bodies stand around ours (as of Rack::Deflater). But
      # it may also wait for a scheduler or for another Fiber, which must resume it.
      def between_nexts?(fiber)
        return false if fiber.equal?(Fiber.current) || !@thread.equal?(Thread.current)

        frames = fiber.backtrace_locations
        first = frames&.last
        !first.nil? && first.base_label == "each" && !first.label.include?("block") &&
          !waits?(*frames.first(2))
      end

      # Whether the Fiber waits in one of WAITS. `top` and `below` are its innermost frames. A
      # method in C has the place of its caller, so both have one place then. `yield` is Fiber.yield
      # if a scheduler, or another `yield`, called it, else that of Enumerator::Yielder.
      def waits?(top, below)
        return false unless below && top.path == below.path && top.lineno == below.lineno

        name, caller = top.base_label, below.base_label
        WAITS.include?(name) || (name == "yield" && (WAITS.include?(caller) || caller == "yield"))
      end

      def closed_error
        @closed_error ||= SinkError.new("the body was closed while it was being written.")
      end
    end
    private_constant :Receiver

    # The media type of each format.
    TYPES = { json: "application/json", ndjson: "application/x-ndjson",
              json_seq: "application/json-seq", json_api: "application/vnd.api+json" }.freeze

    # @return [String] for the header content-type; one of {TYPES}
    attr_reader :content_type

    # @api private
    # @param format [Symbol]
    # @yieldparam sink [#write] that the document is to be written to
    def initialize(format, &document)
      @content_type = TYPES.fetch(format)
      @document = document
      @receiver = nil
      @closed = false
    end

    # Writes the document in chunks. A chunk of NDJSON or of a sequence holds complete records. If
    # the block raises, breaks or throws, nothing more is written, and the `ensure` blocks of the
    # source have run. Servers do this when a client has hung up. But if an Enumerator is dropped
    # between two calls of `next`, Ruby runs no `ensure`: call {#close}, as servers do.
    #
    # @yieldparam chunk [String] about 64 KiB in UTF-8, whole characters; the block may keep it
    # @return [self, Enumerator] an Enumerator without a block
    # @raise [SinkError] if the body was already read or closed
    # @raise [Error] like `json!`, and exceptions of your own code; the text so far is then not
    #   valid JSON
    def each(&block)
      return to_enum(:each) unless block

      receiver = Receiver.new(self, block)
      produce(receiver) { @receiver = receiver }
      self
    end

    # A body is no value of a document. Without this method, `render json: stream` of a controller
    # without {Rendering} would write its instance variables.
    #
    # @example
    #   begin
    #     { body: ToJson.stream([1]) }.to_json
    #   rescue ToJson::UnsupportedTypeError => error
    #     error.message[0, 33] # => "ToJson::Stream has no JSON form. "
    #   end
    # @raise [UnsupportedTypeError] always
    def to_json(*)
      raise UnsupportedTypeError,
            "ToJson::Stream has no JSON form. A Stream is a body: give it to Rack, or read it by " \
            "each. `render json:` sends it if the controller includes ToJson::Rendering."
    end

    # @see #to_json
    # @raise [UnsupportedTypeError] always
    def as_json(*) = to_json

    # Writes the document and closes the stream, also after an exception. Some streams accept an
    # error when they are closed (protocol-http's, in Falcon). They receive it, so that the response
    # does not end normally.
    #
    # @param stream [#write] a stream of Rack 3, or any IO; closed if it has `close`
    # @return [nil]
    # @raise [SinkError, Error] like {#each}, and what the stream raises
    def call(stream)
      written = closed = false
      produce(stream)
      written = true
      nil
    rescue Exception => error # not $!: that may be one which the caller is rescuing
      raise
    ensure
      begin
        written ? finish(stream) : abandon(stream, error)
        closed = true
      rescue StandardError
        closed = true # as far as `close` can: it raised this
        raise
      ensure
        abandon(stream, error) unless closed # a kill or a Timeout came before `close` was done
      end
    end

    # Tells the body that it will not be read any further. For servers. If {#each} is suspended
    # between two calls of `next` of an Enumerator of this thread, it raises there at once, and the
    # `ensure` blocks of the source run. If {#each} is running in another Thread, or waits for a
    # scheduler of Fibers or in the `next` of another Enumerator, it raises there instead of
    # yielding its next chunk.
    # @return [nil]
    # @raise what the `ensure` blocks of the source raise
    def close
      @closed = true
      @document = nil
      @receiver&.stop
      nil
    end

    # @return [Boolean] whether {#close} was called
    def closed? = @closed

    # @return [String] without the document, because that may be long
    def inspect = "#<#{self.class}#{" closed" if @closed}>"

    private

    def produce(sink)
      document = @document
      @document = nil
      unless document
        raise SinkError,
              "this body was already #{@closed ? "closed" : "read"}. Create another with stream."
      end

      yield if block_given?
      document.call(sink)
    end

    def initialize_copy(_other)
      raise SinkError,
            "a body can be read once, so it cannot be copied. Create another with stream."
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
