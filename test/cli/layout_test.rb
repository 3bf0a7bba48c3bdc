# frozen_string_literal: true

# to_json minify and to_json pretty: JSON text in, the same text with other white space out.

require_relative "cli_case"

class CliLayoutTest < CliCase
  # Each number and string as it is written, though no Ruby value would keep it so.
  TEXT =
    " { \"a\" : [ 1.50 , -0.0, 1e999, 123456789012345678901234567890 ] ,\r\n\t\"a\" : \"\\u00e9 " \
    "\\/ é\" , \"e\" : [ ], \"o\": { } } \n"
  PLAIN =
    "{\"a\":[1.50,-0.0,1e999,123456789012345678901234567890],\"a\":\"\\u00e9 \\/ " \
    "é\",\"e\":[],\"o\":{}}\n"
  PRETTY = <<~'TEXT'
    {
      "a": [
        1.50,
        -0.0,
        1e999,
        123456789012345678901234567890
      ],
      "a": "\u00e9 \/ é",
      "e": [],
      "o": {}
    }
  TEXT

  test "minify takes out white space and pretty puts it in, byte for byte else" do
    assert_to_json PLAIN, "minify", input: TEXT
    assert_to_json PRETTY, "pretty", input: TEXT
    assert_to_json PLAIN, "minify", input: PRETTY
    assert_to_json PRETTY, "pretty", input: PLAIN
  end

  test "--indent takes a number of spaces or tab" do
    { "0" =>
        "[\n1,\n[\n2\n]\n]\n", "1" => "[\n 1,\n [\n  2\n ]\n]\n",
        "4" => "[\n    1,\n    [\n        2\n    ]\n]\n",
      "tab" => "[\n\t1,\n\t[\n\t\t2\n\t]\n]\n" }.each do |indent, expected|
        assert_to_json expected, "pretty", "--indent", indent, input: "[1,[2]]"
      end
    %w[x -1 101 2.5].each do |indent|
      assert_to_json "", "pretty", "--indent=#{indent}", input: "[]", status: 2,
                                                         error:
                                                           "to_json: invalid argument: " \
                                                           "--indent=#{indent}\nSee to_json " \
                                                           "pretty --help.\n"
    end
  end

  test "pretty is what pretty_generate makes, and minify what generate makes, of the documents " \
       "beside the project" do
    require "json"
    # whose floats and escapes JSON.parse keeps
    shared_data("corpus/{twitter,citm_catalog}.json").each do |path|
      value = JSON.parse(File.read(path))
      assert_equal ["#{ToJson.pretty_generate(value)}\n", "", 0], to_json("pretty", path)
      assert_equal ["#{ToJson.generate(value)}\n", "", 0], to_json("minify", path)
    end
    shared_data("corpus/*.json").each do |path|
      plain, = to_json("minify", path)
      pretty, = to_json("pretty", path)
      assert_equal JSON.parse(File.read(path)), JSON.parse(plain)
      assert_equal [plain, "", 0], to_json("minify", input: pretty)
    end
  end

  test "nothing is written of a text that is not valid; valid files beside it are" do
    good = file("good.json", "[ 1 ]")
    bad = file("bad.json", "[ 1,\n 2 } ")
    assert_to_json "[1]\n[1]\n", "minify", good, bad, good,
                   error: "bad.json:2:4: expected ',' or ']'\n", status: 1
    assert_to_json "", "pretty", bad, error: "bad.json:2:4: expected ',' or ']'\n", status: 1
    assert_to_json "", "minify", input: "",
                   error: "<stdin>:1:1: expected a value, the text is empty\n", status: 1
  end

  test "--ndjson lays out each line, up to the first that is wrong" do
    text = "{ \"a\" : 1 }\r\n\n[ 2,\t3 ]\r\n[ 4 }\n5\n"
    assert_to_json "{\"a\":1}\n[2,3]\n", "minify", "--ndjson", input: text,
                   error: "<stdin>:4:5: expected ',' or ']'\n", status: 1
    assert_to_json "{\n  \"a\": 1\n}\n7\n", "pretty", "--ndjson", input: "{\"a\":1}\n7"
  end

  test "--max-depth refuses what is nested deeper" do
    assert_to_json "", "minify", "--max-depth", "1", input: "[[]]",
                   error: "<stdin>:1:2: nested too deep\n", status: 1
  end

  test "--output writes a file when all is done, its mode kept, and may be the input" do
    name = file("a.json", "[ 1 ]")
    File.chmod(0o640, File.join(@directory, name))
    assert_to_json "", "minify", name, "--output", name
    assert_equal "[1]\n", read(name)
    assert_equal 0o640, File.stat(File.join(@directory, name)).mode & 0o777
    assert_to_json "", "pretty", "-", "-o", "new.json", input: "[1]"
    assert_equal "[\n  1\n]\n", read("new.json")
    assert_equal %w[a.json new.json], Dir.children(@directory).sort
  end

  test "a run that fails leaves the file of --output as it was, and nothing beside it" do
    name = file("a.json", "before")
    assert_to_json "", "minify", "-", "-o", name, input: "[1",
                   error: "<stdin>:1:3: expected ',' or ']'\n", status: 1
    assert_to_json "", "minify", "missing", "-o", name,
                   error: "to_json: missing: No such file or directory\n", status: 2
    assert_equal "before", read(name)
    assert_equal %w[a.json], Dir.children(@directory)
  end

  # In a container, the next run may have the same PID.
  test "what a run of the same PID has left when it was killed is not in the way" do
    script = 'echo "[1" > out.json.$$.tmp; exec "$@"'
    assert system(ENVIRONMENT, "sh", "-c", script, "sh", *COMMAND, "minify",
                  file("a.json", "[ 1 ]"), "-o", "out.json", chdir: @directory)
    assert_equal "[1]\n", read("out.json")
  end

  test "--output follows a link, and writes devices as they are" do
    file("there.json", "before")
    File.symlink("there.json", File.join(@directory, "link.json"))
    assert_to_json "", "minify", "-o", "link.json", input: "[ 1 ]"
    assert_equal "[1]\n", read("there.json")
    assert File.symlink?(File.join(@directory, "link.json"))
    assert_to_json "", "minify", "-o", "/dev/null", input: "[ 1 ]"
    assert_to_json "[1]\n", "minify", "-o", "-", input: "[ 1 ]"
  end

  # OptionParser matches patterns, which raised an ArgumentError for such bytes.
  test "names of options and outputs may be bytes of any encoding" do
    name = "caf\xE9.json".b
    assert_to_json "", "minify", "-o", name, input: "[ 1 ]"
    assert_equal "[1]\n", File.binread(File.join(@directory.b, name))
    _, error, status = to_json("minify", "--caf\xE9".b, input: "[ 1 ]")
    assert_equal ["to_json: invalid option: --caf\xE9\nSee to_json minify --help.\n".b, 2],
                 [error.b, status]
  end

  test "an output that cannot be written is told" do
    assert_to_json "", "minify", "-o", "no/such/place.json", input: "1",
                   error: "to_json: no/such/place.json: No such file or directory\n", status: 2
    assert_to_json "", "minify", "-o", ".", input: "1", error: "to_json: .: Is a directory\n",
                   status: 2
    skip "this system has no /dev/full" unless File.exist?("/dev/full")
    assert_to_json "", "minify", "-o", "/dev/full", input: "1",
                   error: "to_json: /dev/full: No space left on device\n", status: 2
  end
end
