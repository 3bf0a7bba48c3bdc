# frozen_string_literal: true

# Fuzz. Random calls: what is serialized, in which views, with which only/except, root, meta,
# context and Rules.

require_relative "objects"

module Fuzz
  module Definitions
    # Makes the calls of a case.
    class CallGenerator
      RULES = [{ html_safe: true }, { time: :unix }, { nan: :null },
               { html_safe: true, decimal: :number }].freeze
      CONTEXTS = [{ who: "caller", admin: true }, { who: nil }, { admin: nil, who: ["<>"] }].freeze
      GIVEN = Dice.weights(one: 10, many: 8, nothing: 1)

      def initialize(dice, found)
        @dice = dice
        @case = found
        @model = found.model(changed: false)
      end

      def calls = Array.new(1 + @dice.below(2)) { call }

      private

      def call
        id = @dice.pick(@case.types).id
        given, collection = given(id)
        view = view(id)
        names = Choices.names(@model, @model.fields(id, @model.resolved(id, view)))
        call = Call.new(id: id, given: given, collection: collection, view: view,
                        only: choice(id, names), except: choice(id, names),
                        context: (@dice.pick(CONTEXTS) if @dice.once_in(2)),
                        rules: (@dice.pick(RULES) if @dice.once_in(8)))
        special(call.with(**around(id)))
      end

      def given(id)
        rows = ObjectGenerator.new(@dice, @model)
        case @dice.weighted(GIVEN)
        when :one then [rows.row([id]), @dice.once_in(8) ? false : nil]
        when :many then [rows.rows([id]), @dice.once_in(8) ? true : nil]
        else [nil, @dice.pick([nil, true, false])]
        end
      end

      def view(id)
        views = @model.views(id).keys
        return if views.empty? || @dice.once_in(3)

        case @dice.below(5)
        when 0 then @dice.pick(views).to_s
        when 1
          Array.new(1 + @dice.below(3)) { @dice.pick([@dice.pick(views), @dice.pick(views).to_s]) }
        when 2 then []
        else @dice.pick(views)
        end
      end

      # Now and then with a name that only another view has.
      def choice(id, names)
        return if names.empty? || !@dice.once_in(4)

        choice = Choices.pick(@dice, @model, names, 3)
        others = Paper.object_names(@model, id) - names.keys
        if others.any? && %i[symbols hash].include?(choice.form) && @dice.once_in(3)
          Choice.new(choice.form, choice.names + [[@dice.pick(others), nil]])
        else
          choice
        end
      end

      def around(id)
        declared = @model.setting(id, :root)
        declared = nil if declared == [false]
        return {} if !@dice.once_in(3)

        root =
          @dice
            .pick([*(true if declared), *(false unless @model.setting(id, :meta)), :data,
                   "a \"key\""])
        { root: root,
          meta:
            (@dice.pick([{ total: 2 }, { "x" => [nil, { y: 1.5 }] }]) if root && @dice.once_in(2)) }
      end

      # What ends with an error, or may.
      def special(call)
        case @dice.below(24)
        when 0 then call.with(view: [:nowhere, "nowhere", [:nowhere]][@dice.below(3)])
        when 1 then call.with(only: unknown(call, call.only))
        when 2 then call.with(except: unknown(call, call.except))
        when 3, 4 then call.with(max_depth: 1 + @dice.below(4))
        when 5 then call.with(root: true)
        when 6, 7, 8, 9 then call.with(given: struck(strikable(call.given)))
        else call
        end
      end

      # At the top, or in an association whose fields are known without an object.
      def unknown(call, choice)
        fields = @model.fields(call.id, @model.resolved(call.id, call.view))
        inner = fields.select do |field|
          field.kind != :flatten &&
            (field.inline || (field.target.is_a?(Reference) && field.target.style == :class))
        end
        if inner.any? && @dice.once_in(2)
          return Choice.new(:symbols, [[@dice.pick(inner).name, [[:nowhere, nil]]]])
        end

        at_the_top(choice)
      end

      def at_the_top(choice)
        Choice.new(@dice.pick(%i[symbols strings]),
                   [*choice&.names&.select { |name, _| Choices.plain?([[name, nil]]) },
                    [:nowhere, nil]])
      end

      # Rows whose getters can strike.
      def strikable(given)
        case given
        when Row
          %i[getters struct data].include?(given.kind) ? Row.new(:plain, given.values) : given
        when Rows then Rows.new(given.kind, given.elements.map { |element| strikable(element) })
        else given
        end
      end

      # With a fault in one value of one row, if any row can have one.
      def struck(given)
        case given
        when Row
          inner = given.values.select { |_, value| value.is_a?(Row) || value.is_a?(Rows) }
          if inner.any? && @dice.once_in(2)
            return given
                     .with(
                       given.values
                         .merge(@dice.pick(inner.keys).then { |key| { key => struck(inner[key]) } })
                     )
          end

          keys = given.values.keys.select { |key| Keys.kind(key) == :value }
          return given if keys.empty? || !Things::STRIKING.include?(given.kind)

          given
            .with(
              given.values
                .merge(
                  @dice.pick(keys).then do |key|
                    { key => Struck.new(@dice.pick(Fault::KINDS), given.values[key]) }
                  end
                )
            )
        when Rows
          at = given.elements.each_index.select { |index| given.elements[index].is_a?(Row) }
          if at.empty?
            given
          else
            Rows.new(given.kind,
                     given.elements.dup.tap do |list|
                       (index = @dice.pick(at)) && list[index] = struck(list[index])
                     end)
          end
        else given
        end
      end
    end
  end
end
