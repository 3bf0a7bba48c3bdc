# frozen_string_literal: true

# Layer: rows. One record that is written with its associations from rows.

module ToJson
  module Rows
    # What a Plan gets instead of a record that is in memory. Its fields come from the record, by
    # the getters of its model, and its associations from rows, as those of a {Row}. {Record.of}
    # makes one for a document.
    # @api private
    class Record
      # Kinds of fields that read an association of the record.
      ASSOCIATIONS = %i[one many any flatten].freeze
      private_constant :ASSOCIATIONS

      class << self
        # @param record [ActiveRecord::Base]
        # @param unit [Compiler::Unit]
        # @return [Record, nil] nil: the models of its associations are needed, or it reads none
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

        # Whether its associations are what the database has.
        def plain?(record)
          !record.new_record? && !record.destroyed? && !Unsaved.changes?(record) &&
            !record.strict_loading? && read_as_usual?(record)
        end

        # Whether its keys are read as ActiveRecord's getters of associations read them.
        def read_as_usual?(record)
          usual = ::ActiveRecord::Base.instance_method(:read_attribute).owner
          Reflection.owner_of(record, :read_attribute).equal?(usual)
        end

        # Asked first, because an action often preloads what it renders. An association that nobody
        # has used yet is left alone: if its class is missing, making it raises.
        def holds?(record, unit)
          unit.fields.any? do |field|
            ASSOCIATIONS.include?(field.kind) && record.association_cached?(field.source) &&
              record.association(field.source).loaded?
          end
        end

        # Whether nobody but ActiveRecord reads the association, and the record holds nothing of it.
        def free?(record, link)
          name = link.reflection.name
          return false unless record.has_attribute?(link.own) && record.respond_to?(name)

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
          getters = [*fields, *links].map { |name, value| RowClass.getter(name, value) }.join
          Class.new(self) { include GeneratedCode.define(Module.new, getters, "(rows)") }
        end
      end

      # @param record [ActiveRecord::Base]
      # @param found [Array<Row, List, Array, nil>] what each link has
      def initialize(record, found)
        @record, @found = record, found
      end

      # @return [Class] the model, by which serializers are looked up
      def class = @record.class
    end
    private_constant :Record
  end
end
