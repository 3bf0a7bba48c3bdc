# frozen_string_literal: true

# Layer: hooks. `require "to_json/sinatra"` gives every Sinatra application the helper `json`.

require "to_json"
require "sinatra/base"

module ToJson
  # Sinatra's helper `json(value)`. It sets the content type and returns the document, for the end
  # of a route, for `halt`, or for an Array of status and body. It comes before the helper of
  # sinatra-contrib, whichever is loaded first. If the application chooses another encoder
  # (`json_encoder:`, `set :json_encoder`), the helper of sinatra-contrib is called. An
  # application's own method `json` comes before both.
  #
  # Requiring `to_json/sinatra` installs it.
  #
  # @example
  #   require "to_json/sinatra"
  #   require "rack/mock"
  #   ToJson::SinatraJson.install # again, if it was uninstalled
  #   class HealthApp < Sinatra::Base
  #     get("/health") { json ok: true }
  #   end
  #   Rack::MockRequest.new(HealthApp).get("http://localhost/health").body # => {"ok":true}
  #   ToJson::SinatraJson.uninstall
  module SinatraJson
    class << self
      # @return [Module] self
      def install
        ::Sinatra::Base.prepend(self)
        define_method(:json, HELPER) unless method_defined?(:json, false)
        self
      end

      # Removes the helper. The helper of sinatra-contrib, if loaded, is used then.
      #
      # @return [Module] self
      def uninstall
        remove_method(:json) if method_defined?(:json, false)
        self
      end

      # @api private
      # Whether the application, or the call, has chosen another encoder by the words of
      # sinatra-contrib.
      def another_encoder?(settings, options)
        return true if options.key?(:json_encoder)
        return false unless settings.respond_to?(:json_encoder)

        chosen = settings.json_encoder
        !(chosen.equal?(ToJson) || (defined?(::MultiJson) && chosen.equal?(::MultiJson)))
      end
    end

    # @param value [Serialize, Object] a serializer, which has its own Rules, or any value that the
    #   Rules know
    # @param options [Hash] `content_type:` (default: the setting `json_content_type` of
    #   sinatra-contrib, or `:json`), and the options of {ToJson.generate}
    # @return [String] the document
    # @raise [Error] like {ToJson.generate}, before anything is sent; Sinatra's `error` handlers
    #   receive it
    def json(value, options = {})
      return super if defined?(super) && SinatraJson.another_encoder?(settings, options)

      type = options[:content_type] ||
             (settings.respond_to?(:json_content_type) ? settings.json_content_type : :json)
      options = options.except(:content_type)
      text =
        if value.is_a?(Serialize) && options.empty?
          value.to_json
        else
          ToJson.generate(value, **options)
        end
      content_type type
      text
    end

    HELPER = instance_method(:json)
    private_constant :HELPER

    install
  end
end
