# frozen_string_literal: true

# Layer: pool, instruction_counts. This tree beside an older commit, in one run: instructions and allocations of one call of what is ours,
# which noise does not touch. The benchmarks are this tree's; what the older commit cannot run yet is said, not judged.

require "digest"
require "open3"
require_relative "console"
require_relative "instruction_counts"
require_relative "pool"
require_relative "progress"

module Bench
  # The comparison with a commit.
  class Against
    # How much more may be asked of a call.
    INSTRUCTIONS, BYTES, OBJECTS = 1.03, 1.03, 0.01
    # How often what exceeds is looked at once more.
    AGAIN = 3
    # How long the counted calls take, before they are counted.
    SECONDS = 0.02
    ALLOCATION_CALLS = 20_000
    # A table with its start of four processes, for the progress bar: a guess.
    TABLE_SECONDS = 5.0

    # One contender's figures before and after, {"instructions" => …, "objects" => …, "allocated" => …} each, or an error.
    Row = Struct.new(:scenario, :table, :contender, :before, :after, :errors, keyword_init: true) do
      def place = "#{scenario}, #{table}: #{contender}"

      # What exceeds: [metric, before, after].
      def excess
        return [] unless before && after

        limits = {"instructions" => [INSTRUCTIONS, 0], "objects" => [1, OBJECTS], "allocated" => [BYTES, 1]}
        limits.filter_map do |metric, (times, plus)|
          old, new = before[metric], after[metric]
          [metric, old, new] if old && new && new > (old * times) + plus
        end
      end

      # With another counting of the same. What stands of `after` is the least: a tree that can do it for less does not ask for more. Of `before` it is
      # the middle, since one counting in many finds less than all others (a document of 160 KB had 444,583 instructions in 16 of 16 processes
      # and 416,314 in one of CI's), and by its least no later one would do. What was broken and now is not, is not broken.
      def take(other)
        @counted ||= {before: [before], after: [after]}
        self.before = standing(@counted[:before] << other.before) { |sorted| sorted[(sorted.size - 1) / 2] }
        self.after = standing(@counted[:after] << other.after, &:first)
        errors.merge!(other.errors) { |_, mine, theirs| mine && theirs }
      end

      # It ran before and does not now.
      def broken? = !errors[:after].nil? && errors[:before].nil?

      private

      # By metric what the block chooses of the sorted ones; nil where nothing was counted.
      def standing(countings)
        counted = countings.compact
        return if counted.empty?

        counted.flat_map(&:keys).uniq.to_h do |metric|
          sorted = counted.filter_map { |figures| figures[metric] }.sort
          [metric, sorted.empty? ? nil : yield(sorted)]
        end
      end
    end

    # The commit in a tree of its own, which is kept for the next run.
    def self.tree(commit, log: ->(line) { warn line })
      id, status = Open3.capture2("git", "-C", ROOT, "rev-parse", "--verify", "--quiet", "#{commit}^{commit}")
      raise ArgumentError, "there is no commit #{commit}" unless status.success?

      id = id.strip
      directory = File.join(ROOT, "tmp", "bench", "against", id[0, 12])
      unless File.directory?(File.join(directory, "ext"))
        log.call("checking out #{id[0, 12]}")
        FileUtils.mkdir_p(directory)
        # A plain copy of that commit: no second work tree in git's books.
        statuses = Open3.pipeline(["git", "-C", ROOT, "archive", id, "lib", "ext"], ["tar", "-x", "-C", directory])
        raise MissingError, "#{id[0, 12]} could not be unpacked" unless statuses.all?(&:success?)
      end
      [id[0, 12], directory]
    end

    # A copy of this tree's gem where the other one stands, under a name as long as a commit's: callgrind's addresses follow from the length of
    # paths, and by them large trees moved by 4 %.
    def self.this_tree(stage, name = "of-this-tree")
      directory = File.join(ROOT, "tmp", "bench", "against", name)
      FileUtils.rm_rf(directory)
      FileUtils.mkdir_p(directory)
      FileUtils.cp_r(File.join(ROOT, "lib"), directory)
      stage.with_gem(directory, "native-#{name}", built: true)
    end

    # `tables` are [scenario, table] pairs; `before` and `after` are Setups.
    def initialize(tables, before, after, output: $stdout)
      @tables, @setups, @output = tables, {before: before, after: after}, output
    end

    # Measures and prints; true if nothing exceeds.
    def run
      progress = Progress.new(@tables.size * TABLE_SECONDS)
      rows = @tables.flat_map do |scenario, table|
        found = nil
        progress.part("#{scenario.name}, #{table.name}", TABLE_SECONDS) { found = measure(scenario, table) }
        progress.puts(text(found), to: @output)
        found
      end
      progress.clear
      verdict(rows)
    end

    private

    # What exceeds is counted in new processes, too, whose Hashes are seeded with something else and whose tables grow at other calls.
    def measure(scenario, table)
      stage = @setups[:after].stage
      ours = table.contenders.select { |contender| contender.group == "ours" && contender.peer.all? { |peer| stage.missing_reason(peer).nil? } }
      rows = compare(scenario, table, ours.map(&:name))
      AGAIN.times do |time|
        doubtful = rows.select { |row| !row.excess.empty? || (time.zero? && row.broken?) }
        doubtful.select(&:broken?).each { |row| @output.puts("once more: #{row.place}: #{row.errors[:after]}") }
        again = compare(scenario, table, doubtful.map(&:contender)).to_h { |row| [row.contender, row] }
        doubtful.each { |row| row.take(again.fetch(row.contender)) }
      end
      rows
    end

    # Both sides at once: counts do not mind.
    def compare(scenario, table, names)
      return [] if names.empty?

      calls, wait = {}, Queue.new
      threads = @setups.to_h { |side, setup| [side, Thread.new { figures(setup, scenario, table, names, side, calls, wait) }] }
      found = threads.transform_values(&:value)
      names.map do |name|
        errors = found.transform_values { |(_, failed)| failed[name] }
        Row.new(scenario: scenario.name, table: table.name, contender: name, before: found[:before][0][name], after: found[:after][0][name], errors: errors)
      end
    end

    # [figures by contender, errors by contender] of one side. How many calls are counted is this tree's to say, for both.
    def figures(setup, scenario, table, names, side, calls, wait)
      errors = {}
      counts = InstructionCounts.open(setup, scenario, table, names) do |counter|
        errors = counter.errors.dup
        own = {}
        (names - errors.keys).each { |name| attempt(errors, name) { own[name] = counter.calls(name, SECONDS) } } # which warms it, too
        side == :after ? calls.update(own) && (wait << true) : wait.pop
        own.each_key { |name| attempt(errors, name) { counter.count(name, calls.fetch(name, own[name])) } }
      end
      allocated = allocations(setup, scenario, table, names - errors.keys, calls)
      [(names - errors.keys).to_h { |name| [name, {"instructions" => counts.counts[name], **allocated.fetch(name, {})}] }, errors]
    rescue WorkerProcess::Failure => error
      [{}, names.to_h { |name| [name, error.message] }]
    ensure
      wait << true if side == :after # whatever happened: the other side must not wait for ever
    end

    def attempt(errors, name)
      yield
    rescue WorkerProcess::Failure => error
      errors[name] = error.message
    end

    def allocations(setup, scenario, table, names, calls)
      worker = setup.start(counting: !setup.stage.malloc_counter.nil?)
      worker.ask(:open, scenario: scenario.path, table: table.name, contenders: names, peers: setup.stage.peers)
      names.to_h { |name| [name, worker.ask(:allocations, contender: name, iterations: (calls.fetch(name, 1) * 25).clamp(16, ALLOCATION_CALLS))] }
    ensure
      worker&.close
    end

    def text(rows)
      rows.map do |row|
        next "#{row.place.ljust(60)}  #{row.errors.compact.map { |side, error| "#{side}: #{error}" }.join("; ")}" unless row.before && row.after

        "#{row.place.ljust(60)}#{%w[instructions objects allocated].map { |metric| cell(row, metric) }.join}#{"  MORE" unless row.excess.empty?}"
      end
    end

    def cell(row, metric)
      before, after = row.before[metric], row.after[metric]
      return "–".rjust(26) unless before && after

      change = before.zero? || (after.fdiv(before) - 1).abs < 0.0005 ? "" : format(" %+.1f %%", (after.fdiv(before) - 1) * 100)
      form = metric == "objects" ? "%.2f" : "%.0f"
      "#{format(form, before)} → #{format(form, after)}#{change}".rjust(metric == "instructions" ? 34 : 26)
    end

    def verdict(rows)
      exceeding, broken = rows.reject { |row| row.excess.empty? }, rows.select(&:broken?)
      both = rows.select { |row| row.before && row.after && row.before["instructions"]&.positive? && row.after["instructions"] }
      mean = both.empty? ? nil : Math.exp(both.sum { |row| Math.log(row.after["instructions"] / row.before["instructions"]) } / both.size)
      @output.puts("", "#{rows.size} contenders, #{both.size} in both#{format("; instructions %+.1f %% (geometric mean)", (mean - 1) * 100) if mean}")
      exceeding.each do |row|
        @output.puts("MORE: #{row.place}: #{row.excess.map { |metric, from, to| "#{metric} #{from.round(2)} → #{to.round(2)}" }.join(", ")}")
      end
      broken.each { |row| @output.puts("BROKEN: #{row.place}: #{row.errors[:after]}") }
      exceeding.empty? && broken.empty?
    end
  end
end
