# frozen_string_literal: true

require "optparse"
require_relative "against"
require_relative "runner"

module Bench
  # The command line of bin/bench. Exit status: 0 done; 1 documents differ, something that was due
  # did not run, or a call of ours takes more than before; 2 wrong arguments; 3 something is
  # missing.
  class CLI
    SCENARIOS = File.join(ROOT, "benchmark", "scenarios")
    RESULTS = File.join(ROOT, "benchmark", "results")
    # README.md says what they do.
    OPTIONS = ["--quick", "--only-equality", "--compare-all", "--[no-]yjit", "--against COMMIT",
               "--callgrind", "--report [FILE]", "--list"].freeze
    # How much more objects a call may allocate than its contender says: what measuring may be wrong
    # by.
    TIMES, PLUS = 1.005, 0.02

    class << self
      # [scenario, table, row] of each row.
      def rows(results)
        results["scenarios"].flat_map do |scenario|
          scenario["tables"].flat_map { |table| [scenario].product([table], table["rows"]) }
        end
      end

      # A line for each call of ours that allocates more objects than its contender says.
      def excess(results)
        rows(results).filter_map do |scenario, table, row|
          objects, allowed = row.dig("metrics", "objects", "median"), row["objects_allowed"]
          next unless objects && allowed && objects > (allowed * TIMES) + PLUS

          "MORE OBJECTS: #{scenario["name"]}, #{table["name"]}, Ruby #{table["setup"]}: " \
            "#{row["contender"]}: #{objects.round(2)}, not #{allowed}"
        end
      end

      # Peers that are missing and figures that were missed are printed rows; what is ours must run.
      def sound?(results)
        rows(results).none? do |_, _, row|
          row["status"] == "different" ||
            (%w[failed missing].include?(row["status"]) && !%w[gem other].include?(row["group"]))
        end
      end
    end

    def initialize(arguments)
      @names, @given, @scenarios = arguments, {}, Scenario.load_all(SCENARIOS)
      @rubies = ENV["TO_JSON_BENCH_RUBIES"].to_s.split(":")
    end

    def run
      parse
      tool = %i[against callgrind report list].find { |name| @given.key?(name) } || :scenarios
      send(:"run_#{tool}")
    rescue OptionParser::ParseError, ArgumentError => error
      fail_with(2, "#{error.message}. See bin/bench --help")
    rescue MissingError, WorkerProcess::Failure => error
      fail_with(3, error.message)
    end

    private

    def parse
      parser = OptionParser.new
      OPTIONS.each { |option| parser.on(option) }
      parser.on("--ruby PATH") { |path| @rubies << path }
      parser.on("-h", "--help") { help || exit }
      parser.parse!(@names, into: @given)
    end

    # README.md's commands, and the names of scenarios.
    def help
      puts File.read(File.join(ROOT, "benchmark", "README.md"))[/^```\n(.*?)^```/m, 1],
           "", @scenarios.map { |one| "  #{one.name.ljust(14)}#{one.title}" }
    end

    def chosen = @names.empty? ? @scenarios : @names.map { |name| scenario_named(name) }

    def scenario_named(name)
      @scenarios.find { |scenario| [scenario.name, scenario.number.to_s].include?(name) } or
        raise ArgumentError, "no scenario #{name.inspect}; " \
                             "there are #{@scenarios.map(&:name).join(", ")}"
    end

    def run_scenarios
      settings = Settings.make(**%i[quick only-equality compare-all].to_h do |name|
        [name.to_s.tr("-", "_").to_sym, @given.key?(name)]
      end)
      scenarios, setups = chosen, prepare([false, true])
      if settings.quick && !settings.only_equality && !@given.key?(:yjit)
        setups = setups.select(&:judged_as)
      end
      $LOAD_PATH.concat(setups.first.stage.load_paths) # where Oj is, which judges documents
      results = Runner.new(scenarios, setups, settings, directory: RESULTS).run
      puts(excess = CLI.excess(results))
      exit(1) unless CLI.sound?(results) && excess.empty?
    end

    # Named scenarios whole, or of all what --quick has.
    def run_against
      id, tree = Against.tree(@given[:against])
      return puts("#{id} has the same lib and ext: nothing to count") if Against.same?(id)

      setup, commit = prepare([false]).last, Machine.commit
      Callgrind.prepare(stage = setup.stage)
      sides = [stage.with_gem(tree, "native-#{id}"), Against.this_tree(stage)]
      puts "#{id} → #{commit["id"]}#{" with changes" if commit["changed"]}, Ruby #{setup.id}: " \
           "instructions, objects and bytes of one call"
      setups = sides.map { |side| Setup.new(side, yjit: setup.yjit) }
      quick = @given.key?(:quick) || @names.empty?
      tables = chosen.flat_map { |scenario| [scenario].product(scenario.tables) }
      tables.select! do |_, table|
        table.measure == "calls" && table.contenders.any? do |contender|
          table.left_out(contender, version: stage.version, quick: quick).nil?
        end
      end
      exit(1) unless Against.new(tables, *setups).run
    end

    # Instructions of one call, by function; on the interpreter unless --yjit says so.
    def run_callgrind
      raise ArgumentError, "--callgrind takes NAME and CONTENDER (see --list)" if @names.size != 2

      (name, table_name), contender = @names.first.split("/", 2), @names.last
      scenario = scenario_named(name)
      table = scenario.tables.find do |one|
        [nil, one.name].include?(table_name) && one.contender_named(contender)
      end
      raise ArgumentError, "#{name} has no contender #{contender.inspect}; see --list" unless table

      setup = prepare([false]).last
      Callgrind.prepare(setup.stage)
      Callgrind.open(setup, scenario, table, [contender]) do |counter|
        counter.errors.each_value { |error| raise WorkerProcess::Failure, error }
        total = counter.count(contender, calls = counter.calls(contender, Against::SECONDS))
        puts "#{contender}, Ruby #{setup.id}: #{total.round} instructions per call; of #{calls}:",
             counter.functions
      end
    end

    # The page of results that are there.
    def run_report
      path = @given[:report] || File.join(RESULTS, "results.json")
      raise ArgumentError, "there is no #{path}" unless File.file?(path)

      results = JSON.parse(File.read(path, encoding: "UTF-8"))
      unless results.is_a?(Hash) && results["schema"] == SCHEMA
        raise ArgumentError, "#{path} is not of this version (schema #{SCHEMA})"
      end

      puts Report.write(results, File.join(File.dirname(path), "report.html"))
    rescue JSON::ParserError => error
      raise ArgumentError, "#{path} is no JSON: #{error.message.lines.first}"
    end

    def run_list
      @scenarios.each do |scenario|
        puts "#{scenario.number}. #{scenario.name}: #{scenario.title}"
        scenario.tables.each do |table|
          puts "  #{table.name}", table.contenders.map { |one| "    #{one.name} (#{one.group})" }
        end
      end
    end

    # The running Ruby first, then those that were named.
    def prepare(yjit)
      stages = [RbConfig.ruby, *@rubies].map { |ruby| Stage.new(ruby) }.uniq(&:version)
      stages.each(&:prepare)
      setups = stages.product(@given.key?(:yjit) ? [@given[:yjit]] : yjit)
                     .select { |stage, with| !with || stage.yjit? }
                     .map { |stage, with| Setup.new(stage, yjit: with) }
      raise MissingError, "no Ruby here has YJIT" if setups.empty?

      setups.each(&:identify)
    end

    def fail_with(code, message)
      warn "bin/bench: #{message}"
      exit(code)
    end
  end
end

Bench::CLI.new(ARGV).run if $PROGRAM_NAME == __FILE__
