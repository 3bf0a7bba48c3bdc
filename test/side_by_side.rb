# frozen_string_literal: true

# Runs the Ruby suite directory by directory, each in a process of its own, some side by side:
#   ruby test/side_by_side.rb PROCESSES [file or directory]... [-- Minitest options]
# That is faster than one process: a collection of garbage takes 0.2 s where all of the suite and
# what it tests is loaded, and less than half of that with one directory. All processes have the
# same seed. Ends with one line of counts, as a single process does. What they wrote stays in
# tmp/logs/suite-* (or in TO_JSON_SUITE_LOGS). TO_JSON_RUBY_FLAGS: more flags for Ruby.
# TO_JSON_COVERAGE=1: line and branch coverage of lib/ by all of them (support/coverage.rb).

require "fileutils"
require "open3"
require "rbconfig"
require "tmpdir"
require_relative "support/coverage_report"
require_relative "support/suite_files"

# The processes, and what they say.
class SideBySide
  ROOT = SuiteFiles::ROOT
  LOGS = ENV.fetch("TO_JSON_SUITE_LOGS", File.join(ROOT, "tmp/logs"))
  FLAGS = ENV.fetch("TO_JSON_RUBY_FLAGS", "").split
  COUNTS = /^(\d+) runs, (\d+) assertions, (\d+) failures, (\d+) errors, (\d+) skips\n/
  WORDS = %w[runs assertions failures errors skips].freeze
  # These start many processes, so they take longer than their files are large.
  SLOW = %w[test/rails test/robustness test/dialects test/fuzz test/generators].freeze

  # A process: the directory whose tests it ran, and how it ended.
  Part = Struct.new(:directory, :text, :status, :seconds) do
    # The counts in Minitest's last line, or nil if the process ended before it.
    def counts = text.scan(COUNTS).last&.map(&:to_i)

    # A part may have no tests, such as test/rows without ActiveRecord, or if none matches the
    # filter (Minitest itself fails then). test/counts.yml tells if a row of the CI runs fewer than
    # before.
    def passed? = counts && (status.success? || nothing_ran?)

    def nothing_ran? = text.match?(/^Nothing ran for filter/)

    def summary = format("%-22s %5d runs, %4d s", directory, counts&.first.to_i, seconds)
  end

  def initialize(processes, arguments)
    split = arguments.index("--") || arguments.size
    files, @options = SuiteFiles.of(arguments.first(split)), arguments.drop(split + 1)
    @options.push("--seed", rand(0xFFFF).to_s) unless @options.intersect?(%w[--seed -s])
    @processes, @lock, @parts, @environment = processes, Thread::Mutex.new, [], {}
    # the longest first, so that no process is alone at the end
    @waiting = files.group_by { |file| directory_of(file) }.sort_by do |directory, ours|
      [SLOW.include?(directory) ? 0 : 1, -ours.sum { |file| File.size(file) }]
    end
  end

  # @return [Boolean] whether all tests passed
  def run
    FileUtils.mkdir_p(LOGS)
    FileUtils.rm_f(Dir[File.join(LOGS, "suite-*")])
    return passed? unless ENV["TO_JSON_COVERAGE"] == "1"

    Dir.mktmpdir do |directory|
      @environment = CoverageReport.environment(directory)
      [passed?, CoverageReport.new(directory).enough?].all?
    end
  end

  private

  def passed?
    Array.new(@processes) { Thread.new { run_parts } }.each(&:value)
    sum
  end

  def directory_of(file) = File.dirname(file).delete_prefix(File.join(ROOT, ""))

  def run_parts
    while (directory, files = @lock.synchronize { @waiting.shift })
      part = run_part(directory, files)
      @lock.synchronize do
        @parts << part
        tell(part)
      end
    end
  end

  def run_part(directory, files)
    command = [RbConfig.ruby, *FLAGS, "-w", "-Ilib", "-Itest", "test/run.rb", *files, "--",
               *@options]
    log = File.join(LOGS, "suite-#{directory.tr("/", "-").delete_prefix("-")}.log")
    began = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    ends = { %i[out err] => log, in: File::NULL, chdir: ROOT }
    status = Process.wait2(spawn(@environment, *command, ends)).last
    seconds = Process.clock_gettime(Process::CLOCK_MONOTONIC) - began
    Part.new(directory, File.read(log, encoding: Encoding::UTF_8).scrub, status, seconds)
  end

  def tell(part)
    puts part.summary
    text = part.text.gsub(COUNTS, "") # only the last line has some
    if part.passed? then puts text.scan(/^(?:figures: .*|documents: .*|.*MinitestRetry.*)$/)
    else puts text, ("#{part.directory}: #{part.status}" unless part.counts)
    end
  end

  def sum
    sums = @parts.map { |part| part.counts || ([0] * WORDS.size) }.transpose.map(&:sum)
    puts "", sums.zip(WORDS).map { |pair| pair.join(" ") }.join(", ")
    @parts.all?(&:passed?) && sums.first.to_i.positive?
  end
end

if $PROGRAM_NAME == __FILE__
  $stdout.sync = true
  processes = Integer(ARGV.shift)
  exit SideBySide.new(processes, ARGV).run
end
