# frozen_string_literal: true

require_relative "metrics"

module Bench
  # A mistake in a scenario file.
  class DefinitionError < StandardError
  end

  GROUPS = %w[ours hand gem other control].freeze

  # One way to make the document. `code` is an expression, run in a loop where `v` is this call's
  # value and the locals of `before` (run once a sample) are set. `differs` says why its bytes are
  # not those of the others; where they parse to something else, `maps` makes of the parsed document
  # what the others have. `document` is the expression that is compared where `code` gives no
  # String. `define` is Ruby at the top level, run once before. More than `objects` a call fail the
  # run. `base` is an expression whose time is taken off. Not `quick`: --quick leaves it out.
  Contender = Struct.new(:name, :group, :peer, :before, :code, :differs, :maps, :document, :define,
                         :base, :objects, :quick, :line, keyword_init: true)

  # A ratio to reach or a bound to keep; see Table#reach and Table#limit.
  Claim = Struct.new(:kind, :subject, :over, :metric, :at, :interpreter, :yjit,
                     keyword_init: true) do
    # "to_json: times better than hand"
    def text
      of = over && (metric == "time" ? over : "the #{metric} of #{over}")
      what = of ? "times #{"better than " if kind == "reach"}#{of}" : metric
      "#{subject}#{" at #{at}" if at}: #{what}"
    end
  end

  # Contenders that make the same document, measured in the same way, by turns. `measure` names the
  # way (harness/measures.rb), `options` are its own. `ruby` is a requirement (">= 3.2"); not
  # `quick`: --quick leaves the table out.
  class Table
    attr_reader :name, :measure, :options, :contenders, :claims, :setups, :values, :needed, :path

    def initialize(name, path, measure: "calls", ruby: nil, quick: true, **options)
      @name, @path, @measure, @options, @quick = name, path, measure.to_s, options, quick
      @ruby, @contenders, @claims, @setups, @needed = Gem::Requirement.new(ruby), [], [], [], []
    end

    # The block gives an Array, whose elements are `v` of one call after the other.
    def data(&block) = @values = block

    # Ruby text for the contenders of these groups or peers, or of these names, run once in their
    # process, after their `require`.
    def setup(*whose, text)
      raise DefinitionError, "#{@name}: setup takes whose it is, and text" if whose.empty?

      @setups << [whose.map(&:to_s), text, caller_locations(1, 1).first.lineno]
    end

    # Peers that the data is made with: those of every contender that follows, beside its own.
    def needs(*peers) = @needed.concat(peers)

    # Adds a contender. `peer` names its line in peers.yml, or a list of them.
    def contender(name, group, code:, peer: nil, quick: true, **more)
      raise DefinitionError, "#{@name}: two contenders are named #{name}" if contender_named(name)
      unless GROUPS.include?(group.to_s)
        raise DefinitionError, "#{@name}: group #{group.inspect} is none of #{GROUPS.join(", ")}"
      end

      line = caller_locations(1, 1).first.lineno
      @contenders << Contender.new(name: name, group: group.to_s, peer: [*peer, *@needed],
                                   code: code, quick: quick, line: line, **more)
    end

    # `subject` must be so many times better than `over`: a contender, or the best of a group. One
    # figure binds both; two bind interpreter and YJIT. Without one it is printed, not judged.
    def reach(subject, over:, **more) = claim("reach", subject, over, **more)

    # A metric of `subject` must be at most this, or at most so many times that of `over`.
    def limit(subject, at_most: nil, over: nil, **more)
      claim("limit", subject, over, at_least: at_most, **more)
    end

    def contender_named(name) = @contenders.find { |contender| contender.name == name }

    # Why this contender is left out of a run on that Ruby, or nil.
    def left_out(contender, version:, quick:)
      return "needs Ruby #{@ruby}" unless @ruby.satisfied_by?(Gem::Version.new(version))

      "left out by --quick" if quick && !timed(quick).include?(contender)
    end

    # The contenders that a run has.
    def timed(quick) = @contenders.select { |one| !quick || (@quick && one.quick) }

    # Whatever of the setups is this contender's, as [index, text, line].
    def setups_of(contender)
      owners = [contender.group, contender.name, *contender.peer]
      @setups.each_with_index.filter_map do |(whose, text, line), index|
        [index, text, line] if whose.intersect?(owners)
      end
    end

    # {contender => Ruby}, for the report: the definitions that it stands on, what is run before the
    # loop, and what is timed.
    def sources
      @contenders.to_h do |one|
        before = one.before && "#{one.before.chomp}   # once, before the calls"
        parts = [*setups_of(one).map { |_, text| text }, *one.define, *before, one.code]
        [one.name, parts.map(&:chomp).join("\n\n")]
      end
    end

    # Mistakes that can be seen only when the table is complete.
    def check
      known = @contenders.flat_map { |contender| [contender.name, contender.group] }
      unknown = @claims.flat_map { |claim| [claim.subject, *claim.over] } - known
      why = if known.empty? then "it has no contenders"
            elsif unknown.any? then "a claim names #{unknown.first}, which is no contender"
            end
      raise DefinitionError, "#{@name}: #{why}" if why
    end

    private

    def claim(kind, subject, over, metric: "time", at: nil, at_least: nil, **figures)
      Metrics.fetch(metric)
      @claims << Claim.new(kind: kind, subject: subject.to_s, over: over&.to_s, metric: metric,
                           at: at, interpreter: at_least, yjit: at_least, **figures)
    end
  end

  # A row of the project's list of benchmarks: its tables.
  Scenario = Struct.new(:number, :name, :title, :path, :tables) do
    class << self
      # The scenario that was described last.
      attr_accessor :described

      # Every scenario in the directory, in the order of their numbers.
      def load_all(directory)
        Dir[File.join(directory, "*.rb")].map { |path| load_file(path) }.sort_by(&:number)
      end

      # The one scenario that the file describes.
      def load_file(path)
        self.described = nil
        load(path)
        raise DefinitionError, "#{path} describes no table" unless described&.tables&.any?

        described.tap { |scenario| scenario.tables.each(&:check) }
      end
    end

    # Adds a table; the options are those of Table.
    def table(name, **options, &block)
      if table_named(name)
        raise DefinitionError, "#{self.name}: two tables are named #{name.inspect}"
      end

      tables << Table.new(name, path, **options)
      tables.last.instance_eval(&block)
    end

    def table_named(name) = tables.find { |table| table.name == name }
  end

  # What a scenario file calls, once.
  def self.scenario(number, name, title, &block)
    path = caller_locations(1, 1).first.absolute_path
    Scenario.described = Scenario.new(number, name, title, path, [])
    Scenario.described.instance_eval(&block)
  end
end
