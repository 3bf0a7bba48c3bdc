# frozen_string_literal: true

module Bench
  module Report
    # The part of a Markdown page that a program writes, between `<!-- name: begin … -->` and
    # `<!-- name: end -->`, each on a line of its own.
    module Section
      def self.begins(name) = /^<!-- #{name}: begin .*-->\n/
      def self.ends(name) = "<!-- #{name}: end -->\n"

      # The page with what stands between the markers replaced. Raises ArgumentError without them.
      def self.replace(page, name, text)
        before, marker, rest = page.partition(begins(name))
        _, ending, after = rest.partition(ends(name))
        raise ArgumentError, "the page lacks its markers for #{name}" if ending.empty?

        "#{before}#{marker}#{text}#{ending}#{after}"
      end
    end
  end
end
