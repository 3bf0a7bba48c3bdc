# frozen_string_literal: true

# Layer: declaring. Tells the cache of Plans when a serializer class changes.

module ToJson
  # Ruby's hooks of a serializer class: where a method, a module or a subclass is added or taken
  # away, {PlanCache} hears of it, and what was compiled before is not used again.
  #
  # Ruby calls a hook when the change has been made already, so it must be told whatever stops the
  # hook: another module's hook, or Thread#kill within our own `ensure`. In the second case `told`
  # is not set, and the outer `ensure` tells.
  #
  # @api private
  module ChangeHooks
    { method_added: "name", method_removed: "name", method_undefined: "name",
      include: "*modules", prepend: "*modules" }.each do |hook, parameter|
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
