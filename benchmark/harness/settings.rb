# frozen_string_literal: true

require "etc"

module Bench
  # The version of results.json: raised when a reader of older files would misread.
  SCHEMA = 5

  # How long and how often. Each table is measured in `sets` of processes, since where code and data
  # lie makes some contenders a fifth slower for all of a process's life; `rounds` are in all sets
  # together, `process_rounds` those of what takes a process for each sample.
  Settings = Struct.new(:quick, :only_equality, :compare_all, :sets, :rounds, :process_rounds,
                        :sample_seconds, :warm_seconds, :seed, :lanes, keyword_init: true) do
    # More tables side by side would measure what all cores share: memory, clock.
    def self.default_lanes = Etc.nprocessors.clamp(1, 2)

    def self.make(quick:, only_equality:, compare_all: false, seed: 1, lanes: default_lanes)
      figures = if quick then {sets: 1, rounds: 9, process_rounds: 3, sample_seconds: 0.015}
                else {sets: 3, rounds: 15, process_rounds: 9, sample_seconds: 0.015}
                end
      new(quick: quick, only_equality: only_equality, compare_all: compare_all, seed: seed,
          lanes: lanes, warm_seconds: 0.05, **figures)
    end

    # What is printed and not judged has fewer samples: it would take a quarter of the time.
    def for_setup(judged_as)
      return self if judged_as

      dup.tap { |fewer| fewer.sets, fewer.rounds, fewer.process_rounds = 1, 9, 3 }
    end

    # With --quick not everything is timed; all is compared where nothing is timed.
    def leaves_out? = quick && !only_equality

    # What is not timed is not compared either, unless --compare-all says so.
    def compares_less? = leaves_out? && !compare_all

    def to_results
      to_h.slice(:quick, :only_equality, :sets, :rounds, :sample_seconds, :seed, :lanes)
          .transform_keys(&:to_s)
    end
  end
end
