# frozen_string_literal: true

require "optparse"
require_relative "against"
require_relative "callgrind"
require_relative "definition"
require_relative "kept_allocations"
require_relative "options"
require_relative "runner"

module Bench
  # The command line of bin/bench. Exit status: 0 done; 1 documents differ, or something that was
  # due did not run; 2 wrong arguments; 3 something is missing.
  class CLI
    SCENARIOS = File.join(ROOT, "benchmark", "scenarios")
    RESULTS = File.join(ROOT, "benchmark", "results")
    # How many functions --callgrind prints.
    SHOWN = 30

    def initialize(arguments)
      @scenarios = Scenario.load_all(SCENARIOS)
      @options = Options.new(arguments, @scenarios)
    end

    def run
      @options.parse
      send(:"run_#{@options.tool}")
    rescue OptionParser::ParseError, ArgumentError => error
      fail_with(2, "#{error.message}. See bin/bench --help")
    rescue MissingError, WorkerProcess::Failure => error
      fail_with(3, error.message)
    end

    private

    def run_scenarios
      setups = prepare(default_yjit: [false, true])
      $LOAD_PATH.concat(setups.first.stage.load_paths) # where Oj is, which judges documents
      results = Runner.new(@options.chosen, setups, @options.settings, directory: RESULTS).run
      KeptAllocations.load.accept(results) if @options[:"accept-allocations"]
      excess = KeptAllocations.load.excess(results)
      excess.each { |more| puts "MORE OBJECTS: #{more}" }
      exit(1) unless sound?(results) && excess.empty?
    end

    # Peers that are missing and figures that were missed are printed rows; what is ours must run.
    def sound?(results)
      tables = results["scenarios"].flat_map { |scenario| scenario["tables"] }
      rows = tables.flat_map { |table| table["rows"] }
      theirs = %w[gem other]
      return false if rows.any? do |row|
        row["status"] == "different" ||
          (%w[failed missing].include?(row["status"]) && !theirs.include?(row["group"]))
      end
      return true unless @options[:strict]

      rows.none? { |row| %w[failed missing].include?(row["status"]) } &&
        tables.flat_map { |table| table["claims"] }.none? { |claim| claim["status"] == "missed" }
    end

    # Named scenarios whole, or of all what --quick has.
    def run_against
      id, tree = Against.tree(@options[:against])
      return puts("#{id} has the same lib and ext: nothing to count") if Against.same?(id)

      setup = prepare(default_yjit: [false]).last
      stage = setup.stage.tap(&:prepare_callgrind)
      sides = [stage.with_gem(tree, "native-#{id}"), Against.this_tree(stage)]
      commit = Machine.commit
      puts "#{id} → #{commit["id"]}#{" with changes" if commit["changed"]}, Ruby #{setup.id}: " \
           "instructions, objects and bytes of one call"
      setups = sides.map { |side| Setup.new(side, yjit: setup.yjit) }
      exit(1) unless Against.new(tables_against(stage), *setups).run
    end

    def tables_against(stage)
      quick = @options.quick? || @options.names.empty?
      tables = @options.chosen.flat_map { |scenario| [scenario].product(scenario.tables) }
      tables.select do |_, table|
        table.measure == "calls" && table.contenders.any? do |contender|
          table.left_out(contender, version: stage.version, quick: quick).nil?
        end
      end
    end

    # Instructions of one call, by function; on the interpreter unless --yjit says so.
    def run_callgrind
      scenario, table, contender = @options.contender
      setup = prepare(default_yjit: [false]).last
      setup.stage.prepare_callgrind
      functions = CallgrindFunctions.new(setup, scenario, table, contender).all
      total = functions.sum(&:last)
      puts "#{contender}, Ruby #{setup.id}: #{total.round} instructions per call (loop included)"
      functions.first(SHOWN).each do |name, count|
        puts format("%10.1f %5.1f %%  %s", count, count * 100 / total, name) if count >= 0.5
      end
    end

    # The page of results that are there.
    def run_report
      path = @options[:report] || Options::RESULTS
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
    def prepare(default_yjit:)
      stages = [RbConfig.ruby, *@options.rubies].map { |ruby| Stage.new(ruby) }.uniq(&:version)
      stages.each(&:prepare)
      wanted = @options[:yjit].nil? ? default_yjit : [@options[:yjit]]
      setups = stages.product(wanted).select { |stage, yjit| !yjit || stage.yjit? }
                     .map { |stage, yjit| Setup.new(stage, yjit: yjit) }
      quick = @options.quick? && !@options.only_equality?
      setups.select!(&:judged_as) if quick && @options[:yjit].nil?
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
