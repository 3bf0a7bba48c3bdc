# frozen_string_literal: true

# Sinks of Ruby that transcode: their write answers the bytes after that, and takes all.

require_relative "sink_case"
require "delegate"
require "stringio"
require "tempfile"

class TranscodingTest < SinkCase
  class PlaceSerializer < ToJson::Serializer
    attributes :id, :name
  end

  SIZES = [1, 10_000].freeze
  ENCODINGS = %w[ISO-8859-1 Shift_JIS UTF-16LE UTF-8].freeze
  NAMES = { "ISO-8859-1" => "é", "Shift_JIS" => "日", "UTF-16LE" => "é日", "UTF-8" => "é日" }.freeze

  # {what writes => [to what is given, with the JSON or the lines that it should have written]}
  WAYS = {
    "json!" =>
      [->(rows, io) { PlaceSerializer.json!(rows, into: io) },
       ->(rows) { PlaceSerializer.json!(rows) }],
    "generate in pieces" =>
      [->(rows, io) { ToJson.generate(rows, into: io, chunk: 100, flush: :record) },
       ->(rows) { ToJson.generate(rows) }],
    "ndjson" =>
      [->(rows, io) { PlaceSerializer.ndjson(rows, into: io) },
       ->(rows) { PlaceSerializer.ndjson(rows) }],
    "Stream#call" =>
      [->(rows, io) { PlaceSerializer.stream(rows).call(Unclosed.new(io)) },
       ->(rows) { PlaceSerializer.json!(rows) }],
    "Buffer#write_to" =>
      [->(rows, io) { PlaceSerializer.json!(rows, into: ToJson::Buffer.new).write_to(io) },
       ->(rows) { PlaceSerializer.json!(rows) }]
  }.freeze

  # Passes all on but close.
  class Unclosed < SimpleDelegator
    def close = nil
  end

  WAYS.each do |what, (write, expected)|
    ENCODINGS.each do |encoding|
      test "#{what} into a File in #{encoding} writes each byte once" do
        SIZES.each do |size|
          rows = rows(size, NAMES[encoding])
          assert_equal expected.call(rows).encode(encoding).b, written("w:#{encoding}") { |file|
            write.call(rows, file)
          }
        end
      end

      test "#{what} into a StringIO over a String in #{encoding} writes each byte once" do
        SIZES.each do |size|
          rows = rows(size, NAMES[encoding])
          io = StringIO.new((+"").force_encoding(encoding))
          write.call(rows, io)
          assert_equal expected.call(rows).encode(encoding).b, io.string.b
        end
      end
    end
  end

  test "line breaks become those of crlf_newline" do
    SIZES.each do |size|
      rows = rows(size, "é")
      assert_equal ToJson.ndjson(rows).gsub("\n", "\r\n").b,
                   written("w", crlf_newline: true) { |file|
        ToJson.ndjson(rows, into: file)
      }
      pretty = ToJson.pretty_generate(rows)
      assert_equal pretty.gsub("\n", "\r\n").b, written("w", crlf_newline: true) { |file|
        ToJson.pretty_generate(rows, into: file)
      }
    end
  end

  test "set_encoding, a pipe, a Tempfile and a Delegator of one transcode too" do
    rows = rows(3, "é")
    latin = ToJson.generate(rows).encode("ISO-8859-1").b
    reader, writer = IO.pipe
    writer.set_encoding("ISO-8859-1")
    ToJson.generate(rows, into: writer).close
    assert_equal latin, reader.read.b
    [->(file) { file }, ->(file) { SimpleDelegator.new(file) }].each do |wrap|
      Tempfile.open("latin", encoding: "ISO-8859-1") do |file|
        ToJson.generate(rows, into: wrap.call(file)).flush
        assert_equal latin, File.binread(file.path)
      end
    end
  ensure
    [reader, writer].each { |io| io&.close }
  end

  test "a subclass without a write of its own transcodes too; one with a write that takes less " \
       "gets the rest again" do
    io = Class.new(StringIO).new((+"").force_encoding("ISO-8859-1"))
    assert_equal "\"\xE9\"".b, ToJson.generate("é", into: io).string.b
    [StringIO, SimpleDelegator].each do |base|
      target = StringIO.new
      slow = Class.new(base) { define_method(:write) { |text| target.write(text.byteslice(0, 1)) } }
      ToJson.generate([1, 2, 3], into: slow.new(base == StringIO ? +"" : target))
      assert_equal "[1,2,3]", target.string
    end
  end

  test "a character that the encoding lacks raises, and delivered tells what had left" do
    value = ["é" * 100, "日"]
    error = nil
    bytes = written("w:ISO-8859-1") do |file|
      error = assert_raises(Encoding::UndefinedConversionError) do
        ToJson.generate(value, into: file, flush: :record)
      end
    end
    assert_equal "[\"#{"é" * 100}\"".encode("ISO-8859-1").b, bytes
    assert_equal "[\"#{"é" * 100}\"".bytesize, ToJson.delivered(error)
    error = assert_raises(EncodingError) do
      ToJson.generate(value, into: StringIO.new((+"").force_encoding("ISO-8859-1")))
    end
    assert_equal 0, ToJson.delivered(error)
  end

  private

  def rows(count, name) = Array.new(count) { |n| { id: n, name: name } }

  # @return [String] the bytes that the block writes to a File opened so
  def written(mode, **options)
    Dir.mktmpdir do |directory|
      path = File.join(directory, "written")
      File.open(path, mode, **options) { |file| yield file }
      File.binread(path)
    end
  end
end
