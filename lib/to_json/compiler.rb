# frozen_string_literal: true

# Layer: compiler. From a Definition to a Plan: straight-line Ruby that reads the fields, and the Parts that it calls.

module ToJson
  # Compiles one {Unit}. The generated methods stand in a module of their own:
  #
  #   object(w, s, o)   reads an object by its methods and writes it; w is the Writer, s the serializer
  #   row(w, s, o)      the same for a Hash
  #   items(w, s, c)    the elements of an Array of objects
  #
  # Masked ones take the Mask besides. DESIGN.md section 9 has the shape, HACKING.md the tour.
  # @api private
  class Compiler
    # A native call takes at most so many values.
    MOST_VALUES = 48
    # A has_one of more is compiled by itself.
    MOST_FUSED = 24

    # A unit on its way to its Plan: others, and itself, may refer to its code before that is there.
    Handle = Struct.new(:unit, :code, :plan, :source, :notes) do
      # Whether its code calls a serializer; who asks too early must provide one.
      def serializer? = plan.nil? || plan.serializer?
      def imperative? = plan&.imperative?
    end

    attr_reader :notes

    # @param handle [Handle]
    # @param cache [#handle] gives the handles of units that this one refers to
    def initialize(handle, cache)
      @handle, @unit, @cache = handle, handle.unit, cache
      @definition = @unit.definition
      @constants = Constants.new
      @own = Owner.new(@unit.serializer_class, "s", @constants)
      @code = Code.new(@unit.masked?)
      @notes = []
      @variables = 0
      @keys = {}
      @needs_serializer = false
    end

    # Fills the handle.
    # @return [Handle]
    def compile
      begin_layout(begins: !@unit.pairs?, state: @unit.pairs? ? :unknown : :first)
      fields = @unit.fields
      Restrictions.check(@definition, @unit.restrictions, @definition.label)
      fields.each { |field| add(field, Source::Own.new, @own) }
      finish
      @handle.source = @code.source(@handle.unit)
      @handle.notes = @notes
      @constants.install(@handle.code)
      @code.install(@handle.code, @handle.source, label)
      keep_plan
      @handle
    end

    private

    # -- Parts ------------------------------------------------------------------------------------------

    def begin_layout(begins:, state:)
      @layout = Layout.new(begins: begins, state: state)
      @arguments = []
    end

    # Ends the Part at hand: one native call. `ends`: the object ends with it.
    def flush(ends, result: nil)
      return if @layout.empty? && !ends

      part = @constants.name("P", @layout.part(ends))
      @single = @first_part.nil? && ends && result.nil? ? part : nil
      @first_part ||= part
      @notes << [part, @layout.inspect]
      @code.item(part, @arguments, result)
      begin_layout(begins: false, state: @layout.state)
    end

    def finish
      if @unit.pairs? then flush(false)
      else flush(true)
      end
    end

    # An argument of the native call, in both forms.
    def argument(path)
      @arguments << [path, *%i[object row].map { |form| yield form }]
    end

    def make_room(count)
      flush(false) if @layout.values + count > MOST_VALUES
    end

    # -- fields -----------------------------------------------------------------------------------------

    def add(field, source, owner, path = field.name.name)
      case field.kind
      when :attribute then add_attribute(field, source, owner, path)
      when :flatten then add_flatten(field, source, owner, path)
      else add_association(field, source, owner, path)
      end
    end

    def add_attribute(field, source, owner, path)
      make_room(1) if source.is_a?(Source::Own)
      in_c = simple?(field, source, owner)
      @layout.pair(:value, key(field, owner), field.name, source: (field.source if in_c && keyed?(field, owner)),
                   flags: flags(field, source, in_c), as: (field.as if field.as.is_a?(Symbol)), format: field.format,
                   default: (field.default if default_in_c?(field)))
      argument(path) { |form| guarded(field, source, owner, form, value(field, source, owner, form)) }
    end

    # What Ruby has nothing to do with but to read it.
    def simple?(field, source, owner)
      field.conditions.empty? && (field.default.equal?(Field::NONE) || default_in_c?(field)) && !source.is_a?(Source::Flattened) && !@unit.masked?
    end

    # Whether a Hash is read by the field's name alone.
    def keyed?(field, owner)
      (field.as.nil? || field.as.is_a?(Symbol)) && owner.computed(field, Source::Own.new, :row).nil?
    end

    def default_in_c?(field) = !field.default.equal?(Field::NONE) && !field.default.is_a?(Proc) && (field.as.nil? || field.as.is_a?(Symbol))

    def flags(field, source, in_c)
      optional = field.conditions.any? || @unit.masked? || source.is_a?(Source::Flattened)
      (optional ? Layout::OPTIONAL : 0) | (field.skip ? Layout::SKIP.fetch(field.skip) : 0) | (default_in_c?(field) ? Layout::DEFAULT : 0)
    end

    # The value as it is handed over: with its default and its conversion, where those are Ruby's.
    def value(field, source, owner, form)
      read = owner.computed(field, source, form) || source.read(field.source, form)
      if field.default.is_a?(Proc)
        read = "((v = #{read}).nil? ? #{owner.call_block(field.default, source.value(form))} : v)"
      elsif !field.default.equal?(Field::NONE) && !default_in_c?(field)
        read = "((v = #{read}).nil? ? #{@constants.name("D", field.default)} : v)"
      end
      return read if field.as.nil? || field.as.is_a?(Symbol)

      "((v = #{read}).nil? ? nil : #{converted(field.as)})"
    end

    def converted(as)
      constant = @constants.name("A", as)
      if as.is_a?(Class) && as <= Serializer then "#{constant}.new(v)"
      elsif as.respond_to?(:call) then "#{constant}.call(v)"
      else "#{constant}.encode(v)"
      end
    end

    # The value under the field's conditions, the Mask's, and only where there is an object.
    def guarded(field, source, owner, form, value)
      conditions = owner.condition(field, source, form)
      plain = conditions.empty? && value.start_with?(source.read(:x, form)[0, 1]) && !computed?(field, owner)
      value = "(#{conditions} ? #{value} : SKIP)" unless conditions.empty?
      value = "(m[#{bit(field)}] == 1 ? #{value} : SKIP)" if masked_here?(field)
      absent = source.absent(form)
      absent && !(plain && source.is_a?(Source::Fused)) ? "(#{absent} ? #{source.without} : #{value})" : value
    end

    def computed?(field, owner)
      !owner.computed(field, Source::Own.new, :row).nil? || field.default.is_a?(Proc) || !(field.as.nil? || field.as.is_a?(Symbol))
    end

    def masked_here?(field) = @unit.masked? && !bit(field).nil?

    # The field's place among the entries.
    def bit(field) = (@bits ||= @definition.entries.each_with_index.to_h.compare_by_identity)[field]

    # -- associations -------------------------------------------------------------------------------------

    def add_association(field, source, owner, path)
      return add_masked(field, source, owner, path) if @unit.masked?

      handle = handle_of(field, owner)
      return add_by_site(field, source, owner, path) if handle.nil? || field.kind == :any || !source.is_a?(Source::Own)
      return add_fused(field, handle, source, owner, path) if fusable?(field, handle)

      add_apart(field, handle, source, owner, path)
    end

    # The handle of what is written, where that is known ahead of time.
    def handle_of(field, owner, form = :object)
      serializer_class = field.definition ? owner.serializer_class : static_serializer(field, owner)
      serializer_class && @cache.handle(unit_of(owner).inner(field, serializer_class, form))
    end

    def unit_of(owner) = owner.equal?(@own) ? @unit : @unit

    def static_serializer(field, owner)
      case field.serializer
      when Class then field.serializer
      when String then Lookup.resolve(owner.serializer_class, field.serializer)
      end
    end

    def fusable?(field, handle)
      return false if field.kind == :many || handle.plan.nil? || handle.imperative? || !field.context.equal?(Field::NONE)

      fields = handle.unit.fields
      fields.size <= MOST_FUSED && !fields.empty? && fields.all? { |inner| inner.kind == :attribute && inner.default.equal?(Field::NONE) && (inner.as.nil? || inner.as.is_a?(Symbol)) }
    end

    def add_fused(field, handle, source, owner, path)
      fields = handle.unit.fields
      make_room(fields.size + 1)
      optional = field.conditions.any? || !field.skip.nil?
      same = field.kind == :nested
      @layout.open(key(field, owner), field.name, source: (field.source if simple?(field, source, owner) && !same && keyed?(field, owner)),
                   flags: flags(field, source, true) | (same ? Layout::SAME : 0))
      inner = same ? source : Source::Fused.new(@variables += 1, optional)
      argument(path) do |form|
        opened = same ? "true" : value(field, source, owner, form)
        opened = guarded(field, source, owner, form, opened)
        same ? opened : inner.opening(opened)
      end
      inner_owner = handle.unit.inline? ? owner : lent(handle)
      keys = @keys
      @keys = {}
      within(handle.unit) { fields.each { |one| add_attribute(one, inner, inner_owner, "#{path}.#{one.name}") } }
      @keys = keys
      @layout.close
    end

    def within(unit)
      around, @unit_of_keys = @unit_of_keys, unit
      yield
    ensure
      @unit_of_keys = around
    end

    # The document's serializer of another class, in a variable that is set at the method's beginning.
    def lent(handle)
      @lent ||= {}
      @lent[handle.unit.serializer_class] ||= Owner.new(handle.unit.serializer_class, "s#{@lent.size + 1}", @constants)
    end

    # In a call of its own: an array, or an object that is recursive, large, or holds such.
    def add_apart(field, handle, source, owner, path)
      make_room(1)
      index = @variables += 1
      many = field.kind == :many
      same = field.kind == :nested
      @layout.pair(many ? :list : :slot, key(field, owner), field.name, flags: flags(field, source, false))
      variable = "a#{index}"
      argument(path) do |form|
        read = same ? "true" : "(#{variable} = #{value(field, source, owner, form)})"
        guarded(field, source, owner, form, read)
      end
      flush(false, result: "r")
      code = @constants.name("C", handle.code)
      helper = helper_of(field, handle, owner)
      helper = helper.gsub("\0", "o")
      many ? @code.list(code, helper, variable) : @code.slot(code, helper, same ? "o" : variable)
    end

    # The serializer that the code of `handle` is given.
    def helper_of(field, handle, owner)
      @needs_serializer ||= owner.equal?(@own) && field.context != Field::NONE
      return helper_with_context(field, handle.unit.serializer_class, owner) unless field.context.equal?(Field::NONE)

      same_class = handle.unit.serializer_class == @unit.serializer_class
      if same_class then @needs_serializer ||= handle.plan.nil? ? false : handle.serializer?
      end
      return "s" if same_class || !handle.serializer?

      "w.helper(#{@constants.name("K", handle.unit.serializer_class)}, s)"
    end

    def helper_with_context(field, serializer_class, owner)
      @needs_serializer = true
      context = field.context.is_a?(Proc) ? owner.call_block(field.context, "o") : @constants.name("X", field.context)
      "w.helper(#{@constants.name("K", serializer_class)}, s, #{context})"
    end

    # The serializer is known when the value is.
    def add_by_site(field, source, owner, path)
      make_room(1) if source.is_a?(Source::Own)
      site = @constants.name("S", Site.new(self.class, @cache, @unit, owner.serializer_class, field))
      @needs_serializer = true
      variable = "a#{@variables += 1}"
      @layout.pair(:slot, key(field, owner), field.name, flags: flags(field, source, false))
      argument(path) { |form| guarded(field, source, owner, form, "(#{variable} = #{field.kind == :nested ? source.value(form) : value(field, source, owner, form)})") }
      flush(false, result: "r")
      @code.site(site, owner.variable, variable, nil)
    end

    # Under a Mask every association asks it what is left of it.
    def add_masked(field, source, owner, path)
      make_room(1)
      site = @constants.name("S", Site.new(self.class, @cache, @unit, owner.serializer_class, field))
      @needs_serializer = true
      variable = "a#{@variables += 1}"
      @layout.pair(:slot, key(field, owner), field.name, flags: flags(field, source, false))
      argument(path) { |form| guarded(field, source, owner, form, "(#{variable} = #{field.kind == :nested ? "o" : value(field, source, owner, form)})") }
      flush(false, result: "r")
      @code.site(site, owner.variable, variable, bit(field))
    end

    # -- flatten ------------------------------------------------------------------------------------------

    def add_flatten(field, source, owner, path)
      handle = handle_of(field, owner, :pairs) unless @unit.masked?
      return add_flatten_by_site(field, source, owner, path) unless handle && plain_pairs?(handle) && field.context.equal?(Field::NONE) && source.is_a?(Source::Own)

      flush(false)
      inner = Source::Flattened.new(@variables += 1)
      @code.line(path) { |form| inner.assignment(guarded(field, source, owner, form, value(field, source, owner, form))) }
      inner_owner = handle.unit.inline? ? owner : lent(handle)
      within(handle.unit) do
        handle.unit.fields.each do |one|
          make_room(1)
          add_attribute(one, inner, inner_owner, one.name.name)
        end
      end
    end

    def plain_pairs?(handle)
      !handle.plan.nil? && !handle.imperative? && handle.unit.fields.all? { |field| field.kind == :attribute }
    end

    def add_flatten_by_site(field, source, owner, path)
      flush(false)
      site = @constants.name("S", Site.new(self.class, @cache, @unit, owner.serializer_class, field))
      @needs_serializer = true
      variable = "a#{@variables += 1}"
      @code.line(path) { |form| "#{variable} = #{guarded(field, source, owner, form, value(field, source, owner, form))}" }
      @code.flatten(site, owner.variable, variable, @unit.masked? ? bit(field) : nil)
      begin_layout(begins: @layout_begins_later ? true : false, state: :unknown)
    end

    # -- the rest -----------------------------------------------------------------------------------------

    def key(field, owner)
      unit = @unit_of_keys || @unit
      definition = unit.serializer_class.definition
      key = KeyCase.apply(definition.key_case, field.name.name)
      taken = @keys[key]
      if taken && !(@unit.masked? && taken == field.name)
        raise DefinitionError, "#{@definition.label}: #{taken.inspect} and #{field.name.inspect} would both be written as #{key.inspect}. Rename one, or leave it out with only: or except:."
      end
      @keys[key] = field.name
      key
    end

    def label = "(to_json #{@definition.label} #{@handle.code.object_id})"

    def keep_plan
      own = @own.used? || @needs_serializer
      (@lent || {}).each_value { |owner| @code.lend(owner.variable, @constants.name("K", owner.serializer_class)) if owner.used? }
      @constants.install(@handle.code)
      @code.install(@handle.code, @handle.source = @code.source(@handle.unit), label) if @lent
      row = @single && @unit.form == :object ? @constants.value(@single) : nil
      root = @unit.inline? ? nil : @definition.root
      meta = @unit.inline? ? nil : meta_of(@definition.meta)
      plan = Plan.new(code: @handle.code, row: row, root_one: root&.first, root_many: root&.last, meta: meta,
                      serializer_class: @unit.serializer_class, serializer: own || meta.is_a?(Symbol), masked: @unit.masked?,
                      imperative: false, epoch: PlanCache.epoch)
      @handle.code.const_set(:PLAN, plan)
      @handle.plan = plan
    end

    def meta_of(meta)
      return meta unless meta.is_a?(Proc)

      Blocks.method_for(@unit.serializer_class, meta)
    end
  end
end
