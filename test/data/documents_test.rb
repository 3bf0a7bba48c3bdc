# frozen_string_literal: true

# Documents of the usual shapes, made from seeds: written, read by other parsers, written again.
# Runs everywhere; corpus_test.rb does the same over the real documents where these stand.

require "test_helper"
require_relative "../support/ways_out"
require_relative "../support/documents"

class DocumentsTest < ToJsonTest
  SEEDS = (1..8).to_a.freeze

  # The text of a value, checked against all that can be said about it.
  def assert_round_trip(value, how)
    text = ToJson.generate(value)
    assert_predicate text, :valid_encoding?
    assert_equal value, ToJson::Tree.parse(text), how
    assert_equal value, JSON.parse(text, max_nesting: false), how if Without.library?("json")
    assert_equal text, ToJson.generate(ToJson::Tree.parse(text)), how
    assert_equal text, ToJson.generate(ToJson::Fragment.new(text)), how
    assert_equal value, ToJson::Tree.parse(ToJson.generate(value, html_safe: true)), how
    assert_equal value, ToJson::Tree.parse(ToJson.pretty_generate(value)), how
    assert_equal text, ToJson.generate(value, rules: :strict), how
    text
  end

  Documents::NAMES.each do |name|
    test "#{SEEDS.size} documents like #{name} are read back equal" do
      SEEDS.each do |seed|
        assert_round_trip Documents.new(seed).public_send(name), "#{name} of seed #{seed}"
      end
    end

    test "documents like #{name} are byte for byte what JSON.generate and JSON.pretty_generate " \
         "write" do
      skip "did not run: json is not here" unless Without.library?("json")
      SEEDS.each do |seed|
        value = Documents.new(seed).public_send(name)
        assert_equal Documents.shortest(JSON.generate(value)), ToJson.generate(value),
                     "seed #{seed}"
        assert_equal Documents.shortest(JSON.pretty_generate(value)), ToJson.pretty_generate(value),
                     "seed #{seed}"
      end
    end

    test "documents like #{name} leave by every way alike" do
      value = Documents.new(99).public_send(name,
                                            *{ "polygon" => [2, 20],
                                               "tree" => [5] }.fetch(name, [5]))
      assert_document(ToJson.generate(value)) { |**out| ToJson.generate(value, **out) }
    end
  end

  test "the documents hold what they are for" do
    all = Documents.all(1)
    texts = all.transform_values { |value| ToJson.generate(value) }
    assert_equal Documents::NAMES, all.keys
    assert_operator texts.values.sum(&:bytesize), :>, 300_000
    assert_match(/\\n.*\\"/m, texts["messages"])
    assert_match(/\p{Han}/, texts["messages"])
    assert_match(/\[-?\d+\.\d{10}/, texts["polygon"])
    assert_includes texts["catalogue"], "null"
    assert_includes texts["inventory"], "{\"en"
  end

  test "the same seed makes the same documents, another seed others" do
    assert_equal Documents.all(7), Documents.all(7)
    refute_equal Documents.all(7), Documents.all(8)
  end

  test "500 random trees are read back equal, and are what JSON.generate writes" do
    Without.library?("json")
    500.times do |seed|
      value = [Documents.new(seed).tree(5)]
      text = ToJson.generate(value)
      assert_equal value, ToJson::Tree.parse(text), "seed #{seed}"
      next unless defined?(JSON)

      assert_equal value, JSON.parse(text), "seed #{seed}"
      assert_equal Documents.shortest(JSON.generate(value)), text, "seed #{seed}"
    end
  end

  test "a document with every String in another encoding is the same document" do
    value = Documents.new(3).messages(20)
    recode = lambda do |node, encoding|
      case node
      when Hash then node.to_h { |key, item| [key.encode(encoding), recode.call(item, encoding)] }
      when Array then node.map { |item| recode.call(item, encoding) }
      when String then node.encode(encoding)
      else node
      end
    end
    expected = ToJson.generate(value)
    %w[UTF-16LE UTF-16BE UTF-32LE GB18030].each do |encoding|
      assert_equal expected, ToJson.generate(recode.call(value, encoding)), encoding
    end
  end

  test "a document made of Structs, Symbols, Sets and Enumerators is the one made of Hashes, " \
       "Strings and Arrays" do
    require "set"
    structs = {}
    rich = lambda do |node|
      case node
      when Hash
        if node.empty? || node.size > 8 || node.keys.any? { |key| key !~ /\A[a-z]\w*\z/ }
          next node.to_h { |key, item| [key.to_sym, rich.call(item)] }
        end

        (structs[node.keys] ||= Struct.new(*node.keys.map(&:to_sym)))
          .new(*node.values.map { |item| rich.call(item) })
      when Array
        items = node.map { |item| rich.call(item) }
        [items, items.each, items.lazy,
         items.uniq.size == items.size ? Set.new(items) : items][items.size % 4]
      else node
      end
    end
    Documents.all(11).each do |name, value|
      assert_equal ToJson.generate(value), ToJson.generate(rich.call(value)), name
    end
  end
end
