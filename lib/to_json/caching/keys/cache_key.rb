# frozen_string_literal: true

# Layer: caching. Writes the text of cache keys. No two different values have the same text.

require "digest/sha2" # here, since a call of require waits for the lock of RubyGems

module ToJson
  # Writes values as printable ASCII. The first character tells the type, and in a text every
  # character that could end it is escaped, so that keys could be parsed back:
  #
  #   5 -5        Integer                  _abc        String
  #   nil true    themselves               :abc        Symbol
  #   ~1.5        Float, Rational          (_a,1)      Array
  #   ~D0.15e1    BigDecimal
  #   @5.000…     Time, Date, Duration     {:a=1}      Hash, in its order
  #   ^Post       Module                   =Post(…)    what an object says of itself (cache_key)
  #   %0f3c…      the digest of any of these, where it would be too long
  # @api private
  module CacheKey
    # Add one to this number if you change the texts below, so that older parts are not found.
    FORM = 7
    # The most bytes of a whole key. memcached takes 250, and the store's namespace needs some.
    LONGEST = 200
    # The most characters of the class name in a key. The name is there for people.
    LONGEST_NAME = 60
    # The most bytes of a text that is escaped. For a longer one, its digest stands.
    LONG = 1000
    # A text of these bytes alone stays as it is. All other bytes are escaped, among them `%`, and
    # what ends a text: `,`, `;`, `=`, `'` and brackets.
    PLAIN = %r{\A[\w.:/@+*!?|~^-]*\z}
    SPECIAL = %r{[^\w.:/@+*!?|~^-]}n
    # The most Arrays and Hashes inside each other. An Array that contains itself has more.
    DEEPEST = 100
    # The name of a class that a constant holds. Several classes can have any other name.
    CONSTANT = /\A[[:upper:]][[:word:]]*(?:::[[:upper:]][[:word:]]*)*\z/
    NAME = Module.instance_method(:name)
    private_constant :LONG, :PLAIN, :SPECIAL, :DEEPEST, :CONSTANT, :NAME

    extend Objects

    class << self
      # @return [String] 128 bits of a text, in hexadecimal digits
      def digest(text) = ::Digest::SHA256.hexdigest(text)[0, 32]

      # @param prefix [String]
      # @param text [String] which {text} returned
      # @return [String] the key. A digest begins with `%`, which no text does
      def join(prefix, text)
        text = "%#{digest(text)}" if prefix.bytesize + text.bytesize > LONGEST
        (prefix + text).freeze
      end

      # @param given [Object] what a `key:` returned
      # @return [String, nil] nil: the object must not be cached
      # @raise [CacheError] for an object that has no key
      def text(place, given)
        case given
        when nil, false then nil
        else part(place, given, 0)
        end
      end

      # The text also of nil and false.
      # @return [String, nil] nil: the object must not be cached
      # @raise [CacheError]
      def text_of_any(place, given) = part(place, given, 0)

      # @return [String, nil] the name of the constant that holds a class, nil: none does
      def name_of(klass)
        name = NAME.bind_call(klass)
        name if name && CONSTANT.match?(name)
      end

      # The text of Arrays, Hashes, Strings, Symbols, numbers, true, false and nil, however deep.
      def tree(value)
        case value
        when Array then "(#{value.map { |one| tree(one) }.join(",")})"
        when Hash then "{#{value.map { |key, one| "#{tree(key)}=#{tree(one)}" }.join(",")}}"
        else part(nil, value, 0)
        end
      end

      private

      def part(place, given, depth)
        case given
        when String then quote("_", given)
        when Integer then given.to_s
        when Symbol then quote(":", given.name)
        when Array then parts(place, given, depth)
        when nil then "nil"
        when true then "true"
        when false then "false"
        when Float, Rational then "~#{given}"
        when Hash then pairs(place, given, depth)
        else of_object(place, given, depth)
        end
      end

      # The encoding is part of the text, unless the text is ASCII and the encoding contains ASCII.
      def quote(mark, text)
        return mark if text.empty?
        return long(mark, text) if text.bytesize > LONG
        return "#{mark}#{PLAIN.match?(text) ? text : escape(text)}" if text.ascii_only?
        return "#{mark}#{escape(text)}" if text.encoding == Encoding::UTF_8

        "#{mark}'#{text.encoding}'#{escape(text)}"
      end

      # An escaped byte takes 1 us, one of a digest 8 ns. No other text has a `$`.
      def long(mark, text)
        "#{mark}'#{text.encoding unless text.ascii_only?}'$#{digest(text)}"
      end

      def escape(text) = text.b.gsub(SPECIAL) { |byte| format("%%%02X", byte.ord) }

      def parts(place, given, depth)
        refuse_deep(place) if depth == DEEPEST
        "(#{given.map { |one| part(place, one, depth + 1) || return }.join(",")})"
      end

      def pairs(place, given, depth)
        refuse_deep(place) if depth == DEEPEST
        pairs = given.to_a.map do |name, value|
          "#{part(place, name, depth + 1) || return}=#{part(place, value, depth + 1) || return}"
        end
        "{#{pairs.join(",")}}"
      end

      # All digits of a fraction of a second, which may be a Rational.
      def digits(subsec)
        nanoseconds = subsec * 1_000_000_000
        nanoseconds.denominator == 1 ? nanoseconds.to_i.to_s.rjust(9, "0") : nanoseconds.to_s
      end

      def of_object(place, given, depth)
        refuse(place, given) unless defined?(given.respond_to?) # a BasicObject
        return time(given) if Time === given
        return of_module(place, given, depth) if Module === given
        return rows(place, given, depth) if relation?(given)

        if own?(given)
          refuse_presenter(place, given) if forwards?(given)
          own(place, given, key_of(given), depth)
        elsif Library.of?(given, :Date) then date(given)
        elsif duration?(given) then duration(given)
        elsif Library.of?(given, :BigDecimal) then "~D#{given.to_s("E")}" # Rails changes to_s
        else refuse(place, given)
        end
      end

      # Includes the offset, which documents show and `eql?` does not compare. UTC has none, because
      # `Z` and `+00:00` are two texts.
      def time(given)
        offset = format("%+d", given.utc_offset) unless given.utc?
        "@#{given.to_i}.#{digits(given.subsec)}#{offset}"
      end

      # The date as documents show it. The same text means another day in the Julian calendar.
      def date(given)
        text = "#{given.iso8601}#{"J" if given.julian?}"
        return quote("@D", text) unless given.respond_to?(:sec_fraction) # a DateTime

        quote("@T", "#{text}.#{digits(given.sec_fraction)}")
      end

      # Other objects with a method iso8601 may have more than that text.
      def duration?(given)
        type = Library.loaded(:ActiveSupport, :Duration)
        !type.nil? && type === given
      end

      def duration(given)
        "@(#{quote("^", Lookup.class_of(given).to_s)},#{quote("_", given.iso8601)})"
      end

      def refuse(place, given)
        raise CacheError,
              "#{place}: the key has an instance of #{Lookup.class_of(given)}. Let key: and " \
              "context: return text, numbers, times, objects with cache_key_with_version, or an " \
              "Array of these. If key: returns nil, the object is not cached."
      end

      def refuse_presenter(place, given)
        raise CacheError,
              "#{place}: the key has an instance of #{Lookup.class_of(given)}, which has the key " \
              "of another object, and may write more than that object. Define " \
              "cache_key_with_version in its class, or let key: return what counts, such as " \
              "[it.id, it.updated_at]."
      end

      def refuse_deep(place)
        raise CacheError, "#{place}: the key has more than #{DEEPEST} Arrays or Hashes inside " \
                          "each other. Let key: and context: return fewer."
      end
    end
  end
end
