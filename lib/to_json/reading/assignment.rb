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
      DATA = Builder::DATA
      DONE = Object.new.freeze
      private_constant :Step, :DATA, :DONE

      def initialize(serializer_class)
        @class = serializer_class
      end

      # @param object [Object, Class] a Class: a new one is built
      # @param document [Document] that was read
      # @return [Object]
      def into(object, document)
        attributes, code, @base = document.found, document.code, document.base
        if Class === object
          return build(object, Builder.way(object), code, inside(nil, attributes, code, nil), nil)
        end

        @steps, @assigned, @undo = [], [], []
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

      # Puts the objects of associations into the attributes.
      def inside(object, attributes, code, trail)
        related = code.related
        return attributes if related.empty?

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
        return many(related, value, trail) if Array === value
        return value unless Hash === value

        there = current(object, related.name)
        if nil == there || Hash === there then related.build ? built(related, value, trail) : value
        elsif !value.key?(related.type) then prepared(there, related, value, trail)
        else of_type(there, related, value, trail)
        end
      end

      # The document says of which type the object is, of several: it must not become another one.
      def of_type(there, related, value, trail)
        type = value[related.type]
        if there.class.ancestors.any? { |one| one.name == type }
          return prepared(there, related, value.except(related.type), trail)
        end
        return built(related, value, trail) if related.build

        wrong(trail, "takes #{there.class.name.inspect}, the type of the object that is there; " \
                     "got #{type.inspect}.", :choice, [related.key])
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

      def many(related, list, trail)
        made, index = [], 0
        while index < list.size
          made << built(related, list[index], trail, index)
          index += 1
        end
        made
      end

      # @param index [Integer, nil] of the object among many
      def built(related, attributes, trail, index = nil)
        code, builder, way = related.code, related.build, related.way
        unless way # of a name, which another class may have by now
          builder = Object.const_get(builder)
          way = Builder.way(builder)
        end
        inside(nil, attributes, code, index ? [trail, index] : trail) unless code.related.empty?
        build(builder, way, code, attributes, trail, index)
      end

      # @return [Object] a new one
      def build(builder, way, code, attributes, trail, index = nil)
        case way
        when :hash then builder.new(attributes)
        when :keywords then builder.new(**attributes)
        when :nothing then filled(builder.new, code, attributes)
        else builder.call(attributes)
        end
      rescue ArgumentError, TypeError => error
        trail = [trail, index] if index
        wrong(trail, "#{error.message.scrub("?")[0, 200].chomp(".")}.", :invalid)
      end

      # No setter is looked for before: to ask for each takes a twentieth of `read`, and nobody sees
      # a new object that has only some of its attributes.
      def filled(object, code, attributes)
        code.fill(object, attributes)
        object
      rescue NoMethodError => error
        missing = attributes.each_key.find { |name| error.name == :"#{name}=" }
        raise if missing.nil? || object.respond_to?(error.name)

        refuse(object, missing)
      end

      # -- assigning ------------------------------------------------------------------------------

      def perform(step)
        object = step.object
        return object.update(step.attributes) if Hash === object

        again = Struct === object
        @undo << [object, object.to_a] if again
        return step.code.assign(object, step.attributes, again ? [] : @assigned) unless step.trail

        begin
          step.code.assign(object, step.attributes, done = [])
        ensure
          prefix = names(step.trail).map { |name| "#{name}." }.join
          @assigned.concat(done.map { |name| :"#{prefix}#{name}" }) unless again
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
