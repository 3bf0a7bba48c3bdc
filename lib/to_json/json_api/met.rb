# frozen_string_literal: true

# Layer: json_api. What a {Linking} keeps: the resources that were met, and the relationships that
# lead to them.

module ToJson
  module JsonApi
    class Linking
      # The resources of one serializer in this document: `s` lends its methods, `known` has those
      # of its type, by their ids, or true for primary data that was met as such alone; `code` reads
      # them.
      # @api private
      class Met
        attr_reader :resource, :s, :known, :code, :type

        def initialize(resource, s, known)
          @resource, @s, @known, @code, @type = resource, s, known, resource.code, resource.type
        end

        # @param id [Object] as a field gives it
        # @return [Integer, String, Array, nil] what tells the object from others of its type: the
        #   id, or in an Array the local one; nil: it has neither
        def key(w, id, object)
          return text(id) unless nil == id

          lid = @code.lid(w, @s, object)
          [text(lid).to_s] unless nil == lid
        end

        private

        DIGITS = /\A(?:0|-?[1-9]\d{0,17})\z/
        private_constant :DIGITS

        # Ids of one text are one: 5 and "5". An Integer needs no text of its own.
        def text(id)
          case id
          when Integer then id
          when String then id.ascii_only? && DIGITS.match?(id) ? id.to_i : id
          else text(id.to_s)
          end
        end
      end

      # A resource that was met, also as an identifier. The object is dropped when it is written.
      # @api private
      class Entry
        # `bits`: of the Nodes that led to it; `read`: of those whose relationships were followed;
        # `primary`: it is primary data, and not included.
        # `first`: the object, kept to be compared, see {JsonApi.conflicts}.
        attr_accessor :object, :bits, :read, :values, :primary, :first
        attr_reader :met

        # @param key [Integer, String, Array] see {Met#key}
        # @param read [Integer, nil] see above
        def initialize(met, key, object, bits, read)
          @met = met
          @key = key
          @object = object
          @bits = bits
          @read = read
        end

        def type = @met.type
        def size = 1
        def id = Array === @key ? nil : @key
        def lid = Array === @key ? @key.first : nil

        # Hands the object over, to be written.
        def pass(objects)
          objects << @object unless @primary
          @object = nil
        end
      end

      # Resources that one to-many led to first, all of one Met, and from which nothing is followed.
      # One stands for all of them in `known`: with an Entry for each, 100 posts with ten comments
      # took a quarter more instructions.
      # @api private
      class Batch
        # `entries`: once one of them was met at another Node, an Entry for each.
        attr_reader :met, :bits, :entries

        def initialize(met, bits)
          @met, @bits = met, bits
        end

        # @param keys [Array<Integer, String>] which may be the Array that is written
        # @param objects [Array]
        def hold(keys, objects)
          @keys, @objects = keys, objects
        end

        def size = @keys.size
        def primary = false

        def split
          @entries = @keys.zip(@objects).map do |key, object|
            @met.known[key] = Entry.new(@met, key, object, @bits, @bits)
          end
          @keys = @objects = nil
        end

        # See Entry.
        def pass(objects)
          objects.concat(@objects)
          @objects = nil
        end
      end

      # An identifier, of what is not included.
      # @api private
      Identifier = Struct.new(:type, :id, :lid)

      # A relationship whose data is written. `inside`: bits of the Nodes that it leads to, 0: only
      # identifiers are wanted. `by_id`: its value is an id, or many. `static`: where the
      # declaration tells the resource. `ids`: its identifiers are ids alone.
      # @api private
      class Link
        attr_reader :resource, :relationship, :inside, :by_id, :static, :index, :kind, :ids, :field

        def initialize(resource, relationship, inside, by_id, static)
          @resource, @relationship, @inside, @by_id = resource, relationship, inside, by_id
          @static, @index, @ids = static, relationship.index, relationship.ids
          @field, @kind = relationship.field, relationship.field.kind
          @leaf = nil
        end

        def place = "relationships.#{relationship.key}.data"

        # Whether nothing is read of static resources that are met here alone.
        def leaf?(choice)
          @leaf = choice.form(static, inside).read.zero? if @leaf.nil?
          @leaf
        end

        # The method that runs a lambda of `serializer:`.
        def chooser
          return unless field.serializer.is_a?(Proc)

          @chooser ||= Compiler::Blocks.called_for(resource.serializer_class, field.serializer)
        end
      end
    end
  end
end
