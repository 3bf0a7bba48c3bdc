# frozen_string_literal: true

# Layer: active_record. Finds the fields that a context leaves out, whatever the object is.

module ToJson
  module Preloading
    # Calls the conditions and lambdas of fields before the document is written, with the context
    # that they will have there.
    # @api private
    class FieldConditions
      # Gives an idle serializer the context that it will have in the document.
      module InContext
        def context = @to_json_ahead_context
      end
      private_constant :InContext

      # Stands for a context, and for the answer of a condition, that depends on the object.
      UNKNOWN = Object.new.freeze
      private_constant :UNKNOWN

      # @param context [Object] that of the call
      # @param leave_cached [Boolean] whether fields that a cache may have are left out
      # @param path [Array] the associations around, each with the unit that declares it
      def initialize(context, leave_cached: false, path: [])
        @context, @leave_cached, @path = context, leave_cached, path
        @never = {}.compare_by_identity
        @serializers = {}.compare_by_identity
        @inner = {}.compare_by_identity
      end

      # Whether fields that a cache may have are left out, because {Missing} loads for them.
      def leave_cached? = @leave_cached

      # @return [Array<Array(Compiler::Unit, Field)>] the associations around that have a context of
      #   their own
      attr_reader :path

      # Whether the field is left out for every object.
      # @param unit [Compiler::Unit] whose field it is
      def never?(unit, field)
        return false if field.conditions.empty? || UNKNOWN.equal?(@context)

        asked = (@never[field] ||= {})
        asked.fetch(unit.serializer_class) do |serializer_class|
          asked[serializer_class] = left_out?(serializer_class, field)
        end
      end

      # @return [Object] what the lambda of `serializer:` returns for a record; nil if it raises
      def chosen(unit, field, record)
        return if UNKNOWN.equal?(@context)

        called = Compiler::Blocks.called_for(unit.serializer_class, field.serializer)
        quietly(nil) do
          Compiler::Blocks.call(serializer(unit.serializer_class), called, record)
        end
      end

      # @return [FieldConditions] for the fields inside an association
      def inside(unit, field)
        return self if field.context.equal?(Field::NONE) ||
                       Compiler::Restrictions.alone?(unit.restrictions)

        @inner[field] ||= FieldConditions.new(
          context_inside(unit, field), leave_cached: @leave_cached, path: [*@path, [unit, field]]
        )
      end

      # Two FieldConditions with the same context give the same answers, so they are one key of a
      # Hash.
      attr_reader :context
      protected :context
      def eql?(other) = other.is_a?(FieldConditions) && context.equal?(other.context)
      alias == eql?
      def hash = @context.__id__.hash

      private

      def left_out?(serializer_class, field)
        field.conditions.any? do |word, test|
          answer = answer(serializer_class, test)
          UNKNOWN.equal?(answer) ? false : (word == :unless) == (answer ? true : false)
        end
      end

      def context_inside(unit, field)
        return field.context unless field.context.is_a?(Proc)
        return UNKNOWN if UNKNOWN.equal?(@context)

        called = Compiler::Blocks.called_for(unit.serializer_class, field.context)
        ask(unit.serializer_class) { |s, object| Compiler::Blocks.call(s, called, object) }
      end

      def answer(serializer_class, test)
        if test.is_a?(Proc)
          called = Compiler::Blocks.called_for(serializer_class, test)
          return ask(serializer_class) { |s, object| Compiler::Blocks.call(s, called, object) }
        end
        return UNKNOWN unless own?(serializer_class, test)

        taking = serializer_class.instance_method(test).parameters.any? do |kind, _|
          %i[req opt].include?(kind)
        end
        ask(serializer_class) do |s, object|
          Compiler::Blocks.call(s, [test, taking ? 1 : 0], object)
        end
      end

      # Whether a Symbol names a method of the serializer, and not of the object.
      def own?(serializer_class, name)
        return false unless serializer_class.method_defined?(name) ||
                            serializer_class.private_method_defined?(name)

        !Compiler::Blocks.everybodys?(serializer_class.instance_method(name).owner)
      end

      def ask(serializer_class)
        quietly(UNKNOWN) do
          UnknownObject.ask(UNKNOWN) { |object| yield serializer(serializer_class), object }
        end
      end

      # Ignores an exception of the block: the document will raise it, with its path.
      # @return [Object] what the block returns; `otherwise` if it raises
      def quietly(otherwise, &block)
        block.call
      rescue StandardError => error
        raise error if FromOutside.raised?(error, &block)

        otherwise
      end

      def serializer(serializer_class)
        @serializers[serializer_class] ||= serializer_class.allocate.extend(InContext).tap do |made|
          made.instance_variable_set(:@to_json_ahead_context, @context)
        end
      end
    end
    private_constant :FieldConditions
  end
end
