# frozen_string_literal: true

# Layer: reading. Tells Assignment which attributes become other objects, and how.

module ToJson
  module Reading
    # A writable association or flatten that is not `nested: true`. `code`: the code for the objects
    # inside. `place`: the keys that lead to them. `way`: see {Builder}. `type`: the attribute with
    # the type of an object, or nil. `key`: the key of the type in documents, or nil.
    # @api private
    Related = Struct.new(:name, :build, :code, :place, :way, :type, :key)

    class Related
      # @param places [Hash{Symbol => Array<String>}] {ReadUnit#places} of the object
      # @return [Array<Related>]
      def self.all(unit, compilation, places)
        unit.fields.flat_map do |field|
          next all(unit.inner(field, nil), compilation, places) if field.kind == :nested
          next [] if field.writable[:nested]
          next [] unless unit.association?(field) || field.kind == :flatten

          # an object of the application is not frozen
          build = Compiler::Blocks.shareable(field.writable[:build])
          way = Builder.way(build) unless build.nil? || String === build
          name = unit.target(field)
          [new(name, build, code(field, unit, compilation), places.fetch(name), way,
               *type(field, unit)).freeze]
        end
      end

      # @return [#new, #call] if a name was declared, the class that has that name now
      def builder = String === build ? Object.const_get(build) : build

      def self.type(field, unit)
        return if field.as || unit.serializers(field).key?(nil)

        name = field.writable[:type] || :type
        [name, KeyCase.apply(unit.serializer_class.definition.key_case, name.name)]
      end

      def self.code(field, unit, compilation)
        found = unit.serializers(field)
        return AnyCode if found.size > 1 || !found.key?(nil) || field.kind == :attribute

        inner = unit.inner(field, found.fetch(nil))
        inner.any? ? compilation.code(inner) : AnyCode
      end
      private_class_method :code, :type
    end

    # Finds out how new objects are made.
    # @api private
    module Builder
      DATA = defined?(::Data) && ::Data.respond_to?(:define) ? ::Data : nil # Ruby >= 3.2

      class << self
        # @param build [Class, #call]
        # @return [Symbol] `:call`, or what `new` takes: `:keywords`, `:hash`, or `:nothing` if
        #   setters must be called after it
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

    # Takes the place of generated code if no single code fits the objects of an association, for
    # example because the document names their types.
    # @api private
    module AnyCode
      # Takes the place of {ReadUnit#places}: the place of each attribute is its name.
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
