# frozen_string_literal: true

# The documents that generators are commonly measured on, and JSONTestSuite, where ../shared/data
# stands. Elsewhere these tests say that they did not run; documents_test.rb covers the same ground
# everywhere.

require "test_helper"
require_relative "../support/ways_out"
require_relative "../support/documents"

class CorpusTest < ToJsonTest
  NAMES = %w[activitypub canada citm_catalog ohai twitter].freeze

  # The text of one document.
  def corpus(name) = File.read(shared_data("corpus/#{name}.json").first, encoding: "UTF-8")

  # [name, parser] of all parsers that are here; our own reader is always one.
  PARSERS = { "our own reader" => ->(text) { ToJson::Tree.parse(text) }, **WaysOut::PARSERS }.freeze

  NAMES.each do |name|
    test "#{name} is read, written, and read back equal" do
      text = corpus(name)
      PARSERS.each do |parser, parse|
        value = parse.call(text)
        written = ToJson.generate(value)
        assert_equal value, parse.call(written), parser
        assert_equal written, ToJson.generate(parse.call(written)), "#{parser}, twice"
        assert_equal written, ToJson.generate(ToJson::Fragment.new(written))
      end
    end

    test "#{name} is byte for byte what JSON.generate and JSON.pretty_generate write" do
      text = corpus(name)
      skip "did not run: json is not here" unless Without.library?("json")
      value = JSON.parse(text)
      assert_equal Documents.shortest(JSON.generate(value)), ToJson.generate(value)
      assert_equal Documents.shortest(JSON.pretty_generate(value)), ToJson.pretty_generate(value)
    end

    test "#{name} is the same in a String, in a Sink and in pieces" do
      value = ToJson::Tree.parse(corpus(name))
      expected = ToJson.generate(value)
      assert_equal "x#{expected}", ToJson.generate(value, into: +"x")
      assert_equal expected, ToJson.generate(value, into: []).join
      assert_equal expected, ToJson.generate(value, into: StringIO.new(+"")).string
      with_each_size([[1, 1000], [64, 64], [4096, 10_000]]) do |how|
        assert_equal expected, ToJson.generate(value, into: []).join, how
      end
    end

    test "#{name} is taken as a Fragment as it stands, and cut anywhere is refused" do
      text = corpus(name)
      assert_equal text, ToJson.generate(ToJson::Fragment.new(text))
      random = Random.new(4)
      20.times do
        cut = text.byteslice(0, random.rand(1...text.rstrip.bytesize))
        assert_raises(ToJson::FragmentError) { ToJson::Fragment.new(cut) }
      end
    end

    test "#{name} under html_safe holds nothing that HTML minds and reads the same" do
      value = ToJson::Tree.parse(corpus(name))
      safe = ToJson.generate(value, html_safe: true)
      refute_match(/[<>&\u2028\u2029]/, safe)
      assert_equal value, ToJson::Tree.parse(safe)
    end
  end

  test "the documents are the five that were counted on" do
    assert_equal NAMES, shared_data("corpus/*.json").map { |path| File.basename(path, ".json") }
  end

  test "what JSONTestSuite calls valid is read, written, and read back equal" do
    count = 0
    shared_data("json_test_suite/y_*.json").each do |path|
      text = File.read(path, encoding: "UTF-8")
      PARSERS.each do |parser, parse|
        value = begin
          parse.call(text)
        rescue StandardError
          next # some parsers do not take half a surrogate pair, or a scalar
        end
        written = begin
          ToJson.generate(value)
        rescue ToJson::EncodingError
          assert_match(/ud8|uDd|uD8|ud9|uDF|uDa/i, text, path) # half a surrogate pair is no text
          next
        end
        assert value == parse.call(written), "#{parser} #{File.basename(path)}"
        count += 1
      end
    end
    assert_operator count, :>, 90
  end
end
