# frozen_string_literal: true

# to_json generate, ndjson and pretty under a dialect and other Rules, and --line-buffered.

require_relative "cli_case"
require "timeout"

class CliRulesTest < CliCase
  YAML_TEXT = "at: 2026-01-02 03:04:05\nratios: [1.0e+20, .nan]\ntext: \"</\u00e9>\\u2028\"\n"
  JSON_TEXT = "{\"b\": 1.50, \"a\": {\"d\": 1e20, \"c\": \"\u00e9\"}}"
  # By dialect, with --nan null.
  WRITTEN = {
    "standard" =>
      '"at":"2026-01-02T03:04:05.000+00:00","ratios":[1.0e+20,null]',
      "json" => '"at":"2026-01-02 03:04:05 +0000","ratios":[1e+20,null]',
    "json2" =>
      '"at":"2026-01-02 03:04:05 +0000","ratios":[1e+20,null]',
      "oj" => '"at":"2026-01-02 03:04:05 +0000","ratios":[1.0e+20,null]'
  }.freeze

  test "each dialect writes as its library does" do
    file("a.yml", YAML_TEXT)
    WRITTEN.each do |dialect, pairs|
      assert_to_json "{#{pairs},\"text\":\"</\u00e9>\u2028\"}\n", "generate", "--dialect", dialect,
                     "--nan", "null", "a.yml"
    end
  end

  unless Without.banned?("active_support")
    test "--dialect rails writes as ActiveSupport does, and says so where it is not installed" do
      assert_to_json "{\"at\":\"2026-01-02T03:04:05.000+00:00\",\"ratios\":[1.5," \
                     "null],\"text\":\"\\u003c/\u00e9\\u003e\\u2028\"}\n",
                     "generate", "--dialect", "rails",
                     file("a.yml", YAML_TEXT.sub("1.0e+20", "1.5"))
      assert_to_json "", "generate", "--dialect", "rails", "a.yml",
                     environment: { "GEM_PATH" => @directory, "GEM_HOME" => @directory }, status: 2,
                     error: "to_json: --dialect rails needs the activesupport gem, which is not " \
                            "installed: gem install activesupport\n"
    end
  end

  test "options of the Rules: times, NaN and what is escaped" do
    file("a.yml", YAML_TEXT)
    assert_to_json "{\"at\":1767323045,\"ratios\":[1.0e+20," \
                   "null],\"text\":\"\\u003c/\u00e9\\u003e\\u2028\"}\n",
                   "generate", "--nan", "null", "--time", "unix", "--html-safe", "a.yml"
    assert_to_json "{\"at\":\"3h\",\"ratios\":[1.0e+20,null],\"text\":\"<\\/\\u00e9>\\u2028\"}\n",
                   "ndjson", "--nan", "null", "--time", "%-Hh", "--script-safe", "--ascii-only",
                   "a.yml"
  end

  test "JSON text becomes values where Rules are given, and stays text where not" do
    assert_to_json "{\"b\":1.50,\"a\":{\"d\":1e20,\"c\":\"\u00e9\"}}\n", "generate",
                   input: JSON_TEXT
    assert_to_json "{\"b\":1.5,\"a\":{\"d\":1.0e+20,\"c\":\"\\u00e9\"}}\n", "generate",
                   "--ascii-only", input: JSON_TEXT
    assert_to_json "{\"a\":{\"c\":\"\u00e9\",\"d\":1e+20},\"b\":1.5}\n", "generate", "--dialect",
                   "json", "--sort-keys", input: JSON_TEXT
    assert_to_json "{\"a\":{\"c\":\"\u00e9\",\"d\":100000000000000000000},\"b\":1.5}\n", "ndjson",
                   "--dialect", "json", "--rfc8785",
                   "--from", "ndjson", input: JSON_TEXT
  end

  test "pretty under Rules indents values, of each line with --ndjson" do
    assert_to_json "{\n  \"a\": {\n    \"c\": \"\u00e9\",\n    \"d\": 1e+20\n  },\n  \"b\": " \
                   "1.5\n}\n", "pretty", "--dialect", "json", "--sort-keys",
                   input: JSON_TEXT
    assert_to_json "{\n\t\"a\": \"\\u00e9\"\n}\n[]\n", "pretty", "--ndjson", "--ascii-only",
                   "--indent", "tab", input: "{\"a\":\"\u00e9\"}\n\n[]\n"
    assert_to_json "1\n", "pretty", "--ndjson", "--ascii-only", input: "1\n[1,}\n2\n",
                   error: "<stdin>:2:4: expected a value after ','\n", status: 1
  end

  test "what a dialect refuses is told with its path, in its words" do
    file("a.yml", YAML_TEXT)
    { "standard" =>
        "$.ratios[1]: Float::NAN is not valid JSON. Pass --nan null to write null instead.",
        "json" => "$.ratios[1]: NaN not allowed in JSON",
      "oj_strict" =>
        "$.at: Failed to dump Time Object to JSON in strict mode." }.each do |dialect, words|
      out, error, status = to_json("generate", "--dialect", dialect, "a.yml")
      assert_equal ["a.yml: #{words}\n", 1], [error, status]
      refute_includes out, "}"
    end
    assert_to_json "{\"a\":1}\n", "ndjson", "--dialect", "json", "--max-depth", "2",
                   file("b.ndjson", "{\"a\":1}\n[[[1]]]\n"), status: 1,
                   error: "b.ndjson: record 2: $[0][0]: nesting of 3 is too deep. Did you try " \
                          "to serialize objects with circular references?\n"
  end

  test "a serializer's document is under the Rules too" do
    file("row.rb", "class Row < ToJson::Serializer\n attributes :a\nend\n")
    assert_to_json "{\"a\":1e+20}\n", "ndjson", "--serializer", "row.rb:Row", "--dialect", "json",
                   input: "[{\"a\":1e20}]"
  end

  test "options that make no sense together, or do not exist, are a wrong call" do
    { %w[--sort-keys] =>
        "--sort-keys: works only with the dialects :json and :json2, not with :standard",
      %w[--dialect json2 --rfc8785] =>
        "--rfc8785: works only with the dialects :json, not with :json2",
      %w[--dialect oj --time unix] =>
        "--time: works only with the dialects :standard and :strict, not with :oj",
      %w[--time never] =>
        "--time: takes :iso8601, :utc, :unix, :unix_ms, a strftime pattern; got :never",
      %w[--dialect json --rfc8785 --ascii-only] =>
        "ascii_only cannot be used with rfc8785. Remove one.",
      %w[--dialect xml] =>
        "invalid argument: --dialect xml\nSee to_json generate --help." }.each do |arguments, words|
      assert_to_json "", "generate", *arguments, input: "{}", status: 2,
                     error: "to_json: #{words}\n"
    end
    assert_to_json "", "minify", "--dialect", "json", status: 2,
                   error: "to_json: invalid option: --dialect\nSee to_json minify --help.\n"
  end

  test "--line-buffered writes each record before the next one is there" do
    [%w[ndjson --from ndjson], %w[ndjson --from ndjson --dialect json], %w[minify --ndjson],
     %w[pretty --ndjson --indent 0]].each do |arguments|
      Open3.popen3(ENVIRONMENT, *COMMAND, *arguments,
                   "--line-buffered") do |input, out, error, process|
        3.times do |number|
          input.write("#{number}\n")
          input.flush
          assert_equal "#{number}\n", Timeout.timeout(20) { out.gets }
        end
        input.close
        assert_equal ["", "", 0], [out.read, error.read, process.value.exitstatus]
      end
    end
  end
end
