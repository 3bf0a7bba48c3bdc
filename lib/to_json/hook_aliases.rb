# frozen_string_literal: true

# Layer: hooks. Repairs aliases of methods before which a hook stands.

module ToJson
  # A hook is a module that is prepended to a library's singleton class. Another library may keep
  # the method under a second name and then define it anew:
  #
  #     class << JSON
  #       alias_method :generate_untimed, :generate
  #       def generate(*arguments) = timed { generate_untimed(*arguments) }
  #     end
  #
  # The alias then names the hook's method, and the `super` of that method calls the new method. The
  # two would call each other without end. So `mend` defines the alias anew, as the method behind
  # the hook.
  # @api private
  module HookAliases
    class << self
      # `singleton_method_added` of the library calls it. Does nothing for a method that is not an
      # alias of a method of the hook.
      # @param library [Module]
      # @param hook [Module]
      # @param name [Symbol] of the method that was added
      # @return [void]
      def mend(library, hook, name)
        added = library.method(name)
        original = added.original_name
        return if original == name || !hook.method_defined?(original)
        return if added.source_location != hook.instance_method(original).source_location

        library.define_singleton_method(name, behind(library, hook, original))
      end

      # @return [Method, nil] the library's method that the hook calls by `super`
      def behind(library, hook, name)
        method = library.method(name)
        method = method.super_method until method.owner.equal?(hook)
        method.super_method
      end
    end
  end
  private_constant :HookAliases
end
