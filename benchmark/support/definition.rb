# frozen_string_literal: true

# Layer: metrics. The language of scenario files (benchmark/README.md shows it): what is compared, not
# how. Loading a file runs none of its setup or data blocks and needs no peer.

require_relative "metrics"

module Bench
  # A mistake in a scenario file.
  class DefinitionError < StandardError
  end

  GROUPS = %w[ours hand gem other control].freeze

  # One way to make the document. `code` is an expression, run in a loop where `v` is this call's
  # value and the locals of `before` (run once per sample) are set. `differs` says why its bytes are
  # not those of the others though they parse to the same; where they parse to something else, `maps` makes of the parsed
  # document what the others have. `document` is the expression for the comparison where `code` gives no String. `define` is
  # Ruby at the top level, run once before. Not `quick`: --quick leaves it out.
  Contender = Struct.new(:name, :group, :peer, :before, :code, :differs, :maps, :document, :define, :quick, :line, keyword_init: true)

  # A ratio to reach or a bound to keep; see Table#reach and Table#limit.
  Claim = Struct.new(:kind, :subject, :over, :metric, :at, :interpreter, :yjit, keyword_init: true) do
    # "to_json ≥ 1.4× hand", without the figure.
    def text
      point = at ? " at #{at}" : ""
      against = over ? " #{over}" : ""
      against = " the #{metric} of#{against}" if over && metric != "time"
      kind == "reach" ? "#{subject}#{point}: times better than#{against}" : "#{subject}#{point}: #{over ? "times#{against}" : metric}"
    end
  end

  # Contenders that make the same document, measured in the same way, in turn.
  class Table
    attr_reader :name, :measure, :options, :contenders, :claims, :setups, :values, :needed

    def initialize(name, measure, options, file, ruby: nil, quick: true)
      @name, @measure, @options, @file, @ruby, @quick = name, measure, options, file, Gem::Requirement.new(ruby), quick
      @contenders, @claims, @setups, @values, @needed = [], [], [], nil, []
    end

    # The values of the calls: the block returns an Array, whose elements are `v` of one call after the other.
    def data(&block)
      @values = block
    end

    # Ruby for the contenders of these groups or peers, run once where they run, after their `require`. `source` is the file that the
    # block loads, if what it defines stands in one: the report shows that.
    def setup(*whose, source: nil, &block)
      @setups << [whose.map(&:to_s), block, source]
    end

    # Peers that the data is made with: those of every contender that follows, beside its own.
    def needs(*peers)
      @needed.concat(peers)
    end

    # Adds a contender. `peer` names its line in peers.yml, or a list of them.
    def contender(name, group, code:, peer: nil, quick: true, **more)
      raise DefinitionError, "#{@name}: two contenders are named #{name.inspect}" if contender_named(name)
      raise DefinitionError, "#{@name}, #{name}: group #{group.inspect} is none of #{GROUPS.join(", ")}" unless GROUPS.include?(group.to_s)

      line = caller_locations(1, 1).first.lineno
      @contenders << Contender.new(name: name, group: group.to_s, peer: [*peer, *@needed], code: code, quick: quick, line: line, **more)
    end

    # Why this contender is left out of a run on that Ruby, or nil.
    def left_out(contender, version:, quick:)
      return "needs Ruby #{@ruby}" unless @ruby.satisfied_by?(Gem::Version.new(version))

      "left out by --quick" if quick && !(@quick && contender.quick)
    end

    # The contenders that a run has; how many there are is known before which Ruby it is.
    def timed(quick) = quick ? @contenders.select { |contender| @quick && contender.quick } : @contenders

    # `subject` must be so many times better than `over`: a contender, or :hand, :gem, :ours, the best
    # of a group. One figure binds both; two bind interpreter and YJIT.
    def reach(subject, over:, at_least: nil, interpreter: at_least, yjit: at_least, metric: "time", at: nil)
      claim("reach", subject, over, metric, at, interpreter, yjit)
    end

    # A metric of `subject` must be at most this, or at most so many times that of `over`.
    def limit(subject, at_most: nil, over: nil, interpreter: at_most, yjit: at_most, metric: "time", at: nil)
      claim("limit", subject, over, metric, at, interpreter, yjit)
    end

    def contender_named(name) = @contenders.find { |contender| contender.name == name }

    def path = @file

    # Mistakes that can be seen only when the table is complete.
    def check
      raise DefinitionError, "#{@name} has no contenders" if @contenders.empty?

      @claims.each do |claim|
        [claim.subject, claim.over].compact.each do |name|
          found = GROUPS.include?(name) ? @contenders.any? { |contender| contender.group == name } : contender_named(name)
          raise DefinitionError, "#{@name}: a claim names #{name.inspect}, which is no contender" unless found
        end
      end
    end

    private

    def claim(kind, subject, over, metric, at, interpreter, yjit)
      Metrics.fetch(metric)
      @claims << Claim.new(kind: kind, subject: subject.to_s, over: over&.to_s, metric: metric, at: at, interpreter: interpreter, yjit: yjit)
    end
  end

  # A row of the project's list of benchmarks: its tables.
  class Scenario
    attr_reader :number, :name, :title, :tables, :path

    # Every scenario in the directory, in the order of their numbers.
    def self.load_all(directory)
      Dir[File.join(directory, "*.rb")].map { |path| load_file(path) }.sort_by(&:number)
    end

    # The one scenario that the file describes.
    def self.load_file(path)
      Thread.current[:to_json_bench_scenario] = nil
      load(path)
      scenario = Thread.current[:to_json_bench_scenario] or raise DefinitionError, "#{path} describes no scenario"
      scenario.check
      scenario
    end

    def initialize(number, name, title, path)
      @number, @name, @title, @path, @tables = number, name, title, path, []
    end

    # A table; `measure` names the way (benchmark/support/measure_NAME.rb), the options are its own. `ruby` is a requirement
    # (">= 3.2"); not `quick`: --quick leaves it out.
    def table(name, measure: "calls", ruby: nil, quick: true, **options, &block)
      raise DefinitionError, "#{@name}: two tables are named #{name.inspect}" if @tables.any? { |table| table.name == name }

      table = Table.new(name, measure.to_s, options, @path, ruby: ruby, quick: quick)
      table.instance_eval(&block)
      @tables << table
    end

    def check
      raise DefinitionError, "#{@name} has no tables" if @tables.empty?

      @tables.each(&:check)
    end

    def table_named(name) = @tables.find { |table| table.name == name }
  end

  # What a scenario file calls, once.
  def self.scenario(number, name, title, &block)
    scenario = Scenario.new(number, name, title, caller_locations(1, 1).first.absolute_path)
    scenario.instance_eval(&block)
    Thread.current[:to_json_bench_scenario] = scenario
  end
end
