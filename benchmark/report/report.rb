# frozen_string_literal: true

require_relative "page"

module Bench
  # results.json as one page for people. It needs nothing beside it, no network and no script.
  module Report
    # Writes the page, whole or not at all; returns its path.
    def self.write(results, path)
      File.write("#{path}.tmp", Page.new(results).html)
      File.rename("#{path}.tmp", path)
      path
    end
  end
end
