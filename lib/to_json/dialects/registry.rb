# frozen_string_literal: true

# Layer: dialects. All dialects: their defaults, the names that their library has for options, and
# the errors that they raise.

module ToJson
  # A dialect is a module with three methods, in a file of its own under dialects/; its native half
  # is a `tj_family` (ext/to_json/dialects/dialect_*.c). TABLE says which names it serves.
  # @api private
  module Dialects
    # `:standard` and `:strict`, and what the others need not say.
    module Own
      # Options of Rules that this dialect sets otherwise than {Rules::DEFAULTS}.
      def defaults(_name) = {}

      # Options that a base of another dialect does not tell this one.
      def decided(_name) = []

      # Names of options that are the library's and not ours.
      def names(_name) = []

      # Options as they were given, the library's own names put into ours. What is unknown stays, to
      # be refused.
      def translate(_name, options) = options

      # Raises ArgumentError for options that make no sense together.
      def check(options); end

      # What the library raises where we would raise `klass`.
      def error_class(_name, klass) = klass

      # What it says of a document nested deeper than `most`, the containers of `depth:` counted;
      # nil for our words.
      def nesting_words(_name, _most) = nil

      extend self
    end

    # In the order of `enum tj_dialect`.
    NAMES = %i[standard strict json json2 oj oj_strict rails].freeze

    # Options that mean something under these dialects alone: others leave times and decimals to the
    # value's own methods, and ActiveSupport's settings say what is escaped.
    LIMITED = Ractor.make_shareable({
      strict: %i[json json2], as_json: %i[standard strict json json2], sort_keys: %i[json json2],
      rfc8785: %i[json], models: %i[rails],
      time: %i[standard strict], decimal: %i[standard strict],
      **%i[html_safe ascii_only script_safe js_separators].to_h { |name| [name, NAMES - %i[rails]] }
    })

    class << self
      # @return [Module] see Own
      def of(name) = TABLE.fetch(name, Own)

      # @return [Array<Symbol>] the dialects that there are
      def known = %i[standard strict] | TABLE.keys

      # @return [Hash{Symbol => Object}] every option with its default under a dialect
      def defaults(name) = Rules::DEFAULTS.merge(of(name).defaults(name), dialect: name)

      # The options that Rules are made of: what was given, over what the base says itself, over the
      # dialect's defaults.
      # @param others [Array<Symbol>] keywords that the message names besides
      def merge(base, options, others = [])
        name = options.fetch(:dialect, base ? base.to_h[:dialect] : :standard)
        options = of(name).translate(name, options)
        options.each_key do |option|
          unless Rules::DEFAULTS.key?(option)
            raise ArgumentError, Suggestion.unknown("option", option, known_options(name) | others)
          end
        end
        kept = base ? base.own : {}
        kept = kept.except(*of(name).decided(name)) if base && base.to_h[:dialect] != name
        merged = defaults(name).merge(kept, options, dialect: name)
        refuse_limited(name, kept, options, merged)
      end

      # @raise [ArgumentError] for options that make no sense together
      def check(options) = of(options[:dialect]).check(options)

      private

      def known_options(name) = Rules::DEFAULTS.keys | of(name).names(name)

      # A default that the base has for another dialect means nothing under this one; what the call
      # itself says raises.
      def refuse_limited(name, kept, options, merged)
        LIMITED.each do |option, dialects|
          next if dialects.include?(name) || merged[option] == Rules::DEFAULTS[option]

          if options.key?(option)
            raise ArgumentError, "#{option}: works only with the dialects " \
                                 "#{dialects.map(&:inspect).join(" and ")}, not with " \
                                 "#{name.inspect}"
          end

          kept.key?(option) and merged[option] = Rules::DEFAULTS[option]
        end
        merged
      end
    end
  end

  class << self
    # @api private
    # For tj_raise: `dialect` counts as `enum tj_dialect` does.
    def error_class(dialect, klass)
      name = Dialects::NAMES.fetch(dialect)
      Dialects.of(name).error_class(name, klass)
    end

    # @api private
    # The words of a NestingError, nil where ours do.
    def nesting_words(dialect, most)
      name = Dialects::NAMES.fetch(dialect)
      Dialects.of(name).nesting_words(name, most)
    end

    # @api private
    # The first text that two keys of a Hash share, or nil. What a key's to_s is, json asks too.
    def mixed_duplicate(hash)
      seen = {}
      hash.each_key do |key|
        text = key.to_s
        return text if seen[text]

        seen[text] = true
      end
      nil
    end
  end
end
