# frozen_string_literal: true

# Layer: values. The conversions of `as:` that C leaves to Ruby. Each returns a value that the
# Writer can write. May run methods of the value.

module ToJson
  # nil stays nil. What cannot be converted is an UnsupportedTypeError that says what could be.
  # @api private
  module Conversion
    TAKES = {
      integer: "numbers, their text in base 10, times, and objects with to_int or to_i",
      float: "numbers, their text, times, and objects with to_f",
      date: "dates, times, and text that Date.iso8601 reads",
      time: "times and dates",
      fragment: "JSON text and ToJson::Fragment",
      string: "objects with to_s"
    }.freeze
    DATE = "%Y-%m-%d"
    OWN_OFFSET = "%Y-%m-%dT%H:%M:%S.%L%:z"
    IN_UTC = "%Y-%m-%dT%H:%M:%S.%LZ"
    # Longer texts are cut in messages.
    SHOWN = 40
    private_constant :TAKES, :DATE, :OWN_OFFSET, :IN_UTC, :SHOWN

    # Converts a value by `conversion`, which is an `as:` that is not a Symbol, and then to text.
    ToText = Struct.new(:conversion) do
      # @return [String, SKIP] SKIP: the conversion returned nil
      def call(value)
        made = conversion.respond_to?(:call) ? conversion.call(value) : conversion.encode(value)
        nil == made ? SKIP : Conversion.string(made)
      end
    end

    class << self
      # @return [String, nil] its `to_s`; a BigDecimal's in plain notation, as it is written without
      #   `as:`
      def string(value)
        case value
        when nil, String then value
        else
          refuse(:string, value) unless Object === value || Reflection.answers?(value, :to_s)
          text = decimal?(value) ? value.to_s("F") : value.to_s
          String === text ? text : refuse(:string, value)
        end
      end

      # @return [Integer, nil] numbers truncated
      def integer(value)
        case value
        when nil, Integer then value
        when Numeric then value.to_i
        when String then Integer(value, 10)
        else whole(value)
        end
      rescue ArgumentError, RangeError, ::EncodingError # FloatDomainError; text in UTF-16
        refuse(:integer, value)
      end

      # @return [Float, nil]
      def float(value)
        case value
        when nil, Float then value
        when Numeric then value.to_f
        when String then Float(value)
        else !bare?(value) && value.respond_to?(:to_f) ? value.to_f : refuse(:float, value)
        end
      rescue ArgumentError, RangeError
        refuse(:float, value)
      end

      # @return [Boolean, nil] Ruby's truth
      def boolean(value)
        return if nil == value

        value ? true : false
      end

      # @return [String, nil] as "2026-11-20", by the value's own calendar day
      def date(value)
        return if nil == value
        return date_of_text(value) if String === value

        refuse(:date, value) if bare?(value)
        return value.strftime(DATE) if point_in_time?(value) || date?(value)

        refuse(:date, value)
      end

      # A Date is its midnight in UTC.
      #
      # @param format [Symbol, String, nil] as Field#format; nil: the value itself, which the Rules
      #   write
      # @return [Time, DateTime, String, Integer, nil]
      def time(value, format = nil)
        return if nil == value

        refuse(:time, value) if bare?(value)
        return moment(value, format) if point_in_time?(value)
        return moment(Time.utc(value.year, value.month, value.day), format) if date?(value)

        refuse(:time, value)
      end

      # @return [Fragment, nil] nil for the empty text too
      # @raise [FragmentError] for text that is not one JSON value
      def fragment(value)
        case value
        when nil, Fragment then value
        when String then value.empty? ? nil : Fragment.new(value)
        else refuse(:fragment, value)
        end
      end

      private

      # Whether it is a BasicObject, which has not even what is needed to ask what it is.
      def bare?(value) = !(Object === value || Reflection.answers?(value, :respond_to?))

      def whole(value)
        refuse(:integer, value) if bare?(value)
        return value.to_int if value.respond_to?(:to_int)

        value.respond_to?(:to_i) ? value.to_i : refuse(:integer, value)
      end

      def decimal?(value) = Library.of?(value, :BigDecimal)

      # Text may come before anybody has required the library. Even if the constant Date is there,
      # another thread may still be loading it. Other Ractors may not set `@date`.
      def date_of_text(text)
        unless @date || (Ractor.current != Ractor.main && Library.loaded(:Date))
          FirstUse.uninterrupted { require "date" }
          @date = true if Ractor.current == Ractor.main
        end
        refuse(:date, text) unless text.ascii_only? # see test/lint/patterns_test.rb
        ::Date.iso8601(text).strftime(DATE)
      rescue ArgumentError, ::EncodingError
        refuse(:date, text)
      end

      def date?(value) = Library.of?(value, :Date)

      # A Time, a DateTime or ActiveSupport's TimeWithZone, which says of itself that it is a Time.
      def point_in_time?(value)
        value.is_a?(Time) || Library.of?(value, :DateTime)
      end

      # A DateTime is never "Z", as without `as:`.
      def moment(value, format)
        date_time = !value.is_a?(Time)
        case format
        when nil then value
        when :iso8601 then value.strftime(!date_time && value.utc? ? IN_UTC : OWN_OFFSET)
        when :utc then (date_time ? value.new_offset(0) : value.getutc).strftime(IN_UTC)
        when :unix then date_time ? Integer(value.strftime("%s"), 10) : value.to_i
        when :unix_ms
          if date_time
            Integer(value.strftime("%Q"), 10)
          else
            (value.to_i * 1000) + (value.nsec / 1_000_000)
          end
        else value.strftime(format)
        end
      end

      def refuse(conversion, value)
        raise UnsupportedTypeError,
              "as: #{conversion.inspect} takes #{TAKES.fetch(conversion)}; got #{shown(value)}."
      end

      def shown(value)
        type = Reflection.class_of(value)
        return type.to_s unless [String, Symbol, Float].include?(type)

        text = value.inspect
        text.size > SHOWN ? "#{type} #{text[0, SHOWN]}…" : "#{type} #{text}"
      end
    end
  end
end
