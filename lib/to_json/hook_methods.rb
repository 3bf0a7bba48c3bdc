# frozen_string_literal: true

# Layer: hooks. Puts the methods of a hook before a library's, and removes them.

module ToJson
  # For a hook: a module whose methods have the names of a library's methods, and that is prepended
  # to the library's singleton class. Its methods call the library's methods by a second name, not
  # by `super`, because another library may keep a method of the hook and define the name anew:
  #
  #     original = JSON.method(:generate)
  #     JSON.define_singleton_method(:generate) { |*given| timed { original.call(*given) } }
  #
  # The `super` of `original` would call the new method, and the two would call each other without
  # end. The same holds for an alias.
  #
  # When the library's method changes, the hook's method is removed, so that callers get the new
  # method alone. The hook's method is not defined again, because somebody may have kept it.
  # @api private
  module HookMethods
    # Gives each method of the library a private second name, such as `generate_behind_to_json`, and
    # prepends the hook. Does nothing if the hook is prepended already. The hook loses the methods
    # that the library lacks, and those that the block refuses.
    # @param library [Module]
    # @param watch [Module] is prepended too, and calls `leave` when a method of the library changes
    # @yieldparam method [Method] the library's
    # @yieldreturn [Boolean] whether the hook can stand before it
    # @return [void]
    def stand_before(library, watch)
      behind = library.singleton_class
      return if behind.include?(self)

      instance_methods(false).each do |name|
        next leave(name) unless library.respond_to?(name) && yield(library.method(name))

        behind.alias_method(:"#{name}_behind_to_json", name)
        behind.send(:private, :"#{name}_behind_to_json")
      end
      behind.prepend(self, watch)
    end

    # Removes the method of the hook, because somebody has changed the library's method, or that of
    # a copy of the library.
    # @param name [Symbol]
    # @return [Boolean] false if the hook has no such method, or has it no longer
    def leave(name)
      method_defined?(name, false) && !!remove_method(name)
    rescue NameError # another thread was faster
      false
    end
  end
  private_constant :HookMethods
end
