# frozen_string_literal: true

# Layer: declaring. Collects what one class, one view or one inline block declares, and makes a
# Definition of it.

module ToJson
  # What one class body, view or inline block changes about the fields, step by step. A Field adds
  # or replaces a field, a Symbol removes one.
  # @api private
  class FieldChanges
    # @return [Array<Field, Symbol>]
    attr_reader :steps

    def initialize
      @steps = []
      @added = {}
    end

    def initialize_copy(other)
      super
      @steps = other.steps.dup
      @added = @added.dup
    end

    # @raise [DefinitionError] for a field whose name was added before
    def add(field, place)
      if @added.key?(field.name)
        raise DefinitionError,
              "#{place}: two fields have the name #{field.name.inspect}. Rename one, or call " \
              "remove #{field.name.inspect} first."
      end

      @added[field.name] = true
      @steps << field
    end

    def remove(name)
      @added.delete(name)
      @steps << name
    end

    # @return [Array<Symbol>] the names of the fields that were added here
    def names = @added.keys

    def name?(name) = @added.key?(name)

    # @return [Hash{Symbol => Field}] `fields` after the steps
    def apply(fields)
      @steps.each { |step| step.is_a?(Symbol) ? fields.delete(step) : fields[step.name] = step }
      fields
    end
  end

  # The declarations of one class, without its superclass. Frozen: each declaration makes another
  # DefinitionBuilder. So a declaration that fails leaves nothing behind, and a Definition can tell
  # whether it is still the newest.
  # @api private
  class DefinitionBuilder
    # @return [FieldChanges]
    attr_reader :changes
    # @return [Hash{Symbol => Array(Array<Symbol>, FieldChanges)}] view name => views it is built
    #   on, and its changes
    attr_reader :views
    # @return [Hash{Symbol => Object}]
    attr_reader :settings

    def initialize(changes = FieldChanges.new, views = {}, settings = {})
      @changes, @views, @settings = changes, views.freeze, settings.freeze
      freeze
    end

    EMPTY = Ractor.make_shareable(new)

    # @yieldparam changes [FieldChanges] of the class body
    # @return [DefinitionBuilder]
    def with_fields
      DefinitionBuilder.new(@changes.dup.tap { |changes| yield changes }, @views, @settings)
    end

    # @param from [Array<Symbol>] further views that it is built on
    # @yieldparam changes [FieldChanges] of the view
    # @return [DefinitionBuilder]
    def with_view(name, from)
      known_from, changes = @views.fetch(name) { [[], FieldChanges.new] }
      DefinitionBuilder.new(@changes,
                            { **@views,
                              name => [known_from | from, changes.dup.tap { |copy| yield copy }] },
                            @settings)
    end

    # @return [DefinitionBuilder]
    def with_setting(name, value)
      DefinitionBuilder.new(@changes, @views, { **@settings, name => value })
    end

    # Whether a field has that name, in a view or outside the views.
    def name?(name)
      @changes.name?(name) || @views.each_value.any? { |_, changes| changes.name?(name) }
    end

    # Whether there are fields or views.
    def fields? = !@changes.steps.empty? || !@views.empty?

    # @param parent [Definition] the superclass's
    # @param label [String] the name of the class, for messages
    # @return [Definition]
    # @raise [DefinitionError] for a view that removes a field that does not exist, and for what
    #   {Definition} refuses
    def build(parent, label)
      settings = @settings.empty? ? parent.settings : settings_over(parent.settings)
      made = Definition.new(label: label, base: @changes.apply(parent.base.dup),
                            views: views_over(parent), settings: settings)
      @views.each { |name, (_, changes)| check_removals(parent, made, name, changes) }
      made
    end

    private

    # Settings about resources are added to those of the superclass.
    def settings_over(above)
      above.merge(@settings) do |name, inherited, own|
        name == :resource ? inherited.merge(own).freeze : own
      end
    end

    def views_over(parent)
      return @views if @views.empty? && parent.views.empty?

      removed = @changes.steps.grep(Symbol)
      inherited = parent.views.transform_values do |view|
        Definition::View.new(view.from, view.fields.except(*removed), view.removed).freeze
      end
      @views.each_with_object(inherited) do |(name, (from, changes)), all|
        all[name] = view_over(all[name] || Definition::View.new([], {}, []), from, changes)
      end
    end

    def view_over(view, from, changes)
      fields = changes.apply(view.fields.dup)
      removed = (view.removed | changes.steps.grep(Symbol)) - fields.keys
      Definition::View.new((view.from | from).freeze, fields.freeze, removed.freeze).freeze
    end

    # A view may remove fields that are in no view, fields of views that it extends, and inherited
    # fields.
    def check_removals(parent, made, view, changes)
      inherited = parent.views[view]&.fields&.keys || []
      there =
        made.base
          .keys | made
          .views
          .fetch(view)
          .from
          .flat_map { |from| made.names_in_view(from) } | inherited
      seen = []
      changes.steps.each do |step|
        next seen << step.name if step.is_a?(Field)
        next if there.include?(step) || seen.include?(step)

        raise DefinitionError,
              "#{made.label}: view #{view.inspect}: remove: " \
              "#{Suggestion.unknown("field", step, there | seen)}"
      end
    end
  end
end
