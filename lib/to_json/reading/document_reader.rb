# frozen_string_literal: true

# Layer: reading. Finds the data of a document: under a root, in an array, or in a document of
# JSON:API or HAL.

module ToJson
  module Reading
    # Reads the document of one call: finds its objects, and calls generated code for each.
    # @api private
    class DocumentReader < Session
      # Members at the top of a document of JSON:API.
      TOP = %w[data included meta links jsonapi].freeze
      OF_HAL = %w[_links _embedded].freeze
      DATA = %w[data].freeze
      private_constant :TOP, :OF_HAL, :DATA

      # @return [Hash, Array<Hash>] what was read
      attr_reader :found
      # @return [Module] the code that read it
      attr_reader :code
      # @return [Array<String>] the keys that lead to the data
      attr_reader :base

      # @param options [Options]
      # @param mode [Symbol] `:values` or `:params`
      # @param text [Boolean] whether all values may be text, as a form sends them
      def initialize(serializer_class, options, mode, text)
        super(options, text)
        @class, @mode, @base = serializer_class, mode, NONE
      end

      # @param value [Object] the document, with String keys
      # @return [self]
      # @raise [ReadError]
      def read(value)
        @found =
          case @options.envelope || envelope(value)
          when :plain then plain(value)
          when :json_api then json_api(value)
          else hal(value)
          end
        raise ReadError.new(@problems) unless @problems.empty?
        @found = Reading.without_wrong_values(@found) if @dropped
        self
      end

      # Refuses a document of JSON:API that has the id of another object.
      # @param object [Object] the object to which the attributes will be assigned
      # @return [self]
      # @raise [ReadError]
      def check_id(object)
        return self unless @document && !(Class === object)

        data = @document["data"]
        return self unless data.key?("id") && (id = written_id(object)) && id != data["id"]

        message = "takes #{id.inspect}, the id of the object; got #{Pointer.shown(data["id"])}."
        raise ReadError.new([ReadError::Problem.new("/data/id", message, :choice)])
      end

      private

      # Finds out the envelope from the members of a document. A member that is also a key of the
      # class does not count.
      def envelope(value)
        return :plain unless Hash === value

        if value.key?("data")
          !declared_key?("data") && resources?(value["data"]) ? :json_api : :plain
        elsif !value.key?("_links") && !value.key?("_embedded") then :plain
        else OF_HAL.any? { |key| Hash === value[key] && !declared_key?(key) } ? :hal : :plain
        end
      end

      def resources?(data)
        data = data.first if Array === data
        nil == data || (Hash === data && String === data["type"])
      end

      # Whether the key is a key or a root of the class.
      def declared_key?(key) = plain_form.declared_keys.include?(key)

      # @return [CodeCache::Plain]
      def plain_form = @plain_form ||= CodeCache.plain(@class, @options.view, @mode)

      # -- plain ----------------------------------------------------------------------------------

      def plain(value)
        code = @code = plain_form.code || CodeCache.code(@class, @options.view, @mode, :plain)
        root = root(value)
        return objects(value, code) unless root
        return no_object(value) unless Hash === value

        unless value.key?(root)
          return wrong(root, "is missing. The data must be under this key.", :missing)
        end
        handle_unknown_keys(value, Shape.new({ root => true, "meta" => true }, []))
        @base = [root]
        inside(root) { objects(value[root], code) }
      end

      # @return [String, nil] the key under which the data is
      def root(value)
        given = @options.root
        roots = if given then Envelope.roots(@class, given).map(&:name)
                elsif nil == given then plain_form.roots
                end
        return unless roots

        key = if @options.collection.nil? && Hash === value
                roots.find { |one| value.key?(one) } || roots.first
              else
                @options.collection ? roots.last : roots.first
              end
        @options.drop && given.nil? && !data_under?(value, key) ? nil : key
      end

      # Whether the data is under that key. If the application has already taken the parameters from
      # under the root, they have no root.
      def data_under?(value, key) = Hash === value && (Hash === value[key] || Array === value[key])

      # Reads one object, or an array of objects, at the path of the Session.
      def objects(value, code)
        many = @options.collection
        many = Array === value if many.nil?
        if many
          return elements(value, code) if Array === value

          return no_array(value)
        end
        Hash === value ? code.read(value, self, {}) : no_object(value)
      end

      # -- JSON:API -------------------------------------------------------------------------------

      def json_api(value)
        return no_object(value) unless Hash === value

        @typed = CodeCache.code(@class, @options.view, @mode, :json_api)
        @code = @typed.code
        unless value.key?("data")
          return wrong("data", "is missing. A document of JSON:API has its data under this key.",
                       :missing)
        end

        @document, @base = value, DATA
        handle_unknown_keys(value, Shape.new(TOP.to_h { |key| [key, true] }, []))
        inside("data") { objects(value["data"], @typed) }
      end

      # @return [String, nil] the id of the object, as documents have it; nil: it has none yet
      def written_id(object)
        name = @typed.id
        return if nil == (Hash === object ? object[name] : Reading.sent(object, name))

        text = @class.json_api!(object, view: @options.view, fields: { @typed.type => [] })
        Parser.parse(text, @options.max_depth).dig("data", "id")
      end

      # -- HAL ------------------------------------------------------------------------------------

      def hal(value)
        return no_object(value) unless Hash === value

        code = @code = CodeCache.code(@class, @options.view, @mode, :hal)
        many = @options.collection
        embedded = value["_embedded"]
        relation = collection_of(embedded) unless many == false
        many = !relation.nil? if many.nil?
        return objects(value, code) unless many
        return wrong("_embedded", "has no array of objects.", :missing) unless relation

        inside("_embedded") { inside(relation) { objects(embedded[relation], code) } }
      end

      # @return [String, nil] the name of the embedded array, if nothing else is embedded and the
      #   class has no field of that name
      def collection_of(embedded)
        return unless Hash === embedded && embedded.size == 1

        name, list = embedded.first
        name if Array === list && !declared_key?(name)
      end
    end

    # @return [Object, nil] what a method of an object returns; nil: it has no such method
    # @api private
    def self.sent(object, name) = (object.public_send(name) if object.respond_to?(name))

    # @return [Object] the value without the values that were wrong
    # @api private
    def self.without_wrong_values(value)
      case value
      when Hash
        value.reject { |_, one| NOTHING.equal?(one) }
             .transform_values { |one| without_wrong_values(one) }
      when Array
        value.reject { |one| NOTHING.equal?(one) }.map { |one| without_wrong_values(one) }
      when NOTHING then {}
      else value
      end
    end
  end
end
