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
    # A has_one of more fields is compiled by itself.
    MOST_FUSED = 24

    # A unit on its way to its Plan: others, and itself, may refer to its code before that is there.
    Handle = Struct.new(:unit, :code, :plan, :source, :notes) do
      def imperative? = plan&.imperative?
    end

    # @return [Module] for generated methods
    def self.new_code = Module.new.tap { |code| code.instance_variable_set(:@to_json_code, true) }

    # @param handle [Handle] to fill
    # @param cache [#handle] gives the handles of the units that this one refers to
    def initialize(handle, cache)
      @handle, @unit, @cache = handle, handle.unit, cache
      @epoch = PlanCache.epoch # what changes meanwhile makes the Plan old
      @constants = Constants.new
      @code = Code.new(@unit.masked?)
      @own = Owner.new(@unit.serializer_class, "s")
      @lent = {}
      @names = Names.new(@unit)
      @notes, @parts, @variables = [], [], 0
      @layout = Layout.new(begins: !@unit.pairs?, state: @unit.pairs? ? :unknown : :first)
      @arguments = []
    end

    # @return [Handle]
    def compile
      Restrictions.check(@unit.definition, @unit.views, @unit.restrictions) unless @unit.pairs?
      @unit.fields.each { |field| add(field) }
      flush(ends: !@unit.pairs?)
      @lent.each_value { |owner| @code.lend(owner.variable, @constants.name("K", owner.serializer_class)) if owner.used? }
      @constants.install(@handle.code)
      @handle.source = @code.source
      @handle.notes = @notes
      label = "(to_json #{@unit.definition.label} #{@handle.code.object_id})"
      Generated.define(@handle.code, @handle.source, label)
      Places.keep(@handle.code, label, @code.fields_by_line, @constants)
      @handle.plan = plan
      @handle.code.instance_variable_set(:@to_json_plan, @handle.plan)
      @handle
    end

    private

    def plan
      definition = @unit.definition
      root, meta = *([definition.root, definition.meta] unless @unit.inline?)
      meta = Blocks.method_for(@unit.serializer_class, meta, meta: true) if meta.is_a?(Proc)
      row = @parts.first if @parts.size == 1 && !@unit.pairs? && @in_one && !@apart
      Plan.new(code: @handle.code, row: row, root_one: root&.first, root_many: root&.last, meta: meta,
               serializer_class: @unit.serializer_class, rules: PlanCache.rules(@unit.serializer_class), serializer: @own.used? || meta.is_a?(Symbol),
               masked: @unit.masked?, imperative: false, epoch: @epoch)
    end

    # -- Parts ------------------------------------------------------------------------------------------

    # Ends the Part at hand: one native call. `ends`: the object ends with it. `result`: the variable of its answer.
    def flush(ends: false, result: nil)
      return if @layout.empty? && !ends

      @parts << (part = @layout.part(ends))
      @in_one = ends
      @notes << @layout.inspect(ends)
      @code.item(@constants.name("P", part), @arguments, result)
      @layout = Layout.new(begins: false, state: @layout.state)
      @arguments = []
    end

    def make_room(count)
      flush if @layout.values + count > MOST_VALUES
    end

    # An argument of the native call, which the block gives for a form.
    def argument(path)
      @arguments << [path, *Code::FORMS.map { |form| yield form }]
    end

    # -- fields -----------------------------------------------------------------------------------------

    def add(field)
      case field.kind
      when :attribute
        make_room(1)
        add_attribute(Reading.new(field, Source::Own.new, @own, @constants, bit(field)), field.name.name)
      when :flatten then add_flatten(field)
      else add_association(field)
      end
    end

    def add_attribute(reading, path)
      field = reading.field
      @layout.pair(:value, @names.key(field), field.name, source: (field.source if reading.keyed?), flags: reading.flags,
                   as: reading.native_as, format: field.format, default: reading.native_default)
      argument(path) { |form| reading.argument(form) }
    end

    # The field's place among the entries, under a Mask.
    def bit(field)
      return unless @unit.masked?

      @bits ||= {}.compare_by_identity.tap { |bits| @unit.definition.entries.each_with_index { |entry, index| bits[entry] = index } }
      @bits.fetch(field)
    end

    # -- associations -----------------------------------------------------------------------------------

    def add_association(field)
      handle = @unit.masked? || field.kind == :any || !field.context.equal?(Field::NONE) ? nil : @cache.inner(@unit, field, :object)
      if handle.nil? || (handle.imperative? && narrowed?(field)) then add_by_site(field)
      elsif fusable?(field, handle) then add_fused(field, handle)
      else add_apart(field, handle)
      end
    end

    # Whether not all of a serializer's fields are meant, or others.
    def narrowed?(field) = !field.view.nil? || Restrictions.inner(@unit.restrictions, field).any?

    # Whether its fields are read where the object's own are: by name or method, without conditions, and no more than a few.
    def fusable?(field, handle)
      return false if field.kind == :many || handle.plan.nil? || handle.imperative? || !field.default.equal?(Field::NONE)

      fields = handle.unit.fields
      fields.size.between?(1, MOST_FUSED) && fields.all? { |inner| inner.kind == :attribute && inner.conditions.empty? && Reading.native?(inner) }
    end

    def add_fused(field, handle)
      fields = handle.unit.fields
      make_room(fields.size + 1)
      reading = Reading.new(field, Source::Own.new, @own, @constants, nil)
      same = field.kind == :nested
      @layout.open(@names.key(field), field.name, source: (field.source if reading.keyed? && !same), flags: reading.flags | (same ? Layout::SAME : 0))
      inner = same ? Source::Same.new(field.conditions.empty? ? nil : "n#{@variables += 1}") : Source::Fused.new(@variables += 1, field.conditions.any?)
      argument(field.name.name) { |form| inner.opening(same ? reading.guarded(form, "true") : reading.argument(form)) }
      owner = owner_of(handle)
      names = Names.new(handle.unit)
      fields.each { |one| add_inner(Reading.new(one, inner, owner, @constants, nil), names, "#{field.name}.#{one.name}") }
      @layout.close
    end

    def add_inner(reading, names, path)
      around, @names = @names, names
      add_attribute(reading, path)
    ensure
      @names = around
    end

    # Who lends the methods of a unit's fields: this serializer, or the document's of that class.
    def owner_of(handle)
      serializer_class = handle.unit.serializer_class
      return @own if serializer_class == @unit.serializer_class
      return Owner.new(serializer_class, nil) unless handle.plan.serializer?

      @lent[serializer_class] ||= Owner.new(serializer_class, "s#{@lent.size + 1}")
    end

    # By code of its own: an array, or an object that is recursive, large, or holds such.
    def add_apart(field, handle)
      make_room(1)
      reading = Reading.new(field, Source::Own.new, @own, @constants, nil)
      variable = field.kind == :nested ? "o" : "a#{@variables += 1}"
      @layout.pair(field.kind == :many ? :list : :slot, @names.key(field), field.name, flags: reading.flags)
      argument(field.name.name) { |form| variable == "o" ? reading.guarded(form, "true") : "(#{variable} = #{reading.argument(form)})" }
      flush(result: "r")
      code, serializer = @constants.name("C", handle.code), serializer_of(handle)
      field.kind == :many ? @code.list(code, serializer, variable) : @code.slot(code, serializer, variable)
    end

    # The serializer that another unit's code is given.
    def serializer_of(handle)
      serializer_class = handle.imperative? ? handle.plan.serializer_class : handle.unit.serializer_class
      constant = @constants.name("K", serializer_class)
      needed = handle.plan.nil? || handle.plan.serializer?
      return "s" if !needed || handle.equal?(@handle)

      @own.use if serializer_class == @unit.serializer_class
      serializer_class == @unit.serializer_class ? "s" : "w.helper(#{constant}, s)"
    end

    # By the serializer that the value or the Mask tells.
    def add_by_site(field)
      make_room(1)
      reading = Reading.new(field, Source::Own.new, @own, @constants, bit(field))
      variable = "a#{@variables += 1}"
      @layout.pair(:slot, @names.key(field), field.name, flags: reading.flags)
      argument(field.name.name) { |form| "(#{variable} = #{field.kind == :nested ? reading.guarded(form, "o") : reading.argument(form)})" }
      flush(result: "r")
      @own.use
      @code.site(site_of(field), @own.variable, variable, bit(field))
    end

    def site_of(field) = @constants.name("S", Site.new(@cache, @unit, field))

    # -- flatten ----------------------------------------------------------------------------------------

    def add_flatten(field)
      serializer_class = @cache.inner_class(@unit, field)
      writes_itself = serializer_class && !field.definition && @cache.imperative?(serializer_class)
      handle = @unit.masked? || !field.context.equal?(Field::NONE) || writes_itself ? nil : @cache.inner(@unit, field, :pairs)
      return add_flatten_by_site(field) unless handle&.plan && !handle.imperative? && handle.unit.fields.all? { |inner| inner.kind == :attribute }

      reading = Reading.new(field, Source::Own.new, @own, @constants, nil)
      inner, owner, keys = Source::Flattened.new(@variables += 1), owner_of(handle), @names.beside(handle.unit)
      handle.unit.fields.each_with_index do |one, index|
        make_room(1)
        inner_reading = Reading.new(one, inner, owner, @constants, nil)
        inner_reading.after { |form| inner.assignment(reading.argument(form)) } if index.zero?
        add_inner(inner_reading, keys, one.name.name)
      end
    end

    def add_flatten_by_site(field)
      @apart = true
      flush
      reading = Reading.new(field, Source::Own.new, @own, @constants, bit(field))
      variable = "a#{@variables += 1}"
      @code.line(field.name.name) { |form| "#{variable} = #{reading.argument(form)}" }
      @own.use
      @code.flatten(site_of(field), @own.variable, variable, bit(field))
      @layout = Layout.new(begins: false, state: :unknown)
    end
  end
end
