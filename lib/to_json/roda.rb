# frozen_string_literal: true

# Layer: hooks. The Roda plugin :to_json. Roda finds it as lib/roda/plugins/to_json.rb.

require "to_json"
require "roda"

module ToJson
  # Roda's plugin `:to_json`. If a match block returns a serializer, a Fragment, a Hash or an Array,
  # it becomes the response. `json(value)` returns the document of any other value. Both set the
  # content type, unless it is set already.
  #
  # If Roda's own plugin `:json` is also loaded, the later one of the two serves Hashes and Arrays.
  # Applications without the plugin are not affected.
  #
  # @example
  #   require "roda"
  #   require "rack/mock"
  #   class PingApp < Roda
  #     plugin :to_json
  #     route do |r|
  #       r.get("ping") { { ok: true } }
  #       r.get("at") { json Time.at(0), time: :unix }
  #     end
  #   end
  #   Rack::MockRequest.new(PingApp.app).get("/ping").body # => {"ok":true}
  #   Rack::MockRequest.new(PingApp.app).get("/at").body   # => 0
  module RodaPlugin
    # The classes that match blocks may return.
    CLASSES = [Serialize, Fragment, Hash, Array].freeze
    private_constant :CLASSES

    class << self
      # @api private
      # Roda's: what must be loaded first.
      def load_dependencies(app, _options = nil) = app.plugin(:custom_block_results)

      # @api private
      # Roda's: `plugin :to_json, classes: [Sequel::Model], content_type:
      # "application/vnd.api+json"`. Classes add up over calls.
      def configure(app, options = {})
        unknown = options.keys - %i[classes content_type]
        unless unknown.empty?
          raise ::Roda::RodaError,
                "plugin :to_json takes classes: and content_type:, not " \
                "#{unknown.map(&:inspect).join(", ")}"
        end

        app.opts[:to_json_content_type] = options[:content_type] ||
                                          app.opts[:to_json_content_type] || "application/json"
        (CLASSES + Array(options[:classes])).each do |type|
          app.custom_block_results[type] = :to_json_block_result
        end
      end
    end

    # @api private
    # Included into the application.
    module InstanceMethods
      # value and options as of SinatraJson#json.
      def json(value, options = {})
        text =
          if value.is_a?(Serialize) && options.empty?
            value.to_json
          else
            ToJson.generate(value, **options)
          end
        response[::Roda::RodaResponseHeaders::CONTENT_TYPE] ||=
          self.class.opts[:to_json_content_type]
        text
      end

      # An application's own `json` does not change what blocks give.
      alias to_json_block_result json
    end

    ::Roda::RodaPlugins.register_plugin(:to_json, self)
  end
end
