# frozen_string_literal: true

# Fuzz. What only: and except: may name on paper: made at random, and cut down to what there is.

require_relative "paper"

module Fuzz
  module Definitions
    # Names are {Symbol => Field}; a flattened field's stand among those of its object.
    module Choices
      FORMS = %i[symbols symbols strings hash text].freeze

      module_function

      def names(model, fields)
        fields.each_with_object({}) do |field, found|
          field.kind == :flatten ? found.merge!(below(model, field) || {}) :
            found[field.name] = field
        end
      end

      # The names that all of some classes have.
      def names_of(model, ids, view)
        all = ids.map { |id| names(model, model.fields(id, model.resolved(id, view))) }
        all[0].slice(*all.map(&:keys).inject(:&))
      end

      # Of a field's own fields; nil where it has none or nobody can tell.
      def below(model, field)
        if field.inline then names(model, model.inline(field.inline).values)
        elsif field.target.is_a?(Reference) && field.target.ids.any?
          names_of(model, field.target.ids, field.view)
        end
      end

      # @return [Choice]
      def pick(dice, model, names, depth)
        chosen = picked(dice, model, names, depth)
        forms = FORMS
        forms = %i[symbols hash] unless plain?(chosen)
        forms += [:single] if chosen.size == 1 && chosen[0][1].nil?
        Choice.new(dice.pick(forms), chosen)
      end

      # Less what there is no more. @return [Choice, nil]
      def cut(choice, model, names)
        return unless choice

        left = kept(choice.names, model, names)
        Choice.new(choice.form == :single && left.size != 1 ? :symbols : choice.form, left)
      end

      def picked(dice, model, names, depth)
        list = Array.new(dice.below(4)) { dice.pick(names.keys) }.uniq
        list.map do |name|
          below =
            if depth.positive? && dice.once_in(2) && single?(names[name])
              below(model, names[name])
            else
              nil
            end
          [name, (picked(dice, model, below, depth - 1) if below&.any?)]
        end
      end

      def kept(chosen, model, names)
        chosen.filter_map do |name, part|
          next unless (field = names[name])

          below = below(model, field) if part && single?(field)
          [name, (kept(part, model, below) if below)]
        end
      end

      # Written by one serializer, which alone can say what is below.
      def single?(field) = field.inline || field.classes.uniq.size == 1

      # What the text form can say.
      def plain?(chosen)
        chosen.all? do |name, part|
          name.match?(/\A[[:alnum:]\-_<>&#]+\z/) && (part.nil? || plain?(part))
        end
      end
    end
  end
end
