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
  # String. `define` is Ruby at the top level, run once before. Not `quick`: --quick leaves it out.
  Contender = Struct.new(:name, :group, :peer, :before, :code, :differs, :maps, :document, :define,
                         :quick, :line, keyword_init: true)

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

  # Contenders that make the same document, measured in the same way, by turns.
  class Table
    attr_reader :name, :measure, :options, :contenders, :claims, :setups, :values, :needed, :path

    def initialize(name, measure, options, path, ruby: nil, quick: true)
      @name, @measure, @options, @path, @quick = name, measure.to_s, options, path, quick
      @ruby = Gem::Requirement.new(ruby)
      @contenders, @claims, @setups, @values, @needed = [], [], [], nil, []
    end

    # The block gives an Array, whose elements are `v` of one call after the other.
    def data(&block)
      @values = block
    end

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

      @contenders << Contender.new(name: name, group: group.to_s, peer: [*peer, *@needed],
                                   code: code, quick: quick,
                                   line: caller_locations(1, 1).first.lineno, **more)
    end

    # Why this contender is left out of a run on that Ruby, or nil.
    def left_out(contender, version:, quick:)
      return "needs Ruby #{@ruby}" unless @ruby.satisfied_by?(Gem::Version.new(version))

      "left out by --quick" if quick && !(@quick && contender.quick)
    end

    # The contenders that a run has.
    def timed(quick)
      quick ? @contenders.select { |contender| @quick && contender.quick } : @contenders
    end

    # `subject` must be so many times better than `over`: a contender, or the best of a group. One
    # figure binds both; two bind interpreter and YJIT. Without one it is printed, not judged.
    def reach(subject, over:, at_least: nil, interpreter: at_least, yjit: at_least, **more)
      claim("reach", subject, over, interpreter, yjit, **more)
    end

    # A metric of `subject` must be at most this, or at most so many times that of `over`.
    def limit(subject, at_most: nil, over: nil, interpreter: at_most, yjit: at_most, **more)
      claim("limit", subject, over, interpreter, yjit, **more)
    end

    def contender_named(name) = @contenders.find { |contender| contender.name == name }

    # Mistakes that can be seen only when the table is complete.
    def check
      raise DefinitionError, "#{@name} has no contenders" if @contenders.empty?

      known = @contenders.flat_map { |contender| [contender.name, contender.group] }
      unknown = @claims.flat_map { |claim| [claim.subject, *claim.over] } - known
      return if unknown.empty?

      raise DefinitionError, "#{@name}: a claim names #{unknown.first}, which is no contender"
    end

    private

    def claim(kind, subject, over, interpreter, yjit, metric: "time", at: nil)
      Metrics.fetch(metric)
      @claims << Claim.new(kind: kind, subject: subject.to_s, over: over&.to_s, metric: metric,
                           at: at, interpreter: interpreter, yjit: yjit)
    end
  end
end
