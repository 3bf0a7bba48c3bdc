# frozen_string_literal: true

# Layer: rails. Reports each document that was written: by an event, and by the time in the line
# "Completed" of the log.

require "active_support/notifications"

module ToJson
  module Rendering
    # Measures each document that a controller writes, and tells ActiveSupport's subscribers.
    # @api private
    module Events
      # The name of the event.
      NAME = "serialize.to_json"
      # The event of a look into a cache store.
      LOOK = "cache.to_json"
      # The event of a relation that was written from its rows.
      ROWS = "rows.to_json"
      # Where the payload of the event at work is kept.
      AT_WORK = :to_json_event
      private_constant :LOOK, :ROWS, :AT_WORK

      # A subscriber that adds to the payload of the event at work. If no event is at work, it is
      # silenced, so that it does not listen to other documents.
      module Subscriber
        def start(_name, _id, _payload) = nil
        def silenced?(_name) = ActiveSupport::IsolatedExecutionState[AT_WORK].nil?

        def finish(_name, _id, payload)
          event = ActiveSupport::IsolatedExecutionState[AT_WORK] or return
          add(payload, event)
        end
      end

      # Subscribes to look-ups in a cache store, and counts hits and misses.
      module Looks
        extend Subscriber

        def self.add(payload, event)
          event[:cache_hits] += payload[:hits]
          event[:cache_misses] += payload[:misses]
        end
      end

      # Subscribes to relations that are written from rows, and notes how many rows the first
      # relation of the document had, in all its batches.
      module RowsRead
        extend Subscriber

        def self.add(payload, event)
          count = payload[:record_count]
          payload[:batch].zero? ? event[:records] ||= count : event[:records] += count
        end
      end
      private_constant :Subscriber, :Looks, :RowsRead

      # Counts the bytes of a document that is sent while it is written.
      class Counter
        # @return [Integer]
        attr_reader :bytes

        def initialize(sink) = (@sink, @bytes = sink, 0)

        # Counts what the `write` of the sink returns, since it may take less.
        def write(text)
          given = @sink.write(text)
          @bytes += given.is_a?(Integer) ? given : text.bytesize
          given
        end
      end
      private_constant :Counter

      class << self
        # @param document [Document] which the block writes
        # @yieldreturn [String] the text
        # @return [String]
        def writing(document)
          return measured(document) { yield } unless listening?

          measured(document) do
            notify(document) { |payload| yield.tap { |text| payload[:bytes] = text.bytesize } }
          end
        end

        # The same for a document that is sent while it is written. By then the action is over, and
        # its line "Completed" is in the log.
        # @param sink [#write]
        # @yieldparam sink [#write] which takes the document
        def sending(document, sink)
          return yield(sink) unless listening?

          notify(document) do |payload|
            counter = Counter.new(sink)
            begin
              yield counter
            ensure
              payload[:bytes] = counter.bytes
            end
          end
        end

        private

        # The only test that each document pays for.
        def listening? = ActiveSupport::Notifications.notifier.listening?(NAME)

        def measured(document)
          started = Process.clock_gettime(Process::CLOCK_MONOTONIC, :float_millisecond)
          begin
            yield
          ensure
            ended = Process.clock_gettime(Process::CLOCK_MONOTONIC, :float_millisecond)
            document.controller.__send__(:add_serialization_runtime, ended - started)
          end
        end

        def notify(document)
          payload = { serializer: document.serializer_type, view: document.keywords[:view],
                      records: nil, bytes: 0,
                      cache_hits: 0, cache_misses: 0, name: document.name }
          ActiveSupport::Notifications.instrument(NAME, payload) do
            before = ActiveSupport::IsolatedExecutionState[AT_WORK]
            begin
              ActiveSupport::IsolatedExecutionState[AT_WORK] = payload
              yield payload
            ensure
              ActiveSupport::IsolatedExecutionState[AT_WORK] = before
              payload[:records] = document.count(payload[:records])
            end
          end
        end
      end

      ActiveSupport::Notifications.subscribe(LOOK, Looks)
      ActiveSupport::Notifications.subscribe(ROWS, RowsRead)
    end
  end
end
