# frozen_string_literal: true

# How many cases a test of reliability runs. A run takes a share of each number, which finds a fault
# that shows often; TO_JSON_FIGURES=full takes all of it. The rows IN_FULL of .ci/run do, and
# .ci/tally.rb fails them where a figure was not reached.

# A test asks for its number with Figures.of and says with `reached` that so many ran. The run's end
# prints "figures: NAME COUNT, ...".
module Figures
  IN_FULL = %w[ruby-3.4-yjit].freeze

  # Name => [full number, share].
  ALL = {
    "Floats of random bits" => [100_000, 10_000],
    "documents left" => [100_000, 10_000],
    "documents left by an exception" => [20_000, 2_000],
    "declared documents left" => [100_000, 10_000],
    "serializers reloaded" => [10_000, 2_000],
    "streams left" => [100_000, 10_000],
    "cached documents left" => [20_000, 2_000],
    "cached documents with keys of their own" => [100_000, 10_000],
    "records of a cached source" => [30_000, 10_000],
    "Masks" => [10_000, 2_000],
    "MB of a document" => [100, 30],
    "documents beside a store that others empty" => [10_000, 2_000], # of each of four threads
    "raw values of Cells" => [200_000, 20_000],
    "calls of one Plan" => [50_000, 5_000], # of each of four threads
    "random serializers preloaded" => [120, 24],
    "rounds of documents left for good" => [60, 15],
    "random Definitions" => [250, 150],
    "random cases with a store" => [40, 15],
    "tenths of a second in two Ractors" => [15, 5],
    "first calls left by a Timeout" => [30, 10],
    "forks while a class is compiled" => [60, 20],
    "serializers defined and forgotten" => [5_000, 1_200]
  }.freeze

  @reached = {}

  class << self
    # @return [Boolean] whether this run takes all of each figure
    def full? = ENV["TO_JSON_FIGURES"] == "full"

    # @return [Integer] how many of `name` this run takes
    def of(name) = ALL.fetch(name)[full? ? 0 : 1]

    # Notes that `count` of `name` ran.
    def reached(name, count)
      ALL.fetch(name)
      @reached[name] = [@reached[name].to_i, count].max
    end

    # @return [String, nil] the line at the end of a run: nil where no test counted
    def line
      "figures: #{@reached.sort.map { |pair| pair.join(" ") }.join(", ")}" unless @reached.empty?
    end

    # What is wrong with a log in which each figure must stand in full.
    # @param log [String] of one run or of several
    # @return [Array<String>]
    def missing(log)
      pairs = log.scan(/^figures: (.+)$/).flatten.flat_map { |line| line.split(", ") }
      most = Hash.new(0)
      pairs.each do |pair|
        name, _, count = pair.rpartition(" ")
        most[name] = [most[name], count.to_i].max
      end
      ALL.filter_map do |name, (full, _)|
        "#{most[name]} of #{full} #{name}" if most[name] < full
      end
    end
  end
end
