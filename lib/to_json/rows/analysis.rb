# frozen_string_literal: true

# Layer: rows. Finds out from declarations alone what a document reads from rows.

module ToJson
  module Rows
    # Goes through the fields of a {Compiler::Unit} and of the Units inside, and asks those
    # {Conditions} that need no relation.
    # @api private
    class Analysis
      # Stands for the conditions of a call, because an Analysis does not depend on the context.
      module Any
        def self.leave_cached? = false
      end
      # The most levels that are read, besides the first. A serializer that is reached on several
      # paths has a level for each path.
      MOST_LEVELS = 200
      # The most levels inside each other.
      DEEPEST = 32
      private_constant :Any, :MOST_LEVELS, :DEEPEST

      # @param unit [Compiler::Unit]
      # @param model [Class]
      # @return [Level, Refusal] that of an earlier call, if it is still valid
      def self.of(unit, model)
        found = Preloading::AnalysisMemory.fetch(self, unit, model, Any) do |questions|
          new(questions).result(unit, model)
        end
        return found if found.is_a?(Refusal)

        refused_now(found) || found
      end

      # Asks what may change at any time without a new epoch.
      # @return [Refusal, nil]
      def self.refused_now(level)
        level.each_level do |one|
          refused = Conditions.making(one.model)
          return Refusal.new([], refused) if refused
        end
        nil
      end
      private_class_method :refused_now

      # @param questions [Array] gets the questions, for {Preloading::AnalysisMemory}
      def initialize(questions)
        @questions, @path, @levels = questions, [], 0
      end

      # @return [Level, Refusal]
      def result(unit, model)
        catch(self) { level(unit, model, [], nil) }
      end

      private

      def refuse(reason) = reason && throw(self, Refusal.new(@path.dup.freeze, reason).freeze)

      # @param around [Array] the Units and models around it
      # @param from [Link, nil] the association that leads to it
      def level(unit, model, around, from)
        refuse("a serializer stands within itself") if around.include?([unit, model])
        @levels += 1 if from
        refuse("more than #{MOST_LEVELS} associations are read") if @levels > MOST_LEVELS
        refuse("associations are more than #{DEEPEST} deep") if around.size > DEEPEST
        refuse(Conditions.making(model))
        refuse(Conditions.one_class(model, model.column_names)) if from
        level = Level.new(model)
        collect(level, unit, [*around, [unit, model]], from)
        level
      end

      def collect(level, unit, around, from)
        PlanCache.watch(unit.serializer_class)
        refuse("#{unit.serializer_class} has a serialize of its own") if writes_itself?(unit)
        refuse("a cache keeps the objects of #{unit.serializer_class}") if unit.cached?
        unit.fields.each do |field|
          @path.push(field.name)
          refuse(Conditions.field(unit, field))
          add(level, unit, field, around, from)
          @path.pop
        end
      end

      def writes_itself?(unit) = !unit.inline? && PlanCache.imperative?(unit.serializer_class)

      def add(level, unit, field, around, from)
        field.conditions.each { |_, name| read(level, name, :ruby) }
        case field.kind
        when :attribute then read(level, field.source, way(field))
        when :nested
          collect(level, unit.inner(field, unit.serializer_class, :object), around, from)
        else associate(level, unit, field, around, from)
        end
      end

      # Whether Ruby code will see the value, or only the Writer.
      def way(field)
        seen = field.as || !field.default.equal?(Field::NONE) || field.skip == :blank
        seen ? :ruby : :value
      end

      def read(level, name, way)
        refuse(Conditions.getter(level.model, name))
        @questions << Getters.kept(level.model, name)
        column = Getters.column(level.model, name)
        if name.end_with?("?")
          way = :query
          @questions << Getters.kept(level.model, column.to_sym) # which `name` calls
        end
        known = level.reads[name]
        way = :ruby if way == :value && known
        level.reads[name] = Read.new(column, way)
      end

      def associate(level, unit, field, around, from)
        model = level.model
        reflection = model.reflect_on_association(field.source)
        @questions << Preloading::AnalysisMemory::Association.new(model, field.source, reflection)
        refuse("#{model} has no association #{field.source}") unless reflection
        refuse(Conditions.association(reflection, model))
        refuse("it leads back") if from && from.reflection.inverse_of.equal?(reflection)
        @questions << Getters.kept(model, field.source)
        inside(level, unit, field, reflection, around)
      end

      def inside(level, unit, field, reflection, around)
        inner = Preloading::Inner.of_class(unit, field, reflection.klass)
        @questions << Preloading::AnalysisMemory::Inside.new(unit, field, reflection.klass, inner)
        refuse("no serializer declares its fields") unless inner
        link = Level.link(reflection)
        refuse("two fields read it") if level.links.key?(reflection.name)
        level.links[reflection.name] = link
        link.level = level(inner, reflection.klass, around, link)
      end
    end
    private_constant :Analysis
  end
end
