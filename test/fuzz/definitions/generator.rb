# frozen_string_literal: true

# Fuzz. Random serializer classes on paper.

require_relative "choices"
require_relative "random_fields"
require_relative "../kit/dice"

module Fuzz
  module Definitions
    # Makes the types of a case.
    class Generator
      include RandomFields

      COUNTS = Dice.weights(1 => 5, 2 => 4, 3 => 3, 4 => 1)
      CASE_WORDS = Dice.weights(nil => 6, camel: 1, camel_lower: 2, dash: 1, snake: 1, callable: 1)
      VIEWS = %i[full brief money].freeze
      IDS = %i[A B C D].freeze

      def initialize(dice)
        @dice = dice
      end

      # @return [Array<Type>]
      def types
        @named = @dice.once_in(3)
        @types = []
        @dice.weighted(COUNTS).times { |index| @types << type(index) }
        @types
      end

      # What comes when the classes were used. @return [Change, nil]
      def change
        case @dice.below(12)
        when 0, 1, 2 then reopening(@dice.pick(@types))
        when 3 then methods
        when 4 then nearer
        end
      end

      private

      def type(index, id: IDS[index])
        @id = id
        @parent = @types.empty? || !@dice.once_in(4) ? nil : @dice.pick(@types)
        @model = model
        key_case = pick_case
        type = Type.new(id: id, parent: @parent&.id, space: (space if @named),
                        html: @dice.once_in(25))
        type = type.with(constant: constant(type), items: class_items(key_case))
        type = Paper.declaring(type.with(items: type.items + views(type)))
        type.with(mix: mixture(type))
      end

      # What a superclass names by Strings must be found from here, too.
      def space
        strings = @parent && Paper.all_fields(@model.items(@parent.id)).any? do |field|
          field.target.is_a?(Reference) && field.target.style == :string
        end
        strings ? @parent.space : @dice.pick(%i[outer inner])
      end

      def model(*more) = Model.new(Case.new(types: @types + more), false)

      def constant(type)
        return unless type.space

        names = ["FuzzRowSerializer", "FuzzBook::PageSerializer"].reject do |name|
          @types.any? { |other| other.space == type.space && other.constant == name }
        end
        @dice.once_in(2) && names.any? ? @dice.pick(names) : "Fuzz#{type.id}"
      end

      # A key case that suits all names that the superclass has. @fits: what names must match from
      # now on.
      # @return [Array] arguments of transform_keys, empty where it is inherited
      def pick_case
        inherited = @parent && @model.key_case(@parent.id)
        names = @parent ? Paper.all_fields(@model.items(@parent.id)).map(&:name) : []
        found = @dice.weighted(CASE_WORDS)
        found = inherited unless found && names.all? { |name| name.match?(CASES.fetch(found)) }
        @fits = [CASES.fetch(found || :callable)]
        @flat = @parent ? Paper.flattened_names(@model, @parent.id) : []
        found == inherited ? [] : [found == :callable ? SHOUTED : found]
      end

      def class_items(key_case)
        body = Body.new([], :class, 2)
        items = fields(count, body)
        if @parent && @dice.once_in(3)
          items << Removal.new(some(@model.base(@parent.id).keys - body.taken, 2))
        end
        items = items.reject { |item| item.is_a?(Removal) && item.names.empty? } +
                settings(key_case)
        @dice.once_in(2) ? items.sort_by { @dice.float } : items
      end

      def count
        return 0 if @dice.once_in(30)

        @dice.once_in(3) ? @dice.below(12) : 1 + @dice.below(4)
      end

      def some(list, most) = Array.new([most, list.size].min) { @dice.pick(list) }.uniq

      def settings(key_case)
        items = []
        items << Setting.new(:transform_keys, key_case) if key_case.any?
        if @dice.once_in(3)
          items << Setting.new(:root,
                               @dice
                                 .pick([[:post], %i[post posts], ["a \"root\"", :roots], [false]]))
        end
        if rooted?(items) && @dice.once_in(2)
          items << Setting.new(:meta, [@dice.pick([{ version: 2 }, { "a-b": [1] }, *METAS])])
        end
        items
      end

      def rooted?(items)
        root = items.reverse.find { |item| item.word == :root }&.arguments ||
               (@parent && @model.setting(@parent.id, :root))
        root && root != [false]
      end

      # -- views

      def views(type)
        return [] unless @dice.once_in(2)

        VIEWS.first(1 + @dice.below(3)).each_with_object([]) do |name, items|
          now = type.with(items: type.items + items)
          items << view(name, now)
          if @dice.once_in(5)
            names = some(items.grep(View).map(&:name), 2)
            items << Setting.new(:default_view, names) unless items.any?(Setting)
          end
        end
      end

      # New fields, base fields in another form, fields taken away.
      def view(name, type)
        known = model(type)
        body = Body.new([], :view, 1)
        base = known.base(type.id).keys - READ
        items = fields(@dice.below(3), body)
        items << redefined(base - body.taken, body) if @dice.once_in(2)
        others = known.views(type.id).keys
        from = @dice.pick(others) if others.any? && !others.include?(name) && @dice.once_in(2)
        there = known.fields(type.id, [*from]).map(&:name) - body.taken
        items << Removal.new(some(there, 2)) if there.any? && @dice.once_in(3)
        View.new(name, from, items.compact)
      end

      def redefined(names, body)
        names -= @flat
        return if names.empty?

        name = @dice.pick(names)

        body.taken << name
        key = value_key
        Field.new(kind: :attribute, name: name, key: key, style: name == key ? :plain : :source,
                  **plain_options)
      end

      def mixture(type)
        return if !@dice.once_in(10) || (@parent && @model.line(@parent.id).any?(&:mix))

        view = @dice.pick([nil, *model(type).views(type.id).keys])
        if @dice.once_in(2)
          Mix.new(:super, nil, true, @dice.once_in(2))
        else
          Mix.new(:put_attributes, view, @dice.once_in(2), true)
        end
      end

      # -- what comes later

      # Fields, in the body or a view, that its body has not yet; others removed; another root.
      def reopening(type)
        @later = true # a class flattened into itself has no end
        @id, @parent, @model = type.id,
                               type.parent && @types.find { |other| other.id == type.parent }, model
        @fits = @types.map { |other| CASES.fetch(@model.key_case(other.id) || :callable) }
        @flat = []
        body = Body.new(Paper.names(type.items.reject { |item| item.is_a?(View) }), :class, 1,
                        Keys::LATER)
        items = fields(1 + @dice.below(2), body)
        there = @model.base(type.id).keys - Paper.names(items) - Paper.named_elsewhere(@types)
        items << Removal.new(some(there, 1)) if there.any? && @dice.once_in(2)
        items << Setting.new(:root, [:later]) if @dice.once_in(4)
        Change.new(:reopen, type.id, items)
      end

      def methods
        found = @types.select { |type| (Paper.names(type.items) & READ).any? }
        found.empty? ? nil : Change.new(:methods, @dice.pick(found).id)
      end

      # A serializer that lookups from within find first.
      def nearer
        outer = @types.select do |type|
          type.space == :outer && type.constant.end_with?("Serializer")
        end
        outer = outer.reject do |type|
          @types.any? { |other| other.space == :inner && other.constant == type.constant }
        end
        return if outer.empty?

        field = Field.new(kind: :attribute, name: :nearer, key: :id, style: :name)
        Change.new(:nearer, :E, nil,
                   Type.new(id: :E, space: :inner, constant: @dice.pick(outer).constant,
                            items: [field]))
      end
    end
  end
end
