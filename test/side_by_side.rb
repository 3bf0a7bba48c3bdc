# frozen_string_literal: true

# Runs the Ruby suite in several processes:
#   ruby test/side_by_side.rb PROCESSES [file or directory]... [-- Minitest options]
# All have the same seed and take the next class of tests that none has run (support/claims.rb), so
# none waits for another. Ends with one line of counts, as a single process does. Their outputs and
# the classes that each ran, in order, stay in tmp/logs/suite-* (or in TO_JSON_SUITE_LOGS).

require "fileutils"
require "open3"
require "rbconfig"
require "tmpdir"

# The processes, and what they say.
class SideBySide
  ROOT = File.expand_path("..", __dir__)
  LOGS = ENV.fetch("TO_JSON_SUITE_LOGS", File.join(ROOT, "tmp/logs"))
  COUNTS = /^(\d+) runs, (\d+) assertions, (\d+) failures, (\d+) errors, (\d+) skips\n/
  WORDS = %w[runs assertions failures errors skips].freeze

  # A process with its number from 1, and how it ended.
  Part = Struct.new(:number, :pid, :text, :status) do
    # Those of Minitest's last line, or nil where it did not come to that.
    def counts = text.match(COUNTS)&.captures&.map(&:to_i)

    # Minitest fails a run in which its filter finds nothing: so may one part's.
    def passed? = counts && (status.success? || text.match?(/^Nothing ran for filter/))
  end

  def initialize(processes, arguments)
    split = arguments.index("--") || arguments.size
    @processes, @files, @options = processes, arguments.first(split), arguments.drop(split + 1)
    @options.push("--seed", rand(0xFFFF).to_s) unless @options.intersect?(%w[--seed -s])
  end

  # @return [Boolean] whether all tests passed
  def run
    FileUtils.mkdir_p(LOGS)
    FileUtils.rm_f(Dir[File.join(LOGS, "suite-*")])
    Dir.mktmpdir("to_json-suite-") do |claims|
      waiting = Array.new(@processes) { |index| Thread.new { run_part(index + 1, claims) } }
      parts = waiting.map(&:value)
      parts.each { |part| tell(part, claims) }
      sum(parts)
    end
  end

  private

  def run_part(number, claims)
    command = [RbConfig.ruby, "-w", "-Ilib", "-Itest", "test/run.rb", *@files, "--", *@options]
    Open3.popen2e({ "TO_JSON_CLAIMS" => claims }, *command, chdir: ROOT) do |input, output, waiter|
      input.close
      text = read(output, File.join(LOGS, "suite-#{number}.log"))
      Part.new(number, waiter.pid, text, waiter.value)
    end
  end

  # All that comes, also into a file. Dots are shown as they come; what follows them is for later.
  def read(output, path)
    File.open(path, "wb") do |log|
      text = +""
      until output.eof?
        piece = output.readpartial(4096)
        log << piece
        text << piece
        print piece if piece.match?(/\A[.SFE]+\z/)
      end
      text.scrub
    end
  end

  def tell(part, claims)
    ran = classes_of(part, claims)
    File.write(File.join(LOGS, "suite-#{part.number}.classes"), ran.map { |name| "#{name}\n" }.join)
    text = part.text.sub(COUNTS, "").gsub(/^[.SFE]+$\n*/, "")
    puts "\nprocess #{part.number} of #{@processes}:", text
    puts "process #{part.number}: #{part.status}, in #{ran.last || "no class"}" unless part.counts
  end

  # Their names in the order in which it ran them.
  def classes_of(part, claims)
    ran = Dir.children(claims).filter_map do |name|
      pid, place = File.read(File.join(claims, name)).split
      [place.to_i, name] if pid.to_i == part.pid
    end
    ran.sort.map(&:last)
  end

  def sum(parts)
    sums = parts.map { |part| part.counts || ([0] * WORDS.size) }.transpose.map(&:sum)
    puts "", sums.zip(WORDS).map { |pair| pair.join(" ") }.join(", ")
    parts.all?(&:passed?) && sums.first.positive?
  end
end

if $PROGRAM_NAME == __FILE__
  $stdout.sync = true
  processes = Integer(ARGV.shift)
  exit SideBySide.new(processes, ARGV).run
end
