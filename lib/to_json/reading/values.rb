# frozen_string_literal: true

# Layer: reading. What text and numbers of a document become: the way back of `as:`.

module ToJson
  module Reading
    # Each answers nil for what it does not take; nil never comes in.
    # @api private
    module Values
      DATE = /\A(-?\d{4,6})-(\d\d)-(\d\d)\z/
      TIME = /\A(-?\d{4,6})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,12}))?
              (?:([Zz])|([+-]\d\d:?\d\d))\z/x
      DECIMAL = /\A[+-]?\d{1,1000}(?:\.\d{1,1000})?(?:[eE][+-]?\d{1,3})?\z/
      INTEGER = /\A[+-]?\d{1,1000}\z/
      # The last second of the year 9999, and the first one of the year -9999.
      SECONDS = (-377_673_580_800..253_402_300_799)
      # Bits of the largest Integer that is a Float for certain.
      LARGEST = 1_023
      TRUTH = { "true" => true, "false" => false, "1" => true, "0" => false, "on" => true,
                "off" => false, "t" => true, "f" => false }.freeze
      private_constant :DATE, :TIME, :DECIMAL, :INTEGER, :SECONDS, :LARGEST, :TRUTH

      class << self
        # @return [Date, nil]
        def date(value)
          return (value if day?(value)) unless String === value

          year, month, day = DATE.match(value)&.captures
          return unless day

          require "date" unless defined?(::Date)
          year, month, day = Integer(year, 10), Integer(month, 10), Integer(day, 10)
          ::Date.new(year, month, day) if ::Date.valid_date?(year, month, day) && month.positive?
        end

        # @param format [Symbol, String, nil] as Field#format
        # @return [Time, nil]
        def time(value, format)
          return value if moment?(value)

          case format
          when nil, :iso8601, :utc then String === value ? iso8601(value) : nil
          when :unix then seconds(value, 1)
          when :unix_ms then seconds(value, 1000)
          else String === value ? patterned(value, format) : nil
          end
        end

        # @return [BigDecimal, nil]
        def decimal(value)
          case value
          when String then BigDecimal(value) if DECIMAL.match?(value)
          when Integer then BigDecimal(value)
          when Float then BigDecimal(value.to_s) if value.finite?
          when BigDecimal then value
          end
        end

        # @return [Float, nil]
        def float(value)
          case value
          when Float then value if value.finite?
          when Integer then value.to_f if value.bit_length <= LARGEST
          end
        end

        # What forms send: text.
        # @return [Integer, Float, true, false, nil]
        def integer_of(text) = (Integer(text, 10) if INTEGER.match?(text))

        def float_of(text)
          found = Float(text) if DECIMAL.match?(text)
          found if found&.finite?
        end

        def truth_of(text) = TRUTH[text]

        private

        def day?(value) = defined?(::Date) && value.instance_of?(::Date)

        def moment?(value)
          value.is_a?(Time) || (defined?(::DateTime) && value.is_a?(::DateTime))
        end

        def iso8601(text)
          found = TIME.match(text) or return
          year, month, day, hour, minute = found.captures.first(5).map { |one| one.to_i }
          return if hour > 23

          time = made(year, month, day, hour, minute, found)
          time if time.day == day || found[6] == "60"
        rescue ArgumentError
          nil # a month 13, a minute 60
        end

        def made(year, month, day, hour, minute, found)
          seconds, digits = found[6].to_i, found[7]
          if digits
            seconds = Rational(((seconds * (10**digits.size)) + digits.to_i), 10**digits.size)
          end
          return Time.utc(year, month, day, hour, minute, seconds) if found[8]

          offset = found[9]
          offset = "#{offset[0, 3]}:#{offset[3, 2]}" if offset.size == 5
          Time.new(year, month, day, hour, minute, seconds, offset)
        end

        def seconds(value, unit)
          return unless Integer === value && SECONDS.cover?(value / unit)

          unit == 1 ? Time.at(value).utc : Time.at(value / unit, value % unit, :millisecond).utc
        end

        def patterned(text, pattern)
          require "date" unless defined?(::DateTime)
          found = ::DateTime.strptime(text, pattern)
          Time.new(found.year, found.month, found.day, found.hour, found.minute,
                   found.second + found.second_fraction, (found.offset * 86_400).to_i)
        rescue ArgumentError
          nil
        end
      end
    end
  end
end
