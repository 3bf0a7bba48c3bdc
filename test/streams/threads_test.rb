# frozen_string_literal: true

# Many streams at once: threads, Fibers, Ractors; one that blocks in a write keeps nobody.

require_relative "stream_case"
require "socket"

class StreamThreadsTest < StreamCase
  SIZE = 400

  test "eight threads stream at once, each its own document" do
    threads = Array.new(8) do |n|
      Thread.new do
        Array.new(10) do |turn|
          body = RowSerializer.stream(lazily(rows(SIZE, "#{n} #{turn}" * 40)),
                                      format: turn.odd? ? :json : :ndjson)
          body.each.map { |chunk| chunk.tap { Thread.pass } }.join
        end
      end
    end
    threads.each_with_index do |thread, n|
      thread.value.each_with_index do |text, turn|
        all = rows(SIZE, "#{n} #{turn}" * 40)
        assert text == (turn.odd? ? RowSerializer.json!(all) : RowSerializer.ndjson(all)),
               "thread #{n}, turn #{turn}"
      end
    end
  end

  test "Fibers that read in turns get each its own document" do
    bodies = Array.new(12) do |n|
      RowSerializer.stream(rows(SIZE, n.to_s * 500), format: n.odd? ? :json : :ndjson).each
    end
    texts = Array.new(12) { +"" }
    open = (0...12).to_a
    until open.empty?
      open.reject! do |n|
        texts[n] << bodies[n].next
        false
      rescue StopIteration
        true
      end
    end
    texts.each_with_index do |text, n|
      all = rows(SIZE, n.to_s * 500)
      assert text == (n.odd? ? RowSerializer.json!(all) : RowSerializer.ndjson(all)), "body #{n}"
    end
  end

  test "while one stream waits for its client, other threads go on, and no more is read than the " \
       "client takes" do
    log = []
    reader, writer = UNIXSocket.pair
    body = RowSerializer.stream(lazily(rows(5_000, "a" * 1_000), log))
    sending = Thread.new { body.call(writer) }
    Thread.pass until sending.stop?
    waited = log.size
    assert_operator waited, :<, 2_000
    assert_equal '{"row":{"id":1,"text":null}}', RowSerializer.json!(Row.new(1, nil))
    assert_equal waited, log.size
    assert_equal RowSerializer.json!(rows(5_000, "a" * 1_000)), reader.read
    sending.join
    assert_predicate writer, :closed?
  ensure
    [reader, writer].each { |socket| socket&.close }
  end

  test "a client that hangs up ends the thread that sends, and what it read from" do
    log = []
    reader, writer = UNIXSocket.pair
    sending = Thread.new do
      RowSerializer.stream(lazily(rows(5_000, "a" * 1_000), log), format: :ndjson).call(writer)
    end
    sending.report_on_exception = false
    reader.readpartial(1_000)
    reader.close
    assert_raises(Errno::EPIPE) { sending.value }
    assert_equal :ended, log.last
    assert_operator log.size, :<, 2_000
    assert_predicate writer, :closed?
  end

  test "Ractors stream too" do
    ractor = silently do
      Ractor.new do
        [*ToJson.stream([1, nil]).each, ToJson.ndjson([1, 2], on_error: :skip),
         ToJson.stream([3], format: :json_seq).content_type].join("|")
      end
    end
    assert_equal "[1,null]|1\n2\n|application/json-seq", ractor.value
  end
end
