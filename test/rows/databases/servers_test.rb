# frozen_string_literal: true

# The servers that the other tests of this room stand on: where they listen, and that they end.

require_relative "../../test_helper"
require_relative "../../support/database_servers"
require_relative "../../support/own_process"

class DatabaseServersTest < ToJsonTest
  SUPPORT = File.expand_path("../../support/database_servers", __dir__)
  KINDS = { "postgresql" => "postgres", "trilogy" => "mariadbd" }.freeze

  # A process that starts a server, prints its directory, and then waits or ends.
  def started(adapter, ending)
    script = "require #{SUPPORT.dump}\nDatabaseServers.create(#{adapter.dump})\n" \
             "puts DatabaseServers.directories\n$stdout.flush\n#{ending}"
    IO.popen([RbConfig.ruby, "-W0", "-e", script], "r+")
  end

  def there(adapter)
    reason = DatabaseServers.missing(adapter) or return
    flunk reason if ENV["TO_JSON_DATABASES"] == "1"
    skip "did not run: #{reason}"
  end

  # Processes whose command line names the directory.
  def processes(directory)
    Dir["/proc/[0-9]*/cmdline"].select do |path|
      File.read(path).include?(directory)
    rescue SystemCallError
      false
    end
  end

  def assert_gone(directory)
    200.times do
      break if processes(directory).empty? && !File.exist?(directory)

      sleep 0.05
    end
    assert_empty processes(directory)
    refute_path_exists directory
  end

  KINDS.each do |adapter, program|
    test "#{program} ends with the process that started it, and leaves nothing" do
      there(adapter)
      needs_proc
      directory = started(adapter, "exit").read.chomp
      assert_match %r{/to_json-}, directory
      assert_gone(directory)
    end

    test "#{program} ends when that process is killed, and serves no network" do
      there(adapter)
      needs_proc
      child = started(adapter, "sleep")
      directory = child.gets.chomp
      refute_empty processes(directory)
      assert_empty listening(directory)
      Process.kill(:KILL, child.pid)
      child.close
      assert_gone(directory)
    end

    test "#{program} stays for the forks of a process that is killed, and ends with the last" do
      there(adapter)
      needs_proc
      child = started(adapter, "fork { gets }; puts; Process.kill(:KILL, Process.pid)")
      directory = child.gets.chomp
      Process.wait(child.pid)
      sleep 0.2
      refute_empty processes(directory)
      child.puts # the fork ends
      child.close_write
      assert_gone(directory)
    end
  end

  private

  # TCP sockets in the state LISTEN that belong to the processes.
  def listening(directory)
    inodes = processes(directory).flat_map do |path|
      Dir[File.join(File.dirname(path), "fd/*")].filter_map do |fd|
        File.readlink(fd)[/\Asocket:\[(\d+)\]/, 1]
      rescue SystemCallError
        nil
      end
    end
    tables = %w[/proc/net/tcp /proc/net/tcp6].select { |path| File.readable?(path) }
    open = tables.flat_map { |path| File.readlines(path).map(&:split) }
    open.select { |fields| fields[3] == "0A" && inodes.include?(fields[9]) }
  end
end
