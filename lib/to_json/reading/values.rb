# frozen_string_literal: true

# Layer: reading. Converts text and numbers of a document to Ruby objects: the reverse of `as:`.

module ToJson
  module Reading
    # Each method returns nil for a value that it does not accept. None is called with nil.
    # @api private
    module Values
      # Only ASCII matches these, so {ascii} asks for that first: the text may have any encoding.
      DATE = /\A-?\d{4,6}-\d\d-\d\d\z/u
      TIME = /\A(-?\d{4,6})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,12}))?
              (?:(\ ?(?:[Zz]|UTC))|\ ?([+-]\d\d:?\d\d))\z/xu
      ISO8601 = [nil, :iso8601, :utc].freeze
      WRITTEN = /\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\z/u
      DECIMAL = /\A[+-]?\d{1,1000}(?:\.\d{1,1000})?(?:[eE][+-]?\d{1,3})?\z/u
      INTEGER = /\A[+-]?\d{1,1000}\z/u
      # The last second of the year 9999, and the first one of the year -9999.
      SECONDS = (-377_673_580_800..253_402_300_799)
      YEARS = (-9999..9999)
      # The most characters of a time that a pattern of the application reads: %Y takes any number
      # of digits.
      PATTERNED = 500
      # Every Integer with at most so many bits is in the range of Floats.
      LARGEST = 1_023
      # The smallest Integer with more digits than text may have. JSON itself has no limit.
      TOO_LARGE = 10**1_000
      TRUTH = { "true" => true, "false" => false, "1" => true, "0" => false, "on" => true,
                "off" => false, "t" => true, "f" => false }.freeze
      private_constant :DATE, :TIME, :ISO8601, :WRITTEN, :DECIMAL, :INTEGER, :SECONDS, :YEARS,
                       :PATTERNED, :LARGEST, :TOO_LARGE, :TRUTH

      class << self
        # @return [Date, nil]
        def date(value)
          return (value if day?(value)) unless String === value
          return unless ascii(DATE, value)

          number = value.delete("-").to_i
          year = number / 10_000
          ::Date.new(value.start_with?("-") ? -year : year, number / 100 % 100, number % 100)
        rescue ArgumentError
          nil # February 30
        end

        # @param format [Symbol, String, nil] as Field#format
        # @return [Time, nil]
        def time(value, format)
          if String === value
            return ISO8601.include?(format) ? iso8601(value) : patterned(value, format)
          end
          return value if moment?(value)

          case format
          when :unix then seconds(value, 1)
          when :unix_ms then seconds(value, 1000)
          end
        end

        # @return [BigDecimal, nil]
        def decimal(value)
          case value
          when String then BigDecimal(value) if ascii(DECIMAL, value)
          when Integer then BigDecimal(value) if small?(value)
          when Float then BigDecimal(value.to_s) if value.finite?
          when BigDecimal then value if value.finite?
          end
        end

        # @return [Boolean] whether an Integer has no more digits than text may have
        def small?(integer) = integer < TOO_LARGE && integer > -TOO_LARGE

        # @return [Float, nil]
        def float(value)
          value.to_f if Integer === value && value.bit_length <= LARGEST
        end

        # Reads text, as forms send it. So do the next two methods.
        # @return [Integer, Float, true, false, nil]
        def integer_of(text) = (Integer(text, 10) if ascii(INTEGER, text))

        def float_of(text)
          found = Float(text) if ascii(DECIMAL, text)
          found if found&.finite?
        end

        def truth_of(text) = TRUTH[text]

        private

        def ascii(pattern, text) = text.ascii_only? && pattern.match?(text)

        def day?(value)
          Library.of?(value, :Date) && value.instance_of?(::Date) # no DateTime
        end

        # ActiveSupport's `Time.===` and `is_a?` take its times with zones, too. A BasicObject has
        # no `is_a?`.
        def moment?(value)
          return false unless Object === value

          value.is_a?(Time) || Library.of?(value, :DateTime)
        end

        # Reads the text that the Writer makes of a time in UTC, without an object for each number.
        # Leaves all other texts to any_iso8601.
        def iso8601(text)
          return any_iso8601(text) unless ascii(WRITTEN, text)

          number = text.delete("-T:.Z").to_i # 20261120100000000, of which divmod would make Arrays
          second = number / 1000 % 100
          return any_iso8601(text) if second == 60

          hour, day = number / 10_000_000 % 100, number / 1_000_000_000 % 100
          return if hour > 23

          time = Time.utc(number / 10_000_000_000_000, number / 100_000_000_000 % 100, day, hour,
                          number / 100_000 % 100, second, number % 1000 * 1000)
          time if time.day == day
        rescue ArgumentError
          nil # a month 13, a minute 60
        end

        def any_iso8601(text)
          found = (TIME.match(text) if text.ascii_only?) or return
          year, month, day, hour, minute = found.captures.first(5).map { |one| one.to_i }
          return if hour > 23
          return if day > 28 && Time.utc(year, month, day).day != day # February 30 is March 2

          made(year, month, day, hour, minute, found)
        rescue ArgumentError
          nil # a month 13, a minute 60
        end

        def made(year, month, day, hour, minute, found)
          seconds, digits = found[6].to_i, found[7]
          if digits
            seconds = Rational(((seconds * (10**digits.size)) + digits.to_i), 10**digits.size)
          end
          offset = found[9]
          # -00:00 is UTC, but Time.new would leave a second 60 as it is there
          return Time.utc(year, month, day, hour, minute, seconds) if
            found[8] || offset.match?(/-00:?00/u)

          offset = "#{offset[0, 3]}:#{offset[3, 2]}" if offset.size == 5
          Time.new(year, month, day, hour, minute, seconds, offset)
        end

        def seconds(value, unit)
          return unless Integer === value && SECONDS.cover?(value / unit)

          unit == 1 ? Time.at(value).utc : Time.at(value / unit, value % unit, :millisecond).utc
        end

        def patterned(text, pattern)
          return unless String === pattern && text.size <= PATTERNED

          found = ::DateTime.strptime(text, pattern)
          return unless YEARS.cover?(found.year)

          Time.new(found.year, found.month, found.day, found.hour, found.minute,
                   found.second + found.second_fraction, (found.offset * 86_400).to_i)
        rescue ArgumentError
          nil
        end
      end
    end
  end
end
