# frozen_string_literal: true

# Layer: base. Reads the files that lib/to_json.rb leaves to Ruby's autoload.

module ToJson
  # The files of a group are read together, when something of the group is first used.
  #
  # Exceptions from other threads, such as that of a Timeout, wait meanwhile, also in a thread that
  # waits for another one to read the files. Ruby needs that: if an exception ends a thread that
  # waits for an autoload, Ruby 3.1 crashes, and 3.2 to 3.4 may leave the other threads that wait
  # asleep for ever (docs/internals/decisions/0013-first-use.md).
  # @api private
  module FirstUse
    class << self
      # Does nothing if the constant is there.
      # @param name [Symbol] the constant of a group
      # @param home [Module] where the constant stands
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
