# frozen_string_literal: true

# Layer: rails. Writes the line in the log, and the event of Rails 8.1.

require "active_support/log_subscriber"
require_relative "events"

module ToJson
  module Rendering
    # The time of the documents in the line "Completed 200 OK in 12ms (…)". Rails asks
    # ActionController::Base for all controllers.
    # @api private
    module Completed
      # @param payload [Hash] of process_action.action_controller
      # @return [Array<String>]
      def log_process_action(payload)
        messages = super
        runtime = payload[:serialization_runtime]
        messages << format("Serialization: %.1fms", runtime) if runtime
        messages
      end
    end

    # Writes a line for each document: "Serialized PostSerializer: 25 records, 14.2 KB in 3.2 ms".
    # Its level is debug, as that of ActionView's "Rendered posts/index". At info, the level of a
    # new application in production, "Completed" has the time of all documents, and nothing else
    # is measured: the event and its line took 43 of the 57 us that a request for one post took
    # more than `head :ok` (bin/bench request).
    # @api private
    class LogSubscriber < ::ActiveSupport::LogSubscriber
      # Units of sizes, each 1024 of the one before.
      UNITS = %w[bytes KB MB GB].freeze
      private_constant :UNITS

      # @param event [ActiveSupport::Notifications::Event] serialize.to_json
      def serialize(event)
        debug do
          payload = event.payload
          view = " (view: #{Array(payload[:view]).join(", ")})" if payload[:view]
          what = [count(payload[:records], "record"), size(payload[:bytes]), cache(payload)]
          format("Serialized %s%s: %s in %.1f ms", payload[:name], view,
                 what.compact.join(", "), event.duration)
        end
      end
      subscribe_log_level :serialize, :debug

      # @param event [ActiveSupport::Notifications::Event] uncached.to_json, once for each `cache`
      def uncached(event)
        warn do
          "#{event.payload[:name]}: cache keeps nothing, because its code reads the context, and " \
            "no key tells contexts apart. Declare cache context: ->(context) { … }, or for all " \
            "serializers ToJson.cache_context = ->(context) { … }."
        end
      end

      # @return [Logger] of the controllers
      def logger = ::ActionController::Base.logger

      private

      def count(number, word) = number && "#{number} #{word}#{"s" unless number == 1}"

      def cache(payload)
        looked = payload[:cache_hits] + payload[:cache_misses]
        "#{payload[:cache_hits]} of #{looked} from the cache" if looked.positive?
      end

      def size(bytes)
        return "#{bytes} bytes" if bytes < 1024

        size = bytes.to_f
        unit = UNITS.find { |name| name == UNITS.last || (size < 1024) || !(size /= 1024) }
        format("%.1f %s", size, unit)
      end

      attach_to :to_json
    end

    # Reports the same through `Rails.event`, where Rails has it (8.1): `to_json.serialized`.
    if defined?(::ActiveSupport::StructuredEventSubscriber)
      # @api private
      class StructuredEvents < ::ActiveSupport::StructuredEventSubscriber
        # @param event [ActiveSupport::Notifications::Event] serialize.to_json
        def serialize(event)
          payload = event.payload
          emit_event("to_json.serialized",
                     serializer: payload[:name],
                     **payload.slice(:view, :records, :bytes, :cache_hits, :cache_misses),
                     duration_ms: event.duration.round(2),
                     exception_class: payload[:exception]&.first)
        end

        attach_to :to_json
      end
    end
  end
end
