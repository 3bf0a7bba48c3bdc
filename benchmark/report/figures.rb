# frozen_string_literal: true

module Bench
  module Report
    # Numbers as people read them: three digits, a unit that fits.
    module Figures
      TIMES = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [0, "ns"]].freeze
      BYTES = [[1 << 30, "GiB"], [1 << 20, "MiB"], [1 << 10, "KiB"]].freeze

      class << self
        # A value in a unit of results.json.
        def metric(value, unit)
          case unit
          when "ns" then time(value)
          when "ms" then time(value * 1e6)
          when "B" then bytes(value)
          when "×" then times(value)
          when "ops/s" then "#{short(value)} ops/s"
          else "#{three(value)} #{value == 1 ? unit.delete_suffix("s") : unit}".strip
          end
        end

        def time(nanoseconds)
          size, unit = TIMES.find { |least, _| nanoseconds >= least }
          "#{three(nanoseconds / [size, 1].max, strip: false)} #{unit}"
        end

        # Below 10,000 they are counted, since single ones matter there.
        def bytes(count)
          return "#{thousands(count.round)} B" if count.abs < 10_000

          size, unit = BYTES.find { |least, _| count.abs >= least }
          "#{three(count.fdiv(size))} #{unit}"
        end

        # Two decimals below 10, so that 0.99 is not 1.
        def times(ratio) = "#{ratio < 9.995 ? format("%.2f", ratio) : three(ratio, strip: false)}×"

        def percent(share) = "#{(share * 100).round(share < 0.0995 ? 1 : 0)} %".sub(".0 ", " ")

        # Where a round value stands on an axis: without zeros behind the point.
        def tick(value, unit) = metric(value, unit).sub(/\.0+(?=\D|\z)|(\.\d*?)0+(?=\D|\z)/, '\1')

        # Three digits that count; `strip` leaves out zeros behind the point.
        def three(value, strip: true)
          return thousands(value.round) if value.zero? || value.abs >= 99.95

          text = format(value.abs < 9.995 ? "%.2f" : "%.1f", value)
          strip ? text.sub(/\.?0+\z/, "") : text
        end

        # 10, 1,000, 100 k, 1 M: where there is little room.
        def short(number)
          return "#{three(number / 1e6)} M" if number >= 1e6

          number >= 1e4 ? "#{three(number / 1e3)} k" : thousands(number)
        end

        private

        def thousands(integer) = integer.to_s.gsub(/\d(?=(\d{3})+\z)/, "\\0,")
      end
    end
  end
end
