# frozen_string_literal: true

# Layer: version. Files that are read when their constant is first named, by Ruby's own `autoload`.
#
# Nine tenths of `require "to_json"` are Ruby's parser at work, so what a process may never need waits. Before Ruby 3.5 only the
# main Ractor can read a file: what another may be the first to name is required, and what it may meet in a compiled Plan is named
# where the main one compiles. The list in lib/to_json.rb says which is which.

module ToJson
  # The constants that are still to come.
  # @api private
  module Later
    @names = []

    class << self
      # @param file [String] as `require_relative` in lib/to_json.rb has it
      # @param name [Symbol] the constant that it defines
      # @param home [Module] where
      def read(file, name, home = ToJson)
        @names << [home, name]
        home.autoload(name, "#{DIRECTORY}/#{file}.rb")
      end

      # Loads them all. Each is read once, whoever else asks.
      def all
        raise Error, "ToJson.eager_load!: only the main Ractor can load files. Call it there first." unless Ractor.current == Ractor.main

        @names.each { |home, name| home.const_get(name) }
      end
    end

    DIRECTORY = File.dirname(__dir__)
    private_constant :DIRECTORY
  end

  # Loads what else is loaded at first use (the compiler, caching, `only:` and `except:`, associations that the value tells …), a few milliseconds: for
  # servers that fork, so that their workers share it. {ToJson.compile!} does it too, and so does Rails' `eager_load` where
  # `config.eager_load_namespaces << ToJson` stands or `to_json/active_support` is required.
  #
  # @example
  #   ToJson.eager_load! # => nil
  # @return [nil]
  # @raise [Error] in another Ractor than the main one
  def self.eager_load!
    Later.all
    nil
  end
end
