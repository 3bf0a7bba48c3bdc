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
        @links, @names, @cached = {}, {}, []
        collect(unit) unless conditions.leave_cached? && unit.cached?
        take_along
        @conditions = @questions = @cached = nil # of this call
        freeze
      end

      private

      def collect(unit)
        owner = Compiler::Owner.new(unit.serializer_class, nil, !unit.elsewhere?)
        unit.fields.each do |field|
          left = left_out?(field)
          next if (left && !field.cache) || field.preload == false || never?(unit, field)
          next @cached << [unit, field, owner] if left

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

      # A cached association that goes through one of these is loaded with it, whether or not the
      # cache has it. A later call could not load it: there, records that the preloader has loaded
      # look like those that a program has put into the association.
      def take_along
        until @cached.empty?
          along, @cached = @cached.partition { |_, field, owner| through_these?(field, owner) }
          return if along.empty?

          along.each { |unit, field, owner| associate(unit, field, owner) }
        end
      end

      def through_these?(field, owner)
        return if field.source.nil? || owner.computes?(field)

        way = reflection(field)&.through_reflection
        way && (@links.key?(way.name) || @names.key?(way.name))
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
