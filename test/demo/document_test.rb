# frozen_string_literal: true

# demo/document.rb: a wrong document is found, and the message says where it is wrong.

require_relative "demo_case"

class DemoDocumentTest < DemoCase
  COUNTS = { gems: 2, authors: 1, dependencies: 1, files: 2, bytes: 7 }.freeze
  TEXT = <<~JSON
    {"gems":[{"authors":["Ada"],"dependencies":[{"name":"rake"}],
              "files":[{"path":"a","bytes":7},{"path":"b","bytes":null}]},
             {"authors":[],"dependencies":[],"files":[]}]}
  JSON

  def setup
    demo "document"
  end

  test "a document with the numbers that SQL counts passes" do
    assert_equal(COUNTS, Demo::Document.check(TEXT, COUNTS))
  end

  COUNTS.each_key do |name|
    test "a document with a wrong number of #{name} is a mismatch" do
      error = assert_raises(Demo::Mismatch) { Demo::Document.check(TEXT, COUNTS.merge(name => 99)) }
      assert_equal("the document has #{COUNTS[name]} #{name}, the database 99", error.message)
    end
  end

  test "a text that is no JSON is a mismatch" do
    error = assert_raises(Demo::Mismatch) { Demo::Document.check(TEXT.sub("]}", "]"), COUNTS) }
    assert_match(/\Athe json gem cannot read the document: /, error.message)
  end

  test "documents of other white space and escapes are the same" do
    assert_nil(
      Demo::Document.compare("one" => "{\"a\":[1,\"é\"]}", "other" => "{ \"a\": [1, \"\\u00e9\"] }")
    )
  end

  test "texts of the same bytes are identical" do
    assert_nil(Demo::Document.identical("one" => "{}", "other" => "{}", "third" => "{}"))
  end

  { "another byte" =>
      ["[1,2]", "[1,3]", 3], "a shorter one" => ["[1] ", "[1]", 3],
      "a longer one" => ["[1]", "[1] ", 3],
    "other white space" => ["[1]", "[ 1]", 1] }.each do |what, (one, other, byte)|
    test "#{what} is a mismatch that names the way and the byte" do
      error = assert_raises(Demo::Mismatch) do
        Demo::Document.identical("ours" => one, "same" => one, "declared" => other)
      end
      assert_equal("declared differs from ours from byte #{byte} on", error.message)
    end
  end

  { "another value" => ['{"a":[1,{"b":2}]}', '{"a":[1,{"b":3}]}', "$.a[1].b (2 and 3)"],
    "another size" => ["[1,2]", "[1]", "$ (2 and 1 elements)"],
    "other keys" => ['{"a":1}', '{"b":1}', '$ (keys ["a"] and ["b"])'],
    "the other order of keys" =>
      ['{"a":1,"b":2}', '{"b":2,"a":1}', '$ (keys ["a", "b"] and ["b", "a"])'],
    "another type" => ["[1]", "[1.0]", "$[0] (1 and 1.0)"] }.each do |what, (one, other, where)|
    test "#{what} is a mismatch that names the way and the place" do
      error = assert_raises(Demo::Mismatch) do
        Demo::Document.compare("ours" => one, "same" => one, "theirs" => other)
      end
      assert_equal("theirs differs from ours at #{where}", error.message)
    end
  end
end
