# frozen_string_literal: true

# Line and branch coverage of lib/. Each process of test/side_by_side.rb, and each that a test
# starts, requires this file before the library, through RUBYOPT. If it ends by itself, it leaves
# its counts in the directory TO_JSON_COVERAGE_INTO. coverage_report.rb adds them up.

require "coverage"

# Ruby's own counters.
module LibraryCoverage
  LIBRARY = File.expand_path("../../lib", __dir__)

  # For the RUBYOPT of a process that a test starts with one of its own.
  CHILDREN = "-r#{__FILE__}"

  class << self
    # The process that leaves its counts. A fork that must do so too sets its own.
    attr_accessor :owner
  end

  # {file => {lines: [count or nil], branches: [["7 else", count]]}} of the files in lib/.
  def self.files(counted)
    counted.select { |path, _| path.start_with?("#{LIBRARY}/") }.sort.to_h do |path, result|
      branches = result[:branches].flat_map do |_, ways|
        ways.map { |way, count| ["#{way[2]} #{way[0]}", count] }
      end
      [path.delete_prefix("#{LIBRARY}/"), { lines: result[:lines], branches: branches }]
    end
  end

  # The counts of this process, at its end. Written aside first: it may be killed meanwhile.
  def self.leave(directory)
    path = File.join(directory, "#{Process.pid}-#{rand(1 << 60)}")
    counts = Marshal.dump([files(Coverage.result), *kept])
    File.binwrite("#{directory}.#{File.basename(path)}", counts)
    File.rename("#{directory}.#{File.basename(path)}", path)
  rescue SystemCallError
    nil # the directory went with the process that waited for this one
  end

  # To be called before a file is loaded anew: Ruby counts from nothing then.
  def self.keep(path)
    name = path.delete_prefix("#{LIBRARY}/")
    kept << { name => files(Coverage.peek_result).fetch(name) }
  end

  def self.kept = @kept ||= []
end

# A Ractor's end takes the events away that the counters need (CRuby 3.1 to 3.4,
# `ruby_vm_event_flags`), and whatever ran after the first one counted for nothing. Prepended to the
# class of the tests.
module CoverageBeyondRactors
  def after_teardown
    super
    Coverage.suspend
    Coverage.resume
  end
end

Coverage.start(lines: true, branches: true)
LibraryCoverage.owner = Process.pid
at_exit do
  if Process.pid == LibraryCoverage.owner
    LibraryCoverage.leave(ENV.fetch("TO_JSON_COVERAGE_INTO"))
  end
end
