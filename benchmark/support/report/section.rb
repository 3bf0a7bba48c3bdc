# frozen_string_literal: true

# Layer: none below it. The part of a Markdown page that a program writes, between its two markers.

module Bench
  module Report
    # `<!-- name: begin … -->` and `<!-- name: end -->`, each on a line of its own.
    module Section
      def self.begins(name) = /^<!-- #{name}: begin .*-->\n/
      def self.ends(name) = "<!-- #{name}: end -->\n"

      # The page with what stands between the markers replaced. Raises ArgumentError where it lacks them.
      def self.replace(page, name, text)
        before, marker, rest = page.partition(begins(name))
        _, ending, after = rest.partition(ends(name))
        raise ArgumentError, "the page lacks its markers for #{name}" if marker.empty? || ending.empty?

        "#{before}#{marker}#{text}#{ending}#{after}"
      end
    end
  end
end
