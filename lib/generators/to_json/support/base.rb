# frozen_string_literal: true

require "to_json"
require "rails/generators"
require "rails/generators/named_base"
require "active_support/parameter_filter"
require_relative "constants"
require_relative "secrets"
require_relative "fields"
require_relative "association"
require_relative "model"
require_relative "reading"

module ToJson
  # The generators of `rails generate`. Rails finds them in `lib/generators`.
  # @api private
  module Generators
    # What the generators of a serializer and of its test have in common: names, options, fields.
    # @api private
    class Base < ::Rails::Generators::NamedBase
      include Reading

      CLASS = /\A[A-Z]\w*(?:::[A-Z]\w*)*\z/
      private_constant :CLASS

      argument :attributes, type: :array, default: [], banner: "field[:type] field[:type]"

      class_option :namespace, type: :string, banner: "Api::V1",
                               desc: "The namespace of the serializer"
      class_option :view, type: :array, banner: "full",
                          desc: "Views to declare. They alone have the associations"
      class_option :parent, type: :string, banner: "ApplicationSerializer",
                            desc: "The superclass of the serializer"
      class_option :timestamps, type: :boolean, default: true,
                                desc: "Whether a new model has created_at and updated_at"

      # @param config [Hash] with `within: :model` where another generator makes the model, `within:
      #   :scaffold` where it makes a controller too, `within: :controller` where it has made one
      def initialize(args, local_options = {}, config = {})
        @within = config[:within]
        super
      end

      private

      # `Post`, `post`, `PostSerializer` and `api/v1/post` are all understood.
      def assign_names!(name)
        whole = [*namespace_of_option, colons(name).sub(/(?<=[^:])(?:S|_s)erializer\z/, "")]
        whole = whole.join("::")
        no_class(name) if whole.delete(":").empty?
        super(whole)
        no_class(serializer_name) unless CLASS.match?(serializer_name)
      end

      def no_class(name)
        raise ::Rails::Generators::Error,
              "#{name.inspect} is not the name of a class. Name the model: " \
              "bin/rails generate serializer Post"
      end

      def namespace_of_option
        [colons(options[:namespace])] if options[:namespace].present? && !within_model?
      end

      def colons(name) = name.tr("/", ":").squeeze(":").delete_suffix(":").gsub(":", "::")

      # In the generator of a model, `--parent` is the superclass of the model.
      def within_model? = !@within.nil?

      # Whether there is a controller that reads what the command line names.
      def within_scaffold? = %i[scaffold controller].include?(@within)

      def serializer_name = "#{full_class_name}Serializer"

      # In an engine with a namespace, with that.
      def full_class_name
        return class_name unless namespaced? && !class_name.start_with?("#{namespace.name}::")

        "#{namespace.name}::#{class_name}"
      end

      def model
        return @model if defined?(@model)

        @model = find_model
      end

      def find_model
        Model.find(full_class_name)
      rescue ::Rails::Generators::Error
        raise unless within_model?

        nil # It was just made, and may not load yet: has_secure_password needs a gem.
      end

      # The serializer of the superclass, in single-table inheritance.
      def inherited_serializer
        above = within_model? ? options[:parent] : model&.inherits_from&.name
        return unless above

        names = Constants.names("#{above}Serializer", within: serializer_name)
        names.filter_map { |name| Constants.serializer(name) }.first
      end

      # Where nobody can be asked, a file that says something else is kept, unless `--force` is
      # given.
      def keep? = behavior == :invoke && !options[:force] && !$stdin.tty?

      def views
        return [] if within_model?

        Array(options[:view]).flat_map { |view| view.split(",") }.map(&:strip).reject(&:empty?)
      end

      # What a test serializes: a record that was not saved, or an object with these names.
      def new_object
        return "#{model&.name || full_class_name}.new" if model ? model.simply_made? : within_model?

        "Struct.new(#{fields.keys(in_view: true).map { |key| key.to_sym.inspect }.join(", ")}).new"
      end

      # The Ruby of the keys of a document. A column may be named "Word Count".
      def keys_in_ruby
        keys = document_keys
        keys.all?(/\A[^\s\[\]\\]+\z/) ? "%w[#{keys.join(" ")}]" : keys.inspect
      end

      def document_keys = inherited_keys | fields.keys(in_view: views.any?)

      def inherited_keys
        return [] unless inherited_serializer

        written = inherited_serializer.definition.fields.reject { |field| field.kind == :flatten }
        written.map { |field| field.name.to_s }
      end
    end
  end
end
