# frozen_string_literal: true

require "erb"
require_relative "overview"
require_relative "table_view"

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

      def machine = results["machine"]

      def commit
        id, changed = results["commit"].values_at("id", "changed")
        "#{id || "no commit"}#{" with changes" if changed}"
      end

      def date = results["generated_at"].sub("T", " ").sub("Z", " UTC")
      def quick? = results.dig("settings", "quick")
      def capital(text) = text.sub(/\A[a-z]/, &:upcase)
      def ruby(setup) = "Ruby #{setup.sub("--yjit", "with YJIT")}"
      def anchor_of(scenario) = "s-#{scenario["name"].gsub(/\W+/, "-")}"

      # [scenario, table, its view] under a setup.
      def tables(setup)
        all = results["scenarios"].flat_map { |scenario| [scenario].product(scenario["tables"]) }
        all.select { |_, table| table["setup"] == setup }
           .map { |scenario, table| [scenario, table, TableView.new(table)] }
      end

      # [scenario, table, view, claim] of each figure that was judged.
      def judged(setup)
        tables(setup).flat_map do |place|
          place[2].claims.select { |claim| %w[met missed].include?(claim["status"]) }
                  .map { |claim| [*place, claim] }
        end
      end

      # A claim with its value, what is due, and how far a missed one is from that.
      def claim_line(view, claim)
        due = ", due #{view.claim_value(claim, "required")}" if claim["required"]
        short = view.shortfall(claim)
        "#{h view.claim_text(claim)}: <b>#{view.claim_value(claim, "value")}</b>#{due}" \
          "#{" <small>#{h short}</small>" if short}"
      end

      # Tables of a scenario by name: {name => {setup => table}}.
      def by_name(scenario)
        scenario["tables"].group_by { |table| table["name"] }
                          .transform_values { |list| list.to_h { |table| [table["setup"], table] } }
      end

      # A contender's peers with what peers.yml says of them.
      def documented(contender, tables)
        rows = tables.each_value.flat_map { |table| table["rows"] }
        row = rows.find { |one| one["contender"] == contender } || {"peers" => []}
        row["peers"].filter_map { |peer| [peer, results.dig("peers", peer)] }
                    .select { |_, about| about && about["docs"] }
      end

      # The command that makes this page again.
      def command
        rubies = setups.map { |setup| setup[/\S+/] }.uniq.drop(1)
        yjit = results["setups"].map { |setup| setup["yjit"] }.uniq
        names = results["scenarios"].map { |scenario| scenario["name"] }
        ["bin/bench", *("--quick" if quick?),
         *rubies.map { |version| "--ruby PATH-TO-RUBY-#{version}" },
         *((yjit.first ? "--yjit" : "--no-yjit") if yjit.size == 1),
         *(names if names.size < 12)].join(" ")
      end
    end
  end
end
