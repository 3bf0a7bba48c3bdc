# frozen_string_literal: true

# Layer: active_record. Keeps what was derived from declarations for the next call.

module ToJson
  module Preloading
    # Keeps what was derived of a unit and a model with the serializer class, as long as its Plans
    # are good. What else the result depends on was asked on the way, and is asked again: conditions
    # in the context of the call, associations of models, and serializers that are looked up.
    # @api private
    module Kept
      # What was derived, and what was answered on the way.
      Entry = Struct.new(:value, :questions) do
        # @param conditions [FieldConditions] of this call
        def good?(conditions) = questions.all? { |question| question.same?(conditions) }
      end

      # Whether a condition leaves a field out. `path`: the associations around it.
      Never = Struct.new(:path, :unit, :field, :answer) do
        def same?(conditions)
          inner = path.inject(conditions) { |around, (unit, field)| around.inside(unit, field) }
          inner.never?(unit, field) == answer
        end
      end

      # Which association a model has under a name.
      Association = Struct.new(:model, :name, :answer) do
        def same?(_conditions) = answer.equal?(model.reflect_on_association(name))
      end

      # What is written inside an association.
      Inside = Struct.new(:unit, :field, :model, :answer) do
        def same?(_conditions) = answer == Inner.of_class(unit, field, model)
      end

      # A client chooses fields, so there is no end of units.
      MOST_KEYS = 64
      # Answers differ by the context.
      MOST_ANSWERS = 4
      MEMORY = :@to_json_preloads
      NONE = {}.freeze
      private_constant :Entry, :MOST_KEYS, :MOST_ANSWERS, :MEMORY, :NONE

      class << self
        # @param kind [Class] what is derived
        # @param unit [Compiler::Unit]
        # @param model [Class]
        # @param conditions [FieldConditions]
        # @yieldparam questions [Array] takes what is asked
        # @return [Object] what the block gave now or before
        def fetch(kind, unit, model, conditions)
          epoch = PlanCache.epoch # before the class is read
          key = [kind, unit, model, conditions.leave_cached?]
          entries = all_of(unit.serializer_class)[key]
          entry = entries&.find { |one| one.good?(conditions) }
          return entry.value if entry

          PlanCache.watch(unit.serializer_class)
          questions = []
          value = yield questions
          keep(unit.serializer_class, epoch, key, [Entry.new(value, questions.freeze), *entries])
          value
        end

        private

        def all_of(serializer_class) = ClassMemory.recall(serializer_class, MEMORY) || NONE

        # If two threads keep something at once, one of them may lose: it is derived again.
        def keep(serializer_class, epoch, key, entries)
          all = all_of(serializer_class)
          all = NONE if all.size >= MOST_KEYS
          ClassMemory.keep(serializer_class, MEMORY, epoch,
                           { **all, key => entries.first(MOST_ANSWERS) }.freeze)
        end
      end
    end
  end
end
