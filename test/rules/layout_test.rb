# frozen_string_literal: true

# The text between the tokens: whatever writes, and whatever is encoded already.

require_relative "../values/value_case"

class LayoutTest < ValueCase
  LAYOUT = { indent: "..", space: "_", space_before: "-", object_nl: "<o>", array_nl: "<a>" }.freeze
  TREE = { a: [1, [], {}, [2]], "b" => { c: { d: nil } } }.freeze

  LAID_OUT = {
    {} => '{"a":[1,[],{},[2]],"b":{"c":{"d":null}}}',
    LAYOUT =>
      '{<o>.."a"-:_[<a>....1,<a>....[],<a>....{},<a>....[<a>......2<a>....]<a>..],<o>.."b"-:' \
      '_{<o>...."c"-:_{<o>......"d"-:_null<o>....}<o>..}<o>}',
    { indent: " " } => '{ "a":[  1,  [],  {},  [   2]], "b":{  "c":{   "d":null}}}',
    { indent: " ", object_nl: "\n" } =>
      "{\n \"a\":[  1,  [],  {},  [   2]],\n \"b\":{\n  \"c\":{\n   \"d\":null\n  }\n }\n}",
    { array_nl: "\n" } => "{\"a\":[\n1,\n[],\n{},\n[\n2\n]\n],\"b\":{\"c\":{\"d\":null}}}",
    { space: " " } => '{"a": [1,[],{},[2]],"b": {"c": {"d": null}}}',
    { space_before: " " } => '{"a" :[1,[],{},[2]],"b" :{"c" :{"d" :null}}}',
    { indent: "", object_nl: "", space: nil } => '{"a":[1,[],{},[2]],"b":{"c":{"d":null}}}',
    { indent: " ", array_nl: "\n", depth: 2 } =>
      "{   \"a\":[\n    1,\n    [],\n    {},\n    [\n     2\n    ]\n   ],   \"b\":{    " \
      "\"c\":{     \"d\":null}}}"
  }.freeze

  # Ways of writing TREE.
  class Words < ToJson::Serializer
    def serialize
      put(:a) do
        array do
          value 1
          array
          value({})
          array [2]
        end
      end
      put("b") { put(:c) { put :d, nil } }
    end
  end

  class Declared < ToJson::Serializer
    attributes :a
    nested(:b) { nested(:c) { attribute :d, -> { nil } } }
  end

  LAID_OUT.each do |options, json|
    test "#{options.inspect} lays out a tree, words of the DSL and declared fields alike" do
      ways = [->(**out) { ToJson.generate(TREE, **options, **out) }, ->(**out) {
        Words.json!(rules: options, **out)
      },
              ->(**out) { Declared.json!({ a: TREE[:a] }, rules: options, **out) }]
      ways.each do |way|
        assert_document(json, json: !json.include?("<o>")) { |**out| way.call(**out) }
      end
    end
  end

  test "pretty_generate's own layout gives way option by option" do
    assert_equal "{\n  \"a\": [\n    1\n  ]\n}", ToJson.pretty_generate({ a: [1] })
    assert_equal "{\n\t\"a\": [\n\t\t1\n\t]\n}", ToJson.pretty_generate({ a: [1] }, indent: "\t")
    assert_equal "{  \"a\":[\n    1\n  ]}",
                 ToJson.pretty_generate({ a: [1] }, object_nl: "", space: "")
    assert_equal "{\n  \"a\": [    1]\n}", ToJson.pretty_generate({ a: [1] }, array_nl: "")
  end

  test "depth: counts for max_depth:" do
    assert_equal "[[]]", ToJson.generate([[]], max_depth: 5, depth: 3)
    error = assert_raises(ToJson::NestingError) { ToJson.generate([[]], max_depth: 5, depth: 4) }
    assert_equal "$[0]", error.path
    assert_raises(ToJson::NestingError) { ToJson.generate([], max_depth: 5, depth: 5) }
    assert_equal "1", ToJson.generate(1, max_depth: 5, depth: 50)
  end

  test "a Fragment is laid out as it stands" do
    assert_equal "[\n {\"a\":[1]}\n]",
                 ToJson.generate([ToJson::Fragment.new('{"a":[1]}')], indent: " ", array_nl: "\n")
  end

  # They are copied into documents, which are UTF-8.
  test "text that is no UTF-8 is refused, whatever it is called" do
    ["é".encode("UTF-16LE"), "é".encode("ISO-8859-1"), "\xE9", "\xE9".b].each do |text|
      LAYOUT.each_key do |name|
        error = assert_raises(ArgumentError) { ToJson.generate([1], name => text) }
        assert_equal "#{name}: takes a String of UTF-8 text, nil; got #{text.inspect}",
                     error.message
      end
    end
    ["é", "é".b, " ".encode("Shift_JIS")].each do |text|
      document = ToJson.generate([1], indent: text)
      assert_equal "[#{text}1]".b, document.b
      assert_predicate document, :valid_encoding?
    end
  end
end
