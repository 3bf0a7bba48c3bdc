# frozen_string_literal: true

require "yaml"

module Bench
  # The objects that a call of ours may allocate, as benchmark/allocations.yml has them: {setup =>
  # {"scenario, table" => {contender => objects}}}. A setup is a Ruby's minor version, with "--yjit"
  # where it is on.
  class KeptAllocations
    PATH = File.expand_path("../allocations.yml", __dir__)
    # What measuring itself may be wrong by.
    TIMES, PLUS = 1.005, 0.02
    HEAD = <<~TEXT
      # Objects that one call of ours allocates, by Ruby, table and contender: a run of bin/bench
      # fails where it finds more. Written by bin/bench --accept-allocations.
    TEXT

    # "3.4.5 --yjit" => "3.4 --yjit".
    def self.key(setup) = setup.sub(/\A(\d+\.\d+)\.\S+/, "\\1")

    def self.load(path = PATH) = new(File.file?(path) ? YAML.safe_load_file(path) || {} : {})

    attr_reader :kept

    def initialize(kept)
      @kept = kept
    end

    # A line for each call that allocates more than is committed; what is not committed is not
    # judged.
    def excess(results)
      measured(results).filter_map do |setup, table, contender, objects|
        allowed = @kept.dig(setup, table, contender)
        next unless allowed && objects > (allowed * TIMES) + PLUS

        "#{table}, Ruby #{setup}: #{contender}: #{objects.round(2)} objects, " \
          "#{allowed} in benchmark/allocations.yml"
      end
    end

    # What a run measured takes the place of what was committed for the same; the rest stays.
    def accept(results, path = PATH)
      measured(results).each do |setup, table, contender, objects|
        rounded = objects.round(2)
        contenders = (@kept[setup] ||= {})[table] ||= {}
        contenders[contender] = rounded == rounded.to_i ? rounded.to_i : rounded
      end
      File.write(path, HEAD + YAML.dump(@kept.sort.to_h, line_width: -1))
    end

    private

    # [setup, table, contender, objects] of each row of ours.
    def measured(results)
      results["scenarios"].flat_map do |scenario|
        scenario["tables"].flat_map do |table|
          place = [self.class.key(table["setup"]), "#{scenario["name"]}, #{table["name"]}"]
          rows = table["rows"].select do |row|
            row["group"] == "ours" && row["at"].nil? && row.dig("metrics", "objects")
          end
          rows.map { |row| [*place, row["contender"], row["metrics"]["objects"]["median"]] }
        end
      end
    end
  end
end
