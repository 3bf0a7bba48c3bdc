# frozen_string_literal: true

# Layer: rules. How Ruby values become JSON: options, their checks, and the three places they come from.

module ToJson
  # How a Ruby value becomes JSON. Frozen. Given per call (`rules:`, or as keywords of {ToJson.generate}),
  # per serializer class ({Serializer.rules}), or for all ({ToJson.default_rules=}); the nearest wins whole.
  #
  # @example
  #   cents = Struct.new(:amount)
  #   rules = ToJson::Rules.new(time: :unix, convert: { cents => ->(c) { c.amount / 100.0 } })
  #   ToJson.generate({ at: Time.at(0), price: cents.new(1050) }, rules: rules) # => "{\"at\":0,\"price\":10.5}"
  class Rules
    # Every option with its default. docs/values.md shows what each writes.
    DEFAULTS = {
      dialect: :standard, html_safe: false, nan: :raise, invalid: :raise, decimal: :string, time: :iso8601,
      duplicates: :write, max_depth: 100, convert: nil
    }.freeze

    # What an option may be; the others have checks of their own.
    CHOICES = Ractor.make_shareable({
      dialect: %i[standard strict], html_safe: [true, false], nan: %i[raise null], invalid: %i[raise replace],
      decimal: %i[string number], time: %i[iso8601 utc unix unix_ms], duplicates: %i[write raise]
    })
    private_constant :CHOICES

    # The deepest nesting that can be asked for.
    MAX_DEPTH_LIMIT = 2**31 - 1

    class << self
      # @example
      #   ToJson::Rules.new(time: :utc, nan: :null) # => #<ToJson::Rules nan: :null, time: :utc>
      #   ToJson::Rules.new(tiem: :utc)             # !> ArgumentError: unknown option :tiem, did you mean :time? …
      # @param base [Rules, nil] where the other options come from; nil: the built-in defaults
      # @option options [Symbol] :dialect (:standard) `:strict` for JSON's own types only
      # @option options [Boolean] :html_safe (false) escapes `<`, `>`, `&`, U+2028 and U+2029 everywhere, so that the
      #   document can stand inside a script element
      # @option options [Symbol] :nan (:raise) `:null` for NaN and the infinities
      # @option options [Symbol] :invalid (:raise) `:replace` to write U+FFFD for bytes that are no text
      # @option options [Symbol] :decimal (:string) BigDecimal as `:string` or `:number`, in plain notation either way
      # @option options [Symbol, String] :time (:iso8601) with milliseconds and the value's own offset; `:utc` the same
      #   in UTC, `:unix` whole seconds, `:unix_ms` milliseconds, or a pattern for `strftime`
      # @option options [Symbol] :duplicates (:write) `:raise` for keys of one Hash that read the same; costs a Hash per Hash
      # @option options [Integer] :max_depth (100) containers open at once, 1 to 2**31 - 1
      # @option options [Hash{Module => #call}, nil] :convert (nil) what to write instead of an instance of a class or
      #   module; the nearest ancestor wins
      # @return [Rules]
      # @raise [ArgumentError] an unknown option or value, with the ones that exist
      def new(base = nil, **options)
        options.each { |name, value| check(name, value) }
        merged = (base ? base.to_h : DEFAULTS).merge(options)
        merged[:time] = merged[:time].dup.freeze if merged[:time].is_a?(String)
        merged[:convert] = merged[:convert].dup.freeze if merged[:convert]
        rules = from_checked(merged)
        rules.instance_variable_set(:@to_h, merged.freeze)
        rules.freeze
      end

      # @api private
      # @return [Rules] what `rules:` meant: Rules as they are, a Hash or a dialect over the defaults
      def coerce(given)
        case given
        when Rules then given
        when Hash then new(ToJson.default_rules, **given)
        when Symbol then new(dialect: given)
        else raise ArgumentError, "rules: takes ToJson::Rules, a Hash of options or a dialect, got #{given.class}"
        end
      end

      private

      def check(name, value)
        raise ArgumentError, Suggestion.unknown("option", name, DEFAULTS.keys) unless DEFAULTS.key?(name)
        return if valid?(name, value)

        choices = CHOICES.fetch(name, []).map(&:inspect)
        choices << "a strftime pattern" if name == :time
        choices << "an Integer from 1 to #{MAX_DEPTH_LIMIT}" if name == :max_depth
        choices << "a Hash of Module => callable" << "nil" if name == :convert
        raise ArgumentError, "#{name}: takes #{choices.join(", ")}; got #{value.inspect}"
      end

      def valid?(name, value)
        case name
        when :time then value.is_a?(String) || CHOICES[:time].include?(value)
        when :max_depth then value.is_a?(Integer) && value.between?(1, MAX_DEPTH_LIMIT)
        when :convert
          value.nil? || (value.is_a?(Hash) && value.all? { |type, call| type.is_a?(Module) && call.respond_to?(:call) })
        else CHOICES.fetch(name).include?(value)
        end
      end
    end

    # @return [Hash{Symbol => Object}] every option with its value
    attr_reader :to_h

    # The same Rules but for some options.
    # @example
    #   ToJson::Rules.new(nan: :null).with(time: :unix) # => #<ToJson::Rules nan: :null, time: :unix>
    # @param options the options of {Rules.new}
    # @return [Rules]
    # @raise [ArgumentError] as {Rules.new}
    def with(**options) = self.class.new(self, **options)

    # @return [Boolean] whether all options are equal
    def ==(other) = other.is_a?(Rules) && to_h == other.to_h
    alias eql? ==

    # @return [Integer]
    def hash = to_h.hash

    # @return [String] the options that differ from the defaults
    def inspect
      changed = to_h.reject { |name, value| DEFAULTS[name] == value }.map { |name, value| " #{name}: #{value.inspect}" }
      "#<ToJson::Rules#{changed.join(",")}>"
    end
  end

  class << self
    # @!method default_rules
    #   The Rules of every call and class that names none.
    #
    #   @example
    #     ToJson.default_rules.to_h[:nan] # => :raise
    #
    #   @return [Rules]

    # Sets the Rules of every call and class that names none. For boot time: documents that are being
    # written keep theirs.
    #
    # @param rules [Rules, Hash, Symbol] a Hash of options or a dialect stands over the built-in defaults
    def default_rules=(rules)
      raise ArgumentError, "ToJson.default_rules = in a Ractor: set it in the main one" unless Ractor.current == Ractor.main

      keep_default_rules(rules.is_a?(Hash) ? Rules.new(**rules) : Rules.coerce(rules))
    end

    # @api private
    # The Rules of a class: its own, its nearest ancestor's, or true for the global default. Kept with the
    # class, where ext/to_json/glue/serializer.c looks first.
    def effective_rules(klass)
      owner = klass.ancestors.find { |ancestor| ancestor.instance_variable_defined?(:@to_json_rules) }
      rules = owner ? owner.instance_variable_get(:@to_json_rules) : true
      keep_effective_rules(klass, rules)
      rules
    end

    # @api private
    def keep_effective_rules(klass, rules)
      klass.instance_variable_set(:@to_json_effective_rules, rules)
    rescue FrozenError, Ractor::IsolationError
      # A frozen class, or one seen from another Ractor, is asked anew each time.
    end

    # @api private
    # The Rules that `generate`'s keywords mean.
    def rules_of_options(options)
      base = options[:rules] ? Rules.coerce(options[:rules]) : default_rules
      Rules.new(base, **options.reject { |name, _| %i[into rules].include?(name) })
    end
  end
end

ToJson.default_rules = {}
