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
        raise error if FromOutside.raised?(error) { record.has_changes_to_save? }

        true
      end
    end
    private_constant :Unsaved
  end
end
