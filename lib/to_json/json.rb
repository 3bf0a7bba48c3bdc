# frozen_string_literal: true

# Layer: hooks. `require "to_json/json"` lets `JSON.generate`, `JSON.pretty_generate` and
# `JSON.dump` use this gem.

require "to_json"
require "json"
require_relative "hook_methods"

module ToJson
  # Serves `JSON.generate`, `JSON.pretty_generate` and `JSON.dump`, and writes the same bytes as the
  # json gem that is loaded: 2.21 or newer, or 3.x. If json would refuse a value, json itself is
  # called, and raises its own error.
  #
  # json itself still serves calls with a State, a limit or unusual options. It also serves all
  # calls after `JSON.generator=`, `JSON.state=` or a change of `JSON.dump_default_options`. If
  # another library replaces one of the methods, before or later, as `Oj.mimic_JSON` does, that
  # library serves it from then on, and `install` does not change this.
  #
  # Requiring `to_json/json` installs it.
  #
  # @example
  #   require "to_json/json"
  #   ToJson::JsonGenerate.install            # again, if it was uninstalled
  #   JSON.generate({ at: [1.5, nil] })       # => "{\"at\":[1.5,null]}"
  #   JSON.dump([Float::NAN])                 # => "[NaN]"
  #   ToJson::JsonGenerate.served             # => [:generate, :pretty_generate, :dump]
  #   ToJson::JsonGenerate.uninstall
  module JsonGenerate
    # The lines that a dialect stands for: from the first version on, and before the second.
    LINES = Ractor.make_shareable({ json2: [[2, 21], [3]], json: [[3], [4]] })
    # Oj.mimic_JSON alone has none
    VERSION = defined?(::JSON::VERSION) ? ::JSON::VERSION.split(".").map(&:to_i).freeze : [0].freeze
    LINE = LINES.keys.find do |line|
      LINES[line].then { |from, before| (VERSION <=> from) >= 0 && (VERSION <=> before).negative? }
    end
    PLAIN = Rules.new(dialect: LINE || :json)
    # What JSON.dump sets, on either line.
    DUMPED = PLAIN.with(nan: :allow,
                        **(LINE == :json2 ? { max_depth: Rules::MAX_DEPTH_LIMIT } : {}))
    # What JSON.pretty_generate sets; its options stand over that.
    PRETTY = PLAIN.with(indent: "  ", space: " ", object_nl: "\n", array_nl: "\n")
    SERVED = Ractor.make_shareable({ generate: PLAIN, pretty_generate: PRETTY, dump: DUMPED })
    NOTHING = {}.freeze
    LAYOUT = %i[indent space space_before object_nl array_nl].freeze
    SWITCHES = %i[allow_nan ascii_only script_safe strict allow_duplicate_key].freeze
    # So many sets of options are kept for each.
    MOST_KEPT = 32
    private_constant :LINES, :VERSION, :LINE, :PLAIN, :DUMPED, :PRETTY, :SERVED, :NOTHING, :LAYOUT,
                     :SWITCHES, :MOST_KEPT
    @kept = Ractor.make_shareable({ generate: {}, pretty_generate: {} })
    @rules = NOTHING
    extend HookMethods

    class << self
      # @return [Module] self
      def install
        stand_before(::JSON, Watch) { |method| LINE && theirs?(method) }
        @active = true
        refresh
        if @rules.empty?
          warn "to_json/json serves nothing: json #{VERSION.join(".")} is not of a line that it " \
               "knows, or has been replaced", uplevel: 1
        end
        self
      end

      # Gives the methods back to json.
      #
      # @return [Module] self
      def uninstall
        @active = false
        refresh
        self
      end

      # @return [Array<Symbol>] the methods of JSON that are served
      def served = @rules.keys

      # @api private
      # Finds out which methods are still ours, and whether json's generator is its own. Call it
      # after each change.
      def refresh
        ours = @active && LINE && own_generator?
        @rules = ours ? SERVED.select { |name, _| method_defined?(name, false) }.freeze : NOTHING
        @plain = @rules[:generate]
      end

      # @api private
      def leave(name)
        refresh if super
      end

      # @api private
      # @return [Rules, nil] for JSON.generate without options, the call there is most of; nil where
      #   it is json's
      attr_reader :plain

      # @api private
      # The Rules for a call, nil where it is json's.
      def rules_for(name, options)
        plain = @rules[name]
        return plain if plain.nil? || options.nil?

        options.instance_of?(Hash) ? @kept[name][options] || keep(name, options) : nil
      end

      # @api private
      # The Rules for JSON.dump, nil where it is json's.
      def rules_to_dump(io)
        rules = @rules[:dump]
        return unless rules &&
               (io.nil? || (!io.is_a?(Hash) && (io.respond_to?(:to_io) || io.respond_to?(:write))))
        return rules if LINE == :json

        defaults = ::JSON._dump_default_options
        if defaults.size == 2 && defaults[:max_nesting] == false && defaults[:allow_nan] == true
          rules
        end
      end

      # @api private
      # Delivers as json does.
      def deliver(text, io)
        io = io.to_io if io.respond_to?(:to_io)
        io.write(text)
        io.flush
        io
      end

      private

      def own_generator?
        own = ::JSON::Ext::Generator
        ::JSON.generator.equal?(own) && ::JSON::State.equal?(own::State) &&
          ::JSON.state.equal?(own::State)
      end

      # Whether it is json's own method, and nobody else's.
      def theirs?(method)
        method.owner.equal?(::JSON.singleton_class) &&
          method.source_location.to_a.first.to_s.end_with?("/json/common.rb")
      end

      # nil for options that we have not, or not byte for byte.
      def keep(name, options)
        # Another thread may change a text while the Rules are made.
        options = options.transform_values { |one| one.is_a?(String) ? one.dup.freeze : one }
        return unless options.all? { |option, value| usual?(option, value) }

        rules = SERVED[name].with(**options)
        kept = @kept[name]
        return rules if kept.size >= MOST_KEPT || Ractor.current != Ractor.main

        @kept = Ractor.make_shareable(@kept.merge(name => kept.merge(options => rules)))
        rules
      end

      def usual?(name, value)
        case name
        when *LAYOUT
          value.nil? ||
            (value.instance_of?(String) && value.valid_encoding? &&
               (value.ascii_only? || value.encoding == Encoding::UTF_8))
        when *SWITCHES, :sort_keys then [true, false, nil].include?(value)
        when :max_nesting
          !value || (value.is_a?(Integer) && value.between?(0, Rules::MAX_DEPTH_LIMIT))
        end
      end
    end

    # @param value [Object]
    # @param options [Hash, JSON::State, nil] those of JSON.generate
    # @return [String]
    def generate(value, options = nil)
      rules = options.nil? ? JsonGenerate.plain : JsonGenerate.rules_for(:generate, options)
      return generate_behind_to_json(value, options) unless rules

      begin
        ToJson.generate_under(rules, value)
      rescue ::JSON::GeneratorError, ::JSON::NestingError => e
        raise if JsonGenerate.endless?(rules, e)

        JsonGenerate.again(e) { generate_behind_to_json(value, options) }
      end
    end

    # @param value [Object]
    # @param options [Hash, JSON::State, nil] those of JSON.pretty_generate
    # @return [String]
    def pretty_generate(value, options = nil)
      rules = JsonGenerate.rules_for(:pretty_generate, options)
      return pretty_generate_behind_to_json(value, options) unless rules

      begin
        ToJson.generate_under(rules, value)
      rescue ::JSON::GeneratorError, ::JSON::NestingError => e
        raise if JsonGenerate.endless?(rules, e)

        JsonGenerate.again(e) { pretty_generate_behind_to_json(value, options) }
      end
    end

    # @param value [Object]
    # @param io [#write, #to_io, Integer, Hash, nil] receives the document in one `write`; a limit
    #   or options are left to json
    # @param limit [Integer, Hash, nil]
    # @param options [Hash, nil]
    # @return [String, Object] the document, or the IO
    def dump(value, io = nil, limit = nil, options = nil)
      rules = JsonGenerate.rules_to_dump(io) if limit.nil? && options.nil?
      return dump_behind_to_json(value, io, limit, options) unless rules

      begin
        text = ToJson.generate_under(rules, value)
      rescue ::JSON::GeneratorError, ::JSON::NestingError => e
        raise ArgumentError, "exceed depth limit" if JsonGenerate.endless?(rules, e)

        return JsonGenerate.again(e) { dump_behind_to_json(value, io, limit, options) }
      end
      io.nil? ? text : JsonGenerate.deliver(text, io)
    end

    # @api private
    # Where nothing limits the depth, json does not come back from a structure that contains itself.
    def self.endless?(rules, error)
      error.is_a?(::JSON::NestingError) && rules.to_h[:max_depth] == Rules::MAX_DEPTH_LIMIT
    end

    # @api private
    # Lets json write a document that was refused here, so that the error is json's own. An error
    # that came from the program's code, such as a `to_json` that calls `JSON.generate`, is raised
    # as it is. Otherwise each level of such calls would ask json again, and n levels would make 2^n
    # calls.
    def self.again(error)
      raise error unless error.instance_variable_defined?(:@path) &&
                         !error.instance_variable_defined?(:@__to_json_final)

      begin
        yield
      rescue ::JSON::GeneratorError, ::JSON::NestingError => final
        mark(final)
        raise
      end
    end

    def self.mark(error)
      error.instance_variable_set(:@__to_json_final, true) unless error.frozen?
    end
    private_class_method :mark

    # Stands before what changes how json generates.
    # @api private
    module Watch
      def generator=(generator)
        super
      ensure
        JsonGenerate.refresh
      end

      def state=(state)
        super
      ensure
        JsonGenerate.refresh
      end

      private

      def singleton_method_added(name)
        super
        JsonGenerate.leave(name)
      end

      def singleton_method_removed(name)
        super
        JsonGenerate.leave(name)
      end

      def singleton_method_undefined(name)
        super
        JsonGenerate.leave(name)
      end
    end

    install
  end
end
