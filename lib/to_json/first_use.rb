# frozen_string_literal: true

# Layer: base. Loads the files that lib/to_json.rb leaves to Ruby's autoload.

module ToJson
  # All files of a group (caches, reading, JSON:API, HAL) are loaded together, when one of the
  # group's constants is first used.
  #
  # Exceptions from other threads, such as that of a Timeout, wait meanwhile, also in a thread that
  # waits for another one to load the files. Ruby needs that: if an exception ends a thread that
  # waits for an autoload, Ruby 3.1 crashes, and 3.2 to 3.4 may leave the other threads that wait
  # asleep for ever (docs/internals/decisions/0013-first-use.md).
  # @api private
  module FirstUse
    class << self
      # Loads the group of a constant, or waits for the thread that loads it. Does nothing if the
      # constant is loaded.
      # @param name [Symbol] any constant of the group
      # @param home [Module] the module that has the constant
      # @return [void]
      # @raise [Error] in another Ractor than the main one, if files cannot be loaded there (before
      #   Ruby 3.4)
      def of(name, home = ToJson)
        uninterrupted { home.const_get(name) } if home.autoload?(name)
      rescue Ractor::UnsafeError
        raise Error, "#{home}::#{name} cannot be loaded in this Ractor. Call ToJson.compile! in " \
                     "the main Ractor first."
      end

      # @return [Object] what the block returns
      def uninterrupted(&) = Thread.handle_interrupt(Object => :never, &)
    end
  end
end
