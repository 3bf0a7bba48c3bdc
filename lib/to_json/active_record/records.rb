# frozen_string_literal: true

# Layer: active_record. Tells records from all other objects.

require "delegate"

module ToJson
  module Preloading
    # Looks at the real class of an object. Draper's decorators return the class of their record,
    # and change `===` of models so that decorators count as records. But they have no associations
    # that could be loaded.
    # @api private
    module Records
      class << self
        # @param object [Object]
        # @return [Boolean]
        def record?(object)
          ::ActiveRecord::Base === object && Reflection.class_of(object) <= ::ActiveRecord::Base
        end

        # @param object [Object]
        # @return [ActiveRecord::Base, nil] the object itself if it is a record, or the record
        #   inside a SimpleDelegator or another Delegator, whose getters call those of the record
        def behind(object)
          return behind(object.__getobj__ { nil }) if ::Delegator === object

          object if record?(object)
        end

        # @param objects [Enumerable]
        # @return [Array<ActiveRecord::Base>] also those inside Delegators
        def among(objects) = objects.filter_map { |object| behind(object) }
      end
    end
  end
end
