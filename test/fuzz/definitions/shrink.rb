# frozen_string_literal: true

# Fuzz. Simpler cases of a random Definition: fewer calls, classes, fields and options, plainer
# objects.

require_relative "fit"

module Fuzz
  module Definitions
    # The boldest first.
    module Shrink
      module_function

      # @return [Enumerator<Case>] each sound
      def simpler(found)
        Enumerator.new do |out|
          each(found) do |candidate|
            (sound = Fit.case(candidate)) && sound != found && out << sound
          end
        end
      end

      # As it is asked after the change.
      def cut(call, model) = Fit.call(call, model)

      def each(found, &block)
        yield found.with(lines: nil) if found.lines
        yield found.with(delivery: nil) if found.delivery
        yield found.with(change: nil) if found.change
        fewer(found.calls) { |calls| yield found.with(calls: calls) if calls.any? }
        fewer(found.types) { |types| yield found.with(types: types) if types.any? }
        bold(found, &block)
        one(found.types, method(:type)) { |types| yield found.with(types: types) }
        one(found.calls, method(:call)) { |calls| yield found.with(calls: calls) }
        changes(found.change) { |change| yield found.with(change: change) }
        objects(found, &block)
      end

      # Everywhere at once.
      def bold(found)
        yield found.with(calls: found.calls.map { |call| Call.new(id: call.id, given: call.given) })
        yield found
          .with(
            calls: found.calls.map do |call|
              call
                .with(
                  given: Shrink.rows(call.given) do |row|
                    row.kind == :plain ? row : Row.new(:plain, row.values)
                  end
                )
            end
          )
        yield found
          .with(
            calls: found.calls.map do |call|
              call
                .with(
                  given: Shrink.rows(call.given) do |row|
                    row.with(row.values.transform_values { |value| small(value) })
                  end
                )
            end
          )
        yield found
          .with(
            types: found.types.map do |type|
              type.with(mix: nil, html: nil, items: bare(type.items))
            end
          )
      end

      NOTHING = Plain.new(nil)

      def small(value)
        if value.is_a?(Row) || value.is_a?(Rows) || value.is_a?(Struck) ||
             (value.is_a?(Plain) && value.value.nil?)
          value
        else
          NOTHING
        end
      end

      # The rows of a given, from within, each changed.
      def rows(given, &change)
        case given
        when Row
          yield given.with(given.values.transform_values { |value| rows(value, &change) })
        when Rows then given.with(given.elements.map { |element| rows(element, &change) })
        else given
        end
      end

      # Fields without options.
      def bare(items)
        items.filter_map do |item|
          case item
          when Field
            if item.inline
              BARE.call(item).with(target: Inline.new(bare(item.inline)))
            else
              BARE.call(item)
            end
          when Group then Group.new(item.fields.map(&BARE))
          when View then item.with(bare(item.items))
          else item
          end
        end
      end

      BARE = ->(field) do
        field.with(tests: [], skip: nil, default: nil, view: nil, only: nil, except: nil,
                   context: nil)
      end

      def fewer(list, &block) = Shrinker.sublists(list).each(&block)
      def one(list, simpler, &block)
        Shrinker.one_simpler(list) do |element|
          Enumerator.new { |out| simpler.call(element) { |simple| out << simple } }
        end.each(&block)
      end

      def type(type)
        yield type.with(parent: nil) if type.parent
        yield type.with(mix: nil) if type.mix
        yield type.with(html: nil) if type.html
        items(type.items) { |items| yield type.with(items: items) }
      end

      def items(items, &block)
        fewer(items, &block)
        one(items, method(:item), &block)
      end

      def item(item)
        case item
        when Group
          fewer(item.fields) { |fields| yield Group.new(fields) if fields.any? }
          yield Group.new(item.fields.map(&BARE))
        when View
          yield View.new(item.name, nil, item.items) if item.from
          items(item.items) { |items| yield item.with(items) }
        when Removal then fewer(item.names) { |names| yield Removal.new(names) if names.any? }
        when Field then field(item) { |simple| yield simple }
        end
      end

      def field(field)
        yield BARE.call(field)
        { tests: [], skip: nil, default: nil, view: nil, only: nil, except: nil,
          context: nil }.each do |option, none|
          yield field.with(option => none) unless field[option] == none
        end
        yield field.with(as: nil, format: nil) if field.as && !field.as.is_a?(Reference)
        if field.reader
          yield field.with(reader: nil, style: field.key == field.name ? :plain : :source)
        end
        if field.name != field.key && field.key && field.reader.nil? &&
             !Keys::FLAT.values.flatten.include?(field.name)
          yield field.with(name: field.key, style: :plain)
        end
        items(field.inline) { |items| yield field.with(target: Inline.new(items)) } if field.inline
        one(%i[only except].map { |word| field[word] }, method(:choice)) do |only, except|
          yield field.with(only: only, except: except)
        end
      end

      def choice(choice)
        return unless choice

        yield Choice.new(:symbols, choice.names) unless choice.form == :symbols
        names(choice.names) do |names|
          yield Choice.new(choice.form == :single ? :symbols : choice.form, names)
        end
      end

      def names(names, &block)
        fewer(names, &block)
        one(names, method(:part), &block)
      end

      def part((name, part))
        return unless part

        yield [name, nil]
        names(part) { |list| yield [name, list] }
      end

      def call(call)
        %i[collection view only except root meta context rules max_depth].each do |option|
          yield call.with(option => nil) unless call[option].nil?
        end
        yield call.with(view: call.view[0]) if call.view.is_a?(Array) && call.view.any?
        one([call.only, call.except], method(:choice)) do |only, except|
          yield call.with(only: only, except: except)
        end
        if call.given.is_a?(Rows) && call.given.elements[0].is_a?(Row)
          yield call.with(given: call.given.elements[0])
        end
      end

      def changes(change, &block)
        return unless change&.kind == :reopen

        items(change.items) do |items|
          block.call(Change.new(:reopen, change.id, items)) if items.any?
        end
      end

      def objects(found)
        one(found.calls, method(:given)) { |calls| yield found.with(calls: calls) }
      end

      def given(call)
        call.given&.simpler&.each do |given|
          yield call.with(given: given) if given.is_a?(Row) || given.is_a?(Rows)
        end
      end
    end
  end
end
