# frozen_string_literal: true

# to_json validate: which place is told, and how files and stdin are named.

require_relative "cli_case"

class CliValidateTest < CliCase
  # text => the place and the words, or nil where it is valid
  PLACES = {
    "{}" => nil,
    " [1, 2.50, \"\\ud800\", 1e999]\r\n" => nil,
    "[1,]" => "1:4: expected a value after ','",
    "[1,\n 2,\n ]" => "3:2: expected a value after ','",
    "[1,\r\n 2,\r\n ]" => "3:2: expected a value after ','",
    "[\"héé\", 日本]" => "1:9: expected a value",
    "{\"日本\": \"😀\",\n \"ключ\" 1}" => "2:9: expected ':' after the key",
    "" => "1:1: expected a value, the text is empty",
    "\n\n" => "3:1: expected a value",
    "[1" => "1:3: expected ',' or ']'",
    "[1\n" => "2:1: expected ',' or ']'",
    "\xEF\xBB\xBF{}" => "1:1: a byte order mark is not allowed",
    "\xFF\xFE{\0}\0" => "1:1: expected text in UTF-8",
    "[\"é\", \"\xE9\"]" => "1:8: expected text in UTF-8",
    "[1] [2]" => "1:5: expected nothing more: the text holds one value",
    "{'a': 1}" => "1:2: expected a key in double quotes or '}'",
    "[NaN]" => "1:2: expected a value; JSON has no NaN or Infinity",
    "[01]" => "1:3: a number must not begin with a zero",
    "\"a\tb\"" => "1:3: a control character in a string must be escaped"
  }.freeze

  test "the line and the column, in characters, of the first defect are told" do
    names = PLACES.keys.each_with_index.map { |text, index| file("#{index}.json", text) }
    expected = PLACES.values.each_with_index.filter_map do |words, index|
      "#{index}.json:#{words}\n" if words
    end.join
    assert_to_json "", "validate", *names, error: expected, status: 1
  end

  test "valid files are passed in silence" do
    names = [file("a.json", "[]"), file("b.json", "{}\n"), file("-c.json", "1")]
    assert_to_json "", "validate", "--", *names
  end

  test "stdin is read without files and for -" do
    assert_to_json "", "validate", input: "[1]"
    assert_to_json "", "validate", "-", input: "[1,", error: "<stdin>:1:4: expected a value\n",
                   status: 1
  end

  test "--ndjson checks each line, and tells all that are wrong" do
    text = "{\"a\":1}\r\n\n[1,]\n \t\n\"é\" x\nnull"
    assert_to_json "", "validate", "--ndjson", input: text, status: 1, error: <<~TEXT
      <stdin>:3:4: expected a value after ','
      <stdin>:5:5: expected nothing more: the text holds one value
    TEXT
  end

  test "--max-depth refuses what is nested deeper, which is else no matter up to 100,000" do
    assert_to_json "", "validate", "--max-depth", "2", input: "[[]]"
    assert_to_json "", "validate", "--max-depth", "2", input: "[[[]]]",
                   error: "<stdin>:1:3: nested too deep\n", status: 1
    assert_to_json "", "validate", input: "[" * 100_000 + "]" * 100_000
    assert_to_json "", "validate", input: "[" * 100_001 + "]" * 100_001,
                   error: "<stdin>:1:100001: nested too deep\n", status: 1
  end

  test "--quiet leaves the exit status to tell" do
    assert_to_json "", "validate", "--quiet", input: "[", status: 1
  end

  test "a file that cannot be read is told, the others are checked still, and the worst status " \
       "wins" do
    good = file("good.json", "1")
    bad = file("bad.json", "x")
    FileUtils.mkdir(File.join(@directory, "directory"))
    assert_to_json "", "validate", "missing.json", bad, "directory", good, status: 2, error: <<~TEXT
      to_json: missing.json: No such file or directory
      bad.json:1:1: expected a value
      to_json: directory: Is a directory
    TEXT
    assert_to_json "", "validate", "-q", "missing.json",
                   error: "to_json: missing.json: No such file or directory\n", status: 2
  end

  test "a read that fails half-way is told" do
    needs_proc("mem")
    assert_to_json "", "validate", "/proc/self/mem",
                   error: "to_json: /proc/self/mem: Input/output error\n", status: 2
  end

  test "file names of any encoding are told as they are" do
    name = "caf\xE9.json".b
    File.binwrite(File.join(@directory.b, name), "[")
    _, error, status = to_json("validate", name, environment: { "LANG" => "C", "LC_ALL" => "C" })
    assert_equal ["#{name}:1:2: expected a value\n".b, 1], [error.b, status]
  end

  test "each file of JSONTestSuite is judged as its name says" do
    paths = shared_data("json_test_suite/*.json")
    refused, accepted = paths.reject do |path|
      File.basename(path).start_with?("i_")
    end.partition do |path|
      File.basename(path).start_with?("n_")
    end
    assert_to_json "", "validate", *accepted
    _, error, status = to_json("validate", *refused)
    assert_equal [1, refused.size], [status, error.lines.size]
    assert_empty(refused.reject { |path| error.include?("#{path}:") })
  end
end
