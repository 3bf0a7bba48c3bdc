# frozen_string_literal: true

# Layer: markup, scale, figures. Lines over sizes or numbers of workers.

require_relative "figures"
require_relative "markup"
require_relative "scale"

module Bench
  module Report
    # One line: points are [x, y]; `style` is a class.
    Line = Struct.new(:label, :group, :points, :style, keyword_init: true)

    # A chart of lines. Points across stand evenly, as sizes and workers are powers of something.
    module Lines
      HEIGHT, TOP, BOTTOM = 220, 16, 26
      LEFT, RIGHT = 0.1, 0.96
      # Two figures at the end of lines are at least so far apart.
      APART = 15

      class << self
        include Markup

        def svg(lines, about:, across:)
          xs = lines.flat_map { |line| line.points.map(&:first) }.uniq.sort
          scale = Scale.over(lines.flat_map { |line| line.points.map(&:last) })
          parts = [grid(scale), *xs.map { |x| below(x, xs) }, *lines.map { |line| drawn(line, xs, scale) }, *ends(lines, scale)]
          told = lines.map { |line| "#{line.label}: #{line.points.map { |x, y| "#{Figures.times(y)} at #{Figures.short(x)}" }.join(", ")}" }
          picture("lines", HEIGHT, "#{about} by #{across}. #{told.join("; ")}", parts)
        end

        private

        def place(x, xs) = xs.size == 1 ? 0.4 : LEFT + 0.04 + ((RIGHT - LEFT - 0.18) * xs.index(x) / (xs.size - 1))

        def height(value, scale) = (TOP + ((HEIGHT - TOP - BOTTOM) * (1 - scale.share(value)))).round(1)

        def grid(scale)
          lines = scale.ticks(5).map do |tick|
            y = height(tick, scale)
            element("line", {"x1" => percent(LEFT), "x2" => percent(RIGHT), "y1" => y, "y2" => y}) +
              words(h("#{Figures.three(tick)}×"), percent(LEFT - 0.01), y + 4, anchor: "end")
          end
          element("g", {"class" => "axis"}, lines.join)
        end

        def below(x, xs) = words(h(Figures.short(x)), percent(place(x, xs)), HEIGHT - 8, anchor: "middle", style: "tick")

        def drawn(line, xs, scale)
          spots = line.points.map { |x, y| [percent(place(x, xs)), height(y, scale)] }
          strokes = spots.each_cons(2).map { |(x1, y1), (x2, y2)| element("line", {"x1" => x1, "y1" => y1, "x2" => x2, "y2" => y2}) }
          dots = line.points.zip(spots).map do |(x, y), (left, top)|
            element("circle", {"cx" => left, "cy" => top, "r" => 4}, element("title", {}, h("#{line.label}, #{Figures.short(x)}: #{Figures.times(y)}")))
          end
          element("g", {"class" => "line #{line.style}"}, (strokes + (line.style == "ideal" ? [] : dots)).join)
        end

        # The last figure of each line, moved up or down where two would touch.
        def ends(lines, scale)
          told = lines.reject { |line| line.style == "ideal" || line.points.empty? }
          last = told.map { |line| [line, height(line.points.last.last, scale) - 8] }.sort_by(&:last)
          last.each_cons(2) { |above, below| below[1] = [below[1], above[1] + APART].max }
          over = last.empty? ? 0 : [last.last[1] - (HEIGHT - BOTTOM - 4), 0].max
          last.map do |line, y|
            mark = element("tspan", {"class" => "mark"}, "● ")
            words(mark + h(Figures.times(line.points.last.last)), "100%", (y - over).round(1), anchor: "end", style: "end #{line.style}")
          end
        end
      end
    end
  end
end
