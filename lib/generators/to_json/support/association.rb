# frozen_string_literal: true

module ToJson
  module Generators
    # The line that declares one association. Its serializer must exist, and must not lead back to
    # the serializer that is generated: such a document would never end.
    # @api private
    class Association
      KINDS = %i[one many any flatten].freeze
      private_constant :KINDS

      # @param word [String] `belongs_to`, `has_one` or `has_many`
      # @param name [String]
      # @param model_names [Array<String>] of the associated class, then of its superclasses; none
      #   of a polymorphic association
      # @param from [String] the class name of the serializer that is generated
      # @param many_classes [Boolean] whether the records may be of subclasses, so that the class of
      #   each record decides
      def initialize(word, name, model_names, from, many_classes: false)
        @word = word
        @name = name
        @model_names = model_names
        @from = from
        @many_classes = many_classes
      end

      # @return [Boolean] whether its serializer is there and can be used
      def written? = !reason

      # @return [String] the line; a comment that says why where it cannot be written
      def line
        head = "#{@word} :#{@name}"
        return "# #{head} # #{reason}" unless written?

        head += ", serializer: #{serializer.name}" unless @many_classes
        head += ", except: :#{way_back.first}" if way_back
        head
      end

      private

      def reason
        return @reason if defined?(@reason)

        @reason =
          if @model_names.empty? then "records of several classes: each needs a serializer"
          elsif own? then "#{@from} again: an end to the recursion is yours to declare"
          elsif serializer.nil? then missing
          elsif way_back && way_back.size > 1 then "comes back to #{@from} by #{way_back.join(".")}"
          end
      end

      def missing
        model = @model_names.first
        "needs #{model}Serializer: bin/rails generate serializer #{model}"
      end

      def own?
        return serializer.name == @from if serializer

        Constants.names("#{@model_names.first}Serializer", within: @from).include?(@from)
      end

      # In the namespaces of the serializer that is generated, inside out, as at run time.
      def candidates
        @model_names.flat_map { |model| Constants.names("#{model}Serializer", within: @from) }
      end

      def serializer
        return @serializer if defined?(@serializer)

        @serializer = candidates.filter_map { |name| Constants.serializer(name) }.first
      end

      # The fields that lead from the associated serializer to the one that is generated.
      def way_back
        return @way_back if defined?(@way_back)

        @way_back = serializer && path_from(serializer, [serializer.name])
      end

      def path_from(current, seen) = path_among(current, current.definition.fields, seen)

      def path_among(current, fields, seen)
        fields.each do |field|
          path = path_through(current, field, seen) or next
          # `except:` names a field of that class, not one inside a block or of a flatten.
          return [field.name.to_s, *path]
        end
        nil
      end

      def path_through(current, field, seen)
        return path_among(current, field.definition.fields, seen) if field.definition
        return unless KINDS.include?(field.kind)

        targets = Association.targets(current, field)
        return (field.kind == :flatten ? [@from] : []) if targets.include?(@from)

        (targets - seen).each do |target|
          found = Constants.serializer(target)
          path = found && path_from(found, seen + [target])
          return path if path
        end
        nil
      end

      class << self
        # @return [Array<String>] the names of the serializers that may write a field
        def targets(serializer, field)
          inside = "#{serializer.name}::Field"
          case field.serializer
          when Class then [field.serializer.name]
          when String then Constants.names(field.serializer.delete_prefix("::"), within: inside)
          when Hash then field.serializer.values.map(&:to_s)
          else reflected(serializer, field)
          end
        end

        private

        # Without `serializer:` the class of the associated model decides.
        def reflected(serializer, field)
          name = serializer.name.delete_suffix("Serializer")
          model = [name, name.demodulize].filter_map { |candidate| Constants.get(candidate) }.first
          return [] unless field.source && model.respond_to?(:reflect_on_association)

          reflection = model.reflect_on_association(field.source)
          return [] if reflection.nil? || reflection.polymorphic?

          of_model = "#{reflection.class_name.delete_prefix("::")}Serializer"
          Constants.names(of_model, within: serializer.name)
        end
      end
    end
  end
end
