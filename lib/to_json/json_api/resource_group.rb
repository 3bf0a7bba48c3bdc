# frozen_string_literal: true

# Layer: json_api. What a {Linking} keeps: groups of resources that the document has met, and the
# relationships that lead to them.

module ToJson
  module JsonApi
    class Linking
      # The resources of one serializer in this document. `s`: the serializer whose methods are
      # called. `known`: key => Entry or Batch, for all resources of the type; true for primary data
      # to which no relationship has led. `code`: see {Reader}.
      # @api private
      class ResourceGroup
        attr_reader :resource, :s, :known, :code, :type

        def initialize(resource, s, known)
          @resource, @s, @known, @code, @type = resource, s, known, resource.code, resource.type
        end

        # @param id [Object] the value of the field
        # @return [Integer, String, Array, nil] the key of the object among those of its type: the
        #   id, or an Array with the local id; nil: it has neither
        def key(w, id, object)
          return text(id) unless nil == id

          lid = @code.lid(w, @s, object)
          [text(lid).to_s] unless nil == lid
        end

        private

        # An Integer of up to 128 bits. (Longer text stays text, since a client may have made it.)
        DIGITS = /\A(?:0|-?[1-9]\d{0,38})\z/
        private_constant :DIGITS

        # Ids with the same text are the same: 5 and "5". Both become the Integer, which needs no
        # String.
        def text(id)
          case id
          when Integer then id
          when String
            if id.ascii_only? then DIGITS.match?(id) ? id.to_i : id
            else utf8(id)
            end
          else text(Conversion.string(id))
          end
        end

        # The text in UTF-8. Text that cannot be written is returned as it is.
        def utf8(id)
          case id.encoding
          when Encoding::UTF_8 then id
          when Encoding::BINARY
            text = String.new(id, encoding: Encoding::UTF_8)
            text.valid_encoding? ? text : id
          else text(id.encode(Encoding::UTF_8))
          end
        rescue ::EncodingError
          id
        end
      end

      # A resource that was met, even if only as an identifier. Its object is dropped when it is
      # written.
      # @api private
      class Entry
        # `bits`: those of the Nodes that led to it. `read`: those of the Nodes whose relationships
        # were followed. `primary`: it is primary data, and so it is not included. `first`: the
        # first object, kept for comparison: see {JsonApi.conflicts}.
        attr_accessor :object, :bits, :read, :values, :primary, :first
        attr_reader :group

        # @param key [Integer, String, Array] see {ResourceGroup#key}
        # @param read [Integer, nil] see above
        def initialize(group, key, object, bits, read)
          @group = group
          @key = key
          @object = object
          @bits = bits
          @read = read
        end

        def type = @group.type
        def size = 1
        def id = Array === @key ? nil : @key
        def lid = Array === @key ? @key.first : nil

        # Adds the object to those that are written next, and drops it.
        def pass(objects)
          objects << @object unless @primary
          @object = nil
        end
      end

      # Resources of one group that were first met in the same to-many, and whose relationships are
      # not followed. In `known`, one Batch is the value for all of them: with an Entry for each,
      # 100 posts with ten comments took a quarter more instructions.
      # @api private
      class Batch
        # `entries`: an Entry for each, made when one of them is met at another Node; else nil.
        attr_reader :group, :bits, :entries

        def initialize(group, bits)
          @group, @bits = group, bits
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
            @group.known[key] = Entry.new(@group, key, object, @bits, @bits)
          end
          @keys = @objects = nil
        end

        # See Entry.
        def pass(objects)
          objects.concat(@objects)
          @objects = nil
        end
      end

      # The identifier of a resource that is not included.
      # @api private
      Identifier = Struct.new(:type, :id, :lid)

      # A relationship whose data is written. `inside`: the bits of the Nodes that it leads to; 0:
      # nothing is included, only identifiers are written. `by_id`: its value is an id, or many ids.
      # `static`: the resource, if the declaration tells it. `ids`: its identifiers consist of ids
      # alone.
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

        # Whether the static resources that are met only here have no relationships to read.
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
