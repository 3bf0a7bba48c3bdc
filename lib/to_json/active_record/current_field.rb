# frozen_string_literal: true

# Layer: active_record. Finds the declared field that is being read, for the N+1 guard.

module ToJson
  module Preloading
    # The innermost declared field that this thread is reading or writing. It is found by the lines
    # of generated code in the backtrace. If no declared serializer is at work, all readers return
    # nil.
    # @api private
    class CurrentField
      # A field, its Unit, and the fields around it in the same native call.
      Found = Struct.new(:unit, :field, :parents)
      private_constant :Found

      class << self
        # @return [CurrentField]
        def here
          frames = caller_locations(2).select { |frame| Compiler::FieldLines.generated?(frame) }
          new(frames.map { |frame| [frame.path, frame.lineno] })
        end
      end

      # @return [String, nil] the path of the field below its object while the field is read; nil
      #   while its value is written, because then the document knows the path
      attr_reader :path
      # @return [Field, nil]
      attr_reader :field
      # @return [Compiler::Unit, nil] which declares the field
      attr_reader :unit
      # @return [Array<Field>] the fields around it that read another object
      attr_reader :parents
      # @return [Class, nil] the outermost serializer
      attr_reader :serializer_class

      # @param frames [Array<Array(String, Integer)>] label and line, the innermost first
      def initialize(frames)
        handles = handles_of(frames.map(&:first))
        frames = frames.select { |label, _| handles.key?(label) }
        @parents = []
        return if frames.empty?

        @serializer_class = handles[frames.last.first].unit.serializer_class
        label, line = frames.first
        path, reads = Compiler::FieldLines.at(handles[label].code, line)
        @path = path if reads
        found = find(handles[label].unit, path, []) if path
        @unit, @field, @parents = found.to_a if found
      end

      # @return [String, nil] the path in the document, where relationships of JSON:API stand deeper
      def place
        related = unit&.form == :related && field.kind != :attribute
        related ? "relationships.#{path}.data" : path
      end

      # Whether the declaration says that it is not preloaded.
      def exempt? = [*parents, field].any? { |one| one&.preload == false }

      # @return [String, nil] the declaration in a few words
      def words = field && "#{Field::Wording::WORDS.fetch(field.kind)} #{field.name.inspect}"

      # Whether a block or a method gives the value. Then `preload:` of the field names associations
      # of the object; else it names associations of the field's association.
      def computed?
        field.kind == :attribute ||
          Compiler::Owner.new(unit.serializer_class, nil, !unit.elsewhere?).computes?(field)
      end

      private

      # @return [Hash{String => Compiler::Handle}] those whose code has these labels
      def handles_of(labels)
        return {} if labels.empty?

        epoch = PlanCache.epoch
        PlanCache.descendants(Serializer).each_with_object({}) do |serializer_class, found|
          PlanCache.published(serializer_class, epoch).each_value do |handle|
            label = Compiler::FieldLines.label(handle.code) or next
            found[label] = handle if labels.include?(label)
          end
        end
      end

      # In a native call, the path of a field begins with the fields around it. That of a flattened
      # field does not.
      def find(unit, path, parents)
        field = named(unit, path)
        return Found.new(unit, field, parents) if field

        first, rest = path.split(".", 2)
        around = named(unit, first) if rest
        inside = around && inside(unit, around, rest, parents)
        return inside if inside

        unit.fields.each do |one|
          found = inside(unit, one, path, parents) if one.kind == :flatten
          return found if found
        end
        nil
      end

      def named(unit, name) = unit.fields.find { |field| field.name.name == name }

      def inside(unit, field, path, parents)
        serializer_class = PlanCache.inner_class(unit, field) or return
        find(unit.inner(field, serializer_class, :object), path,
             field.kind == :nested ? parents : [*parents, field])
      end
    end
    private_constant :CurrentField
  end
end
