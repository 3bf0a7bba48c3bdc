# frozen_string_literal: true

# Layer: active_record. Yields the records of an Enumerator, after their associations were loaded
# for a batch of records at a time.

module ToJson
  module Preloading
    # An Enumerable of the records of `source`. It can be read as often as `source` can.
    # @api private
    class PreloadedBatches
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
        rescue StandardError => failed # of the source: the records before come first
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

      # If the source has failed and then the database fails too, the source's error is raised.
      def load(records, failed)
        @load.call(records)
      rescue StandardError
        failed ? raise(failed, cause: failed.cause) : raise
      end
    end
    private_constant :PreloadedBatches
  end
end
