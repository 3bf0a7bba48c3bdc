# frozen_string_literal: true

# to_json as a process: help, wrong calls, signals, pipes, terminals, and memory.

require_relative "cli_case"
require "io/console"

class CliProcessTest < CliCase
  SUBCOMMANDS = %w[generate ndjson pretty minify validate].freeze

  test "--help tells the commands, each command its options, and --version the version" do
    out, error, status = to_json("--help")
    assert_equal ["", 0], [error, status]
    SUBCOMMANDS.each { |name| assert_match(/^  #{name} +\w/, out) }
    assert_equal [out, "", 0], to_json("help")
    assert_to_json "to_json #{ToJson::VERSION}\n", "--version"
    SUBCOMMANDS.each do |name|
      help, error, status = to_json(name, "--help")
      assert_equal ["", 0], [error, status]
      assert_match(/\AUsage: to_json #{name} \[options\] \[FILE\.\.\.\]\n/, help)
      assert_operator help.lines.map(&:size).max, :<=, 125
    end
  end

  test "a wrong call says what to do" do
    {
      [] => "say what to do: generate, ndjson, pretty, minify, validate\nSee to_json --help.",
      ["make"] => "there is no command make\nSee to_json --help.",
      ["minify", "--nothing"] => "invalid option: --nothing\nSee to_json minify --help.",
      ["validate", "--output", "x"] => "invalid option: --output\nSee to_json validate --help.",
      ["validate", "--max-depth", "0"] =>
        "invalid argument: --max-depth 0\nSee to_json validate --help.",
      ["pretty", "--indent", "101"] => "invalid argument: --indent 101\nSee to_json pretty --help."
    }.each do |arguments, error|
      assert_to_json "", *arguments, error: "to_json: #{error}\n", status: 2
    end
  end

  # A file of so many lines of 1,000 bytes.
  def long_ndjson(lines)
    path = File.join(@directory, "long.ndjson")
    line = "{\"id\": 1, \"text\": \"#{"é" * 480}\"}\n"
    File.open(path, "wb") { |file| lines.times { file << line } }
    path
  end

  test "a reader that goes away ends it quietly" do
    path = long_ndjson(5_000)
    { ["ndjson", path] => "{\"id\":1",
      ["generate", path] => "[{\"id\":1" }.each do |arguments, beginning|
      Open3.popen3(ENVIRONMENT, *COMMAND, *arguments) do |input, out, error, process|
        input.close
        assert_equal beginning, out.read(beginning.size)
        out.close
        assert_equal ["", 141], [error.read, process.value.exitstatus]
      end
    end
  end

  test "Ctrl-C ends it with 130, quietly, and takes the unfinished file away" do
    Open3.popen3(ENVIRONMENT, *COMMAND, "ndjson", "--from", "ndjson", "-o", "out.json",
                 chdir: @directory) do |input, _, error, process|
      input.write("1\n")
      input.flush
      wait_for { Dir.children(@directory).any? }
      Process.kill(:INT, process.pid)
      assert_equal ["", 130], [error.read, process.value.exitstatus]
      assert_empty Dir.children(@directory)
    end
  end

  test "lines are read and written as they come: memory does not grow with the input" do
    needs_proc
    peaks = [20_000, 60_000].map do |lines|
      path = long_ndjson(lines)
      %w[validate minify ndjson generate].map do |name|
        peak_of(name, *("--ndjson" if %w[validate minify].include?(name)), path)
      end
    end
    peaks.transpose.each do |short, long|
      assert_operator long - short, :<, 12_000, "kilobytes for 40,000 kB more"
    end
  end

  test "a bar is drawn on a terminal, and taken away" do
    path = long_ndjson(3_000)
    seen = on_terminal("validate", "--ndjson", "--progress", path)
    assert_match(
      /\r#{Regexp.escape(path[0, 10])}.* \[#*\.*\] +\d+ % \d+\.\d of \d+\.\d MB, \d+ MB\/s\e\[K/,
      seen
    )
    assert_match(/\r\e\[K\z/, seen)
    seen = on_terminal("minify", "--progress", "-o", File.join(@directory, "out"), "--ndjson", path)
    assert_includes seen, "MB/s\e[K"
  end

  test "no bar is drawn with --no-progress, with --quiet, for short work, or where stderr is no " \
       "terminal" do
    path = long_ndjson(10)
    assert_equal "", on_terminal("validate", "--ndjson", path)
    assert_equal "", on_terminal("validate", "--ndjson", "--no-progress", path)
    assert_equal "", on_terminal("validate", "--ndjson", "--progress", "--quiet", path)
    assert_to_json "", "validate", "--ndjson", "--progress", path
  end

  test "a message takes the bar away first" do
    path = long_ndjson(2_000)
    File.write(path, "x\n", mode: "a")
    seen = on_terminal("validate", "--ndjson", "--progress", path)
    assert_match(/\e\[K\r\e\[K[^\r]*:2001:1: expected a value\r\n\z/, seen)
  end

  test "without files on a terminal it asks for one" do
    assert_equal "to_json: give a FILE, or - for what you type\r\nSee to_json validate --help.\r\n",
                 on_terminal("validate")
  end

  private

  # What a terminal of 200 columns shows of stderr.
  def on_terminal(*arguments)
    needs_terminal
    PTY.open do |master, terminal|
      terminal.winsize = [24, 200]
      process = Process.spawn(ENVIRONMENT, *COMMAND, *arguments, in: terminal, out: File::NULL,
                              err: terminal)
      terminal.close
      seen = +""
      begin
        loop { seen << master.readpartial(4096) }
      rescue EOFError, Errno::EIO
        nil # the terminal is closed
      end
      Process.wait(process)
      seen.force_encoding("UTF-8")
    end
  end

  # The most memory in kilobytes that a run had.
  def peak_of(*arguments)
    code = "require 'to_json'; require 'to_json/cli/main'; status = ToJson::CLI::Main.run(ARGV); " \
           "warn File.read('/proc/self/status')[/VmHWM:\\s+(\\d+)/, 1]; exit status"
    _, error,
    status = Open3.capture3(ENVIRONMENT, RbConfig.ruby, "-I", File.join(Project::ROOT, "lib"), "-e",
                            code, *arguments, binmode: true)
    assert status.success?, error
    Integer(error)
  end

  def wait_for
    200.times { yield and return or sleep 0.05 }
    flunk "waited in vain"
  end
end
