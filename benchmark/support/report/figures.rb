# frozen_string_literal: true

# Layer: none below it. Numbers as people read them: three digits, a unit that fits.

module Bench
  module Report
    # Text of figures.
    module Figures
      TIMES = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]].freeze
      BYTES = [[1 << 30, "GiB"], [1 << 20, "MiB"], [1 << 10, "KiB"]].freeze

      class << self
        # The value of a metric with its unit (that of results.json).
        def metric(value, unit)
          case unit
          when "ns" then time(value)
          when "ms" then time(value * 1e6)
          when "B" then bytes(value)
          when "×" then times(value)
          when "ops/s" then "#{short(value)} ops/s"
          else [three(value), (value == 1 ? unit.delete_suffix("s") : unit unless unit.empty?)].compact.join(" ")
          end
        end

        def time(nanoseconds, strip: false)
          size, unit = TIMES.find { |least, _| nanoseconds >= least } || TIMES.last
          "#{three(nanoseconds / size.to_f, strip: strip)} #{unit}"
        end

        # Below 10,000 they are counted, since single ones matter there.
        def bytes(count)
          return "#{thousands(count.round)} B" if count.abs < 10_000

          size, unit = BYTES.find { |least, _| count.abs >= least }
          "#{three(count.fdiv(size))} #{unit}"
        end

        # Two decimals below 10, so that 0.99 is not 1.
        def times(ratio) = "#{ratio < 9.995 ? format("%.2f", ratio) : three(ratio, strip: false)}×"

        def percent(share) = "#{(share * 100).round(share < 0.0995 ? 1 : 0).to_s.delete_suffix(".0")} %"

        # Where a round value stands on an axis.
        def tick(value, unit)
          case unit
          when "ns" then time(value, strip: true)
          when "ms" then time(value * 1e6, strip: true)
          when "×" then "#{three(value)}×"
          else metric(value, unit)
          end
        end

        # Three digits that count; `strip` leaves out zeros behind the point.
        def three(value, strip: true)
          return "0" if value.zero?
          return thousands(value.round) if value.abs >= 99.95

          text = format(value.abs < 9.995 ? "%.2f" : "%.1f", value)
          strip ? text.sub(/\.?0+\z/, "") : text
        end

        def thousands(integer) = integer.to_s.gsub(/\d(?=(\d{3})+\z)/, "\\0,")

        # 10, 1,000, 100 k, 1 M: where there is little room.
        def short(number)
          return number.to_s unless number.is_a?(Numeric)
          return "#{three(number / 1e6)} M" if number >= 1e6

          number >= 1e4 ? "#{three(number / 1e3)} k" : thousands(number)
        end
      end
    end
  end
end
