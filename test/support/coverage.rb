# frozen_string_literal: true

# TO_JSON_COVERAGE=1: line and branch coverage of lib/, under FLOOR percent of either fails; what
# was never run is listed. Required before the library. Code that runs in processes which tests
# start counts too, if these end by themselves: they require this file through RUBYOPT (CHILDREN)
# and leave their counts in TO_JSON_COVERAGE_INTO.

require "coverage"

# Ruby's own counters and a short report.
module LibraryCoverage
  FLOOR = 95.0
  LIBRARY = File.expand_path("../../lib", __dir__)

  # For the RUBYOPT of a process that a test starts with one of its own.
  CHILDREN = "-r#{__FILE__}"

  class << self
    # The process that leaves or reports its counts. A fork that must do so too sets its own.
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

  # The same at the end, once.
  def self.result
    counted = files(Coverage.result)
    (kept + children).each do |name, earlier|
      counted.key?(name) ? add(counted[name], earlier) : counted[name] = earlier
    end
    counted.sort.to_h
  end

  # What the processes left, [[name, counts]].
  def self.children
    Dir[File.join(ENV.fetch("TO_JSON_COVERAGE_INTO"), "*")].flat_map do |path|
      Marshal.load(File.binread(path)).to_a
    end
  end

  # In a process that a test started: its counts, at its end. Written aside first: it may be killed
  # meanwhile.
  def self.leave(directory)
    path = File.join(directory, "#{Process.pid}-#{rand(1 << 60)}")
    File.binwrite("#{directory}.#{File.basename(path)}", Marshal.dump(files(Coverage.result)))
    File.rename("#{directory}.#{File.basename(path)}", path)
  rescue SystemCallError
    nil # the directory went with the process that waited for this one
  end

  # To be called before a file is loaded anew: Ruby counts from nothing then.
  def self.keep(path)
    name = path.delete_prefix("#{LIBRARY}/")
    kept << [name, files(Coverage.peek_result).fetch(name)]
  end

  def self.kept = @kept ||= []

  # The counts of one and the same file that was loaded twice.
  def self.add(file, earlier)
    file[:lines] = file[:lines].zip(earlier[:lines]).map do |count, before|
      count && (count + before)
    end
    file[:branches] = file[:branches].zip(earlier[:branches]).map do |(way, count), (_, before)|
      [way, count + before]
    end
  end

  # Prints a line for each file that lacks something, then the totals. True when both reach FLOOR.
  def self.report(files)
    files.each do |path, file|
      lines = file[:lines].each_index.select { |index| file[:lines][index] == 0 }.map do |index|
        index + 1
      end
      branches = file[:branches].select { |_, count| count.zero? }.map(&:first).uniq
      puts "  #{path}: lines never run: #{lines.join(" ")}" unless lines.empty?
      puts "  #{path}: a branch never taken: #{branches.join(", ")}" unless branches.empty?
    end
    shares = { lines: files.values.flat_map { |file| file[:lines].compact },
               branches: files.values.flat_map { |file| file[:branches].map(&:last) } }
    shares.map { |kind, counts| reach?(kind, counts) }.all?
  end

  # Prints one total.
  def self.reach?(kind, counts)
    share = counts.empty? ? 100.0 : 100.0 * counts.count(&:positive?) / counts.size
    puts format("Ruby coverage, %-8s %5.1f %% of %d (at least %.0f %%)", kind, share, counts.size,
                FLOOR)
    share >= FLOOR
  end
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
if (directory = ENV.fetch("TO_JSON_COVERAGE_INTO", nil))
  at_exit { LibraryCoverage.leave(directory) if Process.pid == LibraryCoverage.owner }
else
  require "tmpdir"
  ENV["TO_JSON_COVERAGE_INTO"] = Dir.mktmpdir
  ENV["RUBYOPT"] = [ENV.fetch("RUBYOPT", nil), LibraryCoverage::CHILDREN].compact.join(" ")
  # at_exit before Minitest's own: it runs after the tests.
  at_exit do
    next unless Process.pid == LibraryCoverage.owner

    reached = LibraryCoverage.report(LibraryCoverage.result)
    FileUtils.remove_entry(ENV.fetch("TO_JSON_COVERAGE_INTO"))
    $stdout.flush
    exit!(1) unless reached
  end
end
