# frozen_string_literal: true

# Layer: hooks. `require "to_json/active_support"` makes this gem the encoder of ActiveSupport, and
# so of `render json:` and `to_json` in a Rails application.

require "to_json"
require "active_support"
require "active_support/json"

module ToJson
  # An encoder for ActiveSupport (`ActiveSupport.json_encoder`) with the dialect `:rails`. It writes
  # the same bytes as ActiveSupport's own, with the settings at the time of each call.
  #
  # Requiring `to_json/active_support` installs it. If Rails loads the application at boot
  # (`config.eager_load`), {ToJson.eager_load!} is called too.
  #
  # @example
  #   require "to_json/active_support"
  #   ToJson::ActiveSupportEncoder.install # again, if it was uninstalled
  #   ActiveSupport.json_encoder         # => ToJson::ActiveSupportEncoder
  #   { "a" => 1..2, b: "<" }.to_json    # => "{\"a\":\"1..2\",\"b\":\"\\u003c\"}"
  #   ToJson::ActiveSupportEncoder.uninstall
  class ActiveSupportEncoder
    RULES = Rules.new(dialect: :rails)
    # ActiveSupport 8.1 takes `escape:`, and does not pass it to as_json.
    TAKES_ESCAPE = ::ActiveSupport::JSON::Encoding.const_defined?(:JSONGemCoderEncoder)
    NO_OPTIONS = {}.freeze
    private_constant :RULES, :TAKES_ESCAPE, :NO_OPTIONS

    class << self
      # Makes this the encoder of ActiveSupport.
      #
      # @return [Class] self
      def install
        current = ::ActiveSupport.json_encoder
        @before = current unless current == self
        ::ActiveSupport.json_encoder = self
      end

      # Restores the previous encoder, unless another one has been installed since.
      #
      # @return [Class] the encoder that is now used
      def uninstall
        ::ActiveSupport.json_encoder = @before if @before && ::ActiveSupport.json_encoder == self
        ::ActiveSupport.json_encoder
      end
    end

    # @return [Hash] the argument of the value's `as_json`
    attr_reader :options

    # @param options [Hash, nil] those of `to_json`; with ActiveSupport 8.1 also `escape:` and
    #   `escape_html_entities:`
    def initialize(options = nil)
      @options = options || NO_OPTIONS
      return unless TAKES_ESCAPE

      @escape_given = @options.key?(:escape) || @options.key?(:escape_html_entities)
      @escape = @options.fetch(:escape, true) if @escape_given
      unless @options.frozen? && !@escape_given
        @options = (@escape_given ? @options.except(:escape) : @options.dup).freeze
      end
    end

    # @param value [Object]
    # @return [String] the bytes of ActiveSupport's encoder
    # @raise [JSON::GeneratorError, JSON::NestingError] if that encoder raises them
    def encode(value)
      Dialects::Rails.encode(value, @options.empty? ? nil : @options,
                             TAKES_ESCAPE && @escape_given ? escapes : nil, RULES)
    end

    private

    # The characters to escape if the call has options for that: 1 for markup, 2 for separators,
    # or their sum.
    def escapes
      return 0 unless @escape

      encoding = ::ActiveSupport::JSON::Encoding
      html = @options.fetch(:escape_html_entities, encoding.escape_html_entities_in_json)
      (html ? 1 : 0) | (encoding.escape_js_separators_in_json ? 2 : 0)
    end

    install
    ::ActiveSupport.on_load(:before_eager_load) { ToJson.eager_load! } # Rails' config.eager_load
  end
end
