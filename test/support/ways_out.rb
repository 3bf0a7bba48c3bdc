# frozen_string_literal: true

# One assertion that walks every way out of the library, and one that walks every way to fail.
#
#   assert_document('{"a":1}') { |**out| ToJson.generate({ a: 1 }, **out) }
#   assert_failure(ToJson::NumberError, path: "$[0]") do |**out|
#     ToJson.generate([Float::NAN], **out)
#   end
#   assert_serializer('{"a":1}', PostSerializer, post, context: {})
#
# The block makes the document anew each time it is called; `out` is empty or names a Sink
# (`into:`).

require "stringio"

# Included into ToJsonTest.
module WaysOut
  # An IO that takes one byte a time.
  class OneByte
    attr_reader :text

    def initialize = @text = String.new(encoding: Encoding::BINARY)

    def write(bytes)
      @text << bytes.byteslice(0, 1).b
      1
    end
  end

  # Takes everything by `<<` and has no `write`; remembers the pieces.
  class Appender < BasicObject
    attr_reader :pieces

    def initialize = @pieces = []
    def <<(bytes) = @pieces << bytes.dup
    def text = @pieces.join.b
    def respond_to?(name, _private = false) = name == :<<
  end

  # Answers nil to `write`, as a logger may: all was written.
  class Silent
    attr_reader :text

    def initialize = @text = String.new(encoding: Encoding::BINARY)

    def write(bytes)
      @text << bytes.b
      nil
    end
  end

  # [capacity, chunk] of the Writers: the usual ones, and some that are so small that every few
  # bytes need room and are delivered.
  USUAL_SIZES = [4096, 65_536].freeze
  SIZES = [USUAL_SIZES, [1, 1], [7, 3], [16, 16]].freeze
  PARSERS = {
    "json" => ->(text) { JSON.parse(text, max_nesting: false, allow_duplicate_key: true) },
    "oj" => ->(text) { Oj.load(text, mode: :strict, bigdecimal_load: :float) }
  }.select { |library, _| Without.library?(library) }.freeze

  # Runs the block with the Writers of each of SIZES; the usual ones come back whatever happens.
  def with_each_size(sizes = SIZES)
    sizes.each do |capacity, chunk|
      ToJson::Writer.sizes(capacity, chunk)
      yield "with a buffer of #{capacity} and chunks of #{chunk}"
    end
  ensure
    ToJson::Writer.sizes(*USUAL_SIZES)
  end

  # The block's document has exactly these bytes, is UTF-8 and is what all parsers take for the same
  # value, however it leaves and however little room there is.
  #
  # @param expected [String]
  # @param json [Boolean] false where the text need not be JSON (Fragments that were not checked)
  # @param sinks [Boolean] false where delivered bytes would have to come back
  def assert_document(expected, json: true, sinks: true, &document)
    with_each_size do |how|
      assert_text expected, document.call, "as a String #{how}"
      assert_into_string expected, document, how
      assert_into_sinks expected, document, how if sinks
    end
    assert_parses expected if json
  end

  # The block raises `klass` whatever the way out; no Sink gets text that parses; what was in a
  # String stays; the next document is right. Returns the last error.
  #
  # @param path [String, nil] what ToJson.location tells
  # @param message [String, Regexp, nil] part of the message
  def assert_failure(klass, path: nil, message: nil, sinks: true, &document)
    error = nil
    with_each_size do |how|
      error = assert_raises(klass, "as a String #{how}") { document.call }
      assert_equal path, ToJson.location(error), "the path #{how}" if path
      assert_includes_text message, error.message if message
      assert_string_untouched klass, document, how
      assert_sinks_incomplete klass, document, how if sinks
      assert_equal '{"after":[1]}', ToJson.generate({ after: [1] }), "the next document #{how}"
    end
    error
  end

  # {#assert_document} for a serializer class with these arguments; then the same document by all
  # other names: instances, `encode!`, `to_h`, in place.
  def assert_serializer(expected, serializer, *arguments, **keywords)
    assert_document(expected) { |**out| serializer.json!(*arguments, **keywords, **out) }
    assert_document(expected) { |**out| serializer.new(*arguments, **keywords).json!(**out) }
    instance = serializer.new(*arguments, **keywords)
    2.times { assert_text expected, instance.json!, "from an instance that is used again" }
    # as ActiveSupport says, if another test loaded it
    for_others = ToJson::Interop.escaped(expected)
    assert_text for_others, serializer.encode!(*arguments, **keywords).to_json, "from encode!"
    assert_text for_others, instance.to_json, "from to_json"
    assert_document("[#{expected},#{expected}]") do |**out|
      ToJson.generate([instance, instance], **out)
    end
    assert_to_h expected, instance
  end

  # {#assert_document} for a block of the DSL, once in each form: an explicit receiver, a class and
  # a module. The block gets the receiver of the words.
  def assert_writes(expected, sinks: true, &words)
    assert_document(expected, sinks: sinks) { |**out| ToJson.json(**out, &words) }
    inherited = Class.new(ToJson::Serializer) { define_method(:serialize) { words.call(self) } }
    assert_document(expected, sinks: sinks) { |**out| inherited.json!(**out) }
    included = Class.new do
      include ToJson::Serialize; define_method(:serialize) { words.call(self) }
    end
    assert_document(expected, sinks: sinks) { |**out| included.new.json!(**out) }
    assert_to_h expected, inherited.new
  end

  private

  def assert_text(expected, text, how)
    assert_instance_of String, text, how
    assert_equal Encoding::UTF_8, text.encoding, "the encoding #{how}"
    assert text.valid_encoding?, "no valid UTF-8 #{how}: #{text.inspect}"
    assert_equal expected.b, text.b, how
  end

  def assert_to_h(expected, serializer)
    value = ToJson::Tree.parse(expected)
    assert_operator value, :==, serializer.to_h, "to_h"
    assert_operator value, :==, serializer.as_json, "as_json"
  end

  def assert_into_string(expected, document, how)
    [Encoding::UTF_8, Encoding::US_ASCII, Encoding::BINARY].each do |encoding|
      string = String.new("before ", encoding: encoding)
      assert_same string, document.call(into: string), "into: returns what it was given"
      assert_equal "before #{expected}".b, string.b, "into: a String in #{encoding} #{how}"
    end
  end

  def assert_into_sinks(expected, document, how)
    [OneByte, Silent, Appender].each do |type|
      sink = type.new
      assert_same_object sink, document.call(into: sink)
      assert_equal expected.b, sink.text, "into: #{type} #{how}"
      next unless type == Appender

      assert sink.pieces.all?(&:valid_encoding?),
             "a character was cut in two #{how}: #{sink.pieces.inspect}"
    end
    io = StringIO.new(String.new(encoding: Encoding::UTF_8))
    assert_same io, document.call(into: io)
    assert_equal expected.b, io.string.b, "into: a StringIO #{how}"
  end

  def assert_same_object(expected, given)
    assert BasicObject.instance_method(:equal?).bind_call(expected, given),
           "into: returns what it was given"
  end

  def assert_string_untouched(klass, document, how)
    string = String.new("before ", encoding: Encoding::UTF_8)
    assert_raises(klass, "into: a String #{how}") { document.call(into: string) }
    assert_equal "before ", string, "what was in the String #{how}"
  end

  def assert_sinks_incomplete(klass, document, how)
    [OneByte, Appender].each do |type|
      sink = type.new
      assert_raises(klass, "into: #{type} #{how}") { document.call(into: sink) }
      assert_raises(ToJson::FragmentError, "delivered before the error #{how}: #{sink.text}") do
        ToJson::Fragment.new(sink.text.force_encoding(Encoding::UTF_8))
      end
    end
  end

  def assert_includes_text(part, text)
    part.is_a?(Regexp) ? assert_match(part, text) : assert_includes(text, part)
  end

  # Our strict validator takes it, our reader and the other parsers read the same from it.
  def assert_parses(text)
    text = text.dup.force_encoding(Encoding::UTF_8)
    assert_equal text, ToJson::Fragment.new(text).to_s
    value = ToJson::Tree.parse(text)
    PARSERS.each do |library, parse|
      read = parse.call(text)
      assert same_value?(value, read), "#{library} reads #{read.inspect} from #{text}"
    end
  end

  # Equal, but for the last digit of a Float, where parsers differ.
  def same_value?(one, other)
    case one
    when Hash
      other.is_a?(Hash) && one.keys == other.keys && one.all? do |key, value|
        same_value?(value, other[key])
      end
    when Array
      other.is_a?(Array) && one.size == other.size && one.zip(other).all? do |pair|
        same_value?(*pair)
      end
    when Float
      other.is_a?(Numeric) && (one == other.to_f || (one - other.to_f).abs <= one.abs * 1e-14)
    else one.instance_of?(other.class) && one == other
    end
  end
end

ToJsonTest.include(WaysOut)
