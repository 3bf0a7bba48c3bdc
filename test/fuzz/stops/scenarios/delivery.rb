# frozen_string_literal: true

# Stops. Where documents go: Strings, Buffers, Sinks, bodies, records.

require "stringio"

module Stops
  LONG = Array.new(12) { |at| { id: at, text: "x" * at } }.freeze
  LONG_TEXT =
    "[#{Array.new(12) { |at| "{\"id\":#{at},\"text\":\"#{"x" * at}\"}" }.join(",")}]".freeze
  RECORDS_TEXT = "#{LONG_TEXT[1..-2].gsub("},{", "}\n{")}\n".freeze

  # Takes a part of what it is given, and keeps it.
  class Slow
    attr_reader :text, :closed

    def initialize = @text = +""
    def close = @closed = true

    def write(chunk)
      @text << (taken = chunk.byteslice(0, 50))
      taken.bytesize
    end

    # @param whole [String] what was to be written
    # @param finished [Boolean]
    # @return [String, nil] what is wrong with what came; forgets it
    def broken(whole, finished)
      came, @text = @text, +""
      return if came == whole || (!finished && whole.start_with?(came))

      "the Sink has #{came.inspect}"
    end
  end

  def self.rows_serializer
    serializer do
      attributes :id
      attribute(:text) { |row| row[:text] }
    end
  end

  scenario "into: a String" do
    made = rows_serializer
    text = +"before"
    whole = lambda do |_|
      found = text.dup
      text.replace("before")
      "the String has #{found.inspect}" unless ["before", "before#{LONG_TEXT}"].include?(found)
    end
    { call: -> { made.json!(LONG, into: text).equal?(text) }, expect: true, whole: whole,
      again: -> { made.json!(LONG, into: +"") }, accepts: [LONG_TEXT] }
  end

  scenario "into: a Buffer" do
    made = rows_serializer
    buffer = ToJson::Buffer.new
    buffer << "before"
    whole = lambda do |_|
      found = buffer.to_s
      buffer.clear << "before"
      "the Buffer has #{found.inspect}" unless ["before", "before#{LONG_TEXT}"].include?(found)
    end
    { call: -> { made.json!(LONG, into: buffer).equal?(buffer) }, expect: true, whole: whole,
      again: -> { made.json!(LONG, into: buffer).to_s.tap { buffer.clear << "before" } },
      accepts: ["before#{LONG_TEXT}"] }
  end

  scenario "into: a Sink, in chunks" do
    made = rows_serializer
    sink = Slow.new
    { call: -> { made.json!(LONG, into: sink, chunk: 64).equal?(sink) }, expect: true,
      whole: ->(finished) { sink.broken(LONG_TEXT, finished) },
      again: -> { made.json!(LONG, into: [], chunk: 64).join }, accepts: [LONG_TEXT] }
  end

  scenario "into: an IO" do
    made = rows_serializer
    io = StringIO.new
    { call: -> { made.json!(LONG, into: io, flush: :record).equal?(io) }, expect: true,
      whole: lambda { |finished|
        found = io.string.dup
        io.string = +""
        unless LONG_TEXT.start_with?(found) && (!finished || found == LONG_TEXT)
          "the IO has #{found.inspect}"
        end
      }, again: -> { made.json!(LONG, into: StringIO.new, flush: :record).string },
      accepts: [LONG_TEXT] }
  end

  scenario "a streaming body by each" do
    made = rows_serializer
    { call: -> { made.stream(LONG, chunk: 64).each.to_a.join }, expect: LONG_TEXT }
  end

  scenario "a streaming body by call" do
    made = rows_serializer
    sink = Slow.new
    { call: -> { made.stream(LONG, chunk: 64).call(sink).inspect }, expect: "nil",
      whole: lambda { |finished|
        closed = sink.closed || sink.text.empty?
        closed ? sink.broken(LONG_TEXT, finished) : "the stream was left open"
      }, again: -> { made.stream(LONG).each.to_a.join }, accepts: [LONG_TEXT] }
  end

  scenario "NDJSON" do
    made = rows_serializer
    sink = Slow.new
    { call: -> { made.ndjson(LONG, into: sink, chunk: 64).equal?(sink) }, expect: true,
      whole: ->(finished) { sink.broken(RECORDS_TEXT, finished) }, again: -> { made.ndjson(LONG) },
      accepts: [RECORDS_TEXT] }
  end

  scenario "NDJSON with on_error:" do
    made = serializer { attribute(:n) { |row| row.zero? ? raise("zero") : 6 / row } }
    told = []
    note = lambda do |error, _record, index|
      raise error if error.is_a?(Stops::Failed) # else `on_error:` would keep the deadline

      told << [error.message, index]
      { error: index }
    end
    { call: -> { made.ndjson([1, 0, 2], on_error: note) },
      expect: "{\"n\":6}\n{\"error\":1}\n{\"n\":3}\n",
      whole: lambda { |_|
        found = told.uniq
        told.clear
        "on_error: heard #{found}" unless [[], [["zero", 1]]].include?(found)
      } }
  end

  scenario "a JSON sequence of values" do
    { call: -> { ToJson.json_seq([1, { a: 2 }]) }, expect: "\u001E1\n\u001E{\"a\":2}\n" }
  end
end
