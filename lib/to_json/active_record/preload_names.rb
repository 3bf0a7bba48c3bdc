# frozen_string_literal: true

# Layer: active_record. Merges trees of association names, and writes them as ActiveRecord's
# `preload` takes them.

module ToJson
  module Preloading
    # Works on trees of association names. A tree is a Hash from names to trees.
    # @api private
    module PreloadNames
      class << self
        # @return [Hash] both trees in one
        def merge(one, other) = one.merge(other) { |_, mine, theirs| merge(mine, theirs) }

        # @return [Array] the same as ActiveRecord's `preload` takes it:
        #   `[:author, {comments: [:author]}]`
        def words(tree)
          deep, flat = tree.partition { |_, inside| inside.any? }
          words = flat.map(&:first)
          words << deep.to_h { |name, inside| [name, words(inside)] } unless deep.empty?
          words
        end

        # Whether the tree of a class has an association that is {Preloadable.scoped_through?}.
        def scoped_through?(model, tree)
          tree.any? do |name, inside|
            reflection = model.reflect_on_association(name)
            Preloadable.scoped_through?(reflection) ||
              (!reflection.polymorphic? && scoped_through?(reflection.klass, inside))
          end
        end

        # @return [Array<Symbol>] the association, and those of the same record that it goes through
        def through(model, name)
          reflection = model.reflect_on_association(name)
          names = [reflection.name]
          while reflection.options[:through] && (reflection = reflection.through_reflection)
            names << reflection.name
          end
          names
        end

        # Looks up what `preload:` of a field names.
        #
        # @param strict [Boolean] false: what the class has not is left out, since another class of
        #   the records may have it
        # @return [Hash] the tree
        # @raise [DefinitionError] for a name that is no association of the class
        def check(model, tree, unit, field, strict)
          tree.each_with_object({}) do |(name, inside), checked|
            reflection = model.reflect_on_association(name)
            next checked[name] = inside_of(reflection, inside, unit, field) if reflection
            next unless strict && !Preloadable.subclasses?(model)

            raise DefinitionError, "#{place(unit, field)}: preload: #{model}: " \
                                   "#{Suggestion.unknown("association", name, associations(model))}"
          end
        end

        private

        def inside_of(reflection, tree, unit, field)
          refuse(reflection, unit, field) unless Preloadable.preloadable?(reflection)
          return tree if tree.empty? || reflection.polymorphic?

          check(reflection.klass, tree, unit, field, true)
        end

        def refuse(reflection, unit, field)
          raise DefinitionError,
                "#{place(unit, field)}: preload: #{reflection.active_record}##{reflection.name} " \
                "cannot be preloaded, because its scope has a limit, an offset, a group " \
                "or takes the record. Remove it."
        end

        def place(unit, field)
          "#{unit.definition.label}: #{Field::Wording::WORDS.fetch(field.kind)} " \
          "#{field.name.inspect}"
        end
        def associations(model) = model.reflect_on_all_associations.map(&:name)
      end
    end
    private_constant :PreloadNames
  end
end
