# frozen_string_literal: true

# Layer: active_record. Finds the associations that the fields of one serializer read from records
# of one class.

module ToJson
  module Preloading
    # The associations that the fields of a {Compiler::Unit} read from a class of records, and those
    # that their option `preload:` names.
    # @api private
    class FieldAssociations
      # An association: what is written inside it, as pairs of a unit and its field, and what
      # `preload:` names inside it.
      Link = Struct.new(:reflection, :insides, :names) do
        def name = reflection.name
      end

      # @return [Hash{Symbol => Link}]
      attr_reader :links
      # @return [Hash{Symbol => Hash}] the tree of what `preload:` names, below the records
      attr_reader :names

      class << self
        # @return [FieldAssociations] kept for the next call, unless `only` is given
        def of(unit, model, conditions, only)
          return new(unit, model, conditions, strict: false, only: only) if only

          AnalysisMemory.fetch(self, unit, model, conditions) do |questions|
            new(unit, model, conditions, strict: false, questions: questions)
          end
        end
      end

      # @param unit [Compiler::Unit]
      # @param model [Class]
      # @param conditions [FieldConditions]
      # @param questions [Array, nil] takes what is asked, for {AnalysisMemory}
      # @param strict [Boolean] whether the class must have what `preload:` names
      # @param only [Field, nil] the one field that counts, also if it is cached
      def initialize(unit, model, conditions, strict:, only: nil, questions: nil)
        @model, @conditions, @strict, @only, @questions = model, conditions, strict, only, questions
        @links, @names = {}, {}
        collect(unit) unless conditions.leave_cached? && unit.cached?
        @conditions = @questions = nil # of this call
        freeze
      end

      private

      def collect(unit)
        owner = Compiler::Owner.new(unit.serializer_class, nil, !unit.elsewhere?)
        unit.fields.each do |field|
          next if left_out?(field) || field.preload == false || never?(unit, field)

          case field.kind
          when :attribute then name(field.preload, unit, field)
          when :nested then collect(unit.inner(field, unit.serializer_class, :object))
          # Only identifiers of JSON:API, which loads what they need, have no source.
          else associate(unit, field, owner) unless field.source.nil?
          end
        end
      end

      def left_out?(field)
        return !field.equal?(@only) if @only

        field.cache && @conditions.leave_cached?
      end

      def never?(unit, field)
        answer = @conditions.never?(unit, field)
        if field.conditions.any?
          keep_question(AnalysisMemory::Never.new(@conditions.path, unit, field, answer))
        end
        answer
      end

      def keep_question(question) = @questions&.push(question)

      def reflection(field)
        reflection = @model.reflect_on_association(field.source)
        keep_question(AnalysisMemory::Association.new(@model, field.source, reflection))
        reflection
      end

      def associate(unit, field, owner)
        reflection = reflection(field) unless owner.computes?(field)
        return name(field.preload, unit, field) unless reflection
        return unless Preloadable.preloadable?(reflection)

        link = @links[reflection.name] ||= Link.new(reflection, [], {})
        link.insides << [unit, field].freeze
        return unless field.preload

        checked = reflection.polymorphic? ? field.preload
          : PreloadNames.check(reflection.klass, field.preload, unit, field, @strict)
        link.names = PreloadNames.merge(link.names, checked)
      end

      def name(names, unit, field)
        return unless names

        checked = PreloadNames.check(@model, names, unit, field, @strict)
        @names = PreloadNames.merge(@names, checked)
      end
    end
    private_constant :FieldAssociations
  end
end
