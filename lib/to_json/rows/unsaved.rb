# frozen_string_literal: true

# Layer: rows. Asks a record for changes that are not saved.

module ToJson
  module Rows
    # A record compares values for it, so that one that its type cannot read may raise. With models
    # nobody asks.
    # @api private
    module Unsaved
      # @param record [ActiveRecord::Base]
      # @return [Boolean] true also if it cannot be told
      def self.changes?(record)
        record.has_changes_to_save?
      rescue ::StandardError => error
        again = error_of(record)
        # One that comes once is another thread's, as by Timeout.
        raise error unless again.instance_of?(error.class) && again.message == error.message

        true
      end

      def self.error_of(record)
        record.has_changes_to_save?
        nil
      rescue ::StandardError => error
        error
      end
      private_class_method :error_of
    end
    private_constant :Unsaved
  end
end
