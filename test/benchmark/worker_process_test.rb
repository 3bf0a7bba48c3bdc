# frozen_string_literal: true

require_relative "../test_helper"
require "rbconfig"
require "tmpdir"
require_relative "../../benchmark/harness/worker_process"

# What a worker of the benchmarks leaves where it ends before its time.
class WorkerProcessTest < ToJsonTest
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
        assert_path_exists kept
      end
    end
  end

  test "a worker that is asked again says the same, and what was told of stays when it is closed" do
    told_of("exit! 1") do |message, kept, worker|
      again = assert_raises(Bench::WorkerProcess::Failure) { worker.ask(:identity) }
      assert_equal message, again.message
      worker.close
      assert_path_exists kept
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
    Bench::WorkerProcess.new({ "RUBYOPT" => nil }, [RbConfig.ruby, "-e", script])
  end

  # Yields the message of the Failure and the file that it names.
  def told_of(script)
    in_temporary_directory do
      worker = start(script)
      message = assert_raises(Bench::WorkerProcess::Failure) { worker.ask(:identity) }.message
      yield message, message[/kept in (\S+)/, 1], worker
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
