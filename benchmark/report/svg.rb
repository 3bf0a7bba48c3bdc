# frozen_string_literal: true

require "cgi"

module Bench
  module Report
    # Elements of HTML and SVG, everything escaped. In pictures places across are percents and
    # heights are pixels, so that letters keep their size however narrow the page is.
    module Svg
      module_function

      def h(text) = CGI.escapeHTML(text.to_s)

      # `content` is markup; attributes that are nil are left out.
      def element(name, attributes = {}, content = "")
        pairs = attributes.compact.map { |key, value| " #{key}=\"#{h(value)}\"" }.join
        "<#{name}#{pairs}>#{content}</#{name}>"
      end

      # A share of the width.
      def percent(share) = "#{(share * 100).round(2)}%"

      # `summary` is what those hear who do not see it.
      def picture(kind, height, summary, parts)
        element("svg", {"class" => "chart #{kind}", "width" => "100%", "height" => height,
                        "role" => "img", "aria-label" => summary}, parts.join)
      end

      # A bar from share to share of the width, hardly ever too short to be seen.
      def stroke(from, to, y, height, style)
        element("rect", {"class" => style, "x" => percent(from), "y" => y, "rx" => 2,
                         "width" => percent([to - from, 0.004].max), "height" => height})
      end

      # Text that begins or ends at x.
      def words(text, x, y, anchor: nil, style: nil)
        element("text", {"x" => x, "y" => y, "text-anchor" => anchor, "class" => style}, text)
      end

      # Lines at these {share => label}, the labels below.
      def axis(marks, y)
        lines = marks.map do |share, label|
          x, anchor = percent(share), share < 0.08 ? "start" : (share > 0.92 ? "end" : "middle")
          element("line", {"x1" => x, "x2" => x, "y1" => 0, "y2" => y}) +
            words(h(label), x, y + 14, anchor: anchor)
        end
        element("g", {"class" => "axis"}, lines.join)
      end
    end

    # Where a value stands on an axis, 0 to 1: linear from zero, or logarithmic where the smallest
    # bars could not be told apart.
    class Scale
      SPREAD = 25

      # For bars over all these values.
      def self.over(values)
        low, high = values.select(&:positive?).minmax
        return new(0, high || 1, log: false) if low.nil? || high <= low * SPREAD

        new(10.0**Math.log10(low / 1.5).floor, high, log: true)
      end

      attr_reader :low, :high

      def initialize(low, high, log:)
        @low, @high, @log = low, high, log
      end

      def log? = @log

      # Outside of the axis is its end.
      def share(value)
        return 0.0 if value <= @low

        share = @log ? Math.log(value.fdiv(@low)) / Math.log(@high.fdiv(@low))
                     : (value - @low).fdiv(@high - @low)
        [share, 1.0].min
      end

      # Some round values on it, few enough for a phone; of bytes those that are round in KiB.
      def ticks(count = 4, bytes: false)
        return powers(count, bytes ? 4 : 10) if @log

        least = (@high - @low).fdiv(count)
        step = steps(least, bytes && @high >= 10_000).find { |size| size >= least }
        ((@low / step).ceil..(@high / step).floor).map { |number| (number * step).round(10) }
      end

      private

      def steps(least, bytes)
        return [1, 2, 4].map { |factor| factor * (2**Math.log2(least).floor) } if bytes

        [1, 2, 2.5, 5, 10].map { |digit| digit * (10.0**Math.log10(least).floor) }
      end

      def powers(count, base)
        ends = [Math.log(@low, base).round(9).ceil, Math.log(@high, base).round(9).floor]
        exponents = (ends[0]..ends[1]).to_a
        exponents.each_slice([exponents.size.fdiv(count + 1).ceil, 1].max)
                 .map { |slice| base.to_f**slice.first }
      end
    end
  end
end
