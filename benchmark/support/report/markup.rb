# frozen_string_literal: true

# Layer: none below it. Elements of HTML and SVG from Hashes, everything escaped.

require "cgi"

module Bench
  module Report
    # Words for pages and pictures.
    module Markup
      EMPTY = %w[rect line circle path].freeze

      module_function

      def h(text) = CGI.escapeHTML(text.to_s)

      # `content` is markup, or nil; attributes that are nil are left out.
      def element(name, attributes = {}, content = nil)
        pairs = attributes.compact.map { |key, value| " #{key}=\"#{h(value)}\"" }.join
        content.nil? && EMPTY.include?(name) ? "<#{name}#{pairs}/>" : "<#{name}#{pairs}>#{content}</#{name}>"
      end

      # A share of the width.
      def percent(share) = "#{(share * 100).round(2)}%"

      # A picture as wide as there is room: places across are percents, heights are pixels, letters keep their size. `summary` is what
      # those hear who do not see it.
      def picture(kind, height, summary, parts)
        element("svg", {"class" => "chart #{kind}", "width" => "100%", "height" => height, "role" => "img", "aria-label" => summary}, parts.join)
      end

      # A bar from share to share of the width, hardly ever too short to be seen.
      def stroke(from, to, y, height, style, round: 2)
        element("rect", {"class" => style, "x" => percent(from), "y" => y, "width" => percent([to - from, 0.004].max), "height" => height, "rx" => round})
      end

      # Text that says where it begins or ends.
      def words(text, x, y, anchor: nil, style: nil) = element("text", {"x" => x, "y" => y, "text-anchor" => anchor, "class" => style}, text)

      # Where a label at this share must begin or end so that it stays on the picture.
      def anchor(share) = share < 0.08 ? "start" : (share > 0.92 ? "end" : "middle")
    end
  end
end
