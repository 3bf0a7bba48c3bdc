# frozen_string_literal: true

# Layer: reading. Assigns the attributes that a document had, to an object and to those of its
# associations.

module ToJson
  module Reading
    # Works in two steps. The first builds new objects and looks for setters. It may fail, and then
    # no existing object has changed. The second calls the setters.
    # @api private
    class Assignment
      # One object, and the attributes that it gets. `path`: the {Related} and indexes that lead to
      # it.
      Step = Struct.new(:object, :attributes, :code, :path)
      DATA = Builder::DATA
      ROOT = [].freeze
      private_constant :Step, :DATA, :ROOT

      def initialize(serializer_class)
        @class, @path = serializer_class, []
      end

      # @param object [Object, Class] if it is a Class, a new object of it is built
      # @param document [DocumentReader] that has read it
      # @return [Object]
      def into(object, document)
        attributes, code, @base = document.found, document.code, document.base
        return built(object, Builder.way(object), code, attributes) if Class === object

        @steps = []
        result = prepare(object, attributes, code)
        perform_all
        result
      rescue StandardError => error
        raise error if ReadError === error && @assigned.nil? # of the document

        raise told(error)
      end

      # -- what generated code calls ---------------------------------------------------------------

      # Replaces the attributes of an association by the objects that are made from them. If an
      # object exists already, its attributes are removed here, and a {Step} of its own assigns
      # them.
      # @param object [Object, nil] the object with the association; nil: a new one, which has no
      #   associated objects yet
      # @param attributes [Hash] those of the object, with the association
      # @param related [Related]
      def associate(object, attributes, related)
        value = attributes[related.name]
        if Hash === value
          @path.push(related)
          one(object, attributes, value, related)
          @path.pop
        elsif related.build && Array === value
          attributes[related.name] = many(related, value)
        end
      end

      # Called if a setter of a new object raised NoMethodError. Setters of new objects are not
      # looked up before the call, because that would take a twentieth of the time of `read`, and
      # nobody sees a new object of which only some attributes were assigned.
      def lacking(object, attributes, error)
        missing = attributes.each_key.find { |name| error.name == :"#{name}=" }
        raise error if missing.nil? || object.respond_to?(error.name)

        refuse(object, missing)
      end

      private

      # Adds to the error what {ToJson.assigned} returns for it.
      def told(error)
        assigned = (@assigned || ROOT).freeze
        error.instance_variable_set(:@__to_json_assigned, assigned) unless error.frozen?
        error
      end

      # -- preparing ------------------------------------------------------------------------------

      # @return [Object] the object; for a Data, a new one
      def prepare(object, attributes, code)
        code.associate(object, attributes, self)
        check_enums(object, attributes, code) if object.class.respond_to?(:defined_enums)
        if DATA && DATA === object
          known = object.class.members
          missing = attributes.each_key.find { |name| !known.include?(name) }
          refuse(object, missing) if missing
          return object.with(**attributes)
        end
        missing = Hash === object ? nil : code.lacks(object, attributes)
        refuse(object, missing) if missing
        @steps << Step.new(object, attributes, code, @path.empty? ? ROOT : @path.dup)
        object
      end

      def refuse(object, missing)
        raise Error,
              "#{@class}: #{object.class} cannot be assigned #{missing.inspect}. Define " \
              "#{missing}=, or name what is assigned: writable: :name."
      end

      # Refuses values that an enum of ActiveRecord does not have. The setter would raise
      # ArgumentError for them, but only after other setters have been called.
      def check_enums(object, attributes, code)
        object.class.defined_enums.each do |name, known|
          value = attributes[name.to_sym]
          next if nil == value || "" == value || known.key?(value.to_s) || known.value?(value)

          taken = known.keys.map(&:inspect).join(", ")
          wrong("takes one of #{taken}; got #{Pointer.shown(value)}.", :choice,
                code.places.fetch(name.to_sym))
        end
      end

      # Gives the attributes to the associated object. If there is none, makes a new one.
      def one(object, attributes, value, related)
        there = Reading.sent(object, related.name) unless nil == object || Hash === object
        if nil == there || Hash === there
          return unless related.build

          made = new_one(related, value)
        elsif !value.key?(related.type) then made = prepare(there, value, related.code)
        else made = of_type(there, related, value)
        end
        made.equal?(there) ? attributes.delete(related.name) : attributes[related.name] = made
      end

      # Gives the attributes to the associated object only if it has the type that the document
      # names. Otherwise makes a new object, or refuses the type if the field has no `build:`.
      def of_type(there, related, value)
        type = value[related.type]
        if there.class.ancestors.any? { |one| one.name == type }
          return prepare(there, value.except(related.type), related.code)
        end
        return new_one(related, value) if related.build

        wrong("takes #{there.class.name.inspect}, the type of the object that is there; " \
              "got #{type.inspect}.", :choice, [related.key])
      end

      # -- building -------------------------------------------------------------------------------

      def many(related, list)
        @path.push(related, 0)
        builder, way, code = related.builder, related.way, related.code
        way ||= Builder.way(builder)
        made, index = [], 0
        while index < list.size
          @path[-1] = index
          made << built(builder, way, code, list[index])
          index += 1
        end
        @path.pop
        @path.pop
        made
      end

      def new_one(related, attributes)
        builder = related.builder
        built(builder, related.way || Builder.way(builder), related.code, attributes)
      end

      # @return [Object] a new object
      def built(builder, way, code, attributes)
        return code.fill(builder.new, attributes, self) if :nothing == way

        code.associate(nil, attributes, self)
        case way
        when :hash then builder.new(attributes)
        when :keywords then builder.new(**attributes)
        else builder.call(attributes)
        end
      rescue ArgumentError, TypeError => error
        wrong("#{error.message.scrub("?")[0, 200].chomp(".")}.", :invalid)
      end

      # -- assigning ------------------------------------------------------------------------------

      def perform_all
        @assigned, @undo = [], nil
        index = 0
        while (step = @steps[index])
          perform(step)
          index += 1
        end
        whole = true
      ensure
        restore unless whole
      end

      def perform(step)
        object = step.object
        return object.update(step.attributes) if Hash === object

        again = Struct === object
        (@undo ||= []) << [object, object.to_a] if again
        return step.code.assign(object, step.attributes, again ? [] : @assigned) if
          ROOT.equal?(step.path)

        done = []
        begin
          step.code.assign(object, step.attributes, done)
        ensure
          prefix = step.path.grep(Related).map { |one| "#{one.name}." }.join("")
          @assigned.concat(done.map { |name| :"#{prefix}#{name}" }) unless again
        end
      end

      # Gives all Structs their old values, not only the Struct whose setter raised.
      def restore
        return unless @undo

        set = Struct.instance_method(:[]=)
        while (object, old = @undo.pop)
          next if object.frozen?

          old.each_with_index { |value, index| set.bind_call(object, index, value) }
        end
      end

      # -- messages -------------------------------------------------------------------------------

      # @param inner [Array<String>] the keys below the object
      def wrong(message, code, inner = [])
        path = @path.flat_map { |one| Related === one ? one.place : one }
        pointer = Pointer.of([*@base, *path, *inner])
        raise ReadError.new([ReadError::Problem.new(pointer, message, code)])
      end
    end
  end
end
