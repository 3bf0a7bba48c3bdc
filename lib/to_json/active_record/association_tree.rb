# frozen_string_literal: true

# Layer: active_record. Finds all associations that a serializer reads, to any depth, from its
# declarations.

module ToJson
  module Preloading
    # The tree of association names for ActiveRecord's preloader. The tree is {#whole?} if it names
    # all that the serializer reads. It is not whole if there are polymorphic associations, single
    # table inheritance, a `serializer:` that is a lambda, a serializer that contains itself, an
    # association that is {Preloadable.scoped_through?}, or more serializers than {MOST_PLACES}.
    # Then {AssociationLoader} loads level by level, as it does for records that hold some of it
    # already.
    # @api private
    class AssociationTree
      # The most serializers inside that are followed. One that is reached on several paths counts
      # once for each. Where serializers name each other, there may be more paths than one can walk.
      MOST_PLACES = 200
      # The most serializers inside each other.
      DEEPEST = 32
      private_constant :DEEPEST

      class << self
        # @return [AssociationTree] a new one, or that of an earlier call
        def of(unit, model, conditions) = made(self, unit, model, conditions, false)

        # @return [Hash{Symbol => Hash}] the names, also of a tree that is not whole
        def names(unit, model, conditions) = made(:names, unit, model, conditions, true).names

        private

        def made(kind, unit, model, conditions, partial)
          AnalysisMemory.fetch(kind, unit, model, conditions) do |questions|
            new(unit, model, conditions, questions, partial)
          end
        end
      end

      # ActiveRecord's `preload` joins queries within one Hash, and not those of several arguments.
      # @return [Hash{Symbol => Hash}] the associations, and those inside them; {} if the
      #   tree is not whole, and `partial` was false
      attr_reader :names

      # @param unit [Compiler::Unit]
      # @param model [Class]
      # @param conditions [FieldConditions]
      # @param questions [Array] takes what is asked, for {AnalysisMemory}
      # @param partial [Boolean] whether the names of a tree that is not whole are wanted
      def initialize(unit, model, conditions, questions, partial)
        @questions, @partial, @places = questions, partial, 0
        @whole = !Preloadable.subclasses?(model)
        names = catch(self) { grow(unit, model, conditions, [[unit, model]]) }
        @whole &&= !PreloadNames.scoped_through?(model, names)
        @names = Ractor.make_shareable(names)
        @held = @whole ? names.keys.flat_map { |name| PreloadNames.through(model, name) }.uniq : nil
        @questions = nil
        freeze
      end

      # Whether the tree names all that is read, so that no record must be asked.
      def whole? = @whole

      # Loads all levels at once, if that is all that {AssociationLoader} would do: the tree is
      # whole, and the records hold all of it, or nothing of it yet.
      # @param records [Array<ActiveRecord::Base>] of the class of the tree
      # @return [Boolean] whether it did
      def load(records)
        return false unless @whole
        return true if loaded?(records, @names)
        return false unless records.all? { |record| new_here?(record) }

        unless @names.empty?
          ::ActiveRecord::Associations::Preloader.new(records: records, associations: @names).call
        end
        true
      end

      private

      def loaded?(records, names)
        names.all? do |name, inside|
          associations = records.map { |record| record.association(name) }
          associations.all?(&:loaded?) &&
            (inside.empty? || loaded?(associations.flat_map(&:target).compact, inside))
        end
      end

      # Whether the preloader reads for the record what its getters would read.
      def new_here?(record)
        return false if record.new_record? || record.strict_loading?

        @held.none? do |name|
          association = record.association(name)
          target = association.target
          association.loaded? || (Array === target ? target.any? : target)
        end
      end

      def grow(unit, model, conditions, around)
        PlanCache.watch(unit.serializer_class)
        fields = FieldAssociations.new(unit, model, conditions, strict: true, questions: @questions)
        fields.links.each_value.inject(fields.names) do |tree, link|
          PreloadNames.merge(tree, { link.name => inside(link, conditions, around) })
        end
      end

      def inside(link, conditions, around)
        link.insides.inject(link.names) do |tree, (unit, field)|
          inner = inner(unit, field, link.reflection)
          next tree unless inner

          place = [inner, link.reflection.klass]
          next open(tree) if around.include?(place) || far?(around)

          PreloadNames.merge(tree, grow(*place, conditions.inside(unit, field), [*around, place]))
        end
      end

      def far?(around) = around.size == DEEPEST || (@places += 1) > MOST_PLACES

      def open(tree)
        @whole = false
        @partial ? tree : throw(self, {})
      end

      # @return [Compiler::Unit, nil] of what is written inside
      def inner(unit, field, reflection)
        told = !reflection.polymorphic? && !Preloadable.subclasses?(reflection.klass) &&
               !field.serializer.is_a?(Proc)
        return open(nil) unless told

        found = Inner.of_class(unit, field, reflection.klass)
        if found_by_name?(field)
          @questions << AnalysisMemory::Inside.new(unit, field, reflection.klass, found)
        end
        found
      end

      # Whether the serializer is found by a name, so that a later call may find another one.
      def found_by_name?(field) = field.definition.nil? && !field.serializer.is_a?(Class)
    end
    private_constant :AssociationTree

    # Finds the Unit that writes the records of an association.
    # @api private
    module Inner
      class << self
        # @return [Compiler::Unit, nil] nil: no serializer, or one that declares nothing
        def of_class(unit, field, model)
          return unit.inner(field, unit.serializer_class, :object) if field.definition

          of_serializer(unit, field,
                        PlanCache.inner_class(unit, field) ||
                          Lookup.of_class(unit.serializer_class, field.serializer, model))
        rescue SerializerNotFound
          nil # the document says so, with its path
        end

        # @param chosen [Object] what a lambda returned
        # @return [Compiler::Unit, nil]
        def of_lambda(unit, field, chosen, model)
          of_serializer(unit, field, Lookup.of_class(unit.serializer_class, chosen, model))
        rescue SerializerNotFound
          nil
        end

        private

        def of_serializer(unit, field, serializer_class)
          unit.inner(field, serializer_class, :object) if serializer_class.declared?
        end
      end
    end
  end
end
