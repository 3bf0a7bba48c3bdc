# frozen_string_literal: true

# Layer: definition. The text of cache keys: what a `key:` gave, without ambiguity, and short.

module ToJson
  # @api private
  module CacheKey
    # Bytes of a whole key: memcached takes 250, of which a namespace of the store's may need some.
    LONGEST = 200
    # Of a class's name in it, which is there for people.
    LONGEST_NAME = 60
    ODD = /[^!-~]/
    SEPARATORS = %r{[%/]}
    NIL = "%nil"
    DEFAULT = :cache_key_with_version

    class << self
      # @return [String] 128 bits of a text, in hexadecimal digits
      def digest(text)
        require "digest/sha2"
        Digest::SHA256.hexdigest(text)[0, 32]
      end

      # @param prefix [String]
      # @param text [String] what {text} gave
      # @return [String] the key; long and odd texts enter it as digests
      def join(prefix, text)
        text = "%#{digest(text.b)}" if prefix.bytesize + text.bytesize > LONGEST || !text.ascii_only? || ODD.match?(text)
        (prefix + text).freeze
      end

      # The key that an object has by itself.
      # @return [String, nil] nil: it is not to be cached, as a record that was not saved
      # @raise [CacheError]
      def default(place, object)
        return unsaved?(object) ? nil : object.public_send(DEFAULT).to_s if object.respond_to?(DEFAULT)

        raise CacheError, "#{place}: an instance of #{Lookup.class_of(object)} has no #{DEFAULT}. Give key: ->(object) { [object.id, object.updated_at] }."
      end

      # @param given [Object] what a `key:` gave
      # @return [String, nil] nil: not to be cached
      # @raise [CacheError] for what says nothing about itself
      def text(place, given)
        return if given.nil? || given == false

        part(place, given)
      end

      private

      # Parts of an Array are told apart, whatever text they contain; not their types: 1 and "1" are one key. Times have all their digits.
      def part(place, given)
        case given
        when Array then parts(place, given)
        when String then given
        when Integer, Symbol, Float, Rational, true, false then given.to_s
        when nil then NIL
        when Hash then parts(place, given.flat_map { |name, value| [name, value] })
        when Time then "#{given.to_i}.#{given.nsec}"
        else of_object(place, given)
        end
      end

      def parts(place, given)
        given.map { |one| Integer === one ? one : element(place, one) || return }.join("/")
      end

      def element(place, given)
        text = part(place, given)
        return text if given.nil? || text.nil? || (text.ascii_only? && !SEPARATORS.match?(text))

        text.b.gsub(SEPARATORS) { |byte| byte == "%" ? "%25" : "%2F" }
      end

      def of_object(place, given)
        if given.respond_to?(DEFAULT) then default(place, given)
        elsif given.respond_to?(:cache_key) then given.cache_key.to_s
        elsif given.is_a?(Module) then given.name.to_s
        elsif given.respond_to?(:sec_fraction) then given.iso8601(9) # a DateTime
        elsif given.respond_to?(:iso8601) then given.iso8601
        else refuse(place, given)
        end
      end

      def refuse(place, given)
        raise CacheError, "#{place}: key: gave an instance of #{Lookup.class_of(given)}. Give text, numbers, times, what has cache_key_with_version, " \
                          "or an Array of these; nil for what is not to be cached."
      end

      def unsaved?(object) = object.respond_to?(:new_record?) && object.new_record?
    end
  end
end
