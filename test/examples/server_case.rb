# frozen_string_literal: true

# What the tests of examples/servers share: a server in a process of its own, on a free port, and a
# client that is Net::HTTP.

require_relative "../test_helper"
require_relative "producers"
require "net/http"
require "rbconfig"
require "tmpdir"

# A program that serves HTTP at a free port, as a user would start it. Everything it prints goes
# into a log.
class ServerProcess
  SECONDS = 60

  attr_reader :port, :pid

  # @param command [Array<String>]
  # @param environment [Hash] PORT is set here
  def initialize(command, environment, log, port: ServerProcess.free_port)
    @port = port
    @log = log
    @pid = spawn(environment.merge("PORT" => port.to_s), *command, in: File::NULL, out: log,
                 err: %i[child out], chdir: Project::ROOT, pgroup: true)
    wait_for_it
  rescue StandardError
    stop
    raise
  end

  def self.free_port = TCPServer.open("127.0.0.1", 0) { |server| server.addr[1] }

  # What it printed so far.
  def log = File.read(@log, encoding: Encoding::UTF_8)

  def url(path) = URI("http://127.0.0.1:#{@port}#{path}")

  # Memory in bytes: `VmRSS` now, `VmHWM` the most there ever was.
  def memory(line = "VmRSS")
    Integer(File.read("/proc/#{@pid}/status")[/^#{line}:\s+(\d+) kB/, 1]) * 1024
  end

  # Its open sockets, those it listens at and those of its own included.
  def sockets
    Dir.children("/proc/#{@pid}/fd").count do |fd|
      File.readlink("/proc/#{@pid}/fd/#{fd}").start_with?("socket:") rescue false
    end
  end

  def stop
    Process.kill(:TERM, -@pid)
    Timeout.timeout(5) { Process.wait(@pid) }
  rescue Timeout::Error
    Process.kill(:KILL, -@pid)
    Process.wait(@pid)
  rescue Errno::ESRCH, Errno::ECHILD
    nil
  end

  private

  def wait_for_it
    deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + SECONDS
    begin
      TCPSocket.new("127.0.0.1", @port).close
    rescue SystemCallError
      raise "the server did not start: #{log}" if Process.wait(@pid, Process::WNOHANG)
      if Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline
        raise "the server does not listen after #{SECONDS} s: #{log}"
      end

      sleep 0.05
      retry
    end
  end
end

class ServerCase < ToJsonTest
  GEMFILE = "examples/Gemfile"
  # Rails' gems do not install there, see GEMFILE.
  SERVERS =
    (%w[puma falcon sinatra roda actions] +
       (RUBY_VERSION.start_with?("3.2.", "3.3.") ? [] : %w[rails]))
      .freeze
  # Where each streams its document: [server, path].
  DOCUMENTS =
    (SERVERS.map { |name| [name, "/posts"] } + (SERVERS.include?("rails") ? [%w[rails /body]] : []))
      .freeze
  # Runs with the gems of GEMFILE, and with the library and extension that this process has.
  ENVIRONMENT = { "BUNDLE_GEMFILE" =>
                    File.join(Project::ROOT, GEMFILE),
                    "BUNDLE_PATH" => File.expand_path("../..", Gem.dir), "RUBYOPT" => nil,
                    "RUBYLIB" => nil, "RACK_ENV" => nil,
                  "RAILS_ENV" => nil, "APP_ENV" => nil }.freeze

  # A server of examples/servers, its producers and the directory of its log; it is stopped
  # afterwards.
  # @param program [String] its file
  def serve(name, program: "examples/servers/#{name}.rb", **environment)
    Dir.mktmpdir do |directory|
      producers = Producers.new(directory)
      settings = environment.to_h { |key, value| [key.to_s.upcase, value.to_s] }
      command = [RbConfig.ruby, "-W0", "-rbundler/setup", "-r", File.join(__dir__, "producer.rb"),
                 program]
      server = ServerProcess.new(command,
                                 ENVIRONMENT.merge("PRODUCER" => producers.path, **settings),
                                 File.join(directory, "log"))
      begin
        yield server, producers
      rescue Minitest::Assertion, StandardError
        warn "#{name} printed:\n#{server.log[0, 3000]}"
        raise
      ensure
        server.stop
        producers.close
      end
    end
  end

  # GET; with a block it is given the response, whose body it reads.
  def get(server, path, &block)
    url = server.url(path)
    Net::HTTP.start(url.host, url.port, open_timeout: 5, read_timeout: 20, max_retries: 0) do |http|
      request = Net::HTTP::Get.new(url, "accept-encoding" => "identity")
      if block
        http.request(request) { |response| block.call(response, http) }
      else
        http.request(request)
      end
    end
  end

  # Tries until the block gives something true, or the time is over.
  def soon(seconds = 10)
    deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
    until (found = yield)
      return false if Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline

      sleep 0.02
    end
    found
  end
end
