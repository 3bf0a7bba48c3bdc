# frozen_string_literal: true

# Layer: rows. One record that is written with its associations from rows.

module ToJson
  module Rows
    # Stands for a record that is in memory. It has the record's own getters for fields, and reads
    # associations from rows, as a {Row} does. {Record.of} makes one for a document, and the Plan
    # gets it instead of the record.
    # @api private
    class Record
      # Kinds of fields that read an association of the record.
      ASSOCIATIONS = %i[one many any flatten].freeze
      private_constant :ASSOCIATIONS

      class << self
        # @param record [ActiveRecord::Base]
        # @param unit [Compiler::Unit]
        # @return [Record, nil] nil: associations need models, or the serializer reads none
        def of(record, unit)
          return unless plain?(record) && !holds?(record, unit)

          level = Analysis.of(unit, record.class)
          return if level.is_a?(Refusal) || level.links.empty?
          return unless level.links.each_value.all? { |link| free?(record, link) }

          found = Query.new(level).associated(record)
          return if found.is_a?(Refusal)

          (level.record_class ||= type(level)).new(record, found)
        end

        private

        # Whether the database has the associations of the record as the record would show them.
        def plain?(record)
          !record.new_record? && !record.destroyed? && !Unsaved.changes?(record) &&
            !record.strict_loading? && read_as_usual?(record)
        end

        # Whether its keys are read as ActiveRecord's getters of associations read them.
        def read_as_usual?(record)
          usual = ::ActiveRecord::Base.instance_method(:read_attribute).owner
          Reflection.owner_of(record, :read_attribute).equal?(usual)
        end

        # Whether the record holds a loaded association. Is asked first, because an action often
        # preloads what it renders. Does not make the association object, because that raises if the
        # class is missing.
        def holds?(record, unit)
          unit.fields.any? do |field|
            ASSOCIATIONS.include?(field.kind) && record.association_cached?(field.source) &&
              record.association(field.source).loaded?
          end
        end

        # Whether the getter of the association is ActiveRecord's, and the record holds nothing of
        # it.
        def free?(record, link)
          name = link.reflection.name
          return false unless record.has_attribute?(link.column) && record.respond_to?(name)

          getter = record.class.instance_method(name)
          return false unless Reflection.owner_of(record, name).equal?(getter.owner)

          association = record.association(name)
          target = association.target
          !association.loaded? && (::Array === target ? target.empty? : target.nil?)
        end

        # @return [Class] a subclass with the getters of the level
        def type(level)
          fields = level.reads.each_key.map { |name| [name, RowClass.call("@record", name)] }
          links = level.links.each_key.map.with_index { |name, index| [name, "@found[#{index}]"] }
          getters = [*fields, *links].map { |name, value| RowClass.getter(name, value) }.join("")
          Class.new(self) { include GeneratedCode.define(Module.new, getters, "(rows)") }
        end
      end

      # @param record [ActiveRecord::Base]
      # @param found [Array<Row, List, Array, nil>] what the getter of each link returns
      def initialize(record, found)
        @record, @found = record, found
      end

      # @return [Class] the model, by which serializers are looked up
      def class = @record.class
    end
    private_constant :Record
  end
end
