# frozen_string_literal: true

# Layer: base. Asks a record for changes that are not saved.

module ToJson
  # To answer, a record compares values, and raises if its type cannot read one. Writing from
  # models does not ask this, so an error here must not end the document.
  # @api private
  module Unsaved
    # @param record [ActiveRecord::Base, Object] with the method has_changes_to_save?
    # @return [Boolean] true also if it cannot be told
    def self.changes?(record) = told(record, :has_changes_to_save?, true)

    # @param record [ActiveRecord::Base]
    # @return [Array<String>, nil] the attributes that have changed; nil if it cannot be told
    def self.names(record) = told(record, :changed_attribute_names_to_save, nil)

    def self.told(record, method, otherwise)
      record.public_send(method)
    rescue ::StandardError => error
      raise error if FromOutside.raised?(error) { record.public_send(method) }

      otherwise
    end
    private_class_method :told
  end
end
