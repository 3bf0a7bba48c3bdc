# frozen_string_literal: true

# Layer: active_record. Tells records from all other objects.

module ToJson
  module Preloading
    # Looks at the class that an object really has. Draper's decorators say that they are of the
    # class of their record, and change `===` of models so that they are taken for records. They
    # have no associations that could be loaded, or only the methods that they delegate.
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
