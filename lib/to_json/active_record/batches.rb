# frozen_string_literal: true

# Layer: active_record. Takes records that come one after the other, and loads their associations a
# batch at a time.

module ToJson
  module Preloading
    # An Enumerable of the same records. It can be read as often as its source.
    # @api private
    class Batches
      include Enumerable

      # As many as ActiveRecord's `find_each` reads at once.
      SIZE = 1000
      private_constant :SIZE

      # @param source [#each]
      # @yieldparam records [Array] those to load for
      def initialize(source, &load)
        @source, @load = source, load
      end

      # @yieldparam record [Object]
      # @return [self, Enumerator]
      def each(&block)
        return to_enum(:each) unless block

        batch = []
        begin
          @source.each do |record|
            batch << record
            deliver(batch, &block) if batch.size == SIZE
          end
        rescue StandardError => failed # of the source: what it gave before is due first
          deliver(batch, failed, &block)
          raise
        end
        deliver(batch, &block)
        self
      end

      private

      def deliver(batch, failed = nil)
        return if batch.empty?

        records = batch.dup
        batch.clear
        load(records, failed)
        records.each { |record| yield record }
      end

      # If the database fails where the source has failed, the source's error is the one to tell.
      def load(records, failed)
        @load.call(records)
      rescue StandardError
        failed ? raise(failed, cause: failed.cause) : raise
      end
    end
    private_constant :Batches
  end
end
