# frozen_string_literal: true

# Layer: base. Words the errors for unknown names: which name may have been meant, and which names
# exist.

module ToJson
  # @api private
  module Suggestion
    # A client's text may be of any size: beyond this many characters none is suggested, and it is
    # shown cut.
    LONGEST = 60
    # Names that a message lists.
    MOST = 100

    class << self
      # @param what [String] the kind of thing
      # @param given [Symbol, String, Object] the key of a Hash may be anything
      # @param known [Array<Symbol>]
      # @param elsewhere [Hash{Symbol => Symbol}] words of other libraries => ours
      # @return [String] such as `unknown option :fi, did you mean :if? Known: if, unless.`
      def unknown(what, given, known, elsewhere = {})
        hint = elsewhere[given].inspect if known.include?(elsewhere[given])
        hint ||= nearest(given, known)
        "unknown #{what} #{shown(given)}#{hint ? ", did you mean #{hint}?" : "."} Known: " \
        "#{list(known)}."
      end

      # @param given [Symbol, String, Object]
      # @param known [Array<Symbol>]
      # @return [Symbol, nil] the one that may have been meant
      def near(given, known)
        return unless readable?(given)

        similar(given, known) || swapped(given, known)
      end

      # @return [String] the text as `inspect` writes it, in UTF-8 or ASCII, cut if it is long
      def shown(given)
        return in_utf8(given.inspect) unless given.is_a?(String) && given.size > LONGEST

        "#{in_utf8(given[0, LONGEST].inspect)}…"
      end

      # @param given [String]
      # @return [String] the same text, cut if it is long
      def cut(given) = given.size > LONGEST ? "#{given[0, LONGEST]}…" : given

      private

      # `inspect` uses the default encoding, whose text cannot be joined with names in UTF-8.
      def in_utf8(text)
        return text if text.ascii_only? || text.encoding == Encoding::UTF_8

        text.encode(Encoding::UTF_8, invalid: :replace, undef: :replace)
      end

      def similar(given, known)
        return unless defined?(DidYouMean)

        found = DidYouMean::SpellChecker.new(dictionary: known).correct(given)
        found.min_by { |word| DidYouMean::Levenshtein.distance(word.to_s, given.to_s) }
      end

      # Of the kind that was given, so that it can be pasted; a Symbol where nothing but the kind is
      # wrong.
      def nearest(given, known)
        hint = near(given, known) or return
        given.is_a?(String) && hint.to_s != given ? hint.to_s.inspect : hint.inspect
      end

      def readable?(given)
        case given
        when Symbol, String
          given.size <= LONGEST && given.encoding.ascii_compatible? && given.to_s.valid_encoding?
        end
      end

      # Ruby's checker sees no likeness between :fi and :if.
      def swapped(given, known)
        letters = given.to_s.chars.sort
        known.find { |name| name.size == given.size && name.to_s.chars.sort == letters }
      end

      def list(known)
        return "none" if known.empty?
        return known.join(", ") if known.size <= MOST

        "#{known.first(MOST).join(", ")} and #{known.size - MOST} more"
      end
    end
  end
end
