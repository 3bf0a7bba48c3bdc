# frozen_string_literal: true

# Layer: comparisons, overview. The summary's charts as a picture of its own, for README.md: an SVG of fixed size whose colours follow the
# reader's light or dark.

require_relative "comparisons"
require_relative "overview"

module Bench
  module Report
    # One setup's kinds of work beside the fastest gem and the fastest by hand.
    class ReadmePicture
      include Markup

      PANEL, MARGIN, TITLE, GAP = 400, 20, 34, 28
      SHOWN = %w[gem hand].freeze
      STYLE = <<~CSS
        svg { --ground: #ffffff; --ink: #1b2026; --soft: #59616b; --grid: #e3e1da; --win: #2a8f4c; --loss: #c2291f; --loss-text: #ab2016; }
        @media (prefers-color-scheme: dark) { svg { --ground: #14171a; --ink: #e9e7e2; --soft: #a5acb5; --grid: #2f353b; --win: #45b56a; --loss: #f0705f; --loss-text: #ff9d90; } }
        text { font: 13px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: var(--ink); paint-order: stroke; stroke: var(--ground); stroke-width: 3px; stroke-linejoin: round; }
        .ground { fill: var(--ground); } .title { font-weight: 650; font-size: 15px; } .about, .axis text { fill: var(--soft); font-size: 11.5px; }
        .axis line { stroke: var(--grid); } .axis .even { stroke: var(--soft); } .win { fill: var(--win); } .loss { fill: var(--loss); }
        .value { font-weight: 600; } .value.loss { fill: var(--loss-text); } .dot { fill: var(--ground); stroke: var(--ink); } .dot.loss { fill: var(--loss); stroke: var(--ground); }
      CSS

      # The setup whose figures bind: the newest Ruby, with YJIT where it has it.
      def self.setup(results)
        results["setups"].max_by { |setup| [Gem::Version.new(setup["id"][/\S+/]), setup["judged_as"] == "yjit" ? 1 : 0] }
      end

      def initialize(results)
        @results = results
        @setup = ReadmePicture.setup(results)["id"]
        comparisons = Comparisons.new(results, @setup)
        @range = comparisons.all.map(&:value).minmax
        @panels = SHOWN.map { |against| [Comparisons::AGAINST[against], comparisons.kinds(against)] }.reject { |_, kinds| kinds.empty? }
      end

      def empty? = @panels.empty?

      # Panels beside each other, or one below the other.
      def svg(narrow: false)
        across = narrow ? 1 : @panels.size
        heights = @panels.map { |_, kinds| TITLE + Overview.height(kinds) }
        height = (narrow ? heights.sum + (GAP * (heights.size - 1)) : heights.max) + (2 * MARGIN) + 40
        width = (across * PANEL) + ((across - 1) * GAP) + (2 * MARGIN)
        y = MARGIN
        parts = @panels.each_with_index.map do |(about, kinds), index|
          x = MARGIN + (narrow ? 0 : index * (PANEL + GAP))
          drawn = panel(about, kinds, x, y)
          y += heights[index] + GAP if narrow
          drawn
        end
        whole(width, height, parts + notes(height))
      end

      # What those get who do not see it.
      def alt
        sentences = @panels.map do |about, kinds|
          "Times as fast as #{about}, Ruby #{@setup}: #{kinds.map { |scenario, _, mean| "#{scenario["title"]} #{Figures.times(mean)}" }.join(", ")}."
        end
        sentences.join(" ")
      end

      private

      def panel(about, kinds, x, y)
        frame = {"x" => 0, "y" => TITLE, "width" => PANEL, "height" => Overview.height(kinds), "overflow" => "visible"}
        chart = element("svg", frame, Overview.svg(kinds, range: @range, about: about))
        element("g", {"transform" => "translate(#{x} #{y})"}, words(h("Times as fast as #{about}"), 0, 15, style: "title") + chart)
      end

      def notes(height)
        told = ["Ruby #{@setup.sub("--yjit", "with YJIT")}, #{@results["generated_at"][0, 10]}, #{@results["machine"]["cpu"]}",
                "Bars: geometric mean of a kind's documents, which are the dots"]
        told.each_with_index.map { |text, index| words(h(text), MARGIN, height - MARGIN - 4 - ((told.size - 1 - index) * 18), style: "about") }
      end

      def whole(width, height, parts)
        attributes = {"xmlns" => "http://www.w3.org/2000/svg", "viewBox" => "0 0 #{width} #{height}", "width" => width, "height" => height, "role" => "img", "aria-label" => alt}
        ground = element("rect", {"class" => "ground", "width" => "100%", "height" => "100%", "rx" => 8})
        "#{element("svg", attributes, "<style>\n#{STYLE}</style>#{ground}#{parts.join}")}\n"
      end
    end
  end
end
