# frozen_string_literal: true

# Layer: everything. The command line of bin/bench.

require "optparse"
require_relative "against"
require_relative "agreement"
require_relative "instructions"
require_relative "kept_allocations"
require_relative "runner"

module Bench
  # Parses arguments, prepares Rubies, runs. Exit codes: 0 done; 1 documents differ, or something that
  # was due did not run; 2 wrong arguments; 3 something is missing.
  class CLI
    SCENARIOS = File.join(ROOT, "benchmark", "scenarios")
    RESULTS = File.join(ROOT, "benchmark", "results")

    def initialize(arguments)
      @arguments, @rubies, @quick, @only_equality, @yjit, @strict, @tool, @accept = arguments, [], false, false, nil, false, nil, false
      @begun, @lanes, @minutes, @scenarios = now, Lanes.count, MINUTES, Scenario.load_all(SCENARIOS)
    end

    def run
      parser.parse!(@arguments)
      case @tool
      when nil then run_scenarios
      when :report then report
      when :agree then exit(1) unless agree
      when :against then exit(1) unless against
      else run_tool
      end
    rescue OptionParser::ParseError, ArgumentError => error
      fail_with(2, "#{error.message}. See bin/bench --help")
    rescue MissingError, WorkerProcess::Failure => error
      fail_with(3, error.message)
    end

    private

    def parser
      OptionParser.new do |options|
        options.banner = "Usage: bin/bench [options] [NAME...]\n\nCompares the gem with its peers: documents first, then time " \
                         "and allocations. NAME is one of:\n" \
                         "#{@scenarios.map { |scenario| "  #{scenario.name.ljust(10)} #{scenario.number}. #{scenario.title}" }.join("\n")}\n" \
                         "Writes benchmark/results/results.json and report.html, the page to look at. Installs the peers and compiles\n" \
                         "the extension per Ruby.\n\n"
        options.on("--quick", "short samples of what may be the fastest, under two minutes; YJIT where its figures bind (3.4)") { @quick = true }
        options.on("--only-equality", "compare the documents, time nothing; exit 1 if any differ") { @only_equality = true }
        options.on("--ruby PATH", "also on this Ruby (repeatable; so does TO_JSON_BENCH_RUBIES, a list with colons)") { |path| @rubies << path }
        options.on("--[no-]yjit", "only with, or only without YJIT (default: both, but see --quick)") { |value| @yjit = value }
        options.on("--lanes N", Integer, "measure so many tables side by side (default: #{Lanes.count}, one a core, two at most)") do |number|
          @lanes = number.positive? ? number : raise(ArgumentError, "--lanes takes 1 or more")
        end
        options.on("--minutes N", Integer, "what is late takes fewer samples, so that all may be done by then (default: #{MINUTES})") do |number|
          @minutes = number.positive? ? number : raise(ArgumentError, "--minutes takes 1 or more")
        end
        options.on("--against COMMIT", "instructions and allocations of a call of ours, there and here; exit 1 where it asks for more here") do |commit|
          @tool, @commit = :against, commit
        end
        options.on("--callgrind", "bin/bench --callgrind NAME[/TABLE] CONTENDER: instructions per call, by function") { @tool = :callgrind }
        options.on("--profile", "bin/bench --profile NAME[/TABLE] CONTENDER: where perf finds the time") { @tool = :profile }
        options.on("--report [FILE]", "write report.html again, beside FILE (default: benchmark/results/results.json); measures nothing") do |file|
          @tool, @report = :report, file || File.join(RESULTS, "results.json")
        end
        options.on("--agree FILE", "do the ratios of FILE agree with those of the last run? exit 1 if less than 95 % do, within 10 %") do |file|
          @tool, @other = :agree, file
        end
        options.on("--list", "print scenarios, tables and contenders") { list }
        options.on("--strict", "exit 1 too when a figure that is due was missed or a peer is missing") { @strict = true }
        options.on("--accept-allocations", "write the objects that were measured to benchmark/allocations.yml") { @accept = true }
        options.on("-h", "--help", "this text") { puts(options) || exit }
      end
    end

    def list
      @scenarios.each do |scenario|
        puts "#{scenario.number}. #{scenario.name}: #{scenario.title}"
        scenario.tables.each { |table| puts "  #{table.name}", table.contenders.map { |contender| "    #{contender.name} (#{contender.group})" } }
      end
      exit
    end

    # The running Ruby first, then those that were named.
    def setups(default_yjit: [false, true])
      rubies = [RbConfig.ruby, *@rubies, *ENV["TO_JSON_BENCH_RUBIES"].to_s.split(":")]
      stages = rubies.map { |ruby| Stage.new(ruby) }.uniq(&:version)
      stages.each(&:prepare)
      wanted = @yjit.nil? ? default_yjit : [@yjit]
      all = stages.flat_map { |stage| wanted.select { |yjit| !yjit || stage.yjit? }.map { |yjit| Setup.new(stage, yjit: yjit) } }
      all.select!(&:judged_as) if @quick && @yjit.nil? && !@only_equality
      raise MissingError, "no Ruby here has YJIT" if all.empty?

      all.each { |setup| identify(setup) }
    end

    # A worker says what it runs on, so that a flag that did nothing cannot pass for YJIT.
    def identify(setup)
      worker = setup.start
      identity = worker.ask(:identity)
      raise MissingError, "#{setup.id} says it is #{identity}" unless identity["yjit"] == setup.yjit

      setup.description = identity["ruby"]
    ensure
      worker&.close
    end

    def run_scenarios
      chosen = @arguments.empty? ? @scenarios : @arguments.map { |name| scenario_named(name) }
      settings = Settings.make(quick: @quick, only_equality: @only_equality, lanes: @lanes, minutes: @minutes)
      prepared = setups
      results = Runner.new(chosen, prepared, settings, directory: RESULTS, spent: now - @begun).run
      KeptAllocations.load.accept(results) if @accept
      exit(1) unless [sound?(results), frugal?(results)].all?
    end

    # No call of ours allocates more objects than is committed.
    def frugal?(results)
      excess = KeptAllocations.load.excess(results)
      excess.each { |more| puts "MORE OBJECTS: #{more}" }
      excess.empty?
    end

    # Named scenarios whole, or of all what --quick has; on the interpreter unless --yjit says so.
    def against
      id, tree = Against.tree(@commit)
      setup = setups(default_yjit: [false]).last
      setup.stage.prepare_callgrind
      before, after = [setup.stage.with_gem(tree, "native-#{id}"), Against.this_tree(setup.stage)].map { |stage| Setup.new(stage, yjit: setup.yjit) }
      chosen = @arguments.empty? ? @scenarios : @arguments.map { |name| scenario_named(name) }
      tables = chosen.flat_map { |scenario| scenario.tables.map { |table| [scenario, table] } }.select { |_, table| table.measure == "calls" }
      left_out = ->(table) { table.contenders.all? { |one| table.left_out(one, version: setup.stage.version, quick: @quick || @arguments.empty?) } }
      puts "#{id} → #{Machine.commit["id"]}#{" with changes" if Machine.commit["changed"]}, Ruby #{setup.id}: instructions, objects and bytes of one call"
      Against.new(tables.reject { |_, table| left_out.call(table) }, before, after).run
    end

    # The page of results that are there.
    def report = puts(Report.write(read(@report), File.join(File.dirname(@report), "report.html")))

    # Two runs side by side: the named one and the last, or another that is named as well.
    def agree
      found = Agreement.new(read(@other), read(@arguments.first || File.join(RESULTS, "results.json")))
      puts found.text
      found.sound?
    end

    def read(path)
      raise ArgumentError, "there is no #{path}" unless File.file?(path)

      results = JSON.parse(File.read(path, encoding: "UTF-8"))
      raise ArgumentError, "#{path} is not of this version (schema #{Schema::VERSION})" unless results.is_a?(Hash) && results["schema"] == Schema::VERSION

      results
    rescue JSON::ParserError => error
      raise ArgumentError, "#{path} is no JSON: #{error.message.lines.first}"
    end

    # Peers that are missing, and figures that were missed, are printed rows; what is ours must run.
    def sound?(results)
      tables = results["scenarios"].flat_map { |scenario| scenario["tables"] }
      rows = tables.flat_map { |table| table["rows"] }
      broken = rows.select { |row| row["status"] == "different" || (!%w[gem other].include?(row["group"]) && %w[failed missing].include?(row["status"])) }
      return false unless broken.empty?
      return true unless @strict

      claims = tables.flat_map { |table| table["claims"] }
      rows.all? { |row| %w[measured equal skipped].include?(row["status"]) } && claims.none? { |claim| claim["status"] == "missed" }
    end

    # Counts are taken on the interpreter, unless --yjit says so; on the last Ruby that was named.
    def run_tool
      name, contender_name = @arguments
      raise ArgumentError, "--#{@tool} takes NAME and CONTENDER (see --list)" unless @arguments.size == 2

      name, table_name = name.split("/", 2)
      scenario = scenario_named(name)
      tables = scenario.tables.select { |candidate| table_name.nil? || candidate.name == table_name }
      table = tables.find { |candidate| candidate.contender_named(contender_name) }
      raise ArgumentError, "#{@arguments.first} has no contender #{contender_name.inspect}; see --list" unless table

      Instructions.new(setups(default_yjit: [false]).last, scenario, table, table.contender_named(contender_name)).public_send(@tool)
    end

    def scenario_named(name)
      @scenarios.find { |scenario| scenario.name == name || scenario.number.to_s == name } or
        raise ArgumentError, "no scenario #{name.inspect}; there are #{@scenarios.map(&:name).join(", ")}"
    end

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

    def fail_with(code, message)
      warn "bin/bench: #{message}"
      exit(code)
    end
  end
end

Bench::CLI.new(ARGV).run if $PROGRAM_NAME == __FILE__
