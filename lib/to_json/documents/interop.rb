# frozen_string_literal: true

# Layer: documents. Answers when another library calls `to_json` or `as_json` of a serializer.

module ToJson
  # Tells whether a serializer stands inside another value, where it has no root of its class, and
  # which characters ActiveSupport wants escaped.
  # @api private
  module Interop
    # ActiveSupport's encoder, as the end of a path.
    ENCODER = "active_support/json/encoding.rb"
    private_constant :ENCODER

    class << self
      # @param state [Object, nil] the argument of `to_json`: json's State counts containers. Oj's
      #   says that it responds to `depth`, and raises
      def inside?(state)
        return false unless Reflection.class_of(state).method_defined?(:depth)

        state.depth.is_a?(Integer) && state.depth.positive?
      end

      # @param frame [Thread::Backtrace::Location, nil] that called `as_json`: the `as_json` of what
      #   contains the serializer, or ActiveSupport's encoder. The encoder does not tell whether
      #   anything stands around the serializer. But if nothing does, `to_json` is called instead.
      def inside_tree?(frame)
        name = frame&.base_label
        return true if name == "as_json"

        name != "encode" && frame&.path.to_s.end_with?(ENCODER)
      end

      # @!method markup?(text)
      #   @param text [Object] a document
      #   @return [Boolean] whether it is a String with something that ActiveSupport escapes

      # @param text [String] a document
      # @param options [Hash, nil] the argument of `to_json`; ActiveSupport 8.1 has `escape:` there
      # @return [String] the document; if ActiveSupport is loaded, with the escapes of its settings.
      #   So a serializer's text is as safe in a page as the same text inside a Hash
      def escaped(text, options = nil)
        return text unless markup?(text) && encoding?

        escaped = by(escapes(options), text)
        text.frozen? ? escaped.freeze : escaped
      end

      private

      def by(escapes, text)
        case escapes
        when MARKUP | SEPARATORS
          Dialects::Rails.encode(Fragment.new(text, check: false), nil, 3, RULES)
        when MARKUP then Dialects::Rails.escaped(text, true)
        when SEPARATORS then separators?(text) ? Dialects::Rails.escaped(text, false) : text
        else text
        end
      end

      # ActiveSupport may have left its encoder to autoload, and then nobody uses the encoder.
      def encoding? = Library.loaded(:ActiveSupport, :JSON, :Encoding)

      def separators?(text) = text.include?("\u2028") || text.include?("\u2029")

      # @return [Integer] bits
      def escapes(options)
        encoding = ::ActiveSupport::JSON::Encoding
        markup, separators = encoding.escape_html_entities_in_json, true
        if encoding.const_defined?(:JSONGemCoderEncoder) # ActiveSupport >= 8.1
          return 0 if options && options[:escape] == false

          markup = options[:escape_html_entities] if options&.key?(:escape_html_entities)
          separators = encoding.escape_js_separators_in_json
        end
        (markup ? MARKUP : 0) | (separators ? SEPARATORS : 0)
      end
    end

    MARKUP = 1
    SEPARATORS = 2
    RULES = Rules.new(dialect: :rails)
    private_constant :MARKUP, :SEPARATORS, :RULES
  end
end
