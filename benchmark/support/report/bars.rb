# frozen_string_literal: true

# Layer: markup, scale, figures. Horizontal bars: what is measured stands above its bar, so that nothing overlaps however narrow the
# page is.

require_relative "figures"
require_relative "markup"
require_relative "scale"

module Bench
  module Report
    # One bar. `low` and `high` are the middle half of the samples; `parts` are what it is made of, in order, if that is told; without
    # a value `text` says why there is none. `heading` begins a group.
    Bar = Struct.new(:label, :group, :value, :text, :aside, :low, :high, :parts, :heading, keyword_init: true)

    # A chart of bars, all on one axis.
    module Bars
      ROW, HEADING, AXIS, THICK = 34, 26, 22, 10
      # How many letters stand beside each other on the narrowest page: label, group and figure.
      LETTERS = 40

      class << self
        include Markup

        # `bars` in order; `unit` as in results.json; `about` says what is shown.
        def svg(bars, unit:, about:)
          scale = Scale.over(bars.flat_map { |bar| [bar.value, bar.high] }.compact)
          y, parts = 0, []
          bars.each do |bar|
            parts << words(h(bar.heading), 0, (y += HEADING) - 8, style: "heading") if bar.heading
            parts << row(bar, scale, y)
            y += ROW
          end
          parts.unshift(axis(scale, unit, y)) if bars.any?(&:value)
          picture("bars", y + AXIS, "#{about}#{" (logarithmic)" if scale.log?}: #{bars.map { |bar| "#{bar.label} #{bar.text}" }.join("; ")}", parts)
        end

        private

        def row(bar, scale, y)
          value = "#{h(bar.text)}#{" #{element("tspan", {"class" => "aside"}, h(bar.aside))}" if bar.aside}"
          parts = [element("title", {}, h("#{bar.label} (#{bar.group}): #{[bar.text, bar.aside].compact.join(", ")}")),
                   *labels(bar, y + 13), words(value, "100%", y + 13, anchor: "end", style: bar.value ? "value" : "value none")]
          parts.concat(bar.value ? drawn(bar, scale, y + 18) : [stroke(0, 1, y + 18, THICK, "nothing", round: 0)])
          element("g", {"class" => "row #{bar.group}"}, parts.join)
        end

        # With its group; on a narrow page without it where the figure needs the room, and of a very long one the beginning.
        def labels(bar, y)
          whole = h(bar.label) + element("tspan", {"class" => "aside"}, h(" #{bar.group}"))
          room = LETTERS - [bar.text, bar.aside].compact.join(" ").size
          return [words(whole, 0, y, style: "label")] if bar.label.size + bar.group.size < room

          narrow = bar.label.size > room ? "#{bar.label[0, room - 1]}…" : bar.label
          [words(whole, 0, y, style: "label wide"), words(h(narrow), 0, y, style: "label narrow")]
        end

        def drawn(bar, scale, y)
          return stacked(bar, scale, y) if bar.parts

          from, to = [bar.low || 0, bar.high || 0].map { |value| scale.share(value) }
          middle = y + (THICK / 2)
          whisker = to - from > 0.004 && element("line", {"class" => "spread", "x1" => percent(from), "x2" => percent(to), "y1" => middle, "y2" => middle})
          [stroke(0, scale.share(bar.value), y, THICK, "bar"), *(whisker || nil)]
        end

        # On a logarithmic axis parts would not be as long as they are: then there is one bar.
        def stacked(bar, scale, y)
          return drawn(bar.dup.tap { |whole| whole.parts = nil }, scale, y) if scale.log?

          from = 0.0
          bar.parts.each_with_index.map do |part, index|
            x, from = from, from + part
            stroke(scale.share(x), scale.share(from), y, THICK, "bar part#{index}", round: 0)
          end
        end

        def axis(scale, unit, y)
          lines = scale.ticks(bytes: unit == "B").map do |tick|
            x = percent(scale.share(tick))
            element("line", {"x1" => x, "x2" => x, "y1" => 0, "y2" => y}) +
              words(h(tick.zero? ? "0" : Figures.tick(tick, unit)), x, y + 14, anchor: Markup.anchor(scale.share(tick)))
          end
          element("g", {"class" => "axis"}, lines.join)
        end
      end
    end
  end
end
