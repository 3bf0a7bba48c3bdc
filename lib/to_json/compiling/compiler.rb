# frozen_string_literal: true

# Layer: compiling. Compiles a Definition to a Plan: Ruby without loops that reads the fields, and
# the Parts that it passes the values to.

module ToJson
  # Compiles one {Unit}. The generated methods are in a module of their own:
  #
  #   object(w, s, o)   reads an object by its methods and writes it; w: Writer, s: serializer
  #   row(w, s, o)      the same for a Hash
  #   items(w, s, c)    the elements of an Array of objects
  #   iterate(w, s, c)  those of another collection
  #
  # With a Mask, they take it as their last argument. docs/internals/plans.md has the tour.
  # @api private
  class Compiler
    # The most values that a native call takes.
    MOST_VALUES = Part::TABLE[:most_values]
    # A has_one with more fields has code of its own.
    MOST_FUSED = 24

    # A unit with its code and its Plan. Other units, and the unit itself, may refer to the code
    # before it is generated. `notes` and `strategies` are for explain: the static bytes of each
    # native call, and how associations are written. `entries` make the Masks of a masked unit.
    # `values`: the number of values, if one native call writes all. `later`: whether it waits.
    Handle = Struct.new(*%i[unit code plan source notes strategies entries values later]) do
      def imperative? = plan&.imperative?
    end

    # @return [Module] for generated methods
    def self.new_code
      Module.new.extend(Common).tap { |code| code.instance_variable_set(:@to_json_code, true) }
    end

    # @param handle [Handle] to fill
    # @param compilation [Compilation] gives the handles of the units that this one refers to
    # @param from [Array(Unit, Field), nil] the association that needs the unit
    def initialize(handle, compilation, from = nil)
      @handle, @unit, @compilation, @from = handle, handle.unit, compilation, from
      @masked, @pairs, @inline = @unit.masked?, @unit.pairs?, @unit.inline?
      @constants = Constants.new
      @own = Owner.new(@unit.serializer_class, "s", !@unit.elsewhere?)
      @fields = @unit.fields
      @code = Code.new(@masked, rows_by_key? ? [:object] : Code::FORMS)
      @lent = {}
      @names = Names.new(@unit)
      @notes, @parts, @variables, @inside = [], [], 0, {}
      @strategies = {}.compare_by_identity
      @layout = PartLayout.new(!@pairs, @pairs ? :unknown : :first)
    end

    # @return [Handle]
    def compile
      check_restrictions
      @fields.each { |field| add(field) }
      flush(ends: !@pairs)
      @lent.each_value do |owner|
        @code.lend(owner.variable, @constants.name("K", owner.serializer_class)) if owner.used?
      end
      @constants.install(@handle.code)
      @handle.notes, @handle.strategies = @notes, @strategies
      @handle.entries = entries if @masked
      @handle.values = @layout.values if @parts.size == 1 && @in_one && !@apart
      @document_code = @code.document_code(own_used?) if document?
      text = @code.text
      @handle.source = text.source.dup
      @document_code&.write(text)
      label = "(to_json #{@unit.definition.label} #{@handle.code.object_id})"
      GeneratedCode.define(@handle.code, text.source, label)
      FieldLines.keep(@handle.code, label, text.fields_by_line, @constants)
      @handle.plan = plan
      @handle.code.extend(PartsInside) if @code.prefetches?
      @handle.code.instance_variable_set(:@to_json_plan, @handle.plan)
      @handle
    end

    include Fusing

    private

    # Raises if a restriction names no field of the unit. The restrictions around a flatten may also
    # name fields of the parent, so for a flatten only its own are checked.
    def check_restrictions
      return if @from.nil? && @unit.restrictions.empty?

      unit, field = @from
      own = [[field&.only, field&.except]].reject(&:none?)
      restrictions = @pairs || field&.through ? own : @unit.restrictions
      Restrictions.check(@unit.definition, @unit.views, restrictions, unit&.place(field))
    end

    def plan
      definition = @unit.definition
      root, meta = definition.root, definition.meta unless @inline
      meta = Blocks.meta_for(@unit.serializer_class, meta) if meta.is_a?(Proc)
      Plan.new(code: @handle.code, row: row_part, root_one: root&.first, root_many: root&.last,
               meta: meta, serializer_class: @unit.serializer_class,
               rules: PlanCache.rules(@unit.serializer_class),
               serializer: own_used? || meta.is_a?(Symbol), masked: @masked,
               imperative: false, cached: @code.prefetches?, document: !@document_code.nil?,
               main_ractor_only: (@compilation.main_ractor_only(@unit) unless @inline),
               helper: (helper if @document_code), epoch: @compilation.epoch)
    end

    # The data from which Masks are made.
    def entries
      named = !@names.collide? && @fields.none?(&:through)
      Mask::Entries.new(@unit.definition, @inside.freeze, named)
    end

    # Whether a document may consist of one object of this unit, in a root or without one.
    def document?
      %i[object masked].include?(@unit.form) && !@inline && @unit.restrictions.empty? &&
        @unit.definition.meta.nil?
    end

    # @return [Class, nil] the class of the serializer that `document` takes as `s`
    def helper
      return @unit.serializer_class if own_used?

      @lent.each_value.find(&:used?).serializer_class if @document_code.lent_as_s?
    end

    # Whether the Writer can read all fields of a Hash itself, in one native call: {Common} makes
    # it.
    def rows_by_key?
      !@masked && !@pairs && @fields.size <= MOST_VALUES &&
        @fields.all? { |field| FieldAccess.by_key?(field, @own) }
    end

    # The Part that writes all of an object, if one does.
    def row_part = (@parts.first if @parts.size == 1 && !@pairs && @in_one && !@apart)

    # -- Parts ---------------------------------------------------------------------------------

    # Adds the native call of the fields so far. `result`: the variable for what it returns.
    def flush(ends: false, result: nil)
      @code.item(end_part(ends), result) if ends || !@layout.empty?
    end

    # The constant of the Part of the fields so far. `ends`: the object ends with it.
    def end_part(ends)
      @parts << (part = @layout.part(ends))
      @in_one = ends
      @notes << @layout.inspect(ends)
      @layout = PartLayout.new(false, @layout.state) unless ends
      @constants.name("P", part)
    end

    def make_room(count)
      flush if @layout.values + count > MOST_VALUES
    end

    # Adds an argument to the native call. The block returns its expression for a form.
    def argument(path, &) = @code.argument(path, &)

    # -- fields --------------------------------------------------------------------------------

    def add(field)
      case field.kind
      when :attribute
        converts = converts(field) and return add_converted(field, converts)

        make_room(1)
        add_attribute(FieldAccess.new(field, Source::OWN, @own, @constants, test(field)),
                      field.name.name)
      when :flatten then add_flatten(field)
      else
        add_association(field)
        look_ahead(field) if !@pairs && @compilation.parts?(@unit, field)
      end
    end

    def add_attribute(access, path)
      field = access.field
      if field.identifies
        @layout.identifiers(@names.key(field), field.identifies, [:optional])
      else
        @layout.pair(:value, @names.key(field), source: (field.source if access.keyed?),
                     flags: access.flags, as: access.native_as, format: field.format,
                     default: access.native_default)
      end
      argument(path) { |form| access.argument(form) }
    end

    # The Handle that writes the value of a field whose `as:` is a serializer, if no code could
    # notice that there is no instance; else nil.
    def converts(field)
      return unless FieldAccess.by_serializer?(field) && AssociationStrategy.unseen?(field.as)

      handle = @compilation.handle(Unit.of(field.as))
      handle if AssociationStrategy.of_converted(handle, @compilation)
    end

    # The index of the field among the entries, if the unit is masked; else nil.
    def bit(field)
      return unless @masked

      @bits ||= {}.compare_by_identity.tap do |bits|
        @unit.definition.entries.each_with_index { |entry, index| bits[entry] = index }
      end
      @bits.fetch(field)
    end

    # -- associations --------------------------------------------------------------------------

    def add_association(field)
      return add_cached(field) if field.cache

      open = field.kind == :any || !field.context.equal?(Field::NONE)
      handle = open ? nil : @compilation.inner(@unit, field, :object)
      if handle.nil? || by_site?(field, handle)
        @strategies[field] = AssociationStrategy.of_site(field, handle)
        add_by_site(field)
      elsif @masked && picks?(field, handle) then add_picked(field, handle)
      elsif @masked || (@strategies[field] = AssociationStrategy.of_code(field, handle))
        add_apart(field, handle)
      else
        @strategies[field] = AssociationStrategy::FUSED
        add_fused(field, handle)
      end
    end

    # Whether `view:` or a restriction asks for other fields than those of the default views.
    def narrowed?(field) = !field.view.nil? || Restrictions.inner(@unit.restrictions, field).any?

    # The Owner whose methods the fields of a unit call: this serializer, or a helper of another
    # class.
    def owner_of(handle)
      serializer_class = handle.unit.serializer_class
      if serializer_class == @unit.serializer_class
        return handle.unit.elsewhere? == @unit.elsewhere? ? @own : unnamed
      end
      return Owner.new(serializer_class, nil) unless handle.plan.serializer?

      @lent[serializer_class] ||= Owner.new(serializer_class, "s#{@lent.size + 1}")
    end

    # This serializer as the Owner of fields of another object.
    def unnamed = @unnamed ||= Owner.new(@unit.serializer_class, "s", false)

    # Whether the generated code calls this serializer.
    def own_used? = @own.used? || @unnamed&.used?

    # Whether the code that writes the association is known only while a document is written.
    def by_site?(field, handle)
      return handle.imperative? && narrowed?(field) unless @masked

      handle.imperative? || !field.through.nil? || (field.definition.nil? && handle.unit.inline?)
    end

    # Adds an association that has code of its own: an array, or an object that is recursive, or
    # large, or contains such an object.
    def add_apart(field, handle)
      make_room(1)
      access = FieldAccess.new(field, Source::OWN, @own, @constants, test(field))
      variable = field.kind == :nested ? "o" : "a#{@variables += 1}"
      @layout.pair(field.kind == :many ? :list : :slot, @names.key(field), flags: access.flags)
      argument(field.name.name) do |form|
        variable == "o" ? access.guarded(form, "true")
                        : "(#{variable} = #{access.argument(form)})"
      end
      flush(result: "r")
      code, serializer = @constants.name("C", handle.code), serializer_of(handle)
      under = under(field, handle) if @masked
      field.kind == :many ? @code.list(code, serializer, variable, under)
                          : @code.slot(code, serializer, variable, under)
    end

    # If a Mask leaves a part of an association, code that has all entries writes it: that of the
    # masked unit.
    def under(field, handle)
      @inside[bit(field)] = handle.unit
      unit = handle.unit
      unit = Unit.new(unit.serializer_class, unit.definition, [], [], :masked)
      masked = @compilation.handle(unit, [@unit, field])
      Code::Under.new(bit(field), @constants.name("M", masked.code), serializer_of(masked))
    end

    # The expression of the serializer that the code of another unit gets.
    def serializer_of(handle)
      serializer_class =
        handle.imperative? ? handle.plan.serializer_class : handle.unit.serializer_class
      constant = @constants.name("K", serializer_class)
      needed = handle.plan.nil? || handle.plan.serializer?
      return "s" if !needed || handle.equal?(@handle)

      @own.use if serializer_class == @unit.serializer_class
      serializer_class == @unit.serializer_class ? "s" : "w.helper(#{constant}, s)"
    end

    # Adds an association whose serializer or fields are known only with the value or the Mask.
    def add_by_site(field)
      make_room(1)
      access = FieldAccess.new(field, Source::OWN, @own, @constants, test(field))
      variable = "a#{@variables += 1}"
      @layout.pair(:slot, @names.key(field), flags: access.flags)
      argument(field.name.name) do |form|
        read = field.kind == :nested ? access.guarded(form, "o") : access.argument(form)
        "(#{variable} = #{read})"
      end
      return look_up(field, variable) if value_site?(field)

      flush(result: "r")
      @own.use
      @code.site(site_of(field), @own.variable, variable, bit(field))
    end

    # Whether only the serializer of the value must be found while a document is written.
    def value_site?(field)
      return false if @masked || @unit.definition.derives?

      !field.serializer.is_a?(Class) && !field.serializer.is_a?(String) &&
        field.definition.nil? && field.context.equal?(Field::NONE) && !narrowed?(field)
    end

    def look_up(field, variable)
      given = field.serializer
      chooser = Blocks.called_for(@unit.serializer_class, given) if given.is_a?(Proc)
      @own.use if chooser
      # Ruby finds a class by its identity without asking for its hash.
      map = given.dup.compare_by_identity.freeze if given.is_a?(Hash)
      site = @constants.name("S", ValueSite.new(@unit.serializer_class, map, chooser, field.kind))
      serializer = chooser ? @own.variable : "s"
      @code.look_up(end_part(false), site, serializer, variable,
                    many: field.kind == :many, lambda: !chooser.nil?)
    end

    # Adds an association whose text comes from a store. If the store has none, the Site writes it.
    def add_cached(field)
      @strategies[field] = AssociationStrategy.cached(field)
      make_room(1)
      access = FieldAccess.new(field, Source::OWN, @own, @constants, test(field))
      @layout.pair(:slot, @names.key(field), flags: access.flags)
      argument(field.name.name) { |form| access.guarded(form, "true") }
      flush(result: "r")
      @own.use
      @code.cached(site_of(field), @own.variable, bit(field)) { |form| access.value(form) }
    end

    def site_of(field)
      @sites ||= {}.compare_by_identity
      @constants.name("S", @sites[field] ||= SharedSite.new(@unit, field, @compilation.epoch))
    end

    # Adds code for {Prefetch}, which runs before the elements are written: it collects what this
    # field will ask a cache for, so that all elements are looked up together.
    def look_ahead(field)
      readable = PartsInside.readable?(@own, field)
      return unless field.cache || readable

      access = FieldAccess.new(field, Source::OWN, @own, @constants, test(field))
      site, left = site_of(field), bit(field) ? "m.inner(#{bit(field)})" : "nil"
      inside = field.cache && readable && @compilation.parts_inside?(@unit, field)
      @code.ahead(field.name.name) do |form|
        unless field.cache
          read = field.kind == :nested ? access.guarded(form, "o") : access.argument(form)
          next "#{site}.ahead_inside(w, s, #{read}, #{left}, a)"
        end

        block = " { #{access.value(form)} }" if inside
        due = "unless SKIP.equal?(#{access.guarded(form, "true")})"
        "#{site}.ahead(w, s, #{left}, o, a)#{block} #{due}"
      end
    end

    # -- flatten -------------------------------------------------------------------------------

    def add_flatten(field)
      serializer_class = PlanCache.inner_class(@unit, field)
      imperative = serializer_class && !field.definition && PlanCache.imperative?(serializer_class)
      open = @masked || !field.context.equal?(Field::NONE) || imperative
      handle = open ? nil : @compilation.inner(@unit, field, :pairs)
      @strategies[field] = AssociationStrategy.of_flatten(field, handle, imperative)
      return add_flatten_by_site(field) unless @strategies[field] == AssociationStrategy::MERGED

      access = FieldAccess.new(field, Source::OWN, @own, @constants, nil)
      inner, owner, keys =
        Source::Flattened.new(@variables += 1), owner_of(handle), @names.beside(handle.unit, field)
      handle.unit.fields.each_with_index do |one, index|
        make_room(1)
        inner_access = FieldAccess.new(one, inner, owner, @constants, nil)
        inner_access.after { |form| inner.assignment(access.argument(form)) } if index.zero?
        with_names(keys) { add_attribute(inner_access, one.name.name) }
      end
    end

    def add_flatten_by_site(field)
      @names.take(@unit, field) unless @masked
      @apart = true
      flush
      access = FieldAccess.new(field, Source::OWN, @own, @constants, test(field))
      variable = "a#{@variables += 1}"
      @code.line(field.name.name) { |form| "#{variable} = #{access.argument(form)}" }
      @own.use
      @code.flatten(site_of(field), @own.variable, variable, bit(field))
      @layout = PartLayout.new(false, :unknown)
    end
  end
end
