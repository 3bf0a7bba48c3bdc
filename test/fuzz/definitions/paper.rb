# frozen_string_literal: true

# Fuzz. Serializer classes on paper, and what a class's fields are by docs/serializers.md: this
# model knows nothing of ToJson::Definition, which must agree with it.

require_relative "catalogue"

module Fuzz
  module Definitions
    # Values that are changed by making others.
    module Changed
      def with(**changes) = self.class.new(**to_h, **changes)
    end

    # A declared field. kind: :attribute, :nested, :has_one, :belongs_to, :has_many, :association,
    # :flatten. style: how name and key are written. reader: nil or a Code. tests: Tests. target:
    # nil, an Inline or a Reference.
    Field = Struct.new(:kind, :name, :key, :style, :reader, :as, :format, :tests, :skip, :default,
                       :target, :view, :only, :except,
                       :context, keyword_init: true) do
      include Changed

      def initialize(tests: [], style: :plain, **rest) = super
      def association? = %i[has_one belongs_to has_many association].include?(kind)
      def inline = (target.items if target.is_a?(Inline))

      # The classes that may write what it reads.
      def classes = [target, as].grep(Reference).flat_map(&:ids)

      # What is read from a row by any part of it.
      def keys
        [*(key unless kind == :nested), *(METHODS[name][1] if METHODS.key?(name)),
         *(Keys::FLAGS if tests.any?), *(:note if default || context),
         *(inline.flat_map(&:keys) if kind == :nested)]
      end
    end

    # One of if: or unless:. code: nil for a Symbol, which name then is, a flag's or one of
    # CONDITIONS.
    Test = Struct.new(:word, :code, :name)

    # A block of fields.
    Inline = Struct.new(:items)

    # Serializers of this case: style :class, :self, :string, :lambda, :map, :lookup; ids of
    # classes.
    Reference = Struct.new(:style, :ids)

    # attributes :a, b: :c with one set of options; those that are mapped stand behind.
    Group = Struct.new(:fields) do
      def initialize(fields)
        super(fields.partition { |field| field.key == field.name }.flatten(1))
      end
      def keys = fields.flat_map(&:keys)
    end

    View = Struct.new(:name, :from, :items) do
      def with(items) = View.new(name, from, items)
    end

    Removal = Struct.new(:names)

    # root, transform_keys, default_view, meta; arguments as they are, or a Code.
    Setting = Struct.new(:word, :arguments)

    # An imperative serialize around the declared fields: style :super or :put_attributes.
    Mix = Struct.new(:style, :view, :before, :after)

    # space: nil, or the module in which its constant stands; constant: its name there.
    Type = Struct.new(:id, :parent, :space, :constant, :items, :mix, :html, keyword_init: true) do
      include Changed
    end

    # What comes when the class `id` was used already. kind: :reopen (items), :methods (those that
    # its fields are named after), :nearer (another type, found before the one that was).
    Change = Struct.new(:kind, :id, :items, :type)

    # One json!. given: a Row, Rows or nil. selections: Choices.
    Call = Struct.new(:id, :given, :collection, :view, :only, :except, :root, :meta, :context,
                      :rules, :max_depth, :fault, keyword_init: true) do
      include Changed

      # As the keywords of json!, without those not given; `things` make values.
      def options
        { view: view, only: only&.ruby, except: except&.ruby, root: root, meta: meta,
          context: context, rules: rules, max_depth: max_depth }.compact
      end
    end

    # only: or except:. names: pairs of a Symbol and nil or such pairs. form: how it is written.
    Choice = Struct.new(:form, :names) do
      def ruby(names = self.names)
        case form
        when :symbols then names.map { |name, part| part ? { name => ruby(part) } : name }
        when :strings then names.map { |name, part| part ? { name.to_s => ruby(part) } : name.to_s }
        when :hash then names.to_h { |name, part| [name, part ? ruby(part) : true] }
        when :single then names[0][0]
        else names.map { |name, part| part ? "#{name}(#{ruby(part)})" : name.to_s }.join(",")
        end
      end
    end

    # All of it.
    Case = Struct.new(:types, :calls, :change, :delivery, :lines, keyword_init: true) do
      include Changed

      def type(id) = all_types.find { |type| type.id == id }
      def all_types = change&.type ? types + [change.type] : types
      def model(changed: false) = Model.new(self, changed)
    end

    # What the declarations of a case come to.
    class Model
      def initialize(found, changed)
        @types = found.types.to_h { |type| [type.id, type] }
        @types[found.change.type.id] = found.change.type if found.change&.type
        @more =
          if changed && found.change&.kind == :reopen
            { found.change.id => found.change.items }
          else
            {}
          end
        @all_more = found.change&.kind == :reopen ? { found.change.id => found.change.items } : {}
        @memory = {}
      end

      # Oldest first.
      def line(id)
        type = @types.fetch(id)
        [*(line(type.parent) if type.parent), type]
      end

      def items(id) = line(id).flat_map { |type| type.items + @more.fetch(type.id, []) }

      # @return [Hash{Symbol => Field}] in order
      def base(id) = applied({}, items(id))

      # The same of an inline block.
      def inline(items) = applied({}, items)

      # @return [Hash{Symbol => View}] reopened ones joined, without what a subclass removed
      def views(id)
        line(id).inject({}) do |found, type|
          items = type.items + @more.fetch(type.id, [])
          removed = items.grep(Removal).flat_map(&:names)
          items.grep(View)
            .inject(
              found.transform_values { |view| view.with(Paper.without(view.items, removed)) }
            ) do |views, view|
            earlier = views[view.name]
            views
              .merge(
                view.name =>
                  if earlier
                    View.new(view.name, [*earlier.from, *view.from], earlier.items + view.items)
                  else
                    view
                  end
              )
          end
        end
      end

      # The fields of a composition of views, in the order that is due.
      def fields(id, names)
        views = views(id)
        base = base(id)
        order = base.keys | views.values.flat_map { |view| applied({}, view.items).keys }
        found = composed(views, names).inject(base) do |fields, name|
          applied(fields, views.fetch(name).items)
        end
        order.filter_map { |name| found[name] }
      end

      def setting(id, word)
        items(id).grep(Setting).reverse.find { |setting| setting.word == word }&.arguments
      end

      # A name of CASES, or nil.
      def key_case(id)
        setting(id, :transform_keys)&.first.then { |found| found.is_a?(Code) ? :callable : found }
      end

      # As `view:` says, nil being the default.
      def resolved(id, given)
        if given.nil?
          Array(setting(id, :default_view))
        else
          Array(given).map(&:to_sym).reverse.uniq.reverse
        end
      end

      # What any row may be asked for by this class: in every view, before and after the change.
      def keys(id)
        @memory[[:keys, id]] ||= begin
          fields = line(id).flat_map do |type|
            Paper.fields(type.items + @all_more.fetch(type.id, []))
          end
          (fields.flat_map(&:keys) + (line(id).any?(&:mix) ? %i[id title] : [])).uniq
        end
      end

      # What may write the rows under an association's key, in the whole case: classes, and keys of
      # inline blocks.
      def targets(key) = (@memory[:targets] ||= all_targets).fetch(key, [[], []])

      private

      def applied(fields, items)
        items.inject(fields.dup) do |found, item|
          case item
          when Field then found.merge(item.name => item)
          when Group then found.merge(item.fields.to_h { |field| [field.name, field] })
          when Removal then found.except(*item.names)
          else found
          end
        end
      end

      # Views in the order in which they count: each behind those that it is built on, a named one
      # where it is named last.
      def composed(views, names)
        names.inject([]) { |order, name| (order | grounds(views, name)) - [name] + [name] }
      end

      def grounds(views, name)
        Array(views.fetch(name).from).flat_map { |other| grounds(views, other) + [other] }
      end

      def all_targets
        items = @types.values.flat_map(&:items) + @all_more.values.flatten(1)
        named = @types.values.select { |type| type.constant&.end_with?("Serializer") }.map(&:id)
        Paper.all_fields(items).group_by(&:key).transform_values do |fields|
          looked =
            if fields.any? do |field|
                 field.target.is_a?(Reference) && field.target.style == :lookup
               end
              named
            else
              []
            end
          [(fields.flat_map(&:classes) + looked).uniq,
           fields.flat_map { |field| Paper.fields(field.inline || []).flat_map(&:keys) }.uniq]
        end
      end
    end

    # Walks.
    module Paper
      module_function

      # The fields of items and of their views.
      def fields(items)
        items.flat_map do |item|
          case item
          when Field then [item]
          when Group then item.fields
          when View then fields(item.items)
          else []
          end
        end
      end

      def names(items) = fields(items).map(&:name)

      # A class that declares nothing is no declared serializer; one without fields may have an
      # empty view.
      def declaring(type)
        if type.parent || type.items.any? { |item| item.is_a?(View) || fields([item]).any? }
          return type
        end

        type.with(items: type.items + [View.new(:none, nil, [])])
      end

      # Every name that may stand in an object of a class, in whatever view.
      def object_names(model, id)
        fields(model.items(id)).flat_map do |field|
          field.kind == :flatten ? names_below(model, field) : [field.name]
        end.uniq
      end

      # Those of its flattened fields.
      def flattened_names(model, id)
        fields(model.items(id)).select { |field| field.kind == :flatten }.flat_map do |field|
          names_below(model, field)
        end
      end

      def names_below(model, field)
        if field.inline
          return fields(field.inline).flat_map do |inner|
            inner.kind == :flatten ? names_below(model, inner) : [inner.name]
          end
        end

        field.classes.flat_map { |id| object_names(model, id) }
      end

      # What must be there: somebody's view takes it away, or an only: or except: names it.
      def named_elsewhere(types)
        items = types.flat_map(&:items)
        items.grep(View).flat_map { |view| view.items.grep(Removal).flat_map(&:names) } +
          all_fields(items).flat_map do |field|
            [field.only, field.except].compact.flat_map { |choice| choice_names(choice.names) }
          end
      end

      def choice_names(names) = names.flat_map { |name, part| [name, *choice_names(part || [])] }

      # Items less the fields of some names.
      def without(items, names)
        items.filter_map do |item|
          case item
          when Field then item unless names.include?(item.name)
          when Group
            fields = item.fields.reject { |field| names.include?(field.name) }
            Group.new(fields) if fields.any?
          else item
          end
        end
      end

      # And those of inline blocks.
      def all_fields(items)
        fields(items).flat_map { |field| [field, *(all_fields(field.inline) if field.inline)] }
      end
    end
  end
end
