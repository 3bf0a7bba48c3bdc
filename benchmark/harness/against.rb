# frozen_string_literal: true

require "open3"
require_relative "against_row"
require_relative "callgrind"
require_relative "lanes"
require_relative "machine"
require_relative "pool"
require_relative "progress"

module Bench
  # This tree beside an older commit: instructions and allocations of one call of what is ours. The
  # benchmarks are this tree's; what the older commit cannot run yet is told, not judged.
  class Against
    # How often what exceeds is counted once more, in new processes: their Hashes have other seeds,
    # and their tables grow at other calls.
    AGAIN = 3
    # How long the counted calls take, before they are counted.
    SECONDS = 0.02
    ALLOCATION_CALLS = 20_000
    TREES = File.join(ROOT, "tmp", "bench", "against")

    class << self
      # [short id, directory] of the commit's lib and ext, which are kept for the next run.
      def tree(commit)
        id, status = Open3.capture2("git", "-C", ROOT, "rev-parse", "--verify", "--quiet",
                                    "#{commit}^{commit}")
        raise ArgumentError, "there is no commit #{commit}" unless status.success?

        directory = File.join(TREES, id[0, 12])
        unpack(id.strip, directory) unless File.directory?(File.join(directory, "ext"))
        [id[0, 12], directory]
      end

      # True if this tree's lib and ext are the commit's: then there is nothing to count.
      def same?(commit)
        git = ["git", "-C", ROOT]
        system(*git, "diff", "--quiet", commit, "--", "lib", "ext") &&
          Open3.capture2(*git, "ls-files", "-o", "--exclude-standard", "lib", "ext").first.empty?
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

      private

      # A plain copy: no second work tree in git's books.
      def unpack(id, directory)
        FileUtils.mkdir_p(directory)
        statuses = Open3.pipeline(["git", "-C", ROOT, "archive", id, "lib", "ext"],
                                  ["tar", "-x", "-C", directory])
        raise MissingError, "#{id} could not be unpacked" unless statuses.all?(&:success?)
      end
    end

    # `tables` are [scenario, table] pairs; `before` and `after` are Setups.
    def initialize(tables, before, after, output: $stdout)
      @tables, @setups, @output = tables, {after: after, before: before}, output
    end

    # Measures and prints; true if nothing exceeds.
    def run
      progress, rows = Progress.new(@tables.size), []
      Lanes.each(@tables, Settings.default_lanes) do |scenario, table|
        found = progress.part("#{scenario.name}, #{table.name}") { measure(scenario, table) }
        progress.puts(found.map(&:to_s), to: @output)
        rows.concat(found)
      end
      progress.clear
      @output.puts("", AgainstRow.summary(rows))
      rows.none? { |row| row.broken? || !row.excess.empty? }
    end

    private

    def measure(scenario, table)
      stage = @setups[:after].stage
      ours = table.contenders.select do |contender|
        contender.group == "ours" && contender.peer.none? { |peer| stage.missing_reason(peer) }
      end
      rows = ours.map { |contender| AgainstRow.new(scenario.name, table.name, contender.name) }
      count(scenario, table, rows)
      AGAIN.times do |time|
        doubtful = rows.select { |row| !row.excess.empty? || (time.zero? && row.broken?) }
        count(scenario, table, doubtful)
      end
      rows
    end

    # Counts each row once more on both sides. How many calls is this tree's to say.
    def count(scenario, table, rows)
      return if rows.empty?

      calls = {}
      @setups.each do |side, setup|
        figures, errors = side_of(setup, scenario, table, rows.map(&:contender), calls)
        rows.each { |row| row.add(side, figures[row.contender], errors[row.contender]) }
      end
    end

    # [figures, errors] by contender.
    def side_of(setup, scenario, table, names, calls)
      errors = {}
      instructions = Callgrind.open(setup, scenario, table, names) do |counter|
        errors.update(counter.errors)
        each_running(names, errors) do |name|
          own = counter.calls(name, SECONDS)
          counter.count(name, calls[name] ||= own)
        end
        counter.totals
      end
      allocated = allocations(setup, scenario, table, names - errors.keys, calls)
      [allocated.to_h { |name, found| [name, {"instructions" => instructions[name], **found}] },
       errors]
    rescue WorkerProcess::Failure => error
      [{}, names.to_h { |name| [name, error.message] }]
    end

    def each_running(names, errors)
      (names - errors.keys).each do |name|
        yield name
      rescue WorkerProcess::Failure => error
        errors[name] = error.message
      end
    end

    def allocations(setup, scenario, table, names, calls)
      worker = setup.start(counting: !setup.stage.malloc_counter.nil?)
      worker.open!(scenario, table, names, setup.stage.peers)
      names.to_h do |name|
        iterations = (calls.fetch(name, 1) * 25).clamp(16, ALLOCATION_CALLS)
        [name, worker.ask(:allocations, contender: name, iterations: iterations)]
      end
    ensure
      worker&.close
    end
  end
end
