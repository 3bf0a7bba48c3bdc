# frozen_string_literal: true

# Every ```console block of docs/command_line.md runs, and prints what stands there: stdout and
# stderr together. A file that is shown before it is there (`$ cat FILE`) is made of what is shown.

require_relative "../cli/cli_case"
require_relative "doctest"
require "rbconfig"

class CommandLineDocumentTest < CliCase
  PATH = "docs/command_line.md"
  NEEDS_CSV = /people\.csv/

  # [line number, command, what is printed]
  COMMANDS = Doctest.fenced(PATH, Project.read(PATH), "```console").flat_map do |example|
    example.code.lines.each_with_index.slice_before do |line, _|
      line.start_with?("$ ")
    end.map do |lines|
      [example.line + lines[0][1], lines[0][0].delete_prefix("$ ").chomp,
       lines.drop(1).map(&:first).join]
    end
  end.freeze

  test "every command of docs/command_line.md prints what stands below it" do
    csv = system(ENVIRONMENT, RbConfig.ruby, "-W0", "-e", "require 'csv'", err: File::NULL)
    bin = File.join(@directory, "bin")
    Dir.mkdir(bin)
    File.write(File.join(bin, "to_json"),
               "#!/bin/sh\nexec \"#{RbConfig.ruby}\" \"#{EXECUTABLE}\" \"$@\"\n", perm: 0o755)
    status = 0
    COMMANDS.each do |line, command, expected|
      if command =~ /\Acat (\S+)\z/ && !File.exist?(File.join(@directory, $1))
        next file($1, expected)
      end
      next if !csv && command.match?(NEEDS_CSV)

      out,
      process = Open3.capture2e(ENVIRONMENT.merge("PATH" => "#{bin}:#{ENV.fetch("PATH")}"), "sh",
                                "-c", "(exit #{status}); #{command}", chdir: @directory)
      status = process.exitstatus
      assert_equal expected, out.force_encoding("UTF-8"), "#{PATH}:#{line}: #{command}"
    end
  end

  test "the document shows each command and each exit status that tests reach" do
    text = Project.read(PATH)
    %w[validate minify pretty generate ndjson].each do |name|
      assert(COMMANDS.any? { |_, command, _| command.include?("to_json #{name}") }, name)
    end
    [0, 1, 2, 130, 141].each { |status| assert_match(/^\| #{status} \| /, text) }
  end

  test "each option of --help is in the document" do
    help = %w[validate minify pretty generate ndjson].flat_map do |name|
      to_json(name, "--help")[0].scan(/--(?:\[no-\])?[a-z-]+/)
    end.uniq
    assert_operator help.size, :>, 12
    assert_empty(
      help.map { |option| option.sub("[no-]", "") }.grep_v("--help").reject do |option|
        Project.read(PATH).include?("`#{option}")
      end
    )
  end
end
