# frozen_string_literal: true

require "erb"
require_relative "../harness/console"
require_relative "bound"
require_relative "charts"
require_relative "overview"

module Bench
  module Report
    # What the template (page.html.erb) asks for, from results.json.
    class Page
      include Svg

      def initialize(results)
        @results = results
        @setups = results["setups"].map { |setup| setup["id"] }
      end

      def html = ERB.new(file("page.html.erb"), trim_mode: "-").result(binding)

      private

      attr_reader :results, :setups

      def file(name) = File.read(File.join(__dir__, name), encoding: "UTF-8")

      # Without JavaScript: what belongs to another setup than the chosen one is not shown.
      def choice
        setups.each_index.map do |index|
          "html:has(#setup#{index}:checked) .of:not(.of#{index}) { display: none; }"
        end.join("\n")
      end

      # The one that is shown first.
      def first_setup = setups.index(ReadmePicture.setup(results)["id"])

      def capital(text) = text.sub(/\A[a-z]/, &:upcase)
      def anchor_of(scenario) = "s-#{scenario["name"].gsub(/\W+/, "-")}"

      # [scenario, table, claim] of each figure that was judged under a setup.
      def judged(setup)
        all = results["scenarios"].flat_map { |scenario| [scenario].product(scenario["tables"]) }
        all.select { |_, table| table["setup"] == setup }.flat_map do |scenario, table|
          claims = table["claims"].select { |claim| %w[met missed].include?(claim["status"]) }
          claims.map { |claim| [scenario, table, claim] }
        end
      end

      # How far a missed figure is from what is due, and what bounds it.
      def shortfall(table, claim)
        ratio = claim["value"].fdiv(claim["required"])
        far = "#{Figures.percent((ratio - 1).abs)} #{ratio < 1 ? "below" : "above"} what is due"
        bounds = Bound.all(claim, table).map do |bound|
          word = bound.short ? "misses it too" : "would meet it"
          "#{bound.contender} #{word} (#{format("%.2f", bound.reached)})"
        end
        [far, *bounds].join("; ")
      end

      # Tables of a scenario by name.
      def by_name(scenario) = scenario["tables"].group_by { |table| table["name"] }

      # A contender's peers with what peers.yml says of them.
      def documented(contender, tables)
        row = tables.flat_map { |table| table["rows"] }.find { |one| one["contender"] == contender }
        row.to_h.fetch("peers", []).map { |peer| [peer, results.dig("peers", peer)] }
           .select { |_, about| about && about["docs"] }
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
