# frozen_string_literal: true

# Layer: values. JSON text that is already encoded.

module ToJson
  # JSON text that is written into a document unchanged. It is frozen, and Ractors can share it.
  #
  # @example
  #   cached = ToJson::Fragment.new('{"id":1}')
  #   ToJson.generate([cached, cached]) # => "[{\"id\":1},{\"id\":1}]"
  class Fragment
    class << self
      # @param json [String] one JSON value (RFC 8259) in UTF-8; copied if it is not frozen
      # @param check [Boolean] false skips the check of the text; if the text is not JSON, neither
      #   is the document
      # @return [Fragment]
      # @raise [FragmentError] if the text is not exactly one JSON value; the message has the offset
      def new(json, check: true)
        wrap(json, check)
      end
    end

    # @!method to_s
    #   @return [String] the text, frozen

    # Returns the text, for other generators. Their arguments are ignored.
    # @return [String]
    def to_json(*) = to_s

    # Returns the text as Ruby values, for generators such as ActiveSupport's. The json gem parses
    # it, which these generators have loaded.
    # Caveats: numbers become Ruby's, and of equal keys only one remains.
    # @return [Hash, Array, String, Numeric, Boolean, nil]
    def as_json(*) = ::JSON.parse(to_s, max_nesting: false)

    # @return [Boolean] whether the texts are equal
    def ==(other) = other.is_a?(Fragment) && to_s == other.to_s
    alias eql? ==

    # @return [Integer]
    def hash = to_s.hash

    # @return [String]
    def inspect = "#<ToJson::Fragment #{to_s.inspect}>"
  end
end
