# frozen_string_literal: true

# Clients that hang up, code that raises, Fibers that nobody comes back to.

require_relative "stream_case"

class StreamLeavingTest < StreamCase
  Boom = Class.new(StandardError)

  # A body of many chunks, which logs what it reads, and that log.
  def long_body
    log = []
    [RowSerializer.stream(lazily(rows(200, "a" * 10_000), log)), log]
  end

  def assert_fine
    assert_equal('{"row":{"id":1,"text":null}}', RowSerializer.json!(Row.new(1, nil)))
  end

  # {how each's block is left at its second chunk => what is done there, around it}
  WAYS = {
    "break" => [->(body, at) { n = 0; body.each { break if (n += 1) == at } }],
    "raise" => [->(body, at) { n = 0; body.each { raise Boom if (n += 1) == at } rescue nil }],
    "throw" => [->(body, at) { n = 0; catch(:out) { body.each { throw :out if (n += 1) == at } } }],
    "return" => [->(body, at) { -> { n = 0; body.each { return if (n += 1) == at } }.call }],
    "EPIPE" => [->(body, at) { body.call(Connection.new(fails_at: at - 1)) rescue nil }],
    "a kill" =>
      [
        ->(body, at) do
          n = 0; Thread.new { body.each { Thread.current.kill if (n += 1) == at } }.join
        end
      ],
    "close" => [->(body, at) { n = 0; body.each { body.close if (n += 1) == at - 1 } rescue nil }]
  }.freeze

  WAYS.each do |what, (way)|
    test "#{what} at any chunk stops the reading, runs its ensure, and leaves the next document " \
         "right" do
      [1, 2, 10].each do |at|
        next if what == "close" && at == 1

        body, log = long_body
        way.call(body, at)
        assert_equal :ended, log.last, what
        assert_in_delta at * CHUNK / 10_000.0, log.size - 1, 8, what
        assert_fine
      end
    end
  end

  test "a stream is closed when its write raises, and what it raised is what call raises" do
    body, = long_body
    stream = Connection.new(fails_at: 2)
    assert_raises(Errno::EPIPE) { body.call(stream) }
    assert_predicate stream, :closed?
  end

  test "where closing raises too, the first error is the one to hear of" do
    body, = long_body
    stream = Connection.new(fails_at: 1)
    stream.define_singleton_method(:close) { raise IOError }
    assert_raises(Errno::EPIPE) { body.call(stream) }
    stream = Connection.new
    stream.define_singleton_method(:close) { raise IOError }
    assert_raises(IOError) { ToJson.stream([1]).call(stream) }
  end

  test "a close that is cut off by a kill, a throw or an exception of a Timeout is called again" do
    cuts = { kill: -> { Thread.current.kill }, throw: -> { throw :left },
             raise: -> { raise NotImplementedError } } # no StandardError, as that of a Timeout
    cuts.each do |name, cut|
      stream = Connection.new
      calls = 0
      stream.define_singleton_method(:close) { (calls += 1) == 1 ? cut.call : super() }
      Thread.new do
        catch(:left) { ToJson.stream([1]).call(stream) }
      rescue NotImplementedError
        assert_equal :raise, name
      end.join
      assert_predicate stream, :closed?, name
      assert_equal 2, calls, name
    end
  end

  test "a close that raises an error of its own is called once" do
    calls = 0
    stream = Connection.new
    stream.define_singleton_method(:close) { raise IOError, (calls += 1).to_s }
    assert_equal "1", assert_raises(IOError) { ToJson.stream([1]).call(stream) }.message
    assert_equal 1, calls
  end

  test "a stream whose close takes an error gets it; one that closes otherwise gets nothing" do
    told = []
    stream = Connection.new
    stream.define_singleton_method(:close) { |error = nil| told << error }
    assert_raises(ToJson::NumberError) { ToJson.stream([0.0 / 0]).call(stream) }
    assert_instance_of ToJson::NumberError, told[0]
    ToJson.stream([1]).call(stream)
    assert_nil told[1]
    unlinking = Connection.new
    unlinking.define_singleton_method(:close) { |unlink = false| told << unlink }
    assert_raises(ToJson::NumberError) { ToJson.stream([0.0 / 0]).call(unlinking) }
    assert_equal false, told[2]
  end

  test "a body that is closed while another thread reads it raises there" do
    body, log = long_body
    reading = Thread.new { body.each { body.close } }
    reading.report_on_exception = false
    assert_match(/the body was closed while it was being written\.\z/,
                 assert_raises(ToJson::SinkError) { reading.value }.message)
    assert_equal :ended, log.last
  end

  test "close ends a body that waits for the next of an Enumerator, and runs its ensure" do
    [:next, :peek].each do |word|
      body, log = long_body
      reader = body.to_enum(:each)
      assert_equal CHUNK, reader.public_send(word).bytesize
      read = log.dup
      assert_nil body.close
      assert_equal [*read, :ended], log
      assert_nil body.close
      assert_match(/this body was already closed/, assert_raises(ToJson::SinkError) do
        word == :peek ? 2.times { reader.next } : reader.next
      end.message)
      assert_fine
    end
  end

  # Bodies in Ruby around ours, as of middleware.
  class Passing
    def initialize(body) = (@body = body)
    def each(&block) = @body.each { |chunk| block.call(chunk) }
    def close = @body.close
  end

  # As of Rack::Deflater: `write` of a library in C calls a method in Ruby.
  class Zipping < Passing
    def each(&block)
      @block = block
      gzip = Zlib::GzipWriter.new(self)
      @body.each do |chunk|
        gzip.write(chunk)
        gzip.flush
      end
    end

    def write(chunk) = @block.call(chunk)
  end

  # A method in C stands between, on the same line.
  class Splitting < Passing
    def each(&block) = @body.each { |chunk| chunk.each_line { |line| block.call(line) } }
  end

  class Enumerating < Passing
    def each(&block) = Enumerator.new { |y| @body.each { |chunk| y << chunk } }.each(&block)
  end

  class Lazily < Passing
    def each(&block) = @body.to_enum(:each).lazy.map(&:upcase).each(&block)
  end

  test "close ends it, too, if bodies in Ruby stand around it" do
    require "zlib"
    [[Passing], [Zipping], [Passing, Zipping, Passing], [Splitting], [Passing, Passing],
     [Enumerating], [Lazily], [Enumerating, Enumerating, Splitting]].each do |around|
      body, log = long_body
      outer = around.inject(body) { |inner, type| type.new(inner) }
      reader = outer.to_enum(:each)
      3.times { reader.next }
      refute_equal :ended, log.last
      assert_nil outer.close
      assert_equal :ended, log.last, around.inspect
      assert_fine
    end
  end

  # As Async's schedulers wait. To raise there would hang the Fiber that closes.
  [false, true].each do |inner|
    test "close ends no Fiber of an Enumerator that waits by transfer#{" in a next" if inner}" do
      body, log = long_body
      main, waiting = Fiber.current, nil
      wait = lambda do
        waiting = Fiber.current
        main.transfer
      end
      outer = Object.new
      outer.define_singleton_method(:each) do |&block|
        body.each do |chunk|
          inner ? Enumerator.new { |y| y << wait.call }.next : wait.call
          block.call(chunk)
        end
      end
      reader = Fiber.new { outer.to_enum(:each).next.bytesize }
      reader.transfer
      assert_nil body.close
      refute_equal :ended, log.last
      assert_equal CHUNK, waiting.transfer
    end
  end

  # As of middleware that sends an error to the client.
  class Telling < Passing
    def each(&block)
      @body.each(&block)
    rescue StandardError
      yield "failed"
    end
  end

  class Skipping < Passing
    def each
      @body.each do |chunk|
        yield chunk
      rescue StandardError
        nil
      end
    end
  end

  test "close ends it, and raises nothing, if a body around it rescues its error" do
    [Telling, Skipping].each do |around|
      body, log = long_body
      outer = around.new(body)
      reader = outer.to_enum(:each)
      reader.next
      assert_nil outer.close
      assert_equal :ended, log.last, around.name
    end
  end

  test "close ends it also after another each was refused" do
    body, log = long_body
    reader = body.to_enum(:each)
    reader.next
    assert_raises(ToJson::SinkError) { body.each { flunk } }
    assert_nil body.close
    assert_equal :ended, log.last
    assert_raises(ToJson::SinkError) { reader.next }
  end

  test "close raises nothing if the source rescues its error and goes on" do
    log = []
    source = Enumerator.new do |y|
      rows(200, "a" * 10_000).each do |row|
        y << row
      rescue ToJson::SinkError
        log << :rescued
      end
    end
    body = RowSerializer.stream(source)
    body.to_enum(:each).next
    assert_nil body.close
    assert_equal [:rescued], log
    assert_fine
  end

  test "close ends it, too, if a Timeout stands around what yields" do
    require "timeout"
    log = []
    source = Enumerator.new do |y|
      Timeout.timeout(60) { rows(200, "a" * 10_000).each { |row| y << row } }
    ensure
      log << :ended
    end
    body = RowSerializer.stream(source)
    body.to_enum(:each).next
    body.close
    assert_equal [:ended], log
  end

  test "close ends no Fiber that waits in its own code, nor that of another thread" do
    body, log = long_body
    fiber = Fiber.new { body.each { |chunk| Fiber.yield(chunk) } }
    assert_equal CHUNK, fiber.resume.bytesize
    assert_nil body.close
    refute_equal :ended, log.last
    assert_raises(ToJson::SinkError) { fiber.resume }
    assert_equal :ended, log.last

    body, log = long_body
    reader = body.to_enum(:each)
    reader.next
    assert_nil Thread.new { body.close }.value
    refute_equal :ended, log.last
    assert_raises(ToJson::SinkError) { reader.next }
    assert_equal :ended, log.last
  end

  test "close raises what the ensure of the source raises" do
    source = Enumerator.new do |y|
      rows(200, "a" * 10_000).each { |row| y << row }
    ensure
      raise Boom
    end
    body = RowSerializer.stream(source)
    body.each.next
    assert_raises(Boom) { body.close }
    assert_nil body.close
    assert_fine
  end

  test "an Enumerator that is left in the middle leaves other documents alone" do
    readers = Array.new(20) { long_body[0].each.tap(&:next) }
    assert_fine
    readers.each { |reader| assert_equal CHUNK, reader.next.bytesize }
    readers.clear
    GC.start
    assert_fine
  end

  test "an error behind some chunks is raised where each was called, with its place" do
    failing = Enumerator.new do |y|
      100.times { |n| y << Row.new(n, n == 70 ? (0.0 / 0) : "a" * 10_000) }
    end
    text = +""
    error = assert_raises(ToJson::NumberError) do
      RowSerializer.stream(failing).each { |chunk| text << chunk }
    end
    assert_equal "$.rows[70].text", ToJson.location(error)
    assert_operator text.bytesize, :>, CHUNK
    assert_raises(ToJson::FragmentError) { ToJson::Fragment.new(text) }
  end
end
