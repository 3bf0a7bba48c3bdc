# frozen_string_literal: true

# Layer: fragment. JSON text that is already encoded.

module ToJson
  # JSON text that goes into a document as it is. Frozen and shareable.
  #
  # @example
  #   cached = ToJson::Fragment.new('{"id":1}')
  #   ToJson.generate([cached, cached]) # => "[{\"id\":1},{\"id\":1}]"
  class Fragment
    class << self
      # @param json [String] one JSON value (RFC 8259) in UTF-8; copied when it is not frozen
      # @param check [Boolean] false trusts the text and saves a pass over it; what is no JSON then makes the
      #   document no JSON
      # @return [Fragment]
      # @raise [FragmentError] with the offset, when the text is not one JSON value
      def new(json, check: true)
        wrap(json, check)
      end
    end

    # @!method to_s
    #   @return [String] the text, frozen

    # The text, for other generators: their arguments are ignored.
    # @return [String]
    def to_json(*) = to_s

    # What the text says, for generators that ask for values, as ActiveSupport does: read by the json gem, which those have loaded.
    # Caveats: its numbers become Ruby's, its equal keys one.
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
