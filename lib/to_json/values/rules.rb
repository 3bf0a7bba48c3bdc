# frozen_string_literal: true

# Layer: values. Rules say how Ruby values become JSON: the options, their checks, and the three
# places where Rules are set.

module ToJson
  # Rules say how a Ruby value becomes JSON. They are frozen. A call has them (`rules:`, or keywords
  # of {ToJson.generate}), or its serializer class ({Serializer.rules}), or all documents
  # ({ToJson.default_rules=}). The first of these is used; they are not merged.
  #
  # @example
  #   cents = Struct.new(:amount)
  #   rules = ToJson::Rules.new(time: :unix, convert: { cents => ->(c) { c.amount / 100.0 } })
  #   ToJson.generate({ at: Time.at(0), price: cents.new(1050) }, rules: rules)
  #   # => "{\"at\":0,\"price\":10.5}"
  class Rules
    # Every option with its default. docs/values.md shows what each writes.
    DEFAULTS = {
      dialect: :standard, html_safe: false, nan: :raise, invalid: :raise, decimal: :string,
      time: :iso8601,
      duplicates: :write, max_depth: 100, convert: nil,
      indent: nil, space: nil, space_before: nil, object_nl: nil, array_nl: nil, depth: 0,
      ascii_only: false, script_safe: false, js_separators: false, binary: :text,
      strict: false, as_json: nil, sort_keys: nil, rfc8785: false, models: :raise
    }.freeze
    LAYOUT = %i[indent space space_before object_nl array_nl].freeze
    private_constant :LAYOUT

    # The names that `time:` takes, and `format:` of a field.
    # @api private
    TIMES = %i[iso8601 utc unix unix_ms].freeze

    # What an option may be; the others have checks of their own.
    CHOICES = Ractor.make_shareable({
      dialect: Dialects.known, html_safe: [true, false], nan: %i[raise null allow],
      invalid: %i[raise replace],
      decimal: %i[string number], time: TIMES, duplicates: %i[write raise mixed],
      ascii_only: [true, false], script_safe: [true, false], js_separators: [true, false],
      binary: %i[text raise], strict: [true, false], rfc8785: [true, false], models: %i[raise
        as_json]
    })
    private_constant :CHOICES

    # The largest possible `max_depth`.
    MAX_DEPTH_LIMIT = 2**31 - 1

    class << self
      # @example
      #   ToJson::Rules.new(time: :utc, nan: :null) # => #<ToJson::Rules nan: :null, time: :utc>
      #   ToJson::Rules.new(tiem: :utc)
      #   # !> ArgumentError: unknown option :tiem, did you mean :time? …
      # @param base [Rules, nil] the Rules to start from; nil: the built-in defaults
      # @option options [Symbol] :dialect (:standard) `:strict` allows only the types of JSON;
      #   `:json`, `:json2` and the others of docs/drop_in.md write what a library writes, accept
      #   its option names, and change the defaults of other options
      # @option options [Boolean] :html_safe (false) escapes `<`, `>`, `&`, U+2028 and U+2029
      #   everywhere, so that the document can stand inside a script element
      # @option options [Symbol] :nan (:raise) `:null` writes null for NaN and the infinities;
      #   `:allow` writes `NaN` and `Infinity`, which is not valid JSON
      # @option options [Symbol] :invalid (:raise) `:replace` writes U+FFFD for invalid bytes
      # @option options [Symbol] :decimal (:string) how a BigDecimal is written: `:string` or
      #   `:number`, both in plain notation
      # @option options [Symbol, String] :time (:iso8601) with milliseconds and the value's own
      #   offset; `:utc` the same in UTC, `:unix` whole seconds, `:unix_ms` milliseconds, or a
      #   pattern for `strftime`
      # @option options [Symbol] :duplicates (:write) `:raise` refuses two keys of one Hash with the
      #   same text; it costs an extra Hash for each Hash. `:mixed` raises only if a Hash mixes
      #   Strings and Symbols, like json 3
      # @option options [Integer] :max_depth (100) how many containers may be open at once, 1 to
      #   2**31 - 1
      # @option options [Hash{Module => #call}, nil] :convert (nil) what to write instead of an
      #   instance of a class or module; the nearest ancestor is used
      # @option options [String, nil] :indent (nil) text before each pair and element, once for each
      #   container around it; in {ToJson.pretty_generate} this option and the next four replace its
      #   own
      # @option options [String, nil] :space (nil) text after the colon
      # @option options [String, nil] :space_before (nil) text before the colon
      # @option options [String, nil] :object_nl (nil) text before each pair and before the closing
      #   brace
      # @option options [String, nil] :array_nl (nil) text before each element and before the
      #   closing bracket
      # @option options [Integer] :depth (0) how many containers are around the document already,
      #   for `indent` and `max_depth`
      # @option options [Boolean] :ascii_only (false) writes `\\uxxxx` for everything that is not
      #   ASCII; keys are then encoded each time
      # @option options [Boolean] :script_safe (false) escapes `/`, U+2028 and U+2029
      # @option options [Boolean] :js_separators (false) escapes only U+2028 and U+2029
      # @option options [Symbol] :binary (:text) `:raise` refuses binary Strings beyond ASCII, which
      #   otherwise count as UTF-8
      # @option options [#call, nil] :as_json (nil) called with a value that has no JSON form, and
      #   with true if it is a key; the result is written instead. Under `:json` and `:json2` it
      #   needs `strict: true`
      # @option options [Boolean] :strict (false) `:json` and `:json2`: allows only the types of
      #   JSON, others through `as_json`
      # @option options [Boolean, #call, nil] :sort_keys (nil) `:json` and `:json2`: sorts pairs by
      #   key; a callable receives the Hash and returns it sorted
      # @option options [Symbol] :models (:raise, under `:rails` :as_json) `:rails`: whether a model
      #   raises {SerializerNotFound}, as under the other dialects, or is written by its columns.
      #   One with an `as_json` of its own is written by that
      # @option options [Boolean] :rfc8785 (false) `:json`: the canonical form of RFC 8785
      # @return [Rules]
      # @raise [ArgumentError] for an unknown option or value, with the known ones, and for options
      #   that contradict each other
      def new(base = nil, **options) = make(base, options)

      # @api private
      # @param others [Array<Symbol>] keywords that stand beside these options
      def make(base, options, others = [])
        check(:dialect, options[:dialect]) if options.key?(:dialect)
        merged = Dialects.merge(base, options, others)
        merged.each { |name, value| check(name, value) }
        Dialects.check(merged)
        [:time, *LAYOUT].each do |name|
          merged[name] = merged[name].dup.freeze if merged[name].is_a?(String)
        end
        merged[:convert] = merged[:convert].dup.freeze if merged[:convert]
        from_checked(merged.freeze).freeze
      end

      # @api private
      # @return [Rules] what `rules:` meant: Rules as they are, a Hash or a dialect over the
      #   defaults
      def coerce(given)
        case given
        when Rules then given
        when Hash then new(ToJson.default_rules, **given)
        when Symbol then new(dialect: given)
        else
          raise ArgumentError,
                "rules: takes ToJson::Rules, a Hash of options or a dialect, got #{given.class}"
        end
      end

      private

      def check(name, value)
        return if valid?(name, value)

        choices = CHOICES.fetch(name, []).map(&:inspect)
        choices << "a strftime pattern" if name == :time
        choices << "a String of UTF-8 text" << "nil" if LAYOUT.include?(name)
        choices << "an Integer from 0 on" if name == :depth
        if name == :sort_keys
          choices << "true" << "false" << "a callable that takes a Hash and gives one"
        end
        if name == :as_json
          choices << "a callable that takes a value and whether it is a key" << "nil"
        end
        choices << "an Integer from 1 to #{MAX_DEPTH_LIMIT}" if name == :max_depth
        choices << "a Hash of Module => callable" << "nil" if name == :convert
        raise ArgumentError, "#{name}: takes #{choices.join(", ")}; got #{value.inspect}"
      end

      def valid?(name, value)
        case name
        when :time then value.is_a?(String) || CHOICES[:time].include?(value)
        when *LAYOUT then value.nil? || (value.is_a?(String) && utf8?(value))
        when :depth then value.is_a?(Integer) && value.between?(0, MAX_DEPTH_LIMIT)
        when :sort_keys then [nil, true, false].include?(value) || value.respond_to?(:call)
        when :as_json then value.nil? || value.respond_to?(:call)
        when :max_depth then value.is_a?(Integer) && value.between?(1, MAX_DEPTH_LIMIT)
        when :convert
          value.nil? ||
            (value.is_a?(Hash) && value.all? do |type, call|
               type.is_a?(Module) && call.respond_to?(:call)
             end)
        else CHOICES.fetch(name).include?(value)
        end
      end

      # A layout is copied into documents as it is.
      def utf8?(text)
        return true if text.ascii_only?

        [Encoding::UTF_8, Encoding::BINARY].include?(text.encoding) &&
          text.dup.force_encoding(Encoding::UTF_8).valid_encoding?
      end
    end

    # @!method to_h
    #   No instance variable holds it: Ruby 4.0 says that an object of C's with one cannot be shared
    #   with other Ractors, however frozen.
    #   @return [Hash{Symbol => Object}] every option with its value

    # Returns the same Rules with some options changed.
    # @example
    #   ToJson::Rules.new(nan: :null).with(time: :unix)
    #   # => #<ToJson::Rules nan: :null, time: :unix>
    # @param options the options of {Rules.new}
    # @return [Rules]
    # @raise [ArgumentError] as {Rules.new}
    def with(**options) = self.class.new(self, **options)

    # @api private
    # @return [Hash{Symbol => Object}] the options that are not their dialect's defaults
    def own
      defaults = Dialects.defaults(to_h[:dialect])
      to_h.reject { |name, value| name == :dialect || defaults[name] == value }
    end

    # @return [Boolean] whether all options are equal
    def ==(other) = other.is_a?(Rules) && to_h == other.to_h
    alias eql? ==

    # @return [Integer]
    def hash = to_h.hash

    # @return [String] the options that differ from the defaults
    def inspect
      dialect = { dialect: to_h[:dialect] }.reject { |_, value| value == :standard }
      changed = dialect.merge(own).map { |name, value| " #{name}: #{value.inspect}" }
      "#<ToJson::Rules#{changed.join(",")}>"
    end
  end

  class << self
    # @!method default_rules
    #   The Rules of all calls and classes that have none of their own.
    #
    #   @example
    #     ToJson.default_rules.to_h[:nan] # => :raise
    #
    #   @return [Rules]

    # Sets the Rules of all calls and classes that have none of their own. Call it at boot:
    # documents that are being written keep theirs.
    #
    # @param rules [Rules, Hash, Symbol] Rules, a Hash of options, or a dialect; a Hash and a
    #   dialect change the built-in defaults
    def default_rules=(rules)
      unless Ractor.current == Ractor.main
        raise ArgumentError,
              "ToJson.default_rules can be set only in the main Ractor. Set it at boot"
      end

      keep_default_rules(rules.is_a?(Hash) ? Rules.new(**rules) : Rules.coerce(rules))
    end

    # @!method give_rules(type, rules)
    #   Gives a class or module its own Rules. In C, so that no interrupt comes between the change
    #   and the end of what was kept for the class and its subclasses.
    #   @api private
    #   @return [Rules]

    # @!method forget_effective_rules(type)
    #   What was kept of the Rules of any class counts no more, for `type` may have others now.
    #   @api private
    #   @return [void]

    # @api private
    # The Rules of a class: its own, its nearest ancestor's, or true for the global default. Kept
    # with the class, where ext/to_json/documents/document.c looks first. The number says when they
    # were read: it is another one as soon as any class is given Rules, perhaps by another thread
    # meanwhile.
    def effective_rules(klass)
      changes = rules_changes
      class_rules(klass).tap { |rules| keep_effective_rules(klass, [changes, rules].freeze) }
    end

    # @api private
    # The same, not kept.
    def class_rules(klass)
      owner = klass.ancestors.find do |ancestor|
        ancestor.instance_variable_defined?(:@to_json_rules)
      end
      owner ? owner.instance_variable_get(:@to_json_rules) : true
    end

    # @api private
    def keep_effective_rules(klass, kept)
      klass.instance_variable_set(:@to_json_effective_rules, kept)
    rescue FrozenError, Ractor::Error
      # A frozen class, or one seen from another Ractor, is asked anew each time.
    end

    # @api private
    # The Rules that the keywords of `generate` mean.
    # @param kind [Symbol] a key of Envelope::BESIDE_RULES
    def rules_of_options(options, kind)
      base = options[:rules] ? Rules.coerce(options[:rules]) : default_rules
      Rules.make(base, options.reject { |name, _| %i[into chunk flush rules].include?(name) },
                 Envelope::BESIDE_RULES.fetch(kind))
    end
  end
end

ToJson.default_rules = {}
