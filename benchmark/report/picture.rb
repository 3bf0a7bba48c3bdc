# frozen_string_literal: true

require "cgi"
require_relative "comparisons"

module Bench
  module Report
    # How many times as fast ours is as the fastest gem and the fastest by hand: a line for each
    # kind of work, from 1× to where ours is; to the right ours is faster. SVG of fixed size whose
    # colours follow the reader's light or dark (picture.css).
    class Picture
      PANEL, MARGIN, TITLE, GAP, ROW, AXIS = 400, 20, 34, 28, 40, 22
      # Bars end here; figures stand behind.
      WIDTH = 288
      MARKS = [0.1, 0.5, 1, 5, 10, 50, 100].freeze

      # Of the setup whose figures bind, or another.
      def initialize(results, setup = Comparisons.setup(results))
        @results, @setup, found = results, setup, Comparisons.new(results, setup)
        low, high = found.all.map(&:value).minmax
        @low, @high = [low || 1, 0.5].min, [high || 1, 2].max
        @panels = %w[gem hand].map { |one| [Comparisons::AGAINST[one], found.kinds(one)] }
                              .reject { |_, kinds| kinds.empty? }
      end

      def empty? = @panels.empty?

      # For README.md, with a ground of its own: panels beside each other, or one below the other.
      def svg(narrow: false)
        across = narrow ? 1 : @panels.size
        heights = @panels.map { |_, kinds| height(kinds) + GAP }
        below = (narrow ? heights.sum : heights.max) - GAP + (2 * MARGIN) + 40
        parts = @panels.each_with_index.map do |(about, kinds), index|
          x, y = narrow ? [0, heights.first(index).sum] : [index * (PANEL + GAP), 0]
          element("g", {"transform" => "translate(#{MARGIN + x} #{MARGIN + y})"},
                  panel(about, kinds))
        end
        ground = element("rect", {"class" => "ground", "width" => "100%", "height" => "100%",
                                  "rx" => 8})
        style = "<style>\n#{File.read(File.join(__dir__, "picture.css"))}</style>"
        picture((across * (PANEL + GAP)) - GAP + (2 * MARGIN), below, alt,
                [style, ground, *parts, *notes(below - MARGIN - 4)],
                "xmlns" => "http://www.w3.org/2000/svg")
      end

      # For the page: each panel alone.
      def panels
        @panels.map do |pair|
          picture(PANEL, height(pair.last), told(*pair), [panel(*pair)])
        end.join
      end

      # What those get who do not see it.
      def alt = @panels.map { |pair| told(*pair) }.join(" ")

      private

      def height(kinds) = TITLE + (kinds.size * ROW) + AXIS

      def told(about, kinds)
        means = kinds.map { |kind, _, mean| "#{kind["title"]} #{Comparisons.times(mean)}" }
        "Times as fast as #{about}, Ruby #{@setup}: #{means.join(", ")}."
      end

      def h(text) = CGI.escapeHTML(text.to_s)

      # `content` is markup; attributes that are nil are left out.
      def element(name, attributes = {}, content = "")
        pairs = attributes.compact.map { |key, value| " #{key}=\"#{h(value)}\"" }.join
        "<#{name}#{pairs}>#{content}</#{name}>"
      end

      def picture(width, height, about, parts, more = {})
        attributes = {**more, "class" => "chart", "width" => width, "height" => height,
                      "viewBox" => "0 0 #{width} #{height}", "role" => "img", "aria-label" => about}
        "#{element("svg", attributes, parts.join)}\n"
      end

      def words(text, x, y, style, anchor = nil)
        element("text", {"x" => x, "y" => y, "class" => style, "text-anchor" => anchor}, h(text))
      end

      # Where a ratio stands across, by its logarithm.
      def at(ratio)
        share = Math.log(ratio.fdiv(@low)) / Math.log(@high.fdiv(@low))
        (share.clamp(0, 1) * WIDTH).round(1)
      end

      def panel(about, kinds)
        bottom = TITLE + (kinds.size * ROW)
        lines = MARKS.select { |mark| mark.between?(@low, @high) }.map do |mark|
          element("line", {"x1" => at(mark), "x2" => at(mark), "y1" => TITLE, "y2" => bottom}) +
            words("#{mark}×", at(mark), bottom + 14, "mark", at(mark) < 20 ? "start" : "middle")
        end
        rows = kinds.each_with_index.map { |kind, index| row(kind, TITLE + (index * ROW)) }
        [words("Times as fast as #{about}", 0, 15, "title"), *lines, *rows].join
      end

      def row((scenario, list, mean), y)
        lost, (from, to) = mean.round(2) < 1, [at(1), at(mean)].minmax
        title = list.map { |one| "#{one.table}: #{Comparisons.times(one.value)} #{one.other}" }
        bar = element("rect", {"class" => lost ? "loss" : "win", "x" => from, "y" => y + 20,
                               "width" => [to - from, 1].max.round(1), "height" => 12, "rx" => 2})
        dots = (list.size == 1 ? [] : list).map do |one|
          element("circle", {"class" => "dot#{" loss" if one.lost?}", "cx" => at(one.value),
                             "cy" => y + 26, "r" => 3})
        end
        figure = "#{Comparisons.times(mean)}#{" – slower" if lost}"
        element("g", {}, [element("title", {}, h(title.join("; "))),
                          words(scenario["title"].sub(/\A[a-z]/, &:upcase), 0, y + 14, "label"),
                          bar, *dots,
                          words(figure, PANEL, y + 31, "value#{" loss" if lost}", "end")].join)
      end

      def notes(y)
        ["Ruby #{@setup.sub("--yjit", "with YJIT")}, #{@results["generated_at"][0, 10]}, " \
         "#{@results["machine"]["cpu"]}",
         "Bars: geometric mean of a kind's documents, which are the dots"]
          .zip([y - 18, y]).map { |text, at| words(text, MARGIN, at, "about") }
      end
    end
  end
end
