# frozen_string_literal: true

require "cgi"
require "erb"
require_relative "../harness/claims"
require_relative "../harness/console"
require_relative "picture"

module Bench
  # results.json as one page for people. It needs nothing beside it, no network and no script.
  module Report
    # Writes the page, whole or not at all; returns its path.
    def self.write(results, path)
      File.write("#{path}.tmp", Page.new(results).html)
      File.rename("#{path}.tmp", path)
      path
    end

    # What the template (page.html.erb) asks for.
    class Page
      def initialize(results)
        @results, @setups = results, results["setups"].map { |setup| setup["id"] }
      end

      def html = ERB.new(file("page.html.erb"), trim_mode: "-").result(binding)

      private

      attr_reader :results, :setups

      def file(name) = File.read(File.join(__dir__, name), encoding: "UTF-8")
      def h(text) = CGI.escapeHTML(text.to_s)
      def capital(text) = text.sub(/\A[a-z]/, &:upcase)

      # Without JavaScript: what belongs to another setup than the chosen one is not shown.
      def choice
        setups.each_index.map do |index|
          "html:has(#setup#{index}:checked) .of:not(.of#{index}) { display: none; }"
        end.join("\n")
      end

      # [scenario, table, claim] of each figure that was judged under a setup.
      def judged(setup)
        all = results["scenarios"].flat_map { |scenario| [scenario].product(scenario["tables"]) }
        all.select { |_, table| table["setup"] == setup }
           .flat_map { |scenario, table| [scenario].product([table], table["claims"]) }
           .select { |*, claim| %w[met missed].include?(claim["status"]) }
      end

      # How far a missed figure is from what is due, and what bounds it.
      def shortfall(table, claim)
        ratio = claim["value"].fdiv(claim["required"])
        far = "#{((ratio - 1).abs * 100).round} % #{ratio < 1 ? "below" : "above"} what is due"
        bounds = Claims.bounds(claim, table).map do |contender, reached, short|
          "#{contender} #{short ? "misses it too" : "would meet it"} (#{format("%.2f", reached)})"
        end
        [far, *bounds].join("; ")
      end

      # The peers of a table with what peers.yml says of them.
      def documented(tables)
        peers = tables.flat_map { |table| table["rows"] }.flat_map { |row| row["peers"] }.uniq
        results["peers"].slice(*peers).select { |_, about| about["docs"] }
      end

      # The command that makes this page again.
      def command
        rubies = setups.map { |setup| setup[/\S+/] }.uniq.drop(1)
        names = results["scenarios"].map { |scenario| scenario["name"] }
        ["bin/bench", *("--quick" if results.dig("settings", "quick")),
         *rubies.map { |version| "--ruby PATH-TO-RUBY-#{version}" },
         *(names if names.size < 12)].join(" ")
      end
    end
  end
end
