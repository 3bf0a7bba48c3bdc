# frozen_string_literal: true

require "open3"
require "rbconfig"

# Runs a script in a process of its own: for what would take the test run down (a crash, a deadlock)
# or needs a fresh process (first calls, forks).
module OwnProcess
  LIBRARY = File.expand_path("../../lib", __dir__)
  RACTOR_VALUE = File.expand_path("ractor_value.rb", __dir__)

  # A test file, without YJIT. For tests that enable a TracePoint: YJIT of 3.4.5 crashes there in a
  # process that has compiled and forgotten much (free_block under rb_yjit_tracing_invalidate_all).
  # @return [String] what it printed
  # @raise [RuntimeError] unless its tests passed
  def self.test_file(path)
    options = ENV.fetch("RUBYOPT", "").split.reject do |option|
      option.start_with?("--yjit")
    end.join(" ")
    command = [RbConfig.ruby, "-W0", "-I", LIBRARY, "-I", File.expand_path("..", __dir__), path]
    out, status = Open3.capture2e({ "RUBYOPT" => options }, *command)
    status.success? ? out : raise("#{status}: #{out[-3000..] || out}")
  end

  # @return [Boolean]
  def self.yjit? = defined?(RubyVM::YJIT) && RubyVM::YJIT.enabled? ? true : false

  # @param script [String] Ruby; the library is loaded already
  # @param options [Array<String>] of the interpreter
  # @param environment [Hash] of the process, over this one's
  # @param rubygems [Boolean] whether the script needs it: its start takes as long as the library's
  # @param seconds [Numeric] after which the process is killed
  # @return [String] what it wrote to its standard output
  # @raise [RuntimeError] with the signal or the exit status, and the end of its standard error,
  #   where it did not succeed
  def self.run(script, *options, seconds: 120, arguments: [], environment: {}, rubygems: false)
    options << "--disable-gems" unless rubygems
    command = [RbConfig.ruby, "-W0", "-I", LIBRARY, *options, "-rto_json", "-r#{RACTOR_VALUE}",
               "-e", script, "--", *arguments.map(&:to_s)]
    # Without Bundler: what Ruby comes with.
    plain = { "RUBYOPT" => (LibraryCoverage::CHILDREN if defined?(LibraryCoverage)),
              "RUBYLIB" => nil, "GEM_HOME" => nil, "GEM_PATH" => nil }
    Open3.popen3(plain.merge(environment), *command) do |input, output, errors, waiter|
      input.close
      readers = [output, errors].map { |io| Thread.new { io.read } }
      late = waiter.join(seconds).nil?
      Process.kill(:KILL, waiter.pid) if late
      out, log = readers.map(&:value)
      raise "still at work after #{seconds} s: #{out[-500..] || out}" if late
      raise "#{waiter.value}: #{log[0, 3000]}#{out[-500..] || out}" unless waiter.value.success?

      out
    end
  end
end
