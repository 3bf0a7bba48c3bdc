# frozen_string_literal: true

# Layer: reading. What assigning must know of the code that read: which attributes are those of
# other objects.

module ToJson
  module Reading
    # A writable association or flatten that is not `nested: true`. `code`: of the objects inside;
    # `place`: the keys that lead to them; `way`: see {Builder}; `type`: the attribute that has the
    # type of an object, and `key`, where it stands in documents, or nil.
    # @api private
    Related = Struct.new(:name, :build, :code, :place, :way, :type, :key)

    class Related
      # @param places [Hash{Symbol => Array<String>}] of all that the object is assigned
      # @return [Array<Related>]
      def self.all(level, compilation, places)
        level.fields.flat_map do |field|
          next all(level.inner(field, nil), compilation, places) if field.kind == :nested
          next [] if field.writable[:nested]
          next [] unless level.association?(field) || field.kind == :flatten

          # an object of the application is not frozen
          build = Compiler::Blocks.shareable(field.writable[:build])
          way = Builder.way(build) unless build.nil? || String === build
          name = level.target(field)
          [new(name, build, code(field, level, compilation), places.fetch(name), way,
               *type(field, level)).freeze]
        end
      end

      # @return [#new, #call]; of a name the one that has it now
      def builder = String === build ? Object.const_get(build) : build

      def self.type(field, level)
        return if field.as || level.serializers(field).key?(nil)

        name = field.writable[:type] || :type
        [name, KeyCase.apply(level.unit.serializer_class.definition.key_case, name.name)]
      end

      def self.code(field, level, compilation)
        found = level.serializers(field)
        return AnyCode if found.size > 1 || !found.key?(nil) || field.kind == :attribute

        inner = level.inner(field, found.fetch(nil))
        inner.any? ? compilation.code(inner) : AnyCode
      end
      private_class_method :code, :type
    end

    # How new objects are made.
    # @api private
    module Builder
      DATA = defined?(::Data) && ::Data.respond_to?(:define) ? ::Data : nil # Ruby >= 3.2

      class << self
        # @param build [Class, #call]
        # @return [Symbol] `:call`, or what `new` takes: `:keywords`, `:hash` or, for those whose
        #   setters are called, `:nothing`
        def way(build)
          return :call unless Class === build
          return :nothing if build < Struct
          return :keywords if DATA && build < DATA

          initialize = build.instance_method(:initialize)
          return :nothing if initialize.arity.zero?

          kinds = initialize.parameters.map(&:first)
          return :keywords if kinds.intersect?(%i[key keyreq keyrest])

          kinds.intersect?(%i[req opt]) ? :hash : :nothing
        end
      end
    end

    # Stands for code of objects that the document chooses.
    # @api private
    module AnyCode
      # What stands in for a Hash of places.
      class Places
        def self.fetch(name) = [name.name]
      end
      private_constant :Places

      class << self
        def places = Places
        def associate(object, attributes, assignment) = nil

        def lacks(object, attributes)
          attributes.each_key.find { |name| !object.respond_to?(:"#{name}=") }
        end

        def fill(object, attributes, assignment)
          assign(object, attributes, [])
          object
        rescue NoMethodError => error
          assignment.lacking(object, attributes, error)
        end

        def assign(object, attributes, done)
          attributes.each do |name, value|
            object.public_send(:"#{name}=", value)
            done << name
          end
        end
      end
    end
  end
end
