# frozen_string_literal: true

require_relative "figures"
require_relative "svg"

module Bench
  module Report
    # One bar: `aside` is text beside its figure; without a value `text` says why there is none.
    # `heading` begins a group.
    Bar = Struct.new(:label, :group, :value, :text, :aside, :heading, keyword_init: true)

    # Horizontal bars on one axis. What is measured stands above its bar, so that nothing overlaps.
    module Bars
      ROW, HEADING, AXIS, THICK = 34, 26, 22, 10
      # How many letters stand beside each other on the narrowest page.
      LETTERS = 40

      class << self
        include Svg

        # `about` says what is shown; `unit` as in results.json.
        def svg(bars, unit:, about:)
          scale, y = Scale.over(bars.filter_map(&:value)), 0
          parts = bars.flat_map do |bar|
            heading = words(h(bar.heading), 0, (y += HEADING) - 8, style: "heading") if bar.heading
            [*heading, row(bar, scale, (y += ROW) - ROW)]
          end
          parts.unshift(axis(marks(scale, unit), y)) if bars.any?(&:value)
          told = bars.map { |bar| "#{bar.label} #{bar.text}" }.join("; ")
          summary = "#{about}#{" (logarithmic)" if scale.log?}: #{told}"
          picture("bars", y + AXIS, summary, parts)
        end

        private

        def marks(scale, unit)
          scale.ticks(bytes: unit == "B").to_h do |tick|
            [scale.share(tick), tick.zero? ? "0" : Figures.tick(tick, unit)]
          end
        end

        def row(bar, scale, y)
          aside = " #{element("tspan", {"class" => "aside"}, h(bar.aside))}" if bar.aside
          drawn = bar.value ? stroke(0, scale.share(bar.value), y + 18, THICK, "bar")
                            : stroke(0, 1, y + 18, THICK, "nothing")
          title = "#{bar.label} (#{bar.group}): #{[bar.text, *bar.aside].join(", ")}"
          style = bar.value ? "value" : "value none"
          figure = words("#{h(bar.text)}#{aside}", "100%", y + 13, anchor: "end", style: style)
          element("g", {"class" => "row #{bar.group}"},
                  [element("title", {}, h(title)), *labels(bar, y + 13), figure, drawn].join)
        end

        # With its group; on a narrow page without it where the figure needs the room, and of a very
        # long one the beginning.
        def labels(bar, y)
          whole = h(bar.label) + element("tspan", {"class" => "aside"}, h(" #{bar.group}"))
          room = LETTERS - [bar.text, bar.aside].compact.join(" ").size
          fits = bar.label.size + bar.group.size < room
          return [words(whole, 0, y, style: "label")] if fits

          narrow = bar.label.size > room ? "#{bar.label[0, room - 1]}…" : bar.label
          [words(whole, 0, y, style: "label wide"), words(h(narrow), 0, y, style: "label narrow")]
        end
      end
    end
  end
end
