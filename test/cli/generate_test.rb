# frozen_string_literal: true

# to_json generate and to_json ndjson: YAML, CSV, JSON and NDJSON in, JSON out.

require_relative "cli_case"

class CliGenerateTest < CliCase
  YAML_TEXT =
    "name: é\nlist: [1, 2.5, ~, yes]\nday: 2026-01-02\nbase: &b\n  k: :sym\nmore: {<<: *b, n: " \
    "0x10}\n"
  JSON_OF_YAML =
    "{\"name\":\"é\",\"list\":[1,2.5,null,true],\"day\":\"2026-01-02\",\"base\":" \
    "{\"k\":\"sym\"},\"more\":{\"k\":\"sym\",\"n\":16}}\n"
  CSV_TEXT = "id,name,note\r\n1,\"a \"\"b\"\", c\",\r\n2.50,é,1e3\r\n"
  SERIALIZER = <<~RUBY
    class Row < ToJson::Serializer
      attribute(:id, as: :integer)
      attributes :name
      view(:loud) { attribute(:shout) { |row| row["name"].upcase } }
    end
    module Api
      class Broken < ToJson::Serializer
        attribute(:id) { |row| row.nothing_like_it }
      end
      class Imperative < ToJson::Serializer
        def serialize(row) = put(:name, row["name"])
      end
      class Included
        include ToJson::Serialize
        def serialize(row) = put(:name, row.fetch("name"))
      end
    end
    NOT_ONE = 1
  RUBY

  CSV_THERE = system(ENVIRONMENT, RbConfig.ruby, "-W0", "-e", "require 'csv'", err: File::NULL)

  def csv_here
    CSV_THERE or skip "csv is not installed on this Ruby"
  end

  test "YAML becomes its document" do
    assert_to_json JSON_OF_YAML, "generate", file("a.yml", YAML_TEXT)
    assert_to_json JSON_OF_YAML, "generate", "--from", "yaml", input: "\xEF\xBB\xBF#{YAML_TEXT}"
    assert_to_json "null\n", "generate", "--from", "yaml", input: ""
    assert_to_json "[\n 1,\n {\n  \"a\": []\n }\n]\n", "generate", "--from", "yaml", "--indent",
                   "1", input: "- 1\n- a: []\n"
  end

  test "the documents of a YAML stream are lines of ndjson, the elements of a list too" do
    assert_to_json "{\"a\":1}\n2\n3\n", "ndjson", file("a.yaml", "a: 1\n---\n[2, 3]\n")
    assert_to_json "", "generate", "a.yaml", status: 1,
                                             error:
                                               "a.yaml: more than one YAML document. Use to_json " \
                                               "ndjson, which writes a line for each.\n"
  end

  test "YAML that is wrong is told with line and column, and makes no objects" do
    _, error, status = to_json("generate", file("a.yml", "a: 1\nb: [1\nc: 2\n"))
    assert_match(/\Aa\.yml:\d:\d+: did not find expected .+\n\z/, error)
    assert_equal 1, status
    _, error, status = to_json("generate", file("b.yml", "!ruby/object:Object {}"))
    assert_equal ["b.yml: Tried to load unspecified class: Object\n", 1], [error, status]
    out, error, status = to_json("generate", "--from", "yaml", input: "a: &x [*x]\n")
    assert_match(/\A<stdin>: \$\.a\[0\].*nested more than 100 deep/, error)
    assert_equal ["", 1], [out, status]
  end

  test "what JSON has no word for is told with its path" do
    _, error, status = to_json("generate", file("a.yml", "a: [1, .nan]"))
    assert_match(/\Aa\.yml: \$\.a\[1\]: Float::NAN is not valid JSON/, error)
    assert_equal 1, status
  end

  test "CSV becomes an array of its rows, or a line for each" do
    csv_here
    rows = ["{\"id\":\"1\",\"name\":\"a \\\"b\\\", c\",\"note\":null}",
            "{\"id\":\"2.50\",\"name\":\"é\",\"note\":\"1e3\"}"]
    name = file("a.csv", CSV_TEXT)
    assert_to_json "[#{rows.join(",")}]\n", "generate", name
    assert_to_json rows.map { |row| "#{row}\n" }.join, "ndjson", name
    assert_to_json "[#{rows.join(",")}]\n", "generate", "--from", "csv",
                   input: "\xEF\xBB\xBF#{CSV_TEXT}"
    assert_to_json "[]\n", "generate", "--from", "csv", input: ""
    assert_to_json "", "ndjson", "--from", "csv", input: "a,b\n"
  end

  test "CSV: --numbers, --separator, --no-headers" do
    csv_here
    assert_to_json "[{\"id\":1,\"name\":\"a \\\"b\\\", " \
                   "c\",\"note\":null},{\"id\":2.5,\"name\":\"é\",\"note\":1000.0}]\n", "generate",
                   "--numbers", file("a.csv", CSV_TEXT)
    assert_to_json "[[\"007\",-1,\"1.\",\"+1\",\"0x1\",\" 2\",12345678901234567890]]\n", "generate",
                   "--from", "csv", "--numbers", "--no-headers",
                   input: "007,-1,1.,+1,0x1, 2,12345678901234567890\n"
    assert_to_json "[{\"a\":\"1\",\"b\":\"2,3\"}]\n", "generate", "--separator", ";", "--from",
                   "csv", input: "a;b\n1;2,3\n"
    assert_to_json "[{\"a\":\"1\",\"b\":\"2\"}]\n", "generate", file("a.tsv", "a\tb\n1\t2\n")
  end

  # {text => the error behind its name}. The cells were left out in silence.
  DROPPED = {
    "id,tag,tag\n1,a,b\n" =>
      '1: two columns have the name "tag". --no-headers writes rows as arrays.',
    "id,,\n1,a,b\n" => "1: two columns have no name. --no-headers writes rows as arrays.",
    "id,name\n1,a\n2,b,extra,more\n" => "3: more cells than the first row has names"
  }.freeze

  test "CSV: cells that no name leads to are an error; missing ones are null; blank lines none" do
    csv_here
    DROPPED.each do |text, message|
      _, error, status = to_json("ndjson", file("a.csv", text))
      assert_equal ["a.csv:#{message}\n", 1], [error, status]
    end
    assert_to_json "{\"id\":\"1\",\"name\":null}\n{\"id\":\"2\",\"name\":\"b\"}\n", "ndjson",
                   file("b.csv", "\nid,name\n1\n\n2,b,\n\n")
    assert_to_json "[[\"a\",\"a\"]]\n", "generate", "--no-headers", file("c.csv", "a,a\n")
  end

  test "CSV in UTF-16 and UTF-32 with a byte order mark is read as UTF-8" do
    csv_here
    person = file("person.rb", "class Person < ToJson::Serializer\n  attributes :id, :name\nend\n")
    %w[UTF-16LE UTF-16BE UTF-32LE].each do |encoding|
      name = file("a.tsv", "\uFEFFid\tname\n1\tZoë\n".encode(encoding).b)
      assert_to_json "[{\"id\":1,\"name\":\"Zoë\"}]\n", "generate", "--numbers", "--serializer",
                     "#{person}:Person", name
    end
    internal = { "RUBYOPT" => "-EUTF-8:UTF-8" } # as Rails has it
    assert_to_json "[{\"id\":\"1\"}]\n", "generate",
                   file("c.csv", "\uFEFFid\n1\n".encode("UTF-16LE").b), environment: internal
    half = "\uFEFFid\n".encode("UTF-16LE").b + "a\x00\x00\xDC\n\x00".b
    _, error, status = to_json("ndjson", file("b.csv", half))
    assert_equal 1, status
    assert_match(/\Ab\.csv: record 1: /, error)
  end

  test "CSV that is wrong is told with its line" do
    csv_here
    out, error, status = to_json("ndjson", file("a.csv", "a,b\n1,2\n3,\"x\"y\n"))
    assert_match(/\Aa\.csv:3: \S.*[^.]\n\z/, error)
    assert_equal ["{\"a\":\"1\",\"b\":\"2\"}\n", 1], [out, status]
    out, error, status = to_json("generate", file("b.csv", "a\n\xE9\n"))
    assert_equal 1, status
    assert_match(/\Ab\.csv:2: /, error)
    refute_match(/\]\s*\z/, out)
  end

  test "JSON without a serializer stays as it is written" do
    assert_to_json "[1.50,{\"a\":1,\"a\":1e999}]\n", "generate",
                   input: "[ 1.50, {\"a\": 1, \"a\": 1e999} ]"
    assert_to_json "1.50\n{\"a\":[1,2]}\n[]\n", "ndjson", input: "[ 1.50, {\"a\": [1, 2]}, [ ] ]"
    assert_to_json "{\"a\":[1,2]}\n", "ndjson", input: "{\"a\": [1, 2]}"
    assert_to_json "", "ndjson", input: "[ ]"
    assert_to_json "", "ndjson", input: "[1,\n{]",
                   error: "<stdin>:2:2: expected a key in double quotes or '}'\n", status: 1
  end

  test "NDJSON becomes an array of its lines" do
    name = file("a.ndjson", "{\"a\": 1.50}\r\n\n[1, 2]\n")
    assert_to_json "[{\"a\":1.50},[1,2]]\n", "generate", name
    assert_to_json "{\"a\":1.50}\n[1,2]\n", "ndjson", name
    assert_to_json "[\n\t{\n\t\t\"a\": 1.50\n\t},\n\t[\n\t\t1,\n\t\t2\n\t]\n]\n", "generate",
                   "--indent", "tab", name
  end

  test "NDJSON with a wrong line leaves no array that a parser accepts, and no part of that line" do
    name = file("a.jsonl", "1\n2\n[3\n4\n")
    out, error, status = to_json("generate", name)
    assert_equal ["a.jsonl:3:4: expected ',' or ']'\n", 1],
                 [error.sub("3:3", "3:4").sub("4:1", "3:4"), status]
    refute_includes out, "]"
    assert_to_json "1\n2\n", "ndjson", name, error: error, status: 1
  end

  test "a serializer writes each record, with view, only and except" do
    file("row.rb", SERIALIZER)
    name = file("a.json", "[{\"id\": \"7\", \"name\": \"é\"}, {\"id\": 8.0, \"name\": \"b\"}]")
    row = ["--serializer", "row.rb:Row"]
    assert_to_json "[{\"id\":7,\"name\":\"é\"},{\"id\":8,\"name\":\"b\"}]\n", "generate", *row, name
    assert_to_json "{\"id\":7,\"name\":\"é\",\"shout\":\"É\"}\n{\"id\":" \
                   "8,\"name\":\"b\",\"shout\":\"B\"}\n",
                   "ndjson", *row, "--view", "loud", name
    assert_to_json "{\"id\":7}\n{\"id\":8}\n", "ndjson", *row, "--only", "id", name
    assert_to_json "[\n{\n\"name\": \"é\"\n}\n]\n", "generate", *row, "--except", "id", "--indent",
                   "0", file("b.yml", "- {id: 1, name: é}")
    assert_to_json "{\"name\":\"é\"}\n{\"name\":\"b\"}\n", "ndjson", "--serializer",
                   "row.rb:Api::Imperative", file("c.ndjson", "{\"name\":\"é\"}\n{\"name\":\"b\"}")
  end

  test "what a serializer raises is told with the record and the line of its file" do
    file("row.rb", SERIALIZER)
    _, error,
    status = to_json("ndjson", "--serializer", "row.rb:Api::Broken", file("a.ndjson", "{}\n"))
    undefined = /NoMethodError: undefined method [`']nothing_like_it' .*\(row\.rb:8\)/
    assert_match(/\Aa\.ndjson: record 1: (\$\.id: )?#{undefined}\n\z/,
                 error.sub(@directory + "/", "").sub(%r{\(\S*/row}, "(row"))
    assert_equal 1, status
  end

  test "the record that fails is told by its number, whatever the serializer, and the lines " \
       "before it are written" do
    file("row.rb", SERIALIZER)
    name = file("a.ndjson", "{\"name\":\"a\",\"id\":1}\n{\"name\":\"b\",\"id\":2}\n{\"id\":[]}\n")
    { "Row" =>
        ["{\"id\":1,\"name\":\"a\"}\n{\"id\":2,\"name\":\"b\"}\n", /record 3: \$\.id: .*Array/],
      "Api::Included" =>
        ["{\"name\":\"a\"}\n{\"name\":\"b\"}\n",
         /record 3: KeyError: key not found: "name"/] }.each do |serializer, (lines, words)|
      out, error, status = to_json("ndjson", "--serializer", "row.rb:#{serializer}", name)
      assert_equal [lines, 1], [out, status]
      assert_match(/a\.ndjson: #{words}/, error)
      assert_equal 1, error.lines.size
    end
  end

  test "what is nested deeper than values can be is told, shortly" do
    file("row.rb", SERIALIZER)
    deep = "[" * 20_000 + "]" * 20_000
    [["--from", "yaml"], ["--serializer", "row.rb:Row"]].each do |arguments|
      out, error, status = to_json("generate", *arguments, input: deep)
      assert_equal [1, ""], [status, out]
      # in one line, whatever Ruby says of the receiver
      assert_match(/\A<stdin>[: ].{10,400}\n\z/, error)
    end
  end

  test "a serializer that is not there, or a wrong choice of its fields, is a wrong call" do
    file("row.rb", SERIALIZER)
    file("syntax.rb", "class")
    {
      ["--serializer", "row.rb"] =>
        /--serializer takes FILE:Class, such as post_serializer\.rb:PostSerializer, got row\.rb/,
      ["--serializer", "none.rb:Row"] => /--serializer: none\.rb: No such file or directory/,
      ["--serializer", "row.rb:Rows"] => /--serializer: row\.rb defines no Rows/,
      ["--serializer", "row.rb:NOT_ONE"] => /--serializer: NOT_ONE is not a serializer/,
      ["--serializer", "syntax.rb:Row"] => /--serializer: syntax\.rb: SyntaxError: /,
      ["--serializer", "row.rb:Row", "--only", "nam"] => /unknown field "nam"/,
      ["--serializer", "row.rb:Row", "--view", "lout"] => /lout/,
      ["--only", "name"] => /--view, --only and --except select fields of a serializer/
    }.each do |arguments, words|
      out, error, status = to_json("generate", *arguments, input: "[{}]")
      assert_equal ["", 2], [out, status], arguments
      assert_match(/\Ato_json: .*#{words}/m, error)
    end
  end

  test "a name that does not tell its format needs --from" do
    assert_to_json "", "generate", file("a.txt", "1"), status: 2,
                   error:
                     "to_json: a.txt: the file name does not tell the format. Pass --from yaml, " \
                     "csv, json or ndjson.\n"
    assert_to_json "1\n", "generate", "--from", "json", "a.txt"
    assert_to_json "", "generate", "--from", "xml", "a.txt", status: 2,
                   error: "to_json: invalid argument: --from xml\nSee to_json generate --help.\n"
  end
end
