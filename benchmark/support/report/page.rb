# frozen_string_literal: true

# Layer: comparisons, facts, overview, readme_picture, table_view. What the template (page.html.erb) asks for, from results.json.

require "erb"
require_relative "comparisons"
require_relative "facts"
require_relative "overview"
require_relative "readme_picture"
require_relative "table_view"

module Bench
  module Report
    # The page of one results.json.
    class Page
      include Markup

      def initialize(results)
        @results = results
        @setups = results["setups"].map { |setup| setup["id"] }
        @comparisons = @setups.to_h { |setup| [setup, Comparisons.new(results, setup)] }
      end

      def html = ERB.new(file("page.html.erb"), trim_mode: "-").result(binding)

      private

      attr_reader :results, :setups

      def file(name) = File.read(File.join(__dir__, name), encoding: "UTF-8")
      def style = file("style.css")

      # Without JavaScript: what belongs to another setup than the one that is chosen is not shown. Browsers without :has show all.
      def choice = setups.each_index.map { |index| "html:has(#setup#{index}:checked) .of:not(.of#{index}) { display: none; }" }.join("\n")

      # The one that is shown first.
      def first_setup = setups.index(ReadmePicture.setup(results)["id"])

      def machine = results["machine"]
      def commit = "#{results.dig("commit", "id") || "no commit"}#{" with changes" if results.dig("commit", "changed")}"
      def date = results["generated_at"].sub("T", " ").sub("Z", " UTC")
      def quick? = results.dig("settings", "quick")
      def capital(text) = text.sub(/\A[a-z]/, &:upcase)

      def comparisons(setup) = @comparisons.fetch(setup)

      # One for all charts of a setup.
      def range(setup) = comparisons(setup).all.map(&:value).minmax

      def view(table) = TableView.new(table, cores: machine["cores"])

      # [scenario, table] of each table.
      def tables(setup)
        results["scenarios"].flat_map { |scenario| scenario["tables"].map { |table| [scenario, table] } }.select { |_, table| table["setup"] == setup }
      end

      def claims(setup) = tables(setup).flat_map { |_, table| view(table).verdicts }

      # [scenario, table, verdict] of each figure that was missed.
      def missed(setup) = tables(setup).flat_map { |scenario, table| view(table).verdicts.select(&:missed?).map { |verdict| [scenario, table, verdict] } }

      # {[contender, status, why] => titles of scenarios} of rows that were not measured though they were asked for.
      def broken(setup)
        tables(setup).each_with_object(Hash.new { |hash, key| hash[key] = [] }) do |(scenario, table), found|
          Samples.broken(table).each { |row| found[row.values_at("contender", "status", "error")] << scenario["title"] }
        end
      end

      # {why => names} of a scenario's tables that no setup has.
      def left_out(scenario)
        gone = by_name(scenario).select { |_, of_setups| of_setups.each_value.all? { |table| view(table).left_out? } }
        gone.group_by { |_, of_setups| of_setups.values.first["rows"].first["error"] }.transform_values { |list| list.map(&:first) }
      end

      # Tables of a scenario by name: {name => {setup => table}}.
      def by_name(scenario) = scenario["tables"].group_by { |table| table["name"] }.transform_values { |list| list.to_h { |table| [table["setup"], table] } }

      def anchor_of(scenario) = "s-#{scenario["name"].gsub(/\W+/, "-")}"

      # A contender's row in any setup, or nothing.
      def row_of(name, tables) = tables.each_value.flat_map { |table| table["rows"] }.find { |row| row["contender"] == name } || {}

      # [peer, what peers.yml says of it] of a row's peers that are documented.
      def documented(row) = row.fetch("peers", []).filter_map { |peer| results.dig("peers", peer, "docs") && [peer, results["peers"][peer]] }

      # The command that makes this page again.
      def command
        rubies = setups.map { |setup| setup[/\S+/] }.uniq.drop(1).map { |version| "--ruby PATH-TO-RUBY-#{version}" }
        yjit = results["setups"].map { |setup| setup["yjit"] }.uniq
        names = results["scenarios"].map { |scenario| scenario["name"] }
        ["bin/bench", *("--quick" if quick?), *rubies, *((yjit.first ? "--yjit" : "--no-yjit") if yjit.size == 1), *(names if names.size < 12)].join(" ")
      end

      def facts(setup) = Facts.of(tables(setup))
    end
  end
end
