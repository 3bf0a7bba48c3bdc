# frozen_string_literal: true

# Layer: rows. Asks a record for changes that are not saved.

module ToJson
  module Rows
    # To answer, a record compares values, and raises if its type cannot read one. Writing from
    # models does not ask this, so an error here must not end the document.
    # @api private
    module Unsaved
      # @param record [ActiveRecord::Base]
      # @return [Boolean] true also if it cannot be told
      def self.changes?(record)
        record.has_changes_to_save?
      rescue ::StandardError => error
        again = error_of(record)
        # An error that does not come again was raised by another thread, for example by Timeout.
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
