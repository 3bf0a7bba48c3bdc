# frozen_string_literal: true

# Layer: markup, scale, figures. The chart of the summary: a line for each kind of work, from where ours is as fast as the others to where it is.

require_relative "figures"
require_relative "markup"
require_relative "scale"

module Bench
  module Report
    # Kinds of work beside 1×: to the right ours is faster.
    module Overview
      ROW, AXIS = 40, 22
      # Bars end here; figures stand behind.
      WIDTH = 0.72

      class << self
        include Markup

        # `kinds` as Comparisons#kinds gives them; `range` is [lowest, highest] ratio of all charts that stand beside each other.
        def svg(kinds, range:, about:)
          scale = Scale.new([range[0], 0.5].min, [range[1], 2].max, log: true)
          parts = [axis(scale, kinds.size * ROW)] + kinds.each_with_index.map { |(scenario, list, mean), index| row(scenario, list, mean, scale, index * ROW) }
          told = kinds.map { |scenario, _, mean| "#{scenario["title"]} #{Figures.times(mean)}" }
          picture("overview", height(kinds), "Times as fast as #{about}: #{told.join("; ")}", parts)
        end

        def height(kinds) = (kinds.size * ROW) + AXIS

        private

        def at(scale, value) = scale.share(value) * WIDTH

        def row(scenario, list, mean, scale, y)
          lost = mean.round(2) < 1
          from, to = [at(scale, 1), at(scale, mean)].minmax
          dots = list.size == 1 ? [] : list.map { |one| dot(one, scale, y + 26) }
          parts = [element("title", {}, h(told(scenario, list, mean))), words(h(scenario["title"].sub(/\A[a-z]/, &:upcase)), 0, y + 14, style: "label"),
                   stroke(from, to, y + 20, 12, lost ? "loss" : "win"),
                   *dots, words("#{Figures.times(mean)}#{" – slower" if lost}", "100%", y + 31, anchor: "end", style: lost ? "value loss" : "value")]
          element("g", {"class" => "row"}, parts.join)
        end

        def told(scenario, list, mean)
          "#{scenario["title"]}: #{Figures.times(mean)}. #{list.map { |one| "#{one.table}: #{Figures.times(one.value)} #{one.other}" }.join("; ")}"
        end

        # A table of its own within the kind; a lost one is a diamond.
        def dot(one, scale, y)
          x = percent(at(scale, one.value))
          return element("circle", {"class" => "dot", "cx" => x, "cy" => y, "r" => 3}) unless one.lost?

          element("svg", {"x" => x, "y" => y, "overflow" => "visible"}, element("path", {"class" => "dot loss", "d" => "M0 -5L5 0L0 5L-5 0Z"}))
        end

        def axis(scale, y)
          marks = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 50, 100].select { |mark| mark.between?(scale.low, scale.high) }
          marks -= [0.25, 2, 20] if marks.size > 5
          lines = marks.map do |mark|
            x = percent(at(scale, mark))
            element("line", {"class" => ("even" if mark == 1), "x1" => x, "x2" => x, "y1" => 0, "y2" => y}) +
              words("#{mark}×", x, y + 14, anchor: at(scale, mark) < 0.04 ? "start" : "middle")
          end
          element("g", {"class" => "axis"}, lines.join)
        end
      end
    end
  end
end
