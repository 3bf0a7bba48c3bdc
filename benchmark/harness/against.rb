# frozen_string_literal: true

require_relative "callgrind"
require_relative "measures"
require_relative "turns"

module Bench
  # This tree beside an older commit: instructions and allocations of one call of what is ours. The
  # benchmarks are this tree's; what the older commit cannot run yet is told, not judged.
  class Against
    # How often what exceeds is counted once more, in new processes: their Hashes have other seeds,
    # and their tables grow at other calls.
    AGAIN = 3
    # How long the counted calls take, before they are counted.
    SECONDS = 0.02
    ALLOCATION_CALLS = 2_000
    TREES = File.join(ROOT, "tmp", "bench", "against")
    GIT = ["git", "-C", ROOT].freeze

    class << self
      # [short id, directory] of the commit's lib and ext, which are kept for the next run: a plain
      # copy, no second work tree in git's books.
      def tree(commit)
        id, = Open3.capture2(*GIT, "rev-parse", "--verify", "--quiet", "#{commit}^{commit}")
        raise ArgumentError, "there is no commit #{commit}" if id.empty?

        directory = File.join(TREES, id[0, 12])
        FileUtils.mkdir_p(directory)
        unpacking = [[*GIT, "archive", id.strip, "lib", "ext"], ["tar", "-x", "-C", directory]]
        done =
          Dir.exist?(File.join(directory, "ext")) || Open3.pipeline(*unpacking).all?(&:success?)
        raise MissingError, "#{id} could not be unpacked" unless done

        [id[0, 12], directory]
      end

      # True if this tree's lib and ext are the commit's: then there is nothing to count.
      def same?(commit)
        system(*GIT, "diff", "--quiet", commit, "--", "lib", "ext") &&
          Open3.capture2(*GIT, "ls-files", "-o", "--exclude-standard", "lib", "ext").first.empty?
      end

      # A copy of this tree's gem under a name as long as a commit's: callgrind's addresses follow
      # from the length of paths, and by them large trees moved by 4 %.
      def this_tree(stage, name = "of-this-tree")
        directory = File.join(TREES, name)
        FileUtils.rm_rf(directory)
        FileUtils.mkdir_p(directory)
        FileUtils.cp_r(File.join(ROOT, "lib"), directory)
        stage.with_gem(directory, "native-#{name}", built: true)
      end
    end

    # `tables` are [scenario, table] pairs; `before` and `after` are Setups.
    def initialize(tables, before, after, output: $stdout)
      @tables, @setups, @output = tables, {after: after, before: before}, output
    end

    # Measures and prints; true if nothing exceeds.
    def run
      rows, label = [], ->((scenario, table)) { "#{scenario.name}, #{table.name}" }
      Turns.new(@tables.size, output: @output).each(@tables, LANES, label: label) do |pair|
        measure(*pair).tap { |found| rows.concat(found) }.map(&:to_s)
      end
      @output.puts("", AgainstRow.summary(rows))
      rows.none?(&:complaint)
    end

    private

    def measure(scenario, table)
      stage = @setups[:after].stage
      ours = table.contenders.select do |contender|
        contender.group == "ours" && contender.peer.none? { |peer| stage.missing_reason(peer) }
      end
      rows = ours.map { |contender| AgainstRow.new(scenario.name, table.name, contender.name) }
      count(scenario, table, rows)
      AGAIN.times { count(scenario, table, rows.select(&:complaint)) }
      rows
    end

    # Counts each row once more on both sides. How many calls is this tree's to say.
    def count(scenario, table, rows)
      return if rows.empty?

      calls = {}
      @setups.each do |side, setup|
        Callgrind.open(setup, scenario, table, rows.map(&:contender)) do |counter|
          rows.each { |row| row.add(side, *figures(counter, row.contender, calls)) }
        end
      rescue WorkerProcess::Failure => error
        rows.each { |row| row.add(side, nil, error.message) }
      end
    end

    # [figures of a contender, nil], or [nil, why there are none].
    def figures(counter, name, calls)
      return [nil, counter.errors[name]] if counter.errors[name]

      own = counter.calls(name, SECONDS)
      instructions = counter.count(name, calls[name] ||= own)
      allocated = counter.allocations(name, (calls[name] * 25).clamp(16, ALLOCATION_CALLS))
      [{"instructions" => instructions, **allocated}, nil]
    rescue WorkerProcess::Failure => error
      [nil, error.message]
    end
  end

  # One contender's countings before and after, {"instructions" => …, "objects" => …, "allocated" =>
  # …} each. Of `after` the least stands: a tree that can do it for less does not ask for more. Of
  # `before` the middle stands, since one counting in many finds less than all others.
  class AgainstRow
    # How much more may be asked of a call: times, and plus.
    LIMITS = {"instructions" => [1.03, 0], "objects" => [1, 0.01], "allocated" => [1.03, 1]}.freeze

    attr_reader :contender

    def self.summary(rows)
      all = rows.filter_map(&:growth).map { |growth| Math.log(growth) }
      change = (Math.exp(all.sum / all.size) - 1) * 100 unless all.empty?
      mean = format("; instructions %+.1f %% (geometric mean)", change) if change
      ["#{rows.size} contenders, #{all.size} in both#{mean}", *rows.filter_map(&:complaint)]
    end

    def initialize(scenario, table, contender)
      @place, @contender = "#{scenario}, #{table}: #{contender}", contender
      @counted, @errors = {before: [], after: []}, {before: [], after: []}
    end

    # One more counting of a side; nil where it could not run, for that reason.
    def add(side, figures, error)
      @counted[side] << figures if figures
      @errors[side] << error
    end

    # The figure that stands, or nil.
    def figure(side, metric)
      sorted = @counted[side].filter_map { |figures| figures[metric] }.sort
      sorted[side == :after ? 0 : (sorted.size - 1) / 2] unless sorted.empty?
    end

    # [metric, before, after] of what was counted on both sides.
    def pairs
      LIMITS.keys.map { |metric| [metric, figure(:before, metric), figure(:after, metric)] }
            .select(&:all?)
    end

    # Those that exceed.
    def excess
      pairs.select do |metric, old, new|
        times, plus = LIMITS[metric]
        new > (old * times) + plus
      end
    end

    # It ran before and does not now, however often it was tried.
    def broken? = @errors[:after].all? && @errors[:before].none?

    # Instructions now by those before; nil where it cannot be compared.
    def growth
      metric, old, new = pairs.first
      new.fdiv(old) if metric == "instructions" && old.positive?
    end

    # What is wrong, or nil.
    def complaint
      return "BROKEN: #{@place}: #{@errors[:after].last}" if broken?

      told = excess.map { |metric, from, to| "#{metric} #{from.round(2)} → #{to.round(2)}" }
      "MORE: #{@place}: #{told.join(", ")}" unless told.empty?
    end

    def to_s
      told = @errors.filter_map { |side, list| "  #{side}: #{list.last}" if @counted[side].empty? }
      cells = pairs.map do |_, old, new|
        change = format(" %+.1f %%", (new.fdiv(old) - 1) * 100) if old.positive? && old != new
        form = old < 1000 ? "%.2f" : "%.0f"
        format("#{form} → #{form}%s", old, new, change).rjust(32)
      end
      "#{@place.ljust(60)}#{[*told, *cells].join}#{"  MORE" unless excess.empty?}"
    end
  end
end
