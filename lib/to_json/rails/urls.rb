# frozen_string_literal: true

# Layer: rails. Lets serializers call the helpers of routes.

module ToJson
  module Rendering
    # Gives serializers `url_for` and the named helpers of routes. While a controller with
    # {Rendering} is at work, the controller's helpers are called, with the host of its request.
    # Elsewhere those of the application are called, with its `default_url_options`. They are
    # private, so that a field with the name of a helper does not call it.
    # @api private
    module Urls
      HELPER = /_(?:url|path)\z/
      private_constant :HELPER

      # @return [Object, nil] the object that has the helper
      def self.receiver(name)
        controller = Rendering.controller
        return controller if controller.respond_to?(name, true)

        helpers = ::Rails.application&.routes&.url_helpers
        helpers if helpers.respond_to?(name)
      end

      private

      def url_for(...)
        receiver = Urls.receiver(:url_for) or
          raise Error, "url_for: there is neither a controller nor an application"
        receiver.__send__(:url_for, ...)
      end

      def method_missing(name, *arguments, **keywords, &block)
        receiver = Urls.receiver(name) if HELPER.match?(name)
        receiver ? receiver.__send__(name, *arguments, **keywords, &block) : super
      end

      def respond_to_missing?(name, include_all = false)
        (include_all && HELPER.match?(name) && !Urls.receiver(name).nil?) || super
      end
    end
  end
end
