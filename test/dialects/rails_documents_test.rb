# frozen_string_literal: true

# Whole documents of :rails: every way out, the DSL and declared serializers, what raises, what is
# nested in what.

require_relative "../support/without"

if Without.library?("active_support")
  require_relative "rails_case"
  require_relative "../support/ways_out"

  class RailsDocumentsTest < RailsCase
    TREE = { id: 1, "html" => "<b>\u2028</b>", at: Time.at(0).utc,
             list: [1.5, nil, :s, { 1 => "a", "2" => "b" }], price: BigDecimal("1.50"),
             point: Samples::Point.new(1..2, [Date.new(2026, 1, 2)]) }.freeze

    test "a tree leaves by every way as ActiveSupport writes it" do
      assert_document(theirs(TREE)) { |**out| ToJson.generate(TREE, rules: :rails, **out) }
    end

    SETTINGS.each do |what, settings|
      test "strings of every length and place are escaped #{what}, however little room there is" do
        with_settings(settings) do
          texts = ["", "<", "a>", "&&", "\u2028x", "x\u2029", "a" * 70,
                   "#{"a" * 63}<#{"b" * 40}\u2028", "\u00e9<\u{1F600}&\"\\\n"]
          expected = theirs(texts)
          assert_document(expected) { |**out| ToJson.generate(texts, rules: :rails, **out) }
        end
      end
    end

    test "DSL and declared serializers take the dialect" do
      imperative = Class.new(ToJson::Serializer) do
        rules :rails
        def serialize(tree)
          put :id, tree[:id]
          put_fields tree, "html", :at, :list
          put :price, tree[:price]
          put :point, tree[:point]
        end
      end
      declared = Class.new(ToJson::Serializer) do
        rules :rails
        attributes :id, "html", :at, :list, :price, :point
      end
      SETTINGS.each_value do |settings|
        with_settings(settings) do
          expected = theirs(TREE)
          next unless expected.start_with?("{") # a precision that Ruby refuses

          assert_equal expected, imperative.json!(TREE)
          assert_equal expected, declared.json!(TREE)
          assert_equal "[#{expected},#{expected}]", declared.json!([TREE, TREE])
          assert_equal expected, ToJson.json(rules: :rails) { |j|
            TREE.each { |key, value| j.put key, value }
          }
        end
      end
    end

    # What ActiveSupport raises, we raise: the class is json's, the message ours.
    REFUSED = {
      "bytes that are no text" =>
        ["ab\xFF"], "a broken key" => { "k\xFF" => 1 },
        "bytes that are no text in another encoding" => ["\xD8".dup.force_encoding("UTF-16LE")],
      "binary bytes" =>
        ["\xFF\xFE".b], "101 Arrays" => Array.new(100).reduce([]) { |inner, _| [inner] },
        "101 Hashes" => Array.new(100).reduce({}) { |inner, _| { a: inner } },
      "an as_json that gives itself" =>
        [Class.new { def as_json(*) = self }.new],
        "an as_json that raises" => [Class.new { def as_json(*) = raise(KeyError, "mine") }.new],
      "no as_json at all" => [BasicObject.new], "an endless collection" => nil
    }.compact.freeze

    REFUSED.each do |what, value|
      test "#{what} raises what ActiveSupport raises" do
        expected = theirs(value)
        # 8.1 writes its to_s
        unless what.end_with?("itself")
          assert_match(/\A[A-Z]\w+(::\w+)*\z/, expected, "ActiveSupport refuses it")
        end
        assert_equal expected, ours(value)
        assert_equal expected, encoded(value, { a: 1 })
        assert_equal theirs(TREE), ours(TREE), "and the next document is right"
      end
    end

    test "100 deep is not too deep" do
      deep = Array.new(99).reduce([]) { |inner, _| [inner] }
      assert_equal theirs(deep), ours(deep)
    end

    test "where something was refused is known" do
      error = assert_raises(JSON::GeneratorError) do
        ToJson.generate({ users: [{ name: "\xFF" }] }, rules: :rails)
      end
      assert_equal "$.users[0].name", ToJson.location(error)
      mine = Class.new { def as_json(*) = raise(KeyError, "mine") }.new
      error = assert_raises(KeyError) { ToJson.generate({ a: [1, mine] }, rules: :rails) }
      assert_equal "$.a[1]", ToJson.location(error)
    end

    test "an as_json may write documents of its own meanwhile" do
      inner = Class.new { def as_json(*) = ToJson.generate([1, Time.at(0).utc], rules: :rails) }.new
      other = Class.new do
        def as_json(options = nil) = ActiveSupport::JSON.encode([{ a: 1.5 }], options)
      end.new
      value = [inner, { k: other }, Time.at(1).utc, 1.5]
      assert_equal theirs(value), ours(value)
      assert_equal theirs(value, { only: "k" }), encoded(value, { only: "k" })
    end

    test "serializers and Fragments are written in place, and ActiveSupport takes them for what " \
         "they are" do
      point = Class.new(ToJson::Serializer) { attributes :x, :y }
      value = Samples::Point.new(1, "<")
      inside = { point: point.new(value), list: [point.new(value)],
                 fragment: ToJson::Fragment.new('{"f":"<"}') }
      assert_equal '{"point":{"x":1,"y":"\u003c"},"list":[{"x":1,"y":"\u003c"}],"fragment":{"f":' \
                   '"\u003c"}}',
                   ours(inside)
      assert_equal ours(inside), encoded(inside, { prefixes: [] })
      assert_equal theirs(inside), ours(inside)
      assert_equal '{"x":1,"y":"\u003c"}', point.new(value).to_json(prefixes: []),
                   "and asked for by render"
      assert_equal '{"x":1,"y":"<"}', point.json!(value), "its own document has its own Rules"
    end

    test "another Ractor writes the same" do
      expected =
        theirs([1.5, { a: "<" }, Time.at(0).utc, Samples::Point.new(1, 1..2), { 1 => 1, "2" => 2 }])
      ractor = silently do
        Ractor.new do
          ToJson.generate([1.5, { a: "<" }, Time.at(0).utc, RailsCase::Samples::Point.new(1, 1..2),
                           { 1 => 1, "2" => 2 }], rules: :rails)
        end
      end
      assert_equal expected, ractor.value
    end

    test "other threads write the same" do
      expected = theirs(TREE)
      threads = Array.new(4) { Thread.new { Array.new(200) { ours(TREE) }.uniq } }
      assert_equal [expected], threads.flat_map(&:value).uniq
    end

    test "memory stays flat: nothing of a document is kept" do
      struct = -> { Struct.new(:a, :b).new(1, Time.at(0)) }
      1000.times { ours([struct.call]) }
      GC.start
      before = ObjectSpace.count_objects[:T_CLASS]
      2000.times { ours([struct.call]) }
      GC.start
      assert_operator ObjectSpace.count_objects[:T_CLASS] - before, :<, 500
    end
  end
end
