# frozen_string_literal: true

require_relative "../test_helper"
require "rbconfig"
require "tmpdir"
require_relative "../../benchmark/harness/worker_process"

# What a worker of the benchmarks leaves where it ends before its time.
class WorkerProcessTest < ToJsonTest
  DUMPS = !Process.getrlimit(:CORE)[1].zero?
  PATTERN = "/proc/sys/kernel/core_pattern"
  # Whether a core dump goes to the working directory.
  HERE = File.readable?(PATTERN) && !File.read(PATTERN).start_with?("|", "/")

  # How a worker ends, and what is told of it besides where its last words are kept.
  ENDS = {
    "a worker that ends by itself" => ["warn 'no more'; exit! 3", /exit 3; no more; kept/],
    "a worker that is killed" => ["Process.kill(:KILL, $$); sleep", /SIGKILL \(signal 9\); kept/],
    "a worker whose interpreter crashes" =>
      ["Process.kill(:SEGV, $$); sleep", /SIG(?:ABRT|SEGV) .*\[BUG\] Segmentation fault.*; kept/]
  }.freeze

  ENDS.each do |who, (script, told)|
    test "#{who} is told with its status, its words and where they are kept" do
      told_of(script) do |message, kept|
        assert_match told, message
        assert_includes Dir.children(kept), "errors.log"
        where = File.read(File.join(kept, "where"))
        assert_equal kept.delete_suffix("-ended"), where, "it was in a directory of its own"
      end
    end
  end

  test "a crash of the interpreter leaves a core dump and Ruby's report, and both are named" do
    skip "did not run: no core dumps here (ulimit -c is 0)" unless DUMPS
    told_of("Process.kill(:SEGV, $$); sleep") do |message, kept|
      core = Dir.glob("core*", base: kept)
      assert_equal 1, core.size, message if HERE
      if core.any?
        assert_equal "\x7FELF".b, File.binread(File.join(kept, core.first), 4)
        assert_includes message, core.first
      end
      next if RUBY_VERSION < "3.3"

      report = Dir.glob("crash-*.log", base: kept)
      assert_equal 1, report.size, message
      assert_includes File.read(File.join(kept, report.first)), "[BUG]"
      assert_includes message, report.first
    end
  end

  test "a worker that is asked again says the same, and what was told of stays when it is closed" do
    told_of("exit! 1") do |message, kept, worker|
      again = assert_raises(Bench::WorkerProcess::Failure) { worker.ask(:identity) }
      assert_equal message, again.message
      worker.close
      assert_path_exists File.join(kept, "errors.log")
    end
  end

  test "a worker that ends when it is told to leaves nothing" do
    in_temporary_directory do |directory|
      worker = start("$stdin.read")
      refute_empty Dir.children(directory)
      worker.close
      assert_empty Dir.children(directory)
    end
  end

  private

  def start(script)
    command = [RbConfig.ruby, "-e", "File.write('where', Dir.pwd); #{script}"]
    Bench::WorkerProcess.new({ "RUBYOPT" => nil }, command)
  end

  # Yields the message of the Failure and the directory that it names.
  def told_of(script)
    in_temporary_directory do
      worker = start(script)
      message = assert_raises(Bench::WorkerProcess::Failure) { worker.ask(:identity) }.message
      yield message, message[/kept in ([^:]+):/, 1], worker
    ensure
      worker&.close
    end
  end

  def in_temporary_directory
    kept = ENV.fetch("TMPDIR", nil)
    Dir.mktmpdir do |directory|
      ENV["TMPDIR"] = directory
      yield directory
    ensure
      ENV["TMPDIR"] = kept
    end
  end
end
