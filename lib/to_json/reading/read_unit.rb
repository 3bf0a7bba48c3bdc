# frozen_string_literal: true

# Layer: reading. Tells which fields of an object are read, under which keys, and what they assign.

module ToJson
  module Reading
    # One kind of object in documents: that of a class with its views, or of an inline block. While
    # code is compiled, it is found under its ReadUnit. `written`: the Unit that writes such
    # objects. `mode`: `:values` (parse, read) or `:params` (permit, expect). `envelope`: `:plain`,
    # `:hal` or `:json_api`.
    # @api private
    ReadUnit = Struct.new(:written, :mode, :envelope) do
      # @return [Class]
      def serializer_class = written.serializer_class

      # @return [Array<Field>] the fields that are read, in the order of the declaration
      def fields = written.fields.select { |field| readable?(field) }

      # @return [Array<String>] the keys of fields that are not read
      def others = (written.fields.reject { |field| readable?(field) }).map { |field| key(field) }

      # @return [String]
      def key(field)
        field.key || KeyCase.apply(serializer_class.definition.key_case, field.name.name)
      end

      # @return [String, nil] the key that a form of Rails uses for the field, if it is not {#key}
      def form_key(field)
        return unless mode == :params && envelope == :plain && field.writable&.fetch(:nested, nil)

        name = target(field).name
        name unless name == key(field)
      end

      # @return [Symbol] the attribute to which the value of a field is assigned
      def target(field)
        name = field.writable.fetch(:name, field.source)
        field.writable[:nested] ? :"#{name}_attributes" : name
      end

      # @return [Array<Symbol>] all attributes that are assigned, also by fields inside a `nested`
      def targets
        fields.flat_map do |field|
          field.kind == :nested ? inner(field, nil).targets : [target(field)]
        end
      end

      # @return [Array<Symbol>] {#targets}, and the attributes for the ids of relationships
      def assigned
        ids = fields.select { |field| related?(field) }
                    .flat_map { |field| Linkage.targets(field) }
        targets | ids
      end

      # @return [Hash{Symbol => Array<String>}] attribute => the keys that lead to its value in the
      #   object
      def places
        fields.each_with_object({}) do |field, all|
          case field.kind
          when :nested
            inner(field, nil).places.each { |name, path| all[name] = [*place(field), *path] }
          when :flatten then all[target(field)] = []
          else all[target(field)] = place(field)
          end
        end
      end

      # @return [ReadUnit] that of the objects inside a field
      # @param serializer_class [Class, nil] nil for an inline block
      def inner(field, serializer_class, envelope = self.envelope)
        inside = written.inner(field, serializer_class || self.serializer_class, :object)
        ReadUnit.new(inside, mode, field.definition ? :plain : envelope)
      end

      # The ReadUnit of a field whose `as:` is a serializer.
      def of_class(serializer_class)
        definition = serializer_class.definition
        inside = Compiler::Unit.new(serializer_class, definition, definition.default_views, [],
                                    :object)
        ReadUnit.new(inside, mode, :plain)
      end

      # The serializer classes that may read an association. If it has types, there is one for each.
      # If not, there is one under nil; nil is also the value for an inline block. The compiled code
      # depends on all of them, also on those that have no writable fields yet.
      # @return [Hash{Module, nil => Class, nil}]
      def serializers(field)
        found = found_serializers(field)
        found.each_value { |one| PlanCache.watch(one) if one }
      end

      # Whether the field is read as one object, or as many objects.
      def association?(field)
        %i[one many any].include?(field.kind) || (field.as.is_a?(Class) && field.as < Serializer)
      end

      # Whether the field is a relationship of JSON:API, so that its ids are read.
      def related?(field)
        envelope == :json_api && %i[one many any].include?(field.kind) && !field.definition
      end

      # Whether a complete document always has the key of this field.
      def certain?(field)
        field.conditions.empty? && field.skip.nil? && !(envelope == :hal && association?(field))
      end

      # @return [String] the name of the class or the block, for messages
      def to_s = written.definition.label

      # Whether any field is read. Asks each Unit inside once, and without recursion, since there
      # may be hundreds.
      def any?
        seen, units = { written => true }, [self]
        units.each do |unit| # grows meanwhile
          return true if unit.reads_value?

          unit.each_inside do |inner|
            next if seen[inner.written]

            seen[inner.written] = true
            units << inner
          end
        end
        false
      end

      # Whether a field is read that is no object with fields of its own.
      def reads_value?
        written.fields.any? do |field|
          field.kind != :nested && field.writable &&
            (related?(field) || !(association?(field) || field.kind == :flatten))
        end
      end

      # Yields the Units of the objects inside that may be read.
      def each_inside
        written.fields.each do |field|
          if field.kind == :nested then yield inner(field, nil)
          elsif field.writable && (association?(field) || field.kind == :flatten)
            serializers(field).each do |_, found|
              yield field.as ? of_class(found) : inner(field, found)
            end
          end
        end
      end

      private

      def place(field)
        key = key(field)
        case envelope
        when :plain then [key]
        when :hal then association?(field) ? ["_embedded", key] : [key]
        else
          return ["relationships", key, "data"] if related?(field)

          field.name == :id && field.kind == :attribute ? ["id"] : ["attributes", key]
        end
      end

      def found_serializers(field)
        return { nil => field.as } if field.as.is_a?(Class) && field.as < Serializer
        return { nil => nil } if field.definition

        given = field.serializer
        return { nil => PlanCache.inner_class(written, field) } unless given.is_a?(Hash)

        given.transform_values do |one|
          String === one ? PlanCache.named(written, field, one)
                         : Lookup.of_class(serializer_class, one, nil)
        end
      end

      def readable?(field)
        return writable_inside?(field) if field.kind == :nested
        return false unless field.writable
        return true if related?(field) || !(association?(field) || field.kind == :flatten)

        serializers(field).any? do |_, found|
          (field.as ? of_class(found) : inner(field, found)).any?
        end
      end

      def writable_inside?(field) = inner(field, nil).any?
    end
  end
end
