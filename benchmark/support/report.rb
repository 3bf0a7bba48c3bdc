# frozen_string_literal: true

# Layer: report/*. results.json as one page for people: benchmark/results/report.html. It needs nothing beside it, no network and no
# script.

require_relative "report/page"

module Bench
  # The page.
  module Report
    # Writes the page beside results.json, whole or not at all; returns its path.
    def self.write(results, path)
      File.write("#{path}.tmp", Page.new(results).html)
      File.rename("#{path}.tmp", path)
      path
    end
  end
end
