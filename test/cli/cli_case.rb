# frozen_string_literal: true

# Runs the real executable in a directory of its own: what test/cli is written with.

require_relative "../test_helper"
require "fileutils"
require "open3"
require "rbconfig"
require "socket"
require "tmpdir"

class CliCase < ToJsonTest
  EXECUTABLE = File.join(Project::ROOT, "exe/to_json")
  # As a user runs it: without Bundler, among the gems of this process.
  ENVIRONMENT = { "RUBYOPT" =>
                    (LibraryCoverage::CHILDREN if defined?(LibraryCoverage)), "RUBYLIB" => nil,
                    "BUNDLER_SETUP" => nil, "BUNDLE_GEMFILE" => nil,
                    "GEM_PATH" => Gem.path.join(":"),
                  "LANG" => "C.UTF-8", "LC_ALL" => nil }.freeze
  COMMAND = [RbConfig.ruby, "-w", EXECUTABLE].freeze

  def setup
    @directory = Dir.mktmpdir
  end

  def teardown
    FileUtils.rm_rf(@directory)
  end

  # A file of the test's directory.
  def file(name, text)
    File.binwrite(File.join(@directory, name), text)
    name
  end

  def read(name) = File.read(File.join(@directory, name), encoding: "UTF-8")

  # The socket of the process of forks.rb, one for all classes: CliCase.forks.
  def self.forks
    @forks ||= begin
      socket, other = UNIXSocket.pair
      process = Process.spawn(ENVIRONMENT, RbConfig.ruby, "-w", "-I",
                              File.join(Project::ROOT, "lib"), File.join(__dir__, "forks.rb"),
                              3 => other)
      other.close
      Minitest.after_run { socket.close || Process.wait(process) }
      socket
    end
  end

  # [stdout, stderr, exit status]. With an environment of its own it is a process from its start on,
  # as it is in process_test.rb, else a fork.
  def to_json(*arguments, input: "", environment: nil)
    out, error, status =
      if environment
        Open3.capture3({ **ENVIRONMENT, **environment }, *COMMAND, *arguments, stdin_data: input,
                       binmode: true, chdir: @directory)
      else forked(arguments, input)
      end
    status = status.exitstatus unless status.is_a?(Integer)
    [out.force_encoding("UTF-8"), error.force_encoding("UTF-8"), status]
  end

  # The same as Open3.capture3.
  def forked(arguments, input)
    socket = CliCase.forks
    socket.puts([Marshal.dump([@directory, arguments])].pack("m0"))
    raise "test/cli/forks.rb ended" unless socket.gets

    pipes = Array.new(3) { IO.pipe(binmode: true) }
    given = [pipes[0][0], pipes[1][1], pipes[2][1]]
    given.each { |io| socket.send_io(io) }
    given.each(&:close)
    readers = pipes.drop(1).map { |reader, _| Thread.new { reader.read.tap { reader.close } } }
    begin
      pipes[0][1].write(input)
    rescue Errno::EPIPE
      nil # it needs no more
    end
    pipes[0][1].close
    [*readers.map(&:value), Integer(socket.gets)]
  end

  def assert_to_json(out, *arguments, error: "", status: 0, **how)
    seen = to_json(*arguments, **how)
    assert_equal [out, error, status], seen, arguments.join(" ")
  end
end
