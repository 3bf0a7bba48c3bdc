# frozen_string_literal: true

require_relative "libraries"
require "socket"
require "tempfile"

# Boots applications of app.rb, each in a fork of a process that has required what it requires and
# has not booted: half of the time of a start. To be required before app.rb.
module Boots
  Status = Struct.new(:code) { def success? = code.zero? }

  class << self
    # @param settings [String] Ruby in the class of the application
    # @param script [String] Ruby that runs when it has booted
    # @return [Array(String, Status)] what it printed, and how it ended
    def run(settings, script)
      Tempfile.create("boot") do |file|
        @socket.puts([Marshal.dump([settings, script, file.path])].pack("m0"))
        code = @socket.gets or raise "the process of the boots ended"
        return [file.read, Status.new(Integer(code))]
      end
    end

    def start
      @socket, other = UNIXSocket.pair
      process = fork do
        @socket.close
        serve(other)
      end
      other.close
      Minitest.after_run { @socket.close || Process.wait(process) }
    end

    private

    def serve(socket)
      while (line = socket.gets)
        settings, script, path = Marshal.load(line.unpack1("m"))
        process = fork { boot(settings, script, path) }
        _, status = Process.wait2(process)
        socket.puts(status.exitstatus || (128 + status.termsig))
      end
    end

    def boot(settings, script, path)
      LibraryCoverage.owner = Process.pid if defined?(LibraryCoverage)
      $VERBOSE = nil
      [$stdout, $stderr].each { |io| io.reopen(path, "a").sync = true }
      Minitest.define_singleton_method(:autorun) { nil }
      Object.send(:remove_const, :APP_SETTINGS) if defined?(APP_SETTINGS)
      eval("APP_SETTINGS = proc { #{settings} }", TOPLEVEL_BINDING)
      require_relative "app"
      eval(script, TOPLEVEL_BINDING)
    end
  end

  start
end
