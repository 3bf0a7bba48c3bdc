# frozen_string_literal: true

# Layer: active_record. Loads associations of the records that a cache does not have.

module ToJson
  module Preloading
    # While `render` writes a document, cached associations, and associations inside cached
    # serializers, are loaded only for the records that the store does not have. They are loaded
    # once for all records that are looked up together.
    # @api private
    module Missing
      # The name of a thread variable. It is set while a document is written for which preloading
      # left such associations out.
      AT_WORK = :to_json_load_missing
      private_constant :AT_WORK

      class << self
        # @yield writes the document, in this Fiber
        def loaded
          before = Thread.current[AT_WORK]
          begin
            Thread.current[AT_WORK] = true
            yield
          ensure
            Thread.current[AT_WORK] = before
          end
        end

        # Whether such a document is at work.
        def wanted? = !Thread.current[AT_WORK].nil?

        # @param unit [Compiler::Unit] that writes the objects, or declares the field
        # @param field [Field, nil] the cached association; nil: all of the unit
        # @param objects [Array]
        # @return [void]
        def call(unit, field, objects, context)
          records = Records.among(objects)
          conditions = FieldConditions.new(context || {}, leave_cached: true)
          AssociationLoader.new.load(records, unit.without_cache, conditions, field)
        end
      end

      Writer.missing = self
    end
    private_constant :Missing

    # @api private
    # The block writes a document. Meanwhile, associations are loaded for records that a cache does
    # not have.
    def self.load_missing(&) = Missing.loaded(&)
  end
end
