# frozen_string_literal: true

# Layer: reading. Assigns what was read: all of it, or nothing.

module ToJson
  module Reading
    # A writable association or flatten that is not `nested: true`. `code`: of the objects inside;
    # nil where it depends on the document.
    # @api private
    Related = Struct.new(:name, :build, :code)

    class Related
      # @return [Array<Related>]
      def self.all(level, compilation)
        level.fields.flat_map do |field|
          next all(level.inner(field, nil), compilation) if field.kind == :nested
          next [] if field.writable[:nested]
          next [] unless level.association?(field) || field.kind == :flatten

          # an object of the application is not frozen
          build = Compiler::Blocks.shareable(field.writable[:build])
          [new(level.target(field), build, code(field, level, compilation)).freeze]
        end
      end

      def self.code(field, level, compilation)
        found = level.serializers(field)
        return if found.size > 1 || !found.key?(nil) || field.kind == :attribute

        inner = level.inner(field, found.fetch(nil))
        compilation.code(inner) if inner.any?
      end
      private_class_method :code
    end

    # First everything is prepared, which may fail: objects are built, setters looked for. Then it
    # is assigned.
    # @api private
    class Assignment
      # One object, and what it gets. `prefix`: where it is, for {ToJson.assigned}.
      Step = Struct.new(:object, :attributes, :prefix)
      DATA = defined?(::Data) && ::Data.respond_to?(:define) ? ::Data : nil # Ruby >= 3.2
      private_constant :Step, :DATA

      def initialize(serializer_class)
        @class, @steps, @assigned, @undo = serializer_class, [], [], []
      end

      # @param object [Object, Class] a Class: a new one is built
      # @param document [Document] that was read
      # @return [Object]
      def into(object, document)
        attributes, code, base = document.found, document.code, document.base
        return build(object, inside(nil, attributes, code, "", base), base) if Class === object

        result = prepare(object, attributes, code, "", base)
        begin
          @steps.each { |step| perform(step) }
          whole = true
        rescue StandardError => error
          restore
          raise told(error)
        ensure
          restore unless whole
        end
        result
      end

      private

      # See {ToJson.assigned}.
      def told(error)
        error.instance_variable_set(:@__to_json_assigned, @assigned.freeze) unless error.frozen?
        error
      end

      # @return [Object] the object; another one of Data
      def prepare(object, attributes, code, prefix, path)
        attributes = inside(object, attributes, code, prefix, path)
        check_enums(object, attributes, code, path)
        if Hash === object then @steps << Step.new(object, attributes, prefix)
        elsif DATA && DATA === object
          check(object, attributes) { |name| object.class.members.include?(name) }
          return object.with(**attributes)
        else
          check(object, attributes) { |name| object.respond_to?(:"#{name}=") }
          @steps << Step.new(object, attributes, prefix)
        end
        object
      end

      # A setter of ActiveRecord raises ArgumentError for what is no name of its enum; others have
      # been called by then.
      def check_enums(object, attributes, code, path)
        return unless code && object.class.respond_to?(:defined_enums)

        object.class.defined_enums.each do |name, known|
          value = attributes[name.to_sym]
          next if nil == value || "" == value || known.key?(value.to_s) || known.value?(value)

          place = Pointer.of([*path, *code.places.fetch(name.to_sym)])
          taken = known.keys.map(&:inspect).join(", ")
          message = "takes one of #{taken}; got #{Pointer.shown(value)}."
          raise ReadError.new([ReadError::Problem.new(place, message, :choice)])
        end
      end

      # The objects of associations.
      def inside(object, attributes, code, prefix, path)
        related = code ? code.related : NONE
        return attributes if related.empty?

        attributes = attributes.dup
        related.each do |one|
          value = attributes[one.name]
          next if nil == value || (Array === value && !one.build)

          place = [*path, *code.places.fetch(one.name)]
          made = associated(object, one, value, "#{prefix}#{one.name}.", place)
          DONE.equal?(made) ? attributes.delete(one.name) : attributes[one.name] = made
        end
        attributes
      end

      NONE = [].freeze
      DONE = Object.new.freeze
      private_constant :NONE, :DONE

      # @return [Object] what is assigned; DONE: the object that is there gets it
      def associated(object, related, value, prefix, path)
        if Array === value
          return value.each_with_index.map do |one, index|
            built(related, one, prefix, [*path, index])
          end
        end
        return value unless Hash === value

        there = current(object, related.name)
        return prepared(there, related, value, prefix, path) unless nil == there || Hash === there

        related.build ? built(related, value, prefix, path) : value
      end

      def prepared(there, related, value, prefix, path)
        made = prepare(there, value, related.code, prefix, path)
        made.equal?(there) ? DONE : made
      end

      def built(related, attributes, prefix, path)
        build(related.build, inside(nil, attributes, related.code, prefix, path), path)
      end

      def current(object, name)
        object.public_send(name) if !(nil == object) && !(Hash === object) &&
                                    object.respond_to?(name)
      end

      def check(object, attributes)
        missing = attributes.each_key.find { |name| !yield(name) } or return
        raise Error,
              "#{@class}: #{object.class} cannot be assigned #{missing.inspect}. Define " \
              "#{missing}=, or name what is assigned: writable: :name."
      end

      # @return [Object] a new one
      def build(builder, attributes, path)
        builder = Object.const_get(builder) if String === builder
        return builder.call(attributes) unless Class === builder

        by_class(builder, attributes)
      rescue ArgumentError, TypeError => error
        said = error.message.scrub("?")[0, 200].chomp(".")
        raise ReadError.new([ReadError::Problem.new(Pointer.of(path), "#{said}.", :invalid)])
      end

      def by_class(klass, attributes)
        return filled(klass.new, attributes) if klass < Struct
        return klass.new(**attributes) if DATA && klass < DATA

        kinds = klass.instance_method(:initialize).parameters.map(&:first)
        return klass.new(**attributes) if kinds.intersect?(%i[key keyreq keyrest])
        return klass.new(attributes) if kinds.intersect?(%i[req opt])

        filled(klass.new, attributes)
      end

      def filled(object, attributes)
        check(object, attributes) { |name| object.respond_to?(:"#{name}=") }
        attributes.each { |name, value| object.public_send(:"#{name}=", value) }
        object
      end

      def perform(step)
        object = step.object
        return object.update(step.attributes) if Hash === object

        again = Struct === object
        @undo << [object, object.to_a] if again
        step.attributes.each do |name, value|
          object.public_send(:"#{name}=", value)
          @assigned << :"#{step.prefix}#{name}" unless again
        end
      end

      # Gives all Structs their old values, also those whose own setters did not raise.
      def restore
        set = Struct.instance_method(:[]=)
        while (object, old = @undo.pop)
          next if object.frozen?

          old.each_with_index { |value, index| set.bind_call(object, index, value) }
        end
      end
    end
  end
end
