# frozen_string_literal: true

# Layer: none below it. The objects that a call of ours may allocate, as they are committed in benchmark/allocations.yml, held against results.

require "yaml"

module Bench
  # {setup => {"scenario, table" => {contender => objects}}}; a setup is a Ruby's minor version, with "--yjit" where it is on.
  class KeptAllocations
    PATH = File.expand_path("../allocations.yml", __dir__)
    # What measuring itself may be wrong by.
    TIMES, PLUS = 1.005, 0.02
    HEAD = <<~TEXT
      # Objects that one call of ours allocates, by Ruby, table and contender: a run of bin/bench fails where it finds more. Written by
      # bin/bench --accept-allocations.
    TEXT

    # More than was committed.
    Excess = Struct.new(:setup, :table, :contender, :objects, :kept, keyword_init: true) do
      def to_s = "#{table}, Ruby #{setup}: #{contender}: #{objects.round(2)} objects, #{kept} in benchmark/allocations.yml"
    end

    # "3.4.5 --yjit" => "3.4 --yjit".
    def self.key(setup) = setup.sub(/\A(\d+\.\d+)\.\S+/, "\\1")

    def self.load(path = PATH) = new(File.file?(path) ? YAML.safe_load_file(path) || {} : {})

    attr_reader :kept

    def initialize(kept)
      @kept = kept
    end

    # Of what results.json measured; figures that are not committed are not judged.
    def excess(results)
      measured(results).filter_map do |setup, table, contender, objects|
        allowed = @kept.dig(setup, table, contender) or next
        Excess.new(setup: setup, table: table, contender: contender, objects: objects, kept: allowed) if objects > (allowed * TIMES) + PLUS
      end
    end

    # What a run measured takes the place of what was committed for the same; the rest stays.
    def accept(results, path = PATH)
      measured(results).each { |setup, table, contender, objects| ((@kept[setup] ||= {})[table] ||= {})[contender] = number(objects) }
      File.write(path, HEAD + YAML.dump(@kept.sort.to_h, line_width: -1))
    end

    private

    # [setup, table, contender, objects] of each row of ours.
    def measured(results)
      results["scenarios"].flat_map do |scenario|
        scenario["tables"].flat_map do |table|
          rows = table["rows"].select { |row| row["group"] == "ours" && row["at"].nil? && row.dig("metrics", "objects") }
          place = [KeptAllocations.key(table["setup"]), "#{scenario["name"]}, #{table["name"]}"]
          rows.map { |row| [*place, row["contender"], row["metrics"]["objects"]["median"]] }
        end
      end
    end

    def number(objects) = objects.round(2).then { |rounded| rounded == rounded.to_i ? rounded.to_i : rounded }
  end
end
