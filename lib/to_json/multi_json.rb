# frozen_string_literal: true

# Layer: hooks. `require "to_json/multi_json"` makes this gem the adapter with which MultiJson
# dumps.

require "to_json"
require "multi_json"
require "multi_json/adapters/json_gem"

module ToJson
  # An adapter for MultiJson. It dumps the same bytes as MultiJson's json_gem adapter, and loads
  # with that adapter.
  #
  # Requiring `to_json/multi_json` installs it.
  #
  # @example
  #   require "to_json/multi_json"
  #   ToJson::MultiJsonAdapter.install   # again, if it was uninstalled
  #   MultiJson.adapter                  # => ToJson::MultiJsonAdapter
  #   MultiJson.dump({ a: [1, nil] })    # => "{\"a\":[1,null]}"
  #   ToJson::MultiJsonAdapter.uninstall
  # it changed its name in 1.21
  class MultiJsonAdapter < (defined?(::MultiJSON) ? ::MultiJSON : ::MultiJson)::Adapters::JsonGem
    LIBRARY = defined?(::MultiJSON) ? ::MultiJSON : ::MultiJson
    LINE = Dialects::Rails.json_3? ? :json : :json2
    # Of its own, whatever ToJson.default_rules say.
    PLAIN = Rules.new(dialect: LINE)
    # As JSON.dump of this line has it.
    DUMPED = PLAIN.with(allow_nan: true, **(LINE == :json2 ? { max_nesting: false } : {}))
    # What JSON.generate takes, and means the same here.
    LAYOUT = %i[indent space space_before object_nl array_nl].freeze
    SWITCHES = %i[allow_nan ascii_only script_safe strict].freeze
    # `pretty: false` is an option, for which JSON.generate is called there and not JSON.dump; from
    # MultiJson 1.21 on it is as good as none.
    COMPACT_IS_PLAIN =
      begin
        # whatever ActiveSupport has put into Float
        nan = Class.new { def as_json(*) = Float::NAN }.new
        superclass.instance.dump(nan, { pretty: false }) == "NaN"
      rescue ::JSON::GeneratorError
        false
      end
    private_constant :LIBRARY, :LINE, :PLAIN, :DUMPED, :LAYOUT, :SWITCHES, :COMPACT_IS_PLAIN

    # What loading raises within MultiJson.
    # @api private
    ParseError = superclass::ParseError

    class << self
      # Makes this the adapter of MultiJson.
      #
      # @return [Class] self
      def install
        current = LIBRARY.adapter
        @before = current unless current == self
        LIBRARY.use(self)
        self
      end

      # Restores the previous adapter, unless another one has been installed since.
      #
      # @return [Class] the adapter that is now used
      def uninstall
        LIBRARY.use(@before) if @before && LIBRARY.adapter == self
        LIBRARY.adapter
      end
    end

    # @param object [Object]
    # @param options [Hash] those of MultiJson.dump
    # @return [String]
    def dump(object, options = {})
      given = options.except(:adapter, :pretty)
      unless given.all? { |name, value| usual?(name, value) }
        return super(object, options.except(:adapter))
      end

      value = object.respond_to?(:as_json) ? object.as_json : object
      return ToJson.pretty_generate(value, rules: PLAIN, **given) if options[:pretty]

      if given.empty? && (COMPACT_IS_PLAIN || !options.key?(:pretty))
        ToJson.generate_under(DUMPED, value)
      else
        ToJson.generate(value, rules: PLAIN, **given)
      end
    end

    private

    def usual?(name, value)
      case name
      when *LAYOUT
        value.nil? ||
          (value.instance_of?(String) && value.valid_encoding? &&
             (value.ascii_only? || value.encoding == Encoding::UTF_8))
      when *SWITCHES then true
      when :max_nesting
        !value || (value.is_a?(Integer) && value.between?(0, Rules::MAX_DEPTH_LIMIT))
      end
    end

    install
  end
end
