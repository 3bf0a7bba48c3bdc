# frozen_string_literal: true

# Layer: active_record. Tells records from all other objects.

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

        # @param objects [Enumerable]
        # @return [Array<ActiveRecord::Base>]
        def among(objects) = objects.select { |object| record?(object) }
      end
    end
  end
end
