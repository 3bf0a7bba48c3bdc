# frozen_string_literal: true

require_relative "../support/base"

module ToJson
  module Generators
    # `rails generate to_json:serializer Post`, and `rails generate serializer Post`.
    # @api private
    class SerializerGenerator < Base
      source_root File.expand_path("templates", __dir__)

      def self.usage_path = File.expand_path("USAGE", __dir__)
      private_class_method :usage_path

      def check_model
        return if behavior == :revoke || within_model?

        check_names
        refuse(without_fields) if attributes.empty? && without_fields
        refuse("#{model.name} is abstract: it has no records. Name a subclass.") if model&.abstract?
        check_fields if attributes.any?
        check_collision
      end

      def create_serializer
        fields if behavior == :invoke # before the file is opened, should this raise an error
        template "serializer.rb.tt", path, skip: keep?
      end

      def say_what_was_left_out
        return if behavior == :revoke

        say_left_out :secret, "left out", fields.secrets
        say_left_out :binary, "left out, since these bytes are no text", fields.binaries
        waiting = fields.associations.grep(/\A#/)
        waiting.each { |line| say_status :comment, line.delete_prefix("# "), :yellow }
        say_sti
      end

      hook_for :test_framework

      private

      def path = File.join("app/serializers", class_path, "#{file_name}_serializer.rb")

      def say_left_out(status, words, names)
        say_status status, "#{words}: #{names.join(", ")}", :yellow if names.any?
      end

      # @return [String, nil] why there is nothing to read the fields from
      def without_fields
        return missing_model unless model

        obstacle = model.obstacle
        obstacle && !model.abstract? ? "#{obstacle}. #{named_fields}" : nil
      end

      def missing_model
        close = did_you_mean(full_class_name, model_names)
        "there is no class #{looked_for.join(" or ")}.#{close} Make the model first: " \
          "bin/rails generate model #{full_class_name}. #{named_fields}"
      end

      def did_you_mean(name, known)
        close = ([name.singularize] & known).first
        close ||= DidYouMean::SpellChecker.new(dictionary: known).correct(name).first
        close && " Did you mean #{close}?"
      end

      def looked_for
        parts = full_class_name.split("::")
        parts.size == 1 ? parts : [full_class_name, parts.last]
      end

      def named_fields
        "Fields can be named: bin/rails generate serializer #{full_class_name} id title"
      end

      # Those of app/models, by their files.
      def model_names
        files = Dir.glob("**/*.rb", base: File.expand_path("app/models", destination_root))
        names = files.map { |file| file.delete_prefix("concerns/").delete_suffix(".rb").camelize }
        names - ["ApplicationRecord"]
      end

      # What the file calls must be a name of Ruby. The other fields may have any name.
      def check_names
        refuse("a field has no name: write `title` or `title:string`") if
          attributes.any? { |attribute| attribute.name.blank? }
        called = attributes.select { |attribute| attribute.reference? || attribute.virtual? }
        wrong = called.map(&:name).grep_v(/\A[[:alpha:]_][[:alnum:]_]*\z/)
        refuse("#{wrong.first.inspect} is not the name of a method") if wrong.any?
        return if options[:parent].nil? || CLASS.match?(options[:parent].delete_prefix("::"))

        refuse("--parent: #{options[:parent].inspect} is not the name of a class")
      end

      # A name that the model does not answer to would fail in the first request.
      def check_fields
        return if model.nil? || model.obstacle

        digests, others = attributes.partition { |attribute| attribute.type == :digest }
        names = digests.map { |attribute| "#{attribute.name}_digest" } + others.map(&:name)
        unknown = names.reject { |name| model.answers?(name) }
        return if unknown.empty?

        known = model.columns + model.associations.map { |reflection| reflection.name.to_s }
        refuse("#{model.name} has no #{unknown.join(", ")}.#{did_you_mean(unknown.first, known)} " \
               "It has #{known.join(", ")}.")
      end

      # The same file may be written again. Another file's class of that name may not be shadowed.
      def check_collision
        class_collisions(serializer_name) unless exist?(path)
      end

      def exist?(name)
        File.exist?(File.expand_path(name, destination_root))
      end

      def refuse(message)
        raise ::Rails::Generators::Error, "#{serializer_name}: #{message}"
      end

      def say_sti
        above = model&.inherits_from unless within_model?
        return unless above && options[:parent].nil?

        words = if inherited_serializer
                  ": #{serializer_name} inherits from #{inherited_serializer.name}"
                else
                  "; without a serializer of its own it is written by #{above.name}Serializer"
                end
        say_status :inherits, "#{model.name} is a #{above.name} in the same table#{words}", :yellow
      end

      def parent_name
        return options[:parent] if options[:parent] && !within_model?
        return inherited_serializer.name if inherited_serializer

        own = exist?("app/serializers/application_serializer.rb")
        own ? "ApplicationSerializer" : "ToJson::Serializer"
      end

      def body_lines
        lines = []
        { "they look secret" => fields.secrets,
          "their bytes are no text" => fields.binaries }.each do |reason, names|
          lines << comment("Not here, since #{reason}: #{names.join(", ")}.") if names.any?
        end
        fields.enums.each do |name, values|
          lines << comment("#{name} is one of #{values.join(", ")}.")
        end
        lines.concat(fields.attribute_lines)
        fields.blocks.each { |name, block| lines << "attribute(:#{name}) { #{block} }" }
        views.empty? ? lines.concat(fields.associations) : lines.concat(view_lines)
        lines << "# What #{model_in_words} has beside it." if fields.empty? && views.empty?
        lines
      end

      # The name of a column or of a value of an enum may have a line end.
      def comment(text) = "# #{text.gsub(/[[:cntrl:]]/) { |one| one.dump[1..-2] }}"

      def model_in_words = "#{file_name.match?(/\A[aeiou]/) ? "an" : "a"} #{human_name.downcase}"

      def view_lines
        views.flat_map do |view|
          inside = fields.associations
          inside = [comment("What #{view} has beside the fields above.")] if inside.empty?
          ["", "view(#{view.to_sym.inspect}) do", *inside.map { |line| "  #{line}" }, "end"]
        end
      end
    end
  end
end
