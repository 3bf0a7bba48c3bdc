# frozen_string_literal: true

require_relative "comparisons"
require_relative "figures"
require_relative "svg"

module Bench
  module Report
    # The chart of the summary: a line for each kind of work, from where ours is as fast as the
    # others (1×) to where it is; to the right ours is faster.
    module Overview
      ROW, AXIS = 40, 22
      # Bars end here; figures stand behind.
      WIDTH = 0.72
      MARKS = [0.1, 0.5, 1, 5, 10, 50, 100].freeze

      class << self
        include Svg

        # `kinds` as Comparisons#kinds gives them; `range` is [lowest, highest] ratio of all charts
        # that stand beside each other.
        def svg(kinds, range:, about:)
          scale = Scale.new([range[0], 0.5].min, [range[1], 2].max, log: true)
          marks = MARKS.select { |mark| mark.between?(scale.low, scale.high) }
          rows = kinds.each_with_index.map { |kind, index| row(kind, scale, index * ROW) }
          axis = axis(marks.to_h { |mark| [at(scale, mark), "#{mark}×"] }, kinds.size * ROW)
          picture("overview", height(kinds), "Times as fast as #{about}: #{told(kinds)}",
                  [axis, *rows])
        end

        def height(kinds) = (kinds.size * ROW) + AXIS

        # In words.
        def told(kinds)
          kinds.map { |scenario, _, mean| "#{scenario["title"]} #{Figures.times(mean)}" }.join(", ")
        end

        private

        def at(scale, value) = scale.share(value) * WIDTH

        def row((scenario, list, mean), scale, y)
          lost = mean.round(2) < 1
          title = list.map { |one| "#{one.table}: #{Figures.times(one.value)} #{one.other}" }
          figure = "#{Figures.times(mean)}#{" – slower" if lost}"
          from, to = [at(scale, 1), at(scale, mean)].minmax
          dots = list.size == 1 ? [] : list.map { |one| dot(one, scale, y + 26) }
          parts = [element("title", {}, h(title.join("; "))),
                   words(h(scenario["title"].sub(/\A[a-z]/, &:upcase)), 0, y + 14, style: "label"),
                   stroke(from, to, y + 20, 12, lost ? "loss" : "win"), *dots,
                   words(figure, "100%", y + 31, anchor: "end", style: "value#{" loss" if lost}")]
          element("g", {"class" => "row"}, parts.join)
        end

        # A table of its own within the kind.
        def dot(one, scale, y)
          element("circle", {"class" => one.lost? ? "dot loss" : "dot", "cy" => y, "r" => 3,
                             "cx" => percent(at(scale, one.value))})
        end
      end
    end

    # The summary's charts beside the fastest gem and the fastest by hand as a picture for
    # README.md: an SVG of fixed size whose colours follow the reader's light or dark.
    class ReadmePicture
      include Svg

      PANEL, MARGIN, TITLE, GAP = 400, 20, 34, 28

      # The setup whose figures bind: the newest Ruby, with YJIT where it has it.
      def self.setup(results)
        results["setups"].max_by do |setup|
          [Gem::Version.new(setup["id"][/\S+/]), setup["judged_as"] == "yjit" ? 1 : 0]
        end
      end

      def initialize(results)
        @results, @setup = results, ReadmePicture.setup(results)["id"]
        comparisons = Comparisons.new(results, @setup)
        @range = comparisons.all.map(&:value).minmax
        panels = %w[gem hand].map { |one| [Comparisons::AGAINST[one], comparisons.kinds(one)] }
        @panels = panels.reject { |_, kinds| kinds.empty? }
      end

      def empty? = @panels.empty?

      # Panels beside each other, or one below the other.
      def svg(narrow: false)
        heights = @panels.map { |_, kinds| TITLE + Overview.height(kinds) + GAP }
        across = narrow ? 1 : @panels.size
        height = (narrow ? heights.sum : heights.max) - GAP + (2 * MARGIN) + 40
        width = (across * (PANEL + GAP)) - GAP + (2 * MARGIN)
        parts = @panels.each_with_index.map do |(about, kinds), index|
          place = narrow ? [0, heights.first(index).sum] : [index * (PANEL + GAP), 0]
          panel(about, kinds, *place.map { |offset| MARGIN + offset })
        end
        whole(width, height, parts + notes(height - MARGIN - 4))
      end

      # What those get who do not see it.
      def alt
        @panels.map do |about, kinds|
          "Times as fast as #{about}, Ruby #{@setup}: #{Overview.told(kinds)}."
        end.join(" ")
      end

      private

      def panel(about, kinds, x, y)
        chart = element("svg", {"y" => TITLE, "width" => PANEL, "height" => Overview.height(kinds),
                                "overflow" => "visible"},
                        Overview.svg(kinds, range: @range, about: about))
        title = words(h("Times as fast as #{about}"), 0, 15, style: "title")
        element("g", {"transform" => "translate(#{x} #{y})"}, title + chart)
      end

      def notes(y)
        [words(h("Ruby #{@setup.sub("--yjit", "with YJIT")}, #{@results["generated_at"][0, 10]}, " \
                 "#{@results["machine"]["cpu"]}"), MARGIN, y - 18, style: "about"),
         words("Bars: geometric mean of a kind's documents, which are the dots", MARGIN, y,
               style: "about")]
      end

      def whole(width, height, parts)
        style = File.read(File.join(__dir__, "picture.css"))
        ground = element("rect", {"class" => "ground", "width" => "100%", "height" => "100%",
                                  "rx" => 8})
        attributes = {"xmlns" => "http://www.w3.org/2000/svg", "width" => width,
                      "height" => height, "viewBox" => "0 0 #{width} #{height}", "role" => "img",
                      "aria-label" => alt}
        "#{element("svg", attributes, "<style>\n#{style}</style>#{ground}#{parts.join}")}\n"
      end
    end
  end
end
