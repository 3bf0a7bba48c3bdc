# frozen_string_literal: true

require "rails/generators"

module ToJson
  module Generators
    # `rails generate to_json:install`
    # @api private
    class InstallGenerator < ::Rails::Generators::Base
      source_root File.expand_path("templates", __dir__)

      LINE = "include ToJson::Rendering"
      INITIALIZER = "config/initializers/to_json.rb"
      private_constant :LINE, :INITIALIZER

      class_option :controller, type: :string, default: "ApplicationController",
                                desc: "The controller that looks up serializers"
      class_option :missing_serializer, type: :string, enum: %w[raise as_json],
                                        desc: "as_json: a record without one is rendered as before"

      def self.usage_path = File.expand_path("USAGE", __dir__)
      private_class_method :usage_path

      def include_rendering
        return remove_line if behavior == :revoke

        check_controller
        if source.match?(/^\s*include\b.*\bToJson::Rendering\b/)
          say_status :identical, path, :blue
        else
          insert_into_file path, "#{indentation}  #{LINE}\n", after: opening
        end
      end

      def create_initializer
        wanted = options[:missing_serializer] == "as_json"
        wanted = exist?(INITIALIZER) if behavior == :revoke
        template "to_json.rb.tt", INITIALIZER if wanted
      end

      def say_next
        return if behavior == :revoke

        say_status :next, "bin/rails generate serializer MODEL, for each model that is rendered"
      end

      private

      def path
        # In an engine the controllers stand in its namespace.
        spaces = [nil, ::Rails::Generators.namespace&.name].uniq
        names = spaces.map { |space| [space, controller].compact.join("::").underscore }
        paths = names.map { |name| "app/controllers/#{name}.rb" }
        @path ||= paths.find { |candidate| exist?(candidate) } || paths.first
      end

      def controller = options[:controller]

      def full(name) = File.expand_path(name, destination_root)

      def exist?(name) = File.exist?(full(name))

      def source = File.binread(full(path)).force_encoding(Encoding::UTF_8)

      # Its first line, which must not close the class too.
      def opening
        /^[\ \t]*class\ (?:\w+::)*#{Regexp.escape(controller.demodulize)}\b
          (?:[\ \t]*<[^\n;#]*?)?[\ \t]*(?:\#[^\n]*)?\r?\n/x
      end

      def indentation = source[opening][/\A[ \t]*/]

      def check_controller
        unless exist?(path)
          refuse("There is no #{path}. Name the controller that the others inherit from: " \
                 "--controller Api::BaseController")
        end
        return if source.match?(opening)

        refuse("#{path} has no line \"class #{controller}\" to write `#{LINE}` below. " \
               "Write it by hand.")
      end

      def refuse(message)
        raise ::Rails::Generators::Error, message
      end

      def remove_line
        line = /^[ \t]*#{LINE}[ \t]*\r?\n/
        return unless exist?(path) && source.match?(line)

        # `gsub_file` does nothing where a generator is undone.
        say_status :subtract, path
        File.binwrite(full(path), source.sub(line, "")) unless options[:pretend]
      end
    end
  end
end
