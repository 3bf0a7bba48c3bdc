# frozen_string_literal: true

# Layer: reading. Finds the names of the attributes that problems are about, for errors of models.

module ToJson
  module Reading
    # A name has only what declarations have chosen, and indexes: I18n keeps each name that it ever
    # met, and replaces `%{…}` in it.
    # @api private
    class AttributeNames
      MEMBERS = %w[data attributes relationships _embedded].freeze
      # Up to 999: I18n keeps each name, so a client must not make many.
      INDEX = /\A\d{1,3}\z/
      # So many flattens inside each other are followed.
      MOST_FLATTENED = 8
      # `name`: such as `:title`, `:"comments[3].body"` or `:base`. `writable`: whether it is the
      # name of a writable field at the top level, also of a flattened class. `cut`: whether the
      # message must have the pointer, since the name does not lead to the place.
      Found = Struct.new(:name, :writable, :cut)
      private_constant :MEMBERS, :INDEX, :MOST_FLATTENED, :Found

      # @param serializer [Class, nil]
      def initialize(serializer, views, root)
        @root = root
        @definition = serializer&.definition
        return unless serializer

        written = Compiler::Unit.new(serializer, @definition, @definition.resolve_views(views), [],
                                     :object)
        @unit = ReadUnit.new(written, :params, :plain)
      end

      # @param problem [ReadError::Problem]
      # @return [Found]
      def of(problem)
        parts = problem.pointer.split("/").drop(1)
        parts.map! { |one| one.gsub("~1", "/").gsub("~0", "~") }
        parts.shift while parts.any? && around?(parts.first)
        declared, field = declared(parts)
        # the message of an unknown field names it
        cut = declared.size < parts.size - (problem.code == :unknown ? 1 : 0)
        return Found.new(:base, false, cut) unless field

        name = declared.drop(1).inject(+attribute(field)) { |all, one| all << shown(one) }
        Found.new(name.to_sym, declared.size == 1 && !field.writable.nil?, cut)
      end

      private

      def around?(part)
        (MEMBERS.include?(part) || roots.include?(part) || part.match?(/\A\d+\z/)) &&
          !find([@unit].compact, part)
      end

      def roots = [*@definition&.root&.map(&:name), *@root]

      def attribute(field)
        (field.writable&.fetch(:name, nil) || field.source || field.name).name
      end

      def shown(part) = INDEX.match?(part) ? "[#{part}]" : ".#{part}"

      # @return [Array(Array<String>, Field)] the first parts, which declarations have chosen, and
      #   the field of the first one
      def declared(parts)
        units, chosen, first = [@unit].compact, [], nil
        parts.each do |part|
          unless INDEX.match?(part) && first && !INDEX.match?(chosen.last)
            unit, field = find(units, part)
            break unless field

            first ||= field
            units = inside(unit, field)
          end
          chosen << part
        end
        [chosen, first]
      end

      # @return [Array(ReadUnit, Field), nil]
      def find(units, part, flattened = 0)
        units.each do |unit|
          field = unit.written.fields.find do |one|
            unit.key(one) == part || form_key(unit, one) == part
          end
          return [unit, field] if field
        end
        return if flattened == MOST_FLATTENED

        inner = units.flat_map do |unit|
          unit.written.fields.select { |one| one.kind == :flatten }
              .flat_map { |one| inside(unit, one) }
        end
        find(inner, part, flattened + 1) if inner.any?
      end

      def form_key(unit, field) = (unit.form_key(field) if field.writable)

      # @return [Array<ReadUnit>] those of the objects in a field
      def inside(unit, field)
        return [unit.inner(field, nil)] if field.kind == :nested
        return [] unless field.writable && (unit.association?(field) || field.kind == :flatten)

        unit.serializers(field).map do |_, found|
          field.as ? unit.of_class(found) : unit.inner(field, found)
        end
      rescue Error
        [] # only its ids are read
      end
    end
  end
end
