# frozen_string_literal: true

# Layer: compiling. Decides how an association, or a value whose `as:` is a serializer, is written.
# If possible, Compiler::Fusing writes it within the C call of its owner. If not, `explain` prints
# why.

module ToJson
  class Compiler
    # The strategies, in words.
    module AssociationStrategy
      FUSED = Part::TABLE[:ops][:open][:words]
      LOOP = Part::TABLE[:ops][:list][:words]
      APART = Part::TABLE[:ops][:slot][:words]
      MERGED = "flatten: arguments of this object's native call"

      # Why an association is left to the value or the call.
      TOLD = "its serializer is told by the value"
      ONE_OR_MANY = "one or many is told by the value"
      CONTEXT = "a context of its own"
      SERIALIZE = "its own serialize writes"
      ITSELF = "it is within itself"
      FAR = "it is far from the serializer that was compiled first"
      private_constant :APART, :TOLD, :ONE_OR_MANY, :CONTEXT, :SERIALIZE, :ITSELF, :FAR

      class << self
        # @return [String] the words for a field with `cache:`
        def cached(field) = "cached#{": #{field.cache}" unless field.cache.to_s.empty?}"

        # @param handle [Handle, nil] nil: only the value tells the serializer
        # @return [String] the words for a field that a {Site} writes
        def of_site(field, handle)
          return CONTEXT unless field.context.equal?(Field::NONE)
          return SERIALIZE if handle

          if field.kind == :any &&
             (field.definition || [Class, String].include?(field.serializer.class))
            ONE_OR_MANY
          else
            TOLD
          end
        end

        # @return [String, nil] the words for a field that is written by code of its own; nil if it
        #   is fused, because its fields are few, have no conditions, and are read by name or method
        def of_code(field, handle)
          return LOOP if field.kind == :many

          obstacle = obstacle(field, handle)
          "#{APART}: #{obstacle}" if obstacle
        end

        # @param writes_itself [Boolean] whether its serializer has a `serialize` of its own
        # @return [String] MERGED, or why it is not merged
        def of_flatten(field, handle, writes_itself)
          obstacle = if !field.context.equal?(Field::NONE) then CONTEXT
                     elsif writes_itself then SERIALIZE
                     elsif handle.nil? then TOLD
                     elsif handle.plan.nil? then unfinished(handle)
                     else no_attribute(handle.unit.fields)
                     end
          obstacle ? "flatten #{APART}: #{obstacle}" : MERGED
        end

        # @param serializer_class [Class] of `as:`
        # @return [Boolean] whether no code of the user sees its instances being made. Whether it
        #   sees them at work, the Plan tells
        def unseen?(serializer_class)
          return false unless serializer_class.declared?

          singleton = serializer_class.singleton_class
          singleton.public_method_defined?(:new) &&
            singleton.instance_method(:new).owner == Class &&
            serializer_class.instance_method(:initialize).owner == Serializer
        end

        # @param handle [Handle] of the serializer of `as:`
        # @param compilation [Compilation]
        # @return [String, nil] the words for a value that a Plan writes without an instance of the
        #   serializer. nil if an instance is needed: it has methods that are called, its text is
        #   cached, other Ractors must raise, or the serializer is inside itself
        def of_converted(handle, compilation)
          return if handle.imperative? || handle.plan.nil? || handle.plan.serializer?
          return if handle.unit.cached? || compilation.main_ractor_only(handle.unit)

          obstacle = obstacle_inside(handle, :attribute)
          obstacle ? "#{APART}: #{obstacle}" : FUSED
        end

        private

        def obstacle(field, handle)
          return SERIALIZE if handle.imperative?
          return "it is cached" if handle.unit.cached?
          return unfinished(handle) if handle.plan.nil?
          return "it has a default:" unless field.default.equal?(Field::NONE)
          return "it has skip_blank" if field.skip == :blank # then getters must not be called

          obstacle_inside(handle, field.kind)
        end

        def unfinished(handle) = handle.later ? FAR : ITSELF

        def obstacle_inside(handle, kind)
          fields = handle.unit.fields
          return "it has no fields" if fields.empty?
          return "it has more than #{MOST_FUSED} fields" if fields.size > MOST_FUSED

          return inside_nested(fields, handle) if kind == :nested

          no_attribute(fields) ||
            named(fields, "has a condition") { |inner| inner.conditions.any? } ||
            named(fields, "takes Ruby for as: or default:") { |inner| !FieldAccess.native?(inner) }
        end

        def no_attribute(fields)
          named(fields, "is no attribute") { |inner| inner.kind != :attribute }
        end

        # The fields of an object that is not nil. They may have conditions, and objects that the
        # same native call writes.
        def inside_nested(fields, handle)
          other = named(fields, "is no attribute") do |inner|
            inner.kind != :attribute && !handle.strategies[inner].equal?(FUSED)
          end
          return other if other

          fit = handle.values && handle.values <= MOST_FUSED
          "it has more than #{MOST_FUSED} values" unless fit
        end

        def named(fields, what, &test)
          found = fields.find(&test)
          "#{found.name} #{what}" if found
        end
      end
    end

    # The methods of a {Compiler} for objects that are FUSED.
    # @api private
    module Fusing
      private

      def add_fused(field, handle, from = Source::OWN, owner = @own, path = field.name.name)
        make_room(handle.values + 1) if from.equal?(Source::OWN)
        access = FieldAccess.new(field, from, owner, @constants, nil)
        same = field.kind == :nested
        @layout.open(@names.key(field), source: (field.source if access.keyed? && !same),
                     flags: same ? [*access.flags, :same] : access.flags)
        inner = same ? from.same(field.conditions.any? ? "n#{@variables += 1}" : nil)
                     : Source::Fused.new(@variables += 1, field.conditions.any?)
        argument(path) do |form|
          inner.opening(same ? access.guarded(form, "true") : access.argument(form))
        end
        add_inside(handle, inner, path)
        @layout.close
      end

      # Whether a masked unit writes the object in its own native call.
      def picks?(field, handle)
        field.kind != :nested && AssociationStrategy.of_code(field, handle).nil? &&
          handle.unit.definition.entries.size <= Mask::WORD_BITS
      end

      # The same as add_fused, for a masked unit: the fields inside ask the Mask, too.
      def add_picked(field, handle)
        under(field, handle)
        make_room(handle.values + 1)
        access = FieldAccess.new(field, Source::OWN, @own, @constants, nil)
        inner = Source::Picked.new(@variables += 1, field.conditions.any?)
        @layout.open(@names.key(field), flags: access.flags | [:optional])
        argument(field.name.name) { |form| inner.picking(test(field), access.argument(form)) }
        add_inside(handle, inner, field.name.name, bit(field))
        @layout.close
      end

      # The expression that is 0 unless the Mask of a masked unit leaves the field; else nil.
      def test(field) = (index = bit(field)) && Mask.test(index)

      # Adds a value whose `as:` is a serializer. `handle` writes the fields of one object; an
      # instance of the serializer gets every other value. So there are two pairs, and at least one
      # of them is left out: `lone` of the Writer tells which.
      def add_converted(field, handle)
        @strategies[field] = AssociationStrategy.of_converted(handle, @compilation)
        fused = @strategies[field].equal?(AssociationStrategy::FUSED)
        make_room(fused ? handle.values + 2 : 2)
        access = FieldAccess.new(field, Source::OWN, @own, @constants, test(field))
        key, path = @names.key(field), field.name.name
        value = Source::Converted.new(@variables += 1)
        fused ? @layout.open(key, flags: [:optional]) : @layout.pair(:slot, key, flags: [:optional])
        argument(path) { |form| value.opening(access.unconverted(form)) }
        if fused
          add_inside(handle, value, path)
          @layout.close
        else
          flush(result: "r")
          @code.slot(@constants.name("C", handle.code), "s", value.value, nil)
        end
        @layout.pair(:value, key, flags: [:optional])
        argument(path) { value.otherwise { |given| access.instance_for(given) } }
      end

      # Adds the fields of an object whose brace is open in the Part.
      # @param picked [Integer, nil] the bit of the object, if a Mask may leave a part of it
      def add_inside(handle, source, path, picked = nil)
        owner, names = owner_of(handle), Names.new(handle.unit)
        entries = handle.unit.definition.entries
        handle.unit.fields.each do |field|
          test = picked && Mask.test_inside(picked, entries.index { |entry| entry.equal?(field) })
          inner_path = "#{path}.#{field.name}"
          with_names(names) do
            if field.kind == :attribute
              add_attribute(FieldAccess.new(field, source, owner, @constants, test), inner_path)
            else
              inner = @compilation.inner(handle.unit, field, :object)
              add_fused(field, inner, source, owner, inner_path)
            end
          end
        end
      end

      def with_names(names)
        around = @names
        begin
          @names = names
          yield
        ensure
          @names = around
        end
      end
    end
  end
end
