# frozen_string_literal: true

# Layer: plans. The fields that one call leaves, by composed views, only: and except:. A class keeps
# a few Masks for the next calls. Whatever a client chooses, nothing grows and nothing is compiled.

module ToJson
  # Has a bit for each entry of a Definition, and the Masks of the associations inside. Generated
  # code asks the Mask which fields to write.
  # @api private
  class Mask
    # What a call leaves inside one field: `restrictions` are those of the call and of composed
    # views; nil: all fields are left. A Plan and a Mask are made from them once for each
    # serializer, and not once for each value. If the declaration names the serializer, they are
    # kept here. If only the value tells it, the document keeps them, because that class may be
    # collected before the Mask.
    class Left
      # @return [Array<Array(Selection, Selection)>, nil]
      attr_reader :restrictions
      # @return [Compiler::Unit] the unit that has the field, with the restrictions of the call
      attr_reader :unit

      # @param unit [Compiler::Unit] the unit that has the field
      def initialize(restrictions, unit, field)
        @restrictions, @unit, @field = restrictions, unit, field
        @made = {}.freeze
      end

      # Whether the restrictions may name fields that the serializer of a value does not have:
      # fields beside a flattened one, or those that another serializer of a Hash has.
      def others? = !@field.through.nil? || !Compiler::Restrictions.alternatives(@field).nil?

      # @return [String, nil] the fields that it leaves, as text for keys of caches; nil: all
      def signature = @restrictions && (@signature ||= [Chosen.inside(@unit, @field)]).first

      # Returns the result of the block, and keeps it.
      # @param w [Writer] that of the document
      # @param static [Boolean] whether the declaration tells the serializer
      # @param form [Symbol] the kind of the result
      # @return [Object] the result of the block for that serializer
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

    # The bits are kept in words of this size: larger Integers would be allocated.
    WORD_BITS = 62
    # Matches an expression of {test}. Captures the variable, and the number of its word.
    TESTED = /\((bits(\d+)) & \d+\)/
    # Matches an expression of {test_inside}. Captures the variable, and the index of the
    # association.
    TESTED_INSIDE = /\((inside(\d+)) & \d+\)/
    # Matches the question whether a bit of one of these variables is set. Captures the variable and
    # the bit.
    QUESTION = /\(((?:bits|inside)\d+) & (\d+)\) > 0/
    # Matches a name that `inspect` has quoted. A name may contain text that looks like a question.
    QUOTED = /:"(?:[^"\\]|\\.)*"/
    QUOTED_OR_QUESTION = /#{QUOTED}|#{QUESTION}/

    # The data that all Masks of a class share. Frozen.
    class Entries
      # @return [Hash{Integer => Compiler::Unit}] for each association that asks {Mask#at}, the Unit
      #   inside for which the code was made: its class may have changed since
      attr_reader :inside
      # @return [Integer] the bits of these associations
      attr_reader :apart

      # @param named [Boolean] whether names alone tell what a Mask leaves. They do not if a field
      #   is flattened, or if two fields have the same key
      def initialize(definition, inside, named)
        @definition, @inside, @named = definition, inside, named
        @apart = inside.keys.sum { |index| 1 << index }
        @bits = {}.compare_by_identity
        @by_name = {}
        definition.entries.each_with_index do |field, index|
          @bits[field] = 1 << index
          name = field.name.name
          @by_name[name] = (@by_name[name] || 0) | (1 << index)
        end
        views = [[], definition.default_views, *definition.view_names.map { |view| [view] }]
        @wholes = views.to_h { |names| [names, sum(names)] }
        freeze
      end

      def named? = @named

      # @return [Hash{String => Integer}] name => the bits of all entries with that name
      attr_reader :by_name

      # @return [Integer, nil] the bits of all entries with that name; nil: there is none
      def [](name) = @by_name[name]

      # @return [Integer] the bits of the fields of a composition of views
      def whole(views) = @wholes[views] || sum(views)

      private

      def sum(views) = @definition.fields(views).sum { |field| @bits[field] }
    end

    class << self
      # Generated code compares it by `>`, which Ruby 3.1 answers faster than `==`.
      # @return [String] an expression of generated code: above 0 if the entry is written
      def test(index) = "(bits#{index / WORD_BITS} & #{1 << (index % WORD_BITS)})"

      # @return [String] the same for entry `index` of the object in association `around`
      def test_inside(around, index) = "(inside#{around} & #{1 << index})"

      # @param unit [Compiler::Unit] with the restrictions of the call and of the declaration
      # @return [Array(Plan, Mask)] the Plan whose code asks the Mask, and the Mask
      def over(cache, unit, left = nil)
        mask = by_names(cache, unit) || by_fields(cache, unit, left)
        [mask.plan, mask]
      end

      # Makes the table by which C reads a choice of names alone. To make a Mask of such a choice, C
      # calls no Ruby but `Mask.new`.
      # @param unit [Compiler::Unit] without restrictions
      # @param epoch [Integer] the epoch before the unit was made
      # @return [PlanCache::NamedFields, false] false: names alone do not tell what a Mask leaves,
      #   or there are too many entries
      def named_fields(cache, unit, epoch)
        count = unit.definition.entries.size
        handle = handle(cache, unit)
        entries = handle.entries
        return false unless entries.named? && count <= WORD_BITS

        PlanCache::NamedFields.new(unit, handle.plan, entries.whole(unit.views), entries.apart,
                                   entries.by_name, count, epoch)
      end

      # @param unit [Compiler::Unit] that {named_fields} was given
      # @param plan [Plan] that asks the Masks
      # @return [Compiler::Unit, nil] that of the objects in an association; nil: the class was
      #   compiled again meanwhile
      def inside(cache, unit, plan, index)
        handle = handle(cache, unit)
        handle.entries.inside[index] if handle.plan.equal?(plan)
      end

      private

      # Makes most Masks of composed views, and of resources. Returns nil for a wrong name and in
      # rare cases; then by_fields makes the Mask or raises.
      # @return [Mask, nil]
      def by_names(cache, unit)
        handle = handle(cache, unit)
        entries = handle.entries
        return unless entries.named?

        bits = whole = entries.whole(unit.views)
        parts = 0
        unit.restrictions.each do |only, except|
          if only
            found, inside = named(entries, whole, only, nil)
            return unless found

            bits &= found
            parts |= inside
          end
          next unless except

          found, inside = named(entries, whole, except, true)
          return unless found

          bits &= ~found
          parts |= inside
        end
        inside = NOTHING
        inside = inside_of(entries, unit, parts) { |one| by_names(cache, one) } if parts != 0
        new(unit, handle.plan, bits, inside) if inside
      end

      # @param partly [Boolean] whether to leave out the bits of names with a part, as in
      #   `author(name)`
      # @return [Array(Integer, Integer), nil] the bits of the names, and the bits of the fields
      #   with a part; nil: no entry has one of the names, or a field with a part does not ask
      #   {Mask#at}
      def named(entries, whole, selection, partly)
        bits = parts = 0
        selection.tree.each do |name, part|
          found = entries[name] or return
          next bits |= found unless part

          bits |= found unless partly
          inside = found & whole
          return if inside.zero? || inside & entries.apart != inside

          parts |= inside
        end
        [bits, parts]
      end

      # @raise [UnknownFieldError]
      def by_fields(cache, unit, left)
        unless left && (unit.pairs? || left.others?)
          Compiler::Restrictions.check(unit.definition, unit.views,
                                       left ? left.restrictions : unit.restrictions)
        end
        fields = {}.compare_by_identity
        unit.definition.fields(unit.views).each do |field|
          fields[field] = true if Compiler::Restrictions.keep?(unit.restrictions, field)
        end
        check_keys(unit, fields.keys)
        bits = 0
        unit.definition.entries.each_with_index do |field, index|
          bits |= 1 << index if fields[field]
        end
        handle = handle(cache, unit)
        entries = handle.entries
        inside = inside_of(entries, unit, bits & entries.apart) { |one| over(cache, one).last }
        new(unit, handle.plan, bits, inside)
      end

      def handle(cache, unit)
        form = unit.pairs? ? :masked_pairs : :masked
        cache.handle(Compiler::Unit.new(unit.serializer_class, unit.definition, [], [], form))
      end

      # @param bits [Integer] those of associations
      # @return [Hash{Integer => Mask}, nil] the results of the block for the associations of which
      #   the call leaves a part; nil if one result is nil
      def inside_of(entries, unit, bits)
        inside = {}
        unit.definition.entries.each_with_index do |field, index|
          next if bits[index].zero?
          next if Compiler::Restrictions.of_call(unit.restrictions, field).empty?

          inner = entries.inside[index].dup
          inner.restrictions = Compiler::Restrictions.inner(unit.restrictions, field)
          inside[index] = yield(inner) or return
        end
        inside.freeze
      end

      def check_keys(unit, fields)
        names = Compiler::Names.new(unit)
        fields.each { |field| names.key(field) unless field.kind == :flatten }
      end
    end

    NOTHING = {}.freeze
    private_constant :NOTHING

    # @param unit [Compiler::Unit] with the restrictions of the call
    # @param plan [Plan] whose code asks it
    # @param bits [Integer] 1 for an entry that is written
    # @param inside [Hash{Integer => Mask}] see {#at}
    # @param named [Boolean] whether the unit has no restrictions, so that only `bits` and `inside`
    #   tell them
    def initialize(unit, plan, bits, inside, named = false)
      @unit, @plan, @bits, @inside, @named = unit, plan, bits, inside, named
      count = (unit.definition.entries.size + WORD_BITS - 1) / WORD_BITS
      @words = count == 1 ? [bits] : Array.new(count) { |word| bits[word * WORD_BITS, WORD_BITS] }
      @first_word = @words[0]
      @left = NOTHING
    end

    # @return [Compiler::Unit] with the restrictions of the call. It is made at the first use,
    #   because only lookup and caches need it
    def unit
      return @unit unless @named

      @restricted ||= Compiler::Unit.new(@unit.serializer_class, @unit.definition, @unit.views,
                                         [[Selection.parse(names), nil]], @unit.form)
    end

    # @return [Plan] whose code asks it
    attr_reader :plan

    # @return [Integer] 1 for an entry that is written
    def [](index) = @bits[index]

    # @return [Integer] the bits from `index * WORD_BITS` on
    def word(index) = @words[index]

    # @return [Integer] the same as word(0); YJIT reads it without a call
    attr_reader :first_word

    # @return [Mask, nil] that of the objects in an association that has code of its own; nil: all
    #   their fields are left
    def at(index) = @inside[index]

    # @return [Integer] the bits of the objects in an association that has at most WORD_BITS
    #   entries; -1: all their fields are left
    def word_inside(index) = @inside[index]&.word(0) || -1

    # @return [String] the fields that it leaves, as text for keys of caches. All calls that leave
    #   the same fields have the same text
    def signature = @signature ||= "#{@bits} #{Chosen.of(unit)}"

    # @return [Left] what it leaves inside an association
    def inner(index)
      @left[index] ||
        left(@unit.definition.entries[index]).tap do |made|
          @left = @left.merge(index => made).freeze
        end
    end

    # @return [Hash{String => true, Hash}] the names of the fields that are left, as `only:` takes
    #   them
    def names
      fields = @unit.definition.entries.each_with_index.select { |_, index| self[index] == 1 }
      fields.to_h { |field, index| [field.name.name, at(index)&.names || true] }
    end

    private

    def left(field)
      inner = Compiler::Restrictions.of_call(unit.restrictions, field)
      Left.new(inner.empty? ? nil : inner, unit, field)
    end

    # Writes the fields that restrictions leave as text, in the order of the Definition. So it does
    # not matter in which order or how often a client named them.
    module Chosen
      class << self
        # @param unit [Compiler::Unit]
        # @return [String, nil] nil: all fields of its views
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

        # @param around [Array<Field>] the fields around this one, because a flatten may be inside
        #   itself
        # @return [String, nil] what is left inside a field, nil: all
        def inside(unit, field, around = [])
          restrictions = Compiler::Restrictions.of_call(unit.restrictions, field)
          return if field.kind == :attribute || restrictions.empty?

          klass = PlanCache.inner_class(unit, field) unless around.include?(field)
          return by_name(restrictions) unless klass

          inner = unit.inner(field, klass, :object, restrictions)
          # Checks the names if a String names the serializer, because the call has not checked
          # them. So no entry of a cache is kept for names that do not exist.
          by_string = field.serializer.is_a?(String) && field.kind != :flatten
          if by_string
            Compiler::Restrictions.check(inner.definition, inner.views, restrictions,
                                         unit.place(field))
          end
          of(inner, [*around, field])
        end

        private

        # For an association whose serializer is known only with the value.
        def by_name(restrictions)
          pairs = restrictions.map { |pair| pair.map { |selection| sorted(selection) }.join("-") }
          pairs.map { |pair| "(#{pair})" }.sort.join("")
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
