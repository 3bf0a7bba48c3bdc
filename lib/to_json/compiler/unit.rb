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

      # The unit of what an association, nested or flatten writes, where that is known.
      def inner(field, serializer_class, form)
        inner = Restrictions.inner(restrictions, field)
        return with_form(self.serializer_class, field.definition, [], inner, form) if field.definition

        with_form(serializer_class, serializer_class.definition, serializer_class.definition.resolve_views(field.view), inner, form)
      end

      private

      def with_form(*members) = Unit.new(*members)
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
        def inner(restrictions, field)
          name = field.name.name
          outer = field.kind == :flatten ? restrictions : restrictions.map { |only, except| [only && only[name], except && except[name]] }
          [*outer, [field.only, field.except]].reject { |pair| pair.none? }
        end

        # @raise [UnknownFieldError] for names that no view has
        def check(definition, restrictions, label)
          known = names_of(definition) or return
          restrictions.each do |pair|
            unknown = pair.compact.flat_map(&:names).find { |name| !known.include?(name) } or next
            raise UnknownFieldError, "#{label}: #{Suggestion.unknown("field", unknown, known)}"
          end
        end

        private

        # nil where only a call tells which names there are.
        def names_of(definition)
          definition.entries.each_with_object([]) do |field, names|
            next names << field.name.name unless field.kind == :flatten

            inner = field.definition || (field.serializer.is_a?(Class) ? field.serializer.definition : nil)
            merged = inner && names_of(inner) or return nil
            names.concat(merged)
          end
        end
      end
    end
  end
end
