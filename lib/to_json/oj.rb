# frozen_string_literal: true

# Layer: hooks. `require "to_json/oj"` lets `Oj.dump` use this gem in its modes :compat and :strict.

require "to_json"
require "oj"
require_relative "hook_methods"

module ToJson
  # Serves `Oj.dump` in the modes :compat and :strict, and writes the same bytes. Oj itself still
  # serves other modes, options and default options, and all calls after `Oj.mimic_JSON` and similar
  # methods, or if another library replaces `Oj.dump`, before or later.
  #
  # Caveats: require it after `Oj::Rails.optimize`, because nothing announces a later call of that.
  #
  # Requiring `to_json/oj` installs it.
  #
  # @example
  #   require "to_json/oj"
  #   ToJson::OjDump.install # again, if it was uninstalled
  #   Oj.dump({ at: 1e15, list: [nil] }, mode: :compat)
  #   # => "{\"at\":1000000000000000.0,\"list\":[null]}"
  #   ToJson::OjDump.uninstall
  module OjDump
    RULES = { compat: Rules.new(dialect: :oj), strict: Rules.new(dialect: :oj_strict) }.freeze
    # Oj writes NaN and Infinity in mode :compat only if :compat is also its default mode.
    RULES_IF_DEFAULT = { **RULES, compat: RULES[:compat].with(nan: :allow) }.freeze
    # What changes how Oj dumps, whatever the options.
    CHANGING = %i[mimic_JSON optimize_rails add_to_json register_odd register_odd_raw].freeze
    private_constant :RULES, :RULES_IF_DEFAULT, :CHANGING
    extend HookMethods

    class << self
      # @return [Module] self
      def install
        # Oj's own method is in C.
        stand_before(::Oj, Watch) { |method| method.source_location.nil? }
        @untouched = true unless defined?(@untouched)
        refresh
        @active = true
        self
      end

      # Gives `Oj.dump` back to Oj.
      #
      # @return [Module] self
      def uninstall
        @active = false
        self
      end

      # @api private
      # The Rules for a call, nil where it is Oj's.
      def rules_for(options)
        return unless @active

        case options
        when nil then @rules[@mode]
        when Hash
          return unless @as_it_comes && options.size == 1

          @rules[options[:mode]]
        end
      end

      # @api private
      def leave(name)
        return unless super

        touched
        refresh
      end

      # @api private
      # mimic_JSON and its like change more than options.
      def touched = @untouched = false

      # @api private
      # Oj's options have changed, or may have: which are in force now.
      def refresh
        now = ::Oj.default_options
        @as_it_comes = @untouched && now.slice(*AS_IT_COMES.keys) == AS_IT_COMES && usual_floats?
        @mode = @as_it_comes ? now[:mode] : nil
        @rules = @mode == :compat ? RULES_IF_DEFAULT : RULES
      end

      private

      # Oj::Rails.optimize gives floats another format, which no option tells.
      def usual_floats?
        text = ::Oj.send(:dump_behind_to_json, 0.1 + 0.2, mode: :compat)
        text == "0.30000000000000004"
      end
    end

    AS_IT_COMES = { indent: 0, circular: false, use_to_json: false, use_to_hash: false,
                    use_as_json: false, use_raw_json: false, nilnil: false,
                    escape_mode: :json, nan: :auto, omit_nil: false, float_precision: 16,
                    float_format: "%0.15g", bigdecimal_as_decimal: nil,
                    integer_range: nil, space: nil, space_before: nil, object_nl: nil,
                    array_nl: nil, only: nil, except: nil, ignore: nil }.freeze
    private_constant :AS_IT_COMES

    # @overload dump(value, options = nil)
    #   @param value [Object]
    #   @param options [Hash, nil] those of Oj.dump
    #   @return [String]
    def dump(*given)
      value, options = given
      rules = OjDump.rules_for(options) unless given.empty? || given.size > 2
      rules ? ToJson.generate_under(rules, value) : dump_behind_to_json(*given)
    end

    # Stands before what changes how Oj dumps.
    # @api private
    module Watch
      def default_options=(options)
        super
      ensure
        OjDump.refresh
      end

      CHANGING.each do |name|
        define_method(name) do |*arguments, &block|
          super(*arguments, &block)
        ensure
          OjDump.touched
          OjDump.refresh
        end
      end

      private

      def singleton_method_added(name)
        super
        OjDump.leave(name)
      end

      def singleton_method_removed(name)
        super
        OjDump.leave(name)
      end

      def singleton_method_undefined(name)
        super
        OjDump.leave(name)
      end
    end

    install
  end
end
