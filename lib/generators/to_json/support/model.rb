# frozen_string_literal: true

module ToJson
  module Generators
    # A class of the application, as far as a serializer is concerned: columns, enums, associations.
    # Any class may stand there, also one without a table.
    # @api private
    class Model
      # Associations that Rails makes for attachments and rich texts, which are read as such.
      OF_RAILS = /\A(?:::)?Action(?:Text|Storage|Mailbox)::/
      WORDS = { belongs_to: "belongs_to", has_one: "has_one", has_many: "has_many",
                has_and_belongs_to_many: "has_many" }.freeze
      private_constant :OF_RAILS, :WORDS

      # @param name [String] such as "Api::V1::Post"; the class may stand in a namespace further out
      # @return [Model, nil]
      def self.find(name)
        *spaces, last = name.split("::")
        names = Constants.names(last, within: name) # Api::V1::Post, Api::Post, Post
        # Chat::Post, of Api::V1::Chat::Post
        names |= spaces.each_index.map { |from| [*spaces.drop(from), last].join("::") }
        found = names.filter_map { |candidate| Constants.get(candidate) }.first
        new(found) if found
      end

      # @return [Class]
      attr_reader :type

      def initialize(type)
        @type = type
      end

      def name = type.name

      def active_record? = defined?(::ActiveRecord::Base) && type < ::ActiveRecord::Base

      def abstract? = active_record? && type.abstract_class?

      # @return [String, nil] why no columns can be read
      def obstacle
        return (readable_names ? nil : "#{name} has no columns to read") unless active_record?
        return "#{name} is abstract: it has no table" if abstract?

        return if type.table_exists?

        "#{name} has no table #{type.table_name} yet (bin/rails db:migrate)"
      rescue StandardError => e
        raise unless database_failed?(e)

        "the database cannot be reached (#{e.class}: #{e.message.lines.first&.chomp})"
      end

      # @return [Class, nil] of a subclass in single-table inheritance, the class above it
      def inherits_from
        type.superclass if active_record? && !abstract? && type != type.base_class
      end

      # @return [Array<String>] the names of its columns, keys first
      def columns
        keys | (active_record? ? type.columns.map(&:name) : readable_names)
      end

      # @return [Array<String>] the columns of its primary key
      def keys
        active_record? ? Array(type.primary_key).map(&:to_s) : %w[id] & readable_names.to_a
      end

      # @return [Boolean] whether `new` without arguments makes one
      def simply_made?
        return true if active_record?

        !readable_members? && type.instance_method(:initialize).arity.between?(-1, 0)
      end

      # @return [Array<String>] columns whose bytes are no text
      def binaries
        return [] unless active_record?

        names = type.columns.select { |column| column.type == :binary }.map(&:name)
        names.select { |name| type.type_for_attribute(name).type == :binary } # not `serialize`
      end

      # @return [Hash{String => Array<String>}]
      def enums = active_record? ? type.defined_enums.transform_values(&:keys) : {}

      # @return [Array<ActiveRecord::Reflection>] those that have a word of a serializer
      def associations
        return [] unless active_record?

        all = type.reflect_on_all_associations.select { |reflection| WORDS.key?(reflection.macro) }
        all.reject { |reflection| of_rails?(reflection) }
      end

      def association(name) = associations.find { |reflection| reflection.name.to_s == name.to_s }

      def self.word(reflection) = WORDS.fetch(reflection.macro)

      # @return [Array<Array(String, Symbol)>] `:attachment` or `:attachments`
      def attachments
        return [] unless type.respond_to?(:reflect_on_all_attachments)

        type.reflect_on_all_attachments.map do |reflection|
          many = reflection.macro == :has_many_attached
          [reflection.name.to_s, many ? :attachments : :attachment]
        end
      end

      # @return [Array<String>]
      def rich_texts
        return [] unless type.respond_to?(:rich_text_association_names)

        type.rich_text_association_names.map { |name| name.to_s.delete_prefix("rich_text_") }
      end

      # @return [Boolean] whether its instances answer to that name
      def answers?(name)
        return true if columns.include?(name) || type.method_defined?(name)

        active_record? && (!association(name).nil? || type.attribute_names.include?(name))
      end

      # @return [Array<String>] the names of the associated class and of those above it
      def self.names_of(reflection)
        return [] if reflection.polymorphic?

        names = [reflection.class_name.delete_prefix("::")]
        found = reflection.klass
        names = [found.name]
        while found.superclass < ::ActiveRecord::Base && !found.superclass.abstract_class?
          found = found.superclass
          names << found.name
        end
        names
      rescue StandardError, ScriptError # a class that is missing, fails, or is no model
        names
      end

      # @return [Boolean] whether records of subclasses may stand there
      def self.several_classes?(reflection)
        return true if reflection.polymorphic?

        found = reflection.klass
        found.table_exists? && found.columns_hash.key?(found.inheritance_column.to_s)
      rescue StandardError, ScriptError
        false
      end

      private

      # HABTM_: what `has_and_belongs_to_many` makes for its join table.
      def of_rails?(reflection)
        reflection.class_name.match?(OF_RAILS) || reflection.class_name.include?("HABTM_")
      end

      # Data: Ruby >= 3.2
      def readable_members? = type < Struct || (defined?(::Data) && type < ::Data)

      def readable_names
        if readable_members? then type.members.map(&:to_s)
        elsif type.respond_to?(:attribute_names) then type.attribute_names.map(&:to_s)
        end
      end

      def database_failed?(error)
        active_record? && error.is_a?(::ActiveRecord::ActiveRecordError)
      end
    end
  end
end
