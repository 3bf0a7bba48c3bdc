# frozen_string_literal: true

# Layer: comparisons, figures. What the summary says beside speed, of tables under one setup: memory of streams, workers side by side.

require_relative "comparisons"
require_relative "figures"

module Bench
  module Report
    # Sentences.
    module Facts
      class << self
        # `tables` are [scenario, table] pairs.
        def of(tables) = tables.filter_map { |scenario, table| sentence(scenario, table) }

        private

        def sentence(scenario, table)
          case table["measure"]
          when "streams" then streamed(scenario, table)
          when "parallel" then side_by_side(table)
          end
        end

        def streamed(scenario, table)
          ours = Comparisons.main(table, at: "file") or return
          others = table["rows"].select { |row| row["group"] != "ours" && row["at"] == "file" && row["metrics"]["peak_rss"] }
          other = others.max_by { |row| row["metrics"]["peak_rss"]["median"] }
          text = "Memory above idle while #{table["name"].delete_suffix(", memory")} (#{scenario["title"]}) go to a file: #{figure(ours, "peak_rss")} at most"
          other ? "#{text}; by #{other["contender"]} #{figure(other, "peak_rss")}" : text
        end

        def side_by_side(table)
          two = Comparisons.main(table, at: 2) or return
          "Two #{table["name"]} make #{figure(two, "scaling")} the calls of one"
        end

        def figure(row, metric) = row["metrics"][metric].then { |found| Figures.metric(found["median"], found["unit"]) }
      end
    end
  end
end
