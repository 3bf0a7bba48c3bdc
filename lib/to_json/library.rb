# frozen_string_literal: true

# Layer: base. Finds the constants of other libraries, which may not be there.

module ToJson
  # Do not ask `defined?(JSON::State)`. If JSON is left to autoload, this loads its file. Ruby then
  # rescues every exception that comes meanwhile, such as that of a Timeout.
  # @api private
  module Library
    class << self
      # Loads what is left to autoload.
      # @param names [Array<Symbol>] the parts of a constant's name: `:JSON, :State`
      # @return [Object, nil] nil: there is no such constant
      # @raise [Error] before Ruby 3.4, outside the main Ractor, if the constant's file is not
      #   loaded
      def find(*names)
        walk(names) { |home, name| FirstUse.uninterrupted { home.const_get(name, false) } }
      rescue Ractor::UnsafeError
        raise Error, "#{names.join("::")} cannot be loaded in this Ractor. Load it in the main " \
                     "Ractor first."
      end

      # @return [Object, nil] nil: there is no such constant, or it is left to autoload
      def loaded(*names) = walk(names) { nil }

      # Whether a value is of a class of Ruby's own library. If the class is not loaded, no value is
      # of this class. The name of the class in the code would load it: Ruby 3.2 to 3.4 leave Set to
      # autoload.
      # @param name [Symbol] of the class
      # @return [Boolean]
      def of?(value, name)
        Object.const_defined?(name) && !Object.autoload?(name) && Object.const_get(name) === value
      end

      private

      # A program may have set one of the names to something that is no module.
      def walk(names)
        names.inject(Object) do |home, name|
          return unless Module === home && home.const_defined?(name, false)

          home.autoload?(name, false) ? yield(home, name) : home.const_get(name, false)
        end
      end
    end
  end
  private_constant :Library
end
