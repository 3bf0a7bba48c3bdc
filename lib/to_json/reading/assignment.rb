# frozen_string_literal: true

# Layer: reading. Assigns what was read: all of it, or nothing.

module ToJson
  module Reading
    # First everything is prepared, which may fail: objects are built, setters looked for. Then it
    # is assigned.
    #
    # A `trail` says where an object stands, for messages: nil for the one that `read` was given,
    # else [the trail around it, the Related or the index, the code of what is around].
    # @api private
    class Assignment
      # One object, and what it gets.
      Step = Struct.new(:object, :attributes, :code, :trail)
      DATA = defined?(::Data) && ::Data.respond_to?(:define) ? ::Data : nil # Ruby >= 3.2
      DONE = Object.new.freeze
      private_constant :Step, :DATA, :DONE

      def initialize(serializer_class)
        @class, @steps, @assigned, @undo = serializer_class, [], [], []
      end

      # @param object [Object, Class] a Class: a new one is built
      # @param document [Document] that was read
      # @return [Object]
      def into(object, document)
        attributes, code, @base = document.found, document.code, document.base
        if Class === object
          return build(object, code, inside(nil, attributes, code, nil), nil)
        end

        result = prepare(object, attributes, code, nil)
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

      # -- preparing ------------------------------------------------------------------------------

      # @return [Object] the object; another one of Data
      def prepare(object, attributes, code, trail)
        attributes = inside(object, attributes, code, trail)
        check_enums(object, attributes, code, trail) if object.class.respond_to?(:defined_enums)
        if DATA && DATA === object
          known = object.class.members
          missing = attributes.each_key.find { |name| !known.include?(name) }
          refuse(object, missing) if missing
          return object.with(**attributes)
        end
        missing = Hash === object ? nil : code.lacks(object, attributes)
        refuse(object, missing) if missing
        @steps << Step.new(object, attributes, code, trail)
        object
      end

      def refuse(object, missing)
        raise Error,
              "#{@class}: #{object.class} cannot be assigned #{missing.inspect}. Define " \
              "#{missing}=, or name what is assigned: writable: :name."
      end

      # A setter of ActiveRecord raises ArgumentError for what is no name of its enum; others have
      # been called by then.
      def check_enums(object, attributes, code, trail)
        object.class.defined_enums.each do |name, known|
          value = attributes[name.to_sym]
          next if nil == value || "" == value || known.key?(value.to_s) || known.value?(value)

          taken = known.keys.map(&:inspect).join(", ")
          wrong(trail, "takes one of #{taken}; got #{Pointer.shown(value)}.", :choice,
                code.places.fetch(name.to_sym))
        end
      end

      # The objects of associations.
      def inside(object, attributes, code, trail)
        related = code.related
        return attributes if related.empty?

        attributes = attributes.dup
        related.each do |one|
          value = attributes[one.name]
          next if nil == value || (Array === value && !one.build)

          made = associated(object, one, value, [trail, one, code])
          DONE.equal?(made) ? attributes.delete(one.name) : attributes[one.name] = made
        end
        attributes
      end

      # @return [Object] what is assigned; DONE: the object that is there gets it
      def associated(object, related, value, trail)
        if Array === value
          return value.each_with_index.map do |one, index|
            built(related, one, [trail, index])
          end
        end
        return value unless Hash === value

        there = current(object, related.name)
        return prepared(there, related, value, trail) unless nil == there || Hash === there

        related.build ? built(related, value, trail) : value
      end

      def prepared(there, related, value, trail)
        made = prepare(there, value, related.code, trail)
        made.equal?(there) ? DONE : made
      end

      def current(object, name)
        object.public_send(name) if !(nil == object) && !(Hash === object) &&
                                    object.respond_to?(name)
      end

      # -- building -------------------------------------------------------------------------------

      def built(related, attributes, trail)
        build(related.build, related.code, inside(nil, attributes, related.code, trail), trail)
      end

      # @return [Object] a new one
      def build(builder, code, attributes, trail)
        builder = Object.const_get(builder) if String === builder
        return builder.call(attributes) unless Class === builder

        by_class(builder, code, attributes)
      rescue ArgumentError, TypeError => error
        wrong(trail, "#{error.message.scrub("?")[0, 200].chomp(".")}.", :invalid)
      end

      def by_class(klass, code, attributes)
        return filled(klass.new, code, attributes) if klass < Struct
        return klass.new(**attributes) if DATA && klass < DATA

        kinds = klass.instance_method(:initialize).parameters.map(&:first)
        return klass.new(**attributes) if kinds.intersect?(%i[key keyreq keyrest])
        return klass.new(attributes) if kinds.intersect?(%i[req opt])

        filled(klass.new, code, attributes)
      end

      def filled(object, code, attributes)
        missing = code.lacks(object, attributes)
        refuse(object, missing) if missing
        code.assign(object, attributes, [])
        object
      end

      # -- assigning ------------------------------------------------------------------------------

      def perform(step)
        object = step.object
        return object.update(step.attributes) if Hash === object

        again = Struct === object
        @undo << [object, object.to_a] if again
        step.code.assign(object, step.attributes, done = [])
      ensure
        unless again || done.nil?
          prefix = names(step.trail).map { |name| "#{name}." }.join
          @assigned.concat(prefix.empty? ? done : done.map { |name| :"#{prefix}#{name}" })
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

      # -- messages -------------------------------------------------------------------------------

      def wrong(trail, message, code, inner = [])
        pointer = Pointer.of([*@base, *path(trail), *inner])
        raise ReadError.new([ReadError::Problem.new(pointer, message, code)])
      end

      # @return [Array<String, Integer>] the keys that lead to an object
      def path(trail)
        return [] unless trail

        around, here, code = trail
        [*path(around), *(Related === here ? code.places.fetch(here.name) : [here])]
      end

      # @return [Array<Symbol>] the names of the attributes that lead to it
      def names(trail)
        return [] unless trail

        around, here, = trail
        [*names(around), *(here.name if Related === here)]
      end
    end
  end
end
