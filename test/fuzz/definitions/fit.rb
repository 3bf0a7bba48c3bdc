# frozen_string_literal: true

# Fuzz. A case from which something was taken, made sound again: what names the thing that is gone
# goes too.

require_relative "choices"
require_relative "rows"

module Fuzz
  module Definitions
    # Cuts down; never adds.
    module Fit
      module_function

      # @return [Case, nil] nil where no call is left
      def case(found)
        ids = found.types.map(&:id)
        types = found.types.inject([]) { |done, type| done + [type(type, ids, done)] }
        change = change(found.change, types)
        sound = Case.new(types: types, change: change, calls: [])
        calls = found.calls.select { |call| ids.include?(call.id) }.map do |call|
          call(call, sound.model(changed: false))
        end
        sound.with(calls: trimmed(calls, sound)) if calls.any?
      end

      # A call, cut down to what its class has.
      def call(call, model)
        view = known(call.view, model.views(call.id).keys + [:nowhere])
        names = Choices.names(model,
                              model.fields(call.id, model.resolved(call.id, view) - [:nowhere]))
        call.with(view: view, only: choice(call.only, model, names),
                  except: choice(call.except, model, names))
      end

      def type(type, ids, done)
        type = type.with(parent: nil) unless ids.include?(type.parent)
        type =
          Paper
            .declaring(
              type
                .with(
                  items: items(type, stripped(type.items, ids),
                               Model.new(Case.new(types: done), false), done)
                )
            )
        views = Model.new(Case.new(types: done + [type]), false).views(type.id)
        type.mix&.view && !views.key?(type.mix.view) ? type.with(mix: nil) : type
      end

      def change(change, types)
        case change&.kind
        when nil then nil
        when :nearer
          if types.any? { |type| type.space == :outer && type.constant == change.type.constant }
            change
          end
        else
          type = types.find { |other| other.id == change.id } or return
          return (change if (Paper.names(type.items) & READ).any?) if change.kind == :methods

          items = stripped(change.items, types.map(&:id))
          items = items.map do |item|
            item.is_a?(Removal) ? Removal.new(item.names - Paper.named_elsewhere(types)) : item
          end
          items = items(type, items, Model.new(Case.new(types: types), false), types - [type],
                        type.items)
          Change.new(:reopen, change.id, items) if items.any?
        end
      end

      # -- pieces

      # earlier: what the class has in its body already.
      def items(type, items, model, others, earlier = [])
        inherited = (type.parent ? model.base(type.parent).keys : []) | Paper.names(earlier)
        items.each_with_object([]) do |item, kept|
          now = Model.new(Case.new(types: others + [type.with(items: earlier + kept)]), false)
          kept << case item
                  when Removal then removal(item, inherited)
                  when View then view(item, type.id, now, model)
                  when Setting then setting(item, type, now, items + earlier)
                  when Group then item
                  else field(item, model)
                  end
          kept.compact!
        end
      end

      def removal(item, names) = (names & item.names).then { |left| Removal.new(left) if left.any? }

      def view(view, id, now, model)
        from = ([*view.from] & now.views(id).keys) - [view.name]
        own = Paper.names(view.items)
        there = now.fields(id, from).map(&:name) - own
        there |= now.fields(id, [view.name]).map(&:name) - own if now.views(id).key?(view.name)
        View.new(view.name, from[0],
                 view.items.filter_map do |item|
                   item.is_a?(Removal) ? removal(item, there) : narrowed(item, model)
                 end)
      end

      def setting(item, type, now, items)
        case item.word
        when :default_view
          (item.arguments & now.views(type.id).keys).then do |names|
            Setting.new(:default_view, names) if names.any?
          end
        when :meta
          root = items.grep(Setting).find { |other| other.word == :root }&.arguments ||
                 (type.parent && now.setting(type.parent, :root))
          item if root && root != [false]
        else item
        end
      end

      def narrowed(item, model) = item.is_a?(Field) ? field(item, model) : item

      def field(field, model)
        if field.inline
          return field.with(target: Inline.new(field.inline.map { |item| narrowed(item, model) }))
        end
        if field.classes.empty? || !field.target.is_a?(Reference) ||
             (field.view.nil? && field.only.nil? && field.except.nil?)
          return field
        end

        views = field.classes.map { |id| model.views(id).keys }.inject(:&)
        view = known(field.view, views)
        names = Choices.names_of(model, field.classes, view)
        field.with(view: view, only: Choices.cut(field.only, model, names),
                   except: Choices.cut(field.except, model, names))
      rescue KeyError # a class that comes later
        field.with(view: nil, only: nil, except: nil)
      end

      def known(view, names)
        case view
        when nil then nil
        when Array then view.select { |name| names.include?(name.to_sym) }
        else view if names.include?(view.to_sym)
        end
      end

      def choice(choice, model, names)
        return unless choice

        unknown, others = choice.names.partition do |name, part|
          name == :nowhere || part == [[:nowhere, nil]]
        end
        cut = Choices.cut(Choice.new(choice.form, others), model, names)
        Choice.new(cut.form == :single && unknown.any? ? :symbols : cut.form, cut.names + unknown)
      end

      # Items without the fields that refer to classes that are gone.
      def stripped(items, ids)
        items.filter_map do |item|
          case item
          when Field
            next if (item.classes - ids).any?

            item.inline ? item.with(target: Inline.new(stripped(item.inline, ids))) : item
          when View then item.with(stripped(item.items, ids))
          else item
          end
        end
      end

      # Rows without what nothing reads.
      def trimmed(calls, found)
        items = found.all_types.flat_map(&:items) + (found.change&.items || [])
        keys = Paper.all_fields(items).flat_map(&:keys) + %i[id title] + Keys::FLAGS + METHODS.keys
        calls.map { |call| call.with(given: lighter(call.given, keys)) }
      end

      def lighter(given, keys)
        case given
        when Row
          left = given.values.select { |key, _| keys.include?(key) }.transform_values do |value|
            lighter(value, keys)
          end
          given.with(left.empty? ? given.values.first(1).to_h : left)
        when Rows then given.with(given.elements.map { |element| lighter(element, keys) })
        else given
        end
      end
    end
  end
end
