# frozen_string_literal: true

require "test_helper"
require_relative "../support/own_process"

# Keys that are not in UTF-8, in the paths of errors.
class PathEncodingsTest < ToJsonTest
  # The bytes of the first one are those of "ab".
  { "\u6261".encode("UTF-16LE") => '["扡"]', "\u6261".encode("UTF-16BE") => '["扡"]',
    "日本".encode("Shift_JIS") => '["日本"]', "日本".encode("UTF-32LE") => '["日本"]',
    "name".encode("UTF-16LE") => ".name", "name".encode("IBM037") => ".name",
    "caf\xE9".b.force_encoding("ISO-8859-1") => '["café"]' }.each do |key, path|
    [key, key.to_sym].each do |given|
      test "a #{given.class} in #{key.encoding}, shown as #{path}" do
        error = assert_raises(ToJson::NumberError) { ToJson.generate([{ given => Float::NAN }]) }
        assert_equal "$[0]#{path}", error.path
        error = assert_raises(ToJson::UnsupportedTypeError) do
          ToJson.generate({ given => Object.new })
        end
        assert_equal "$#{path}", error.path
        assert_includes error.message, "$#{path}: Object has no JSON form"
      end

      test "a #{given.class} in #{key.encoding}, shown as #{path} for an exception of the user" do
        boom = Object.new
        def boom.to_h = raise(IOError, "mine")
        error = assert_raises(IOError) { ToJson.generate({ given => boom }) }
        assert_equal "$#{path}", ToJson.location(error)
      end
    end
  end

  test "a text that has no UTF-8 form is shown as bytes" do
    { "+x\xE9".b.force_encoding("UTF-7") => '["+x\xE9"]', # Ruby has no converter
      "\x81\x20".b.force_encoding("Shift_JIS") => '["\x81 "]' }.each do |key, path|
      error = assert_raises(ToJson::EncodingError) { ToJson.generate({ key => 1 }) }
      assert_equal "$#{path}", error.path
    end
    broken = { "\x81\x20".b.force_encoding("Shift_JIS") => { a: Float::NAN } }
    error = assert_raises(ToJson::NumberError) { ToJson.generate(broken, invalid: :replace) }
    assert_equal '$["\x81 "].a', error.path
  end

  FOREIGN = <<~'RUBY'
    Encoding.default_external = Encoding::Shift_JIS
    key = "日本".encode("Shift_JIS")
    class Été; end
    class Fields < ToJson::Serializer
      attributes :a
      view(:"é") { attributes :b }
    end
    deep = Float::NAN
    30.times { deep = { key => deep } }
    [-> { ToJson.generate({ key => Été.new }) }, -> { ToJson.generate(deep) },
     -> { Fields.json!({ a: 1 }, view: key.to_sym) }].each do |call|
      call.call
    rescue ToJson::Error => error
      text = error.message
      print [error.class, text.encoding, text.valid_encoding?].join(" "), "\n"
    end
  RUBY

  test "where the default encoding is not UTF-8, messages are" do
    said = OwnProcess.run(FOREIGN).lines(chomp: true)
    assert_equal ["ToJson::UnsupportedTypeError UTF-8 true", "ToJson::NumberError UTF-8 true",
                  "ToJson::UnknownViewError UTF-8 true"], said
  end
end
