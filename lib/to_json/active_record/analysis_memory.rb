# frozen_string_literal: true

# Layer: active_record. Keeps with a serializer class what was found out about a model: which
# associations its fields read, and whether its relations can be written from rows.

module ToJson
  module Preloading
    # Keeps analyses of a Unit and a model for one epoch: an {AssociationTree}, {FieldAssociations},
    # a {Rows::Analysis}. An analysis notes the questions that it asked: whether a condition holds
    # in the context of the call, which associations a model has, which serializer is found. Each
    # later call asks these questions again, and uses the kept result only if all answers are the
    # same.
    # @api private
    module AnalysisMemory
      # A result, and the questions on which it depends.
      Entry = Struct.new(:value, :questions) do
        # @param conditions [FieldConditions] of this call
        def good?(conditions) = questions.all? { |question| question.same?(conditions) }
      end

      # The question whether conditions leave a field out. `path`: the associations around it.
      Never = Struct.new(:path, :unit, :field, :answer) do
        def same?(conditions)
          inner = path.inject(conditions) { |around, (unit, field)| around.inside(unit, field) }
          inner.never?(unit, field) == answer
        end
      end

      # The question which association a model has under a name.
      Association = Struct.new(:model, :name, :answer) do
        def same?(_conditions) = answer.equal?(model.reflect_on_association(name))
      end

      # The question which Unit writes the objects of an association.
      Inside = Struct.new(:unit, :field, :model, :answer) do
        def same?(_conditions) = answer == Inner.of_class(unit, field, model)
      end

      # A client may choose fields in any number of ways, and each way is a Unit.
      MOST_KEYS = 64
      # Results kept for one key; they differ by the context of the call.
      MOST_ANSWERS = 4
      MEMORY = :@to_json_preloads
      NONE = {}.freeze
      private_constant :Entry, :MOST_KEYS, :MOST_ANSWERS, :MEMORY, :NONE

      class << self
        # @param kind [Object] which analysis it is
        # @param unit [Compiler::Unit]
        # @param model [Class]
        # @param conditions [FieldConditions]
        # @yieldparam questions [Array] the block adds each question that it asks
        # @return [Object] what the block returned, now or in an earlier call
        def fetch(kind, unit, model, conditions)
          epoch = PlanCache.epoch # before the class is read
          key = [kind, unit, model, conditions.leave_cached?]
          entries = all_of(unit.serializer_class)[key]
          entries&.each { |entry| return entry.value if entry.good?(conditions) }

          PlanCache.watch(unit.serializer_class)
          questions = []
          value = yield questions
          keep(unit.serializer_class, epoch, key, [Entry.new(value, questions.freeze), *entries])
          value
        end

        private

        def all_of(serializer_class) = ClassMemory.recall(serializer_class, MEMORY) || NONE

        # If two threads keep something at once, one result may get lost: it is made again.
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
