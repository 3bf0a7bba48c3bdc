# frozen_string_literal: true

# Layer: plans. The fields that one call leaves: composed views, only: and except:. A Mask lives as
# long as the call. So whatever a client chooses, nothing grows and nothing is compiled.

module ToJson
  # A bit for every entry of a Definition, and the Masks of what stands inside. Generated code asks
  # it.
  # @api private
  class Mask
    # What is left inside a field: the restrictions of the call, and of `view:`s that were composed;
    # nil: all. What was made of it is kept, so that each serializer is asked once a document and
    # not once a value: here, if the declaration tells the serializer, else in the document, since a
    # class that a value tells may be gone before the Mask.
    class Left
      # @return [Array<Array(Selection, Selection)>, nil]
      attr_reader :restrictions
      # @return [Compiler::Unit] whose field it is, with the restrictions of the call
      attr_reader :unit

      # @param unit [Compiler::Unit] whose field it is
      def initialize(restrictions, unit, field)
        @restrictions, @unit, @field = restrictions, unit, field
        @made = {}.freeze
      end

      # Whether the names are those around the field, too.
      def through? = !@field.through.nil?

      # @return [String, nil] what it leaves, for keys of caches; nil: all
      def signature = @restrictions && (@signature ||= [Chosen.inside(@unit, @field)]).first

      # @param w [Writer] of the document
      # @param static [Boolean] whether the declaration tells the serializer
      # @param form [Symbol] what is made
      # @return [Object] what the block gave for that serializer
      def once(w, serializer_class, static, form)
        if static
          @made.fetch(form) { yield.tap { |made| @made = @made.merge(form => made).freeze } }
        else
          made = (of_document(w)[self] ||= {})
          made.fetch([serializer_class, form]) { |key| made[key] = yield }
        end
      end

      private

      def of_document(w)
        helper = w.helper(Serializer, nil, nil)
        helper.instance_variable_get(:@to_json_left) ||
          helper.instance_variable_set(:@to_json_left, {}.compare_by_identity)
      end
    end

    class << self
      # @param restrictions [Array<Array(Selection, Selection)>, nil]
      def words(restrictions)
        restrictions.to_a.map { |only, except| "(#{only.inspect}-#{except.inspect})" }.join
      end

      # @param unit [Compiler::Unit] whose restrictions are the call's and the declaration's
      # @return [Array(Plan, Mask)] the Plan that asks a Mask, and that
      def over(cache, unit, left = nil)
        unless left && (unit.pairs? || left.through?)
          Compiler::Restrictions.check(unit.definition, unit.views,
                                       left ? left.restrictions : unit.restrictions)
        end
        masked = Compiler::Unit.new(unit.serializer_class, unit.definition, [], [],
                                    unit.pairs? ? :masked_pairs : :masked)
        handle = cache.handle(masked)
        [handle.plan, new(unit, handle.collide)]
      end
    end

    # @param collide [Boolean] whether two of the names have one key
    def initialize(unit, collide = false)
      @unit, @entries, @restrictions, @bits, @inner =
        unit, unit.definition.entries, unit.restrictions, 0, {}
      chosen = {}.compare_by_identity
      unit.definition.fields(unit.views).each do |field|
        chosen[field] = true if Compiler::Restrictions.keep?(@restrictions, field)
      end
      @entries.each_with_index { |field, index| @bits |= 1 << index if chosen[field] }
      check_keys(unit, chosen.keys) if collide
    end

    # @return [Compiler::Unit] with the restrictions of the call
    attr_reader :unit

    # @return [Integer] 1 for an entry that is written
    def [](index) = @bits[index]

    # @return [String] what it leaves, for keys of caches: the same for all calls that leave the
    #   same
    def signature = @signature ||= "#{@bits} #{Chosen.of(@unit)}"

    # @return [Left] of an association
    def inner(index) = @inner[index] ||= left(@entries[index])

    private

    def check_keys(unit, fields)
      names = Compiler::Names.new(unit)
      fields.each { |field| names.key(field) unless field.kind == :flatten }
    end

    def left(field)
      inner = Compiler::Restrictions.of_call(@restrictions, field)
      Left.new(inner.empty? ? nil : inner, @unit, field)
    end

    # The fields that restrictions leave, as text: in the order of the Definition, whatever words a
    # client chose and however often.
    module Chosen
      class << self
        # @param unit [Compiler::Unit]
        # @return [String, nil] nil: all that its views have
        def of(unit, around = [])
          entries, whole = unit.definition.entries, true
          words = unit.definition.fields(unit.views).filter_map do |field|
            next whole = nil unless Compiler::Restrictions.keep?(unit.restrictions, field)

            inner = inside(unit, field, around)
            whole &&= inner.nil?
            "#{entries.index(field)}#{"(#{inner})" if inner}"
          end
          words.join(",") unless whole
        end

        # @param around [Array<Field>] that it stands in: a flatten may stand within itself
        # @return [String, nil] what is left inside a field, nil: all
        def inside(unit, field, around = [])
          restrictions = Compiler::Restrictions.of_call(unit.restrictions, field)
          return if field.kind == :attribute || restrictions.empty?

          klass = PlanCache.inner_class(unit, field) unless around.include?(field)
          return by_name(restrictions) unless klass

          inner = unit.inner(field, klass, :object, restrictions)
          # A call does not ask of names where a String names the serializer; nobody may find an
          # entry by names that there are not.
          by_string = field.serializer.is_a?(String) && field.kind != :flatten
          if by_string
            Compiler::Restrictions.check(inner.definition, inner.views, restrictions,
                                         unit.place(field))
          end
          of(inner, [*around, field])
        end

        private

        # Where only a value tells what stands inside.
        def by_name(restrictions)
          pairs = restrictions.map { |pair| pair.map { |selection| sorted(selection) }.join("-") }
          pairs.map { |pair| "(#{pair})" }.sort.join
        end

        def sorted(selection)
          return "" unless selection

          inner = selection.tree.sort_by(&:first)
          "{#{inner.map { |name, part| "#{name.inspect}#{sorted(part)}" }.join(",")}}"
        end
      end
    end
    private_constant :Chosen
  end
end
