# frozen_string_literal: true

# Layer: compiler. What a Plan is made of: the key under which it is kept.

module ToJson
  class Compiler
    # `serializer_class`: whose methods and context the fields see. `definition`: its own, or an inline block's.
    # `views`: resolved names. `restrictions`: pairs of Selections (only, except) that are part of the declaration.
    # `form`: :object; :pairs, which join an object at hand; :masked and :masked_pairs, all entries, each asked of a Mask.
    Unit = Struct.new(:serializer_class, :definition, :views, :restrictions, :form) do
      def pairs? = form == :pairs || form == :masked_pairs
      def masked? = form == :masked || form == :masked_pairs
      def inline? = !definition.equal?(serializer_class.definition)

      # @return [Array<Field>] of a Mask all entries, in whose order it has its bits
      def fields
        return definition.entries if masked?

        definition.fields(views).select { |field| Restrictions.keep?(restrictions, field) }
      end

      # The unit of what an association, nested or flatten writes by `serializer_class`, nil for an inline block.
      def inner(field, inner_class, form, restrictions = Restrictions.inner(self.restrictions, field))
        return Unit.new(serializer_class, field.definition, [], restrictions, form) if field.definition

        definition = inner_class.definition
        Unit.new(inner_class, definition, definition.resolve_views(field.view), restrictions, form)
      end
    end

    # What `only:` and `except:` leave, of a declaration and of a call.
    module Restrictions
      class << self
        # @param restrictions [Array<Array(Selection, Selection)>]
        def keep?(restrictions, field)
          return true if restrictions.empty? || field.kind == :flatten # whose fields are asked one by one

          name = field.name.name
          restrictions.all? { |only, except| (only.nil? || only.key?(name)) && !(except&.key?(name) && except[name].nil?) }
        end

        # The restrictions of what stands inside a field: the outer ones' parts of that name, and its own.
        def inner(restrictions, field) = [*of_call(restrictions, field), [field.only, field.except]].reject(&:none?)

        # What the restrictions of a call leave inside a field, without the field's own.
        def of_call(restrictions, field)
          return restrictions if field.kind == :flatten

          name = field.name.name
          restrictions.map { |only, except| [only && only[name], except && except[name]] }.reject(&:none?)
        end

        # Names that no view has; also inside the fields that are in force, where declarations tell what these have. So
        # that it does not depend on the data.
        # @raise [UnknownFieldError]
        def check(definition, views, restrictions)
          restrictions.each { |pair| pair.compact.each { |selection| check_names(definition.label, definition, views, selection) } }
        end

        private

        def check_names(label, definition, views, selection)
          known, complete = named(definition.entries) { |inner, _| inner.entries }
          chosen, = named(definition.fields(views)) { |inner, inner_views| inner.fields(inner_views) }
          selection.tree.each do |name, part|
            raise UnknownFieldError, "#{label}: #{Suggestion.unknown("field", name, known.keys)}" unless known.key?(name) || !complete
            next unless part

            (chosen[name] || []).each do |field|
              inner, inner_views = inside(field)
              check_names("#{label}: #{name}", inner, inner_views, part) if inner
            end
          end
        end

        # The fields of each name, those of flattened ones among them; and whether these are all: not where one is flattened
        # that only a value tells.
        def named(fields, &inner_fields)
          complete = true
          names = fields.each_with_object({}) do |field, found|
            next (found[field.name.name] ||= []) << field unless field.kind == :flatten

            inner = inside(field)
            next complete = false unless inner

            merged, inner_complete = named(inner_fields.call(*inner), &inner_fields)
            complete &&= inner_complete
            found.merge!(merged) { |_, one, other| one + other }
          end
          [names, complete]
        end

        # @return [Array(Definition, Array<Symbol>), nil] what is written inside, and its views, where the declaration tells
        def inside(field)
          return [field.definition, []] if field.definition

          [field.serializer.definition, field.serializer.definition.resolve_views(field.view)] if field.serializer.is_a?(Class)
        end
      end
    end
  end
end

# The keys of one object, each once.
module ToJson
  class Compiler
    class Names
      # @param unit [Unit] whose class tells the key case
      def initialize(unit, taken = {})
        @unit, @taken = unit, taken
      end

      # Names of another unit whose fields stand among these.
      def beside(unit) = Names.new(unit, @taken)

      # @return [String]
      # @raise [DefinitionError] for one that another field has
      def key(field)
        key = KeyCase.apply(@unit.serializer_class.definition.key_case, field.name.name)
        taken = @taken[key]
        @taken[key] = field.name
        return key if taken.nil? || (@unit.masked? && taken == field.name)

        raise DefinitionError, "#{@unit.definition.label}: #{taken.inspect} and #{field.name.inspect} would both be written as #{key.inspect}. " \
                               "Rename one, or leave it out with only: or except:."
      end
    end
  end
end
