# frozen_string_literal: true

# A real redis-server of its own: on a port that was free, nothing kept, gone with the process.

require "socket"
require "tmpdir"
require "fileutils"

# Started at first use.
module RedisServer
  PROGRAM = ENV["PATH"].to_s.split(File::PATH_SEPARATOR).map do |path|
    File.join(path, "redis-server")
  end.find do |path|
    File.executable?(path)
  end

  class << self
    # @return [String, nil] why there is none
    def missing
      return "no redis-server on the PATH (Debian's package redis-server)" unless PROGRAM
      return "the gem redis is not installed" unless Without.library?("redis")

      "ActiveSupport is not there" unless Without.library?("active_support")
    end

    def url = "redis://127.0.0.1:#{port}/0"

    # Commands that the server has run, by name.
    def commands
      redis = Redis.new(url: url)
      redis.info("commandstats").transform_values { |stats| Integer(stats.fetch("calls")) }
    ensure
      redis&.close
    end

    private

    def port = @port ||= start

    def start
      directory = Dir.mktmpdir("to_json-redis")
      port = TCPServer.open("127.0.0.1", 0) { |server| server.addr[1] }
      pid = Process.spawn(PROGRAM, "--port", port.to_s, "--bind", "127.0.0.1", "--save", "",
                          "--appendonly", "no", "--dir", directory,
                          out: File.join(directory, "log"), err: %i[child out])
      owner = Process.pid
      Minitest.after_run { stop(pid, directory) if Process.pid == owner }
      wait_for(port)
      port
    end

    def wait_for(port)
      200.times do
        return TCPSocket.open("127.0.0.1", port).close
      rescue SystemCallError
        sleep 0.05
      end
      raise "redis-server does not answer on port #{port}"
    end

    def stop(pid, directory)
      Process.kill(:KILL, pid)
      Process.wait(pid)
      FileUtils.rm_rf(directory)
    rescue SystemCallError
      nil
    end
  end
end
