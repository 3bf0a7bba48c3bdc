# frozen_string_literal: true

# Layer: hooks. How methods of a hook stand before a library's, and leave.

module ToJson
  # For a hook: a module whose methods have the names of a library's methods, and that is prepended
  # to the library's singleton class. Its methods call the library's methods by a second name, not
  # by `super`. For another library may keep a method of the hook and define the name anew:
  #
  #     original = JSON.method(:generate)
  #     JSON.define_singleton_method(:generate) { |*given| timed { original.call(*given) } }
  #
  # The `super` of `original` would call the new method, and the two would call each other without
  # end. The same holds for an alias.
  #
  # When the library's method changes, the hook's method is removed. So the new method stands alone.
  # Whoever kept the hook's method may call it for ever, so it is not defined again.
  # @api private
  module HookMethods
    # Gives each method of the library a private second name, such as `generate_behind_to_json`, and
    # prepends the hook, unless it stands there already. What the library lacks, or what the block
    # refuses, stays as it is.
    # @param library [Module]
    # @param watch [Module] calls `leave`
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

    # Somebody has changed this method of the library, or of a copy of it.
    # @param name [Symbol]
    # @return [Boolean] whether it was one of ours
    def leave(name)
      method_defined?(name, false) && !!remove_method(name)
    rescue NameError # another thread was faster
      false
    end
  end
  private_constant :HookMethods
end
