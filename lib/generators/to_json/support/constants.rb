# frozen_string_literal: true

module ToJson
  module Generators
    # Classes of the application by their names. A file that does not load gives one line, not a
    # backtrace.
    # @api private
    module Constants
      class << self
        # @param name [String] the whole name: `Api::PostSerializer` is no `PostSerializer`
        # @return [Class, nil]
        # @raise [Rails::Generators::Error] if the file that defines it fails
        def get(name)
          found = name.safe_constantize
          found if found.is_a?(Class) && found.name == name
        rescue StandardError, ScriptError => e
          reason = "#{e.message.lines.first&.chomp} (#{[e.class, place(e)].compact.join(", ")})"
          raise ::Rails::Generators::Error, "#{name} does not load: #{reason}"
        end

        # As {get}, nil for a file that fails.
        def try(name)
          get(name)
        rescue ::Rails::Generators::Error
          nil
        end

        # @param within [String] a class: the name is looked for in its namespaces, inside out
        # @return [Array<String>] the names to try
        def names(name, within:)
          spaces = within.split("::")[0...-1]
          spaces.size.downto(0).map { |size| [*spaces.first(size), name].join("::") }
        end

        # @return [Class, nil]
        def serializer(name)
          found = get(name)
          found if found && found < ToJson::Serializer
        end

        private

        def place(error)
          app = File.join(::Rails.root.to_s, "app/")
          line = error.backtrace&.find { |frame| frame.start_with?(app) }
          line && line[/\A[^:]+:\d+/].delete_prefix("#{::Rails.root}/")
        end
      end
    end
  end
end
