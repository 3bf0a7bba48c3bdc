# frozen_string_literal: true

# The Sinks that people have: every write goes through theirs, so buffers, TLS and the fiber
# scheduler work.

require_relative "sink_case"
require_relative "../support/scheduler"
require "openssl"
require "socket"
require "stringio"
require "tempfile"
require "zlib"

class RealSinksTest < SinkCase
  # What Rack 3 gives to a streaming body: write answers a size, << the stream, and it closes.
  class RackStream
    def initialize(io) = @io = io
    def write(text) = @io.write(text)
    def flush = @io.flush
    def close_write = @io.close_write
    def close = @io.close

    def <<(text)
      write(text)
      self
    end
  end

  # As ActionController::Live's: a queue that a thread empties, write gives nothing of interest, and
  # raises once the client has gone.
  class LiveStream
    ClientDisconnected = Class.new(RuntimeError)

    def initialize = @queue = SizedQueue.new(2)
    def each = (yield @queue.pop while !@queue.empty? || !@closed)
    def abort = @aborted = true
    def close = @closed = true

    def write(text)
      raise ClientDisconnected, "client disconnected" if @aborted

      @queue.push(text)
      nil
    end
  end

  # Two ends of a connection over TLS, with a certificate of our own.
  def tls
    key = OpenSSL::PKey::EC.generate("prime256v1")
    certificate = OpenSSL::X509::Certificate.new
    certificate.subject = certificate.issuer = OpenSSL::X509::Name.parse("/CN=localhost")
    certificate.serial = certificate.version = 2
    certificate.not_before = Time.now - 60
    certificate.not_after = Time.now + 600
    certificate.public_key = key
    certificate.sign(key, "SHA256")
    context = OpenSSL::SSL::SSLContext.new
    context.cert = certificate
    context.key = key
    client, server = UNIXSocket.pair
    accepted = Thread.new do
      OpenSSL::SSL::SSLSocket.new(server, context).tap { |socket| socket.sync_close = true }.accept
    end
    connected = OpenSSL::SSL::SSLSocket.new(client).tap do |socket|
      socket.sync_close = true
    end.connect
    [connected, accepted.value]
  end

  OPTIONS = [{}, { chunk: 1000 }, { chunk: 500_000 }, { flush: 0.001 }].freeze

  OPTIONS.each do |options|
    test "a socket over TLS gets the whole document, #{options}" do
      value, json = long(300_000)
      client, server = tls
      # Not to the end: SSLSocket#close leaves its close_notify away while the socket is full.
      received = Thread.new { client.read(json.bytesize) }
      assert_same server, ToJson.generate(value, into: server, **options)
      assert_equal json.b, received.value.b
      server.close
      assert_equal "", client.read
    ensure
      client.close
    end

    test "a Rack stream over a socket, and a pipe, get the whole document, #{options}" do
      value, json = long(300_000)
      [UNIXSocket.pair, IO.pipe].each do |reader, writer|
        received = Thread.new { reader.read }
        stream = RackStream.new(writer)
        ToJson.generate(value, into: stream, **options)
        stream.close
        assert_equal json.b, received.value.b
      ensure
        reader.close
      end
    end

    test "a stream that a thread empties gets the whole document, #{options}" do
      value, json = long(300_000)
      live = LiveStream.new
      received = +""
      reader = Thread.new { live.each { |text| received << text } }
      ToJson.generate(value, into: live, **options)
      live.close
      live.write("") # wakes the reader
      reader.join
      assert_equal json, received
    end

    test "gzip of a file gets the whole document, #{options}" do
      value, json = long(300_000)
      Tempfile.create(binmode: true) do |file|
        Zlib::GzipWriter.wrap(file) { |gzip| ToJson.generate(value, into: gzip, **options) }
        assert_equal json, Zlib::GzipReader.open(file.path, &:read).force_encoding("UTF-8")
      end
    end

    test "a StringIO, an Array and a String of pieces get the whole document, #{options}" do
      value, json = long(300_000)
      assert_equal json, ToJson.generate(value, into: StringIO.new(+""), **options).string
      assert_equal json, ToJson.generate(value, into: [], **options).join
      appended = Object.new
      text = +""
      appended.define_singleton_method(:<<) { |piece| text << piece }
      ToJson.generate(value, into: appended, **options)
      assert_equal json, text
    end
  end

  test "a client that has gone stops the document, wherever it was" do
    value, = long(300_000)
    live = LiveStream.new
    made = 0
    rows = Enumerator.new do |y|
      value.each { |row| made += 1; live.abort if made == 100; y << row }
    end
    reader = Thread.new { live.each { |_| nil } }
    error = assert_raises(LiveStream::ClientDisconnected) do
      ToJson.generate(rows, into: live, flush: :record)
    end
    assert_equal 100, made
    assert_match(/\A\$/, ToJson.location(error))
    assert_operator ToJson.delivered(error), :>, 0
  ensure
    reader.kill
  end

  test "a TCP client that hangs up is an error of the socket, and the next document is right" do
    value, = long(3_000_000)
    server = TCPServer.new("127.0.0.1", 0)
    client = TCPSocket.new("127.0.0.1", server.local_address.ip_port)
    connection = server.accept
    gone = Thread.new { client.readpartial(1000); client.close }
    error = assert_raises(SystemCallError) { ToJson.generate([value] * 20, into: connection) }
    gone.join
    assert_kind_of Integer, ToJson.delivered(error)
    assert_equal "[1]", ToJson.generate([1])
  ensure
    [server, client, connection].each { |io| io.close unless io.closed? }
  end

  test "other threads run while one blocks in a write" do
    value, json = long(500_000)
    reader, writer = IO.pipe
    counted = 0
    blocked = Thread.new { ToJson.generate(value, into: writer); writer.close }
    Thread.pass until blocked.stop?
    200.times { counted += ToJson.generate([1]).bytesize }
    assert blocked.alive?, "it waits for its reader"
    assert_equal 600, counted
    assert_equal json, reader.read.force_encoding("UTF-8")
    blocked.join
  ensure
    reader.close
  end

  test "a String that another thread changes while its document waits in a write is written as " \
       "it was, or as it became" do
    reader, writer = IO.pipe
    text = +"a\"é" * 100_000
    before = ToJson.generate([text])
    blocked = Thread.new { ToJson.generate([text], into: writer); writer.close }
    Thread.pass until blocked.stop?
    text.replace("short")
    GC.start
    assert_equal before, reader.read.force_encoding("UTF-8")
    blocked.join
  ensure
    reader.close
  end

  test "containers that another thread changes while their document waits in a write leave a " \
       "document, or a named error" do
    strings = Array.new(2000) { |n| +"text #{n} " * 20 }
    hash = strings.each_with_index.to_h { |text, n| [n, [text, { n: n }]] }
    { strings => -> { strings.each(&:clear); strings.clear },
      hash => -> { hash.each_value(&:clear) } }.each do |value, change|
      reader, writer = IO.pipe
      blocked = Thread.new { ToJson.generate(value, into: writer) && writer.close }
      blocked.report_on_exception = false
      Thread.pass until blocked.stop?
      change.call
      GC.start
      text = reader.read.force_encoding("UTF-8")
      blocked.join
      assert_kind_of ToJson::Fragment, ToJson::Fragment.new(text)
    ensure
      reader.close
    end
  end

  test "under a fiber scheduler another fiber makes progress while one blocks in a write" do
    value, json = long(400_000)
    reader, writer = IO.pipe
    log = []
    received = +"".b
    thread = Thread.new do
      Fiber.set_scheduler(TestScheduler.new)
      Fiber.schedule do
        log << :begins
        ToJson.generate(value, into: writer)
        writer.close
        log << :written
      end
      Fiber.schedule do
        log << :other
        while (text = reader.read_nonblock(20_000, exception: false))
          text == :wait_readable ? reader.wait_readable : received << text
          log << ToJson.generate([log.size]) if log.size < 10 # a document while another one waits
        end
        log << :read
      end
    end
    thread.join
    assert_equal json.b, received
    assert_equal %i[begins other], log.first(2)
    assert_operator log.index(:written), :>, 3, "the reader ran while the writer waited"
    assert_equal "[2]", log[2]
  ensure
    reader.close
  end

  test "under a fiber scheduler a TLS socket and declared serializers work, in many fibers at " \
       "once" do
    value, json = long(100_000)
    results = {}
    Thread.new do
      Fiber.set_scheduler(TestScheduler.new)
      4.times do |n|
        reader, writer = UNIXSocket.pair
        Fiber.schedule do
          ToJson.generate({ n: n, value: value }, into: writer, chunk: 5000)
          writer.close
        end
        Fiber.schedule { results[n] = reader.read; reader.close }
      end
    end.join
    4.times { |n| assert_equal "{\"n\":#{n},\"value\":#{json}}".b, results[n] }
  end
  test "pieces of a document into a file leave no String behind that refers to their memory" do
    reader, writer = IO.pipe
    texts = Array.new(20_000) { |number| "left behind #{number}" }
    left = lambda do
      long = ObjectSpace.each_object(String).select { |text| text.bytesize > 10_000 }
      long.count { |text| text.include?("left behind ") }
    end
    before = left.call
    taken = Thread.new { reader.readpartial(9_000).bytesize.tap { reader.close } }
    assert_raises(Errno::EPIPE) { ToJson.generate([texts] * 4, into: writer) }
    assert_operator(taken.value, :>, 0)
    assert_equal(before, left.call)
    File.open(File::NULL, "w") { |file| ToJson.generate(texts, into: file) }
    assert_equal(before, left.call)
  ensure
    writer&.close
  end

  # `write` writes into a pipe, in a thread. In turns, this yields and reads a part of the text. The
  # pipe is full whenever this yields, so `write` waits then.
  def into_full_pipe(write, turns)
    reader, writer = IO.pipe(binmode: true)
    writing = Thread.new do
      write.call(writer)
      writer.close
    end
    received = "".b
    turns.times do
      sleep 0.01
      yield writer
      received << reader.readpartial(CHUNK)
    end
    received << reader.read
    writing.join
    received
  ensure
    [reader, writer].each(&:close)
  end

  # Pieces after the first are in one block of memory. A copy of such a piece shared that memory, so
  # it had the bytes of later pieces.
  test "no walk over the heap finds a String whose bytes change" do
    value = Array.new(20_000) { |n| (65 + (n / 1000)).chr * 60 }
    kept = []
    received = into_full_pipe(->(io) { ToJson.generate(value, into: io) }, 8) do
      found = ObjectSpace.each_object(String).select { |text| text.bytesize > CHUNK / 2 }
      found.each { |text| kept << [text.dup, text.sum] }
    end
    assert_equal ToJson.generate(value).b, received
    assert_empty kept.reject { |text, sum| text.sum == sum }.map { |text, _| text[0, 20] }
  end

  test "a write that is replaced while a piece waits gets the next pieces as Strings" do
    value, json = long(500_000)
    buffer, classes = ToJson.generate(value, into: ToJson::Buffer.new), []
    received = into_full_pipe(buffer.method(:write_to), 1) do |writer|
      writer.define_singleton_method(:write) do |text|
        classes << text.class
        super(text)
      end
    end
    assert_equal json.b, received
    assert_equal [String], classes.uniq
  end
end
