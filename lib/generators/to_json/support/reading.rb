# frozen_string_literal: true

module ToJson
  module Generators
    # Where the fields of a generated serializer come from: the command line, or the model.
    # @api private
    module Reading
      private

      # @return [Fields]
      def fields = @fields ||= Fields.new.tap { |found| read_fields(found) }

      def read_fields(found)
        # Another generator has just made the model: there is no table yet.
        new_model = within_model? && (model.nil? || model.obstacle)
        attributes.any? || new_model ? from_command_line(found) : from_model(found)
      end

      def from_command_line(found)
        inherited = within_model? && inherited_serializer
        found.add("id") if !inherited && id?
        attributes.each { |attribute| add_attribute(found, attribute) }
        found.add("created_at", "updated_at") if within_model? && !inherited && options[:timestamps]
      end

      def id?
        within_model? || model.nil? || !model.obstacle.nil? || model.columns.include?("id")
      end

      def add_attribute(found, attribute)
        name = attribute.name
        reflection = model&.association(name) unless within_model?
        return add_chosen_association(found, reflection) if reflection
        return add_reference(found, attribute) if attribute.reference?
        return add_block(found, name, attribute.type) if attribute.virtual?

        name = "#{name}_digest" if attribute.type == :digest
        add_column(found, name, attribute.type)
      end

      def add_reference(found, attribute)
        name = attribute.name
        if attribute.polymorphic?
          found.add_permitted(within_scaffold?, "#{name}_type", "#{name}_id")
        elsif within_scaffold? then found.add_permitted(true, "#{name}_id")
        end
        models = attribute.polymorphic? ? [] : [referenced_model(name)]
        association = Association.new("belongs_to", name, models, serializer_name)
        found.add("#{name}_id") unless association.written?
        found.associations << association.line
      end

      # As ActiveRecord looks for the class: in the model's namespace, then outwards.
      def referenced_model(name)
        names = Constants.names(name.camelize, within: full_class_name)
        names.find { |candidate| Constants.try(candidate) } || name.camelize
      end

      def add_chosen_association(found, reflection)
        association = association_of(reflection)
        found.associations << association.line
        return if association.written? || reflection.macro != :belongs_to

        found.add(reflection.foreign_type) if reflection.polymorphic?
        found.add(*Array(reflection.foreign_key))
      end

      def from_model(found)
        own_columns.each { |column| add_model_column(found, column) }
        own_associations.each { |reflection| found.associations << association_of(reflection).line }
        model.attachments.each { |name, kind| add_block(found, name, kind) }
        model.rich_texts.each { |name| add_block(found, name, :rich_text) }
        model.enums.each do |name, values|
          found.enums[name] = values if found.names.include?(name)
        end
      end

      # In single-table inheritance the superclass's serializer has the columns.
      def own_columns
        columns = model.columns
        return columns - replaced_keys unless inherited_serializer

        declared = inherited_serializer.definition.fields.map { |field| field.name.to_s }
        left_out = columns.select { |name| secrets.secret?(name) } + model.binaries
        columns - declared - left_out - declared.map { |name| "#{name}_id" }
      end

      def own_associations
        return model.associations unless inherited_serializer

        above = model.inherits_from
        model.associations.reject { |reflection| above.reflect_on_association(reflection.name) }
      end

      # A foreign key is left out where the record that it names is written.
      def replaced_keys
        belonging = model.associations.select { |reflection| reflection.macro == :belongs_to }
        written = belonging.select { |reflection| association_of(reflection).written? }
        written.flat_map { |reflection| Array(reflection.foreign_key).map(&:to_s) } - model.keys
      end

      def association_of(reflection)
        Association.new(Model.word(reflection), reflection.name.to_s, Model.names_of(reflection),
                        serializer_name, many_classes: Model.several_classes?(reflection))
      end

      def add_model_column(found, name)
        return found.binaries << name if model.binaries.include?(name)

        add_column(found, name, nil)
      end

      def add_column(found, name, type)
        return found.secrets << name if secrets.secret?(name, type)

        found.add_permitted(within_scaffold? && !type.nil?, name)
      end

      def secrets
        @secrets ||= Secrets.new(model&.type, ::Rails.application&.config&.filter_parameters || [])
      end

      def add_block(found, name, kind)
        value = "#{block_parameter}.#{name}"
        code = { attachment: "url_for(#{value}) if #{value}.attached?",
                 attachments: "#{value}.map { |file| url_for(file) }",
                 rich_text: "#{value}.to_s" }.fetch(kind)
        found.blocks[name] = "|#{block_parameter}| #{code}"
      end

      # `post` of PostSerializer, unless that is a word of Ruby.
      def block_parameter
        RubyVM::InstructionSequence.compile("#{file_name} = 1")
        file_name
      rescue SyntaxError
        "record"
      end
    end
  end
end
