# frozen_string_literal: true

# bin/demo as a user starts it, from the setup to the table, on a few gems and in a folder of its
# own.

require "json"
require "open3"
require_relative "demo_case"

class DemoRunTest < DemoCase
  ROWS = 5

  # The demo in the environment of a login: not that of the suite with its bundle, sanitizer and
  # variant. [standard output, standard error, exit status]
  def run_demo(*arguments, environment: {})
    plain = { "LD_PRELOAD" => nil, "ASAN_OPTIONS" => nil, "TO_JSON_NATIVE" => nil,
              "TO_JSON_BUILD" => nil, "TO_JSON_WITHOUT" => nil }
    command = ["bin/demo", *arguments]
    out, error, status = unbundled do
      Open3.capture3(plain.merge(environment), *command, chdir: Project::ROOT)
    end
    [out.force_encoding(Encoding::UTF_8), error.force_encoding(Encoding::UTF_8), status.exitstatus]
  end

  def unbundled(&block)
    defined?(Bundler) ? Bundler.with_unbundled_env(&block) : block.call
  end

  test "it builds the database, writes the document, compares it and prints the table" do
    Dir.mktmpdir do |directory|
      out, error,
      status = run_demo("--dir", directory, "--rows", ROWS.to_s, "--runs", "1",
                        environment: { "LC_ALL" => "C" })
      assert_equal(0, status, error)
      ["== Database: built", "== Excerpt", "== Document", "the same as SQL counts: #{ROWS} gems",
       "== Comparison: #{ROWS} gems"].each do |text|
        assert_includes(out, text)
      end
      assert_equal(ROWS,
                   JSON.parse(File.read(File.join(directory, "gems.json"), encoding: "UTF-8"))
                     .fetch("gems")
                     .size)
      rows = out.lines.grep(/\d\s+\d+\.\d+\s+[\d,]+\s+\d+\.\d\d$/)
      assert_equal(["to_json, class form", "to_json, declared", "to_json, module form",
                    "to_json, block form", "to_json, explicit receiver",
                    "Oj::StringWriter", "Hash + JSON.generate", "Jbuilder"], rows.map do |row|
                      row.strip[/\A.*?(?= \(|  )/]
                    end)
      refute_match(/[\e\r]/, out + error, "a log has no codes of a terminal")
      assert_equal(%w[gems.json gems.sqlite3], Dir.children(directory).sort)
    end
  end

  test "the second run finds its database" do
    Dir.mktmpdir do |directory|
      first, second = Array.new(2) { run_demo("--dir", directory, "--rows", "1", "--runs", "1") }
      assert_equal([0, 0], [first[2], second[2]], first[1] + second[1])
      assert_includes(first[0], "== Database: built")
      assert_includes(second[0], "== Database: up to date")
    end
  end

  test "a directory that cannot be written is named, with status 3" do
    Dir.mktmpdir do |directory|
      file = File.join(directory, "file")
      File.write(file, "")
      out, error, status = run_demo("--dir", File.join(file, "below"))
      assert_equal(["", 3], [out, status])
      assert_includes(error, "cannot write #{file}/below")
    end
  end
end
