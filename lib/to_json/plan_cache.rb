# frozen_string_literal: true

# Layer: compiler. The Plans of serializer classes.

module ToJson
  # @api private
  module PlanCache
    # What was compiled for the class and its subclasses is not to be used again: a declaration or a method changed.
    #
    # @param _klass [Class]
    def self.forget(_klass) = nil
  end
end
