# frozen_string_literal: true

# Layer: declaring. Tells the cache of Plans when a serializer class changes.

module ToJson
  # Ruby's hooks of a serializer class. If a method, a module or a subclass is added or removed, the
  # hook tells {PlanCache}, and what was compiled before is not used again.
  #
  # Ruby calls a hook after the change. So PlanCache must be told even if something stops the hook:
  # the hook of another module, or Thread#kill inside our inner `ensure`. After such a kill `told`
  # is not set, and the outer `ensure` tells PlanCache.
  #
  # @api private
  module ChangeHooks
    { method_added: "name", method_removed: "name", method_undefined: "name",
      singleton_method_added: "name", include: "*modules", prepend: "*modules",
      extend: "*modules" }.each do |hook, parameter|
      changed = parameter == "name" ? "self, name" : "self"
      class_eval <<~RUBY, __FILE__, __LINE__ + 1
        def #{hook}(#{parameter})
          begin
            super
          ensure
            PlanCache.forget(#{changed})
            told = true
          end
        ensure
          PlanCache.forget(#{changed}) unless told
        end
      RUBY
    end

    def inherited(subclass)
      super
      PlanCache.made
    end
  end
end
