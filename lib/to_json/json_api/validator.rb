# frozen_string_literal: true

# Layer: json_api. Checks the top level of a document, and its resource objects.

module ToJson
  module JsonApi
    # Something that the specification does not allow, with its place.
    #
    # @example
    #   problem = ToJson::JsonApi.validate({ data: nil, links: [] }).first
    #   problem.pointer # => "/links"
    #   problem.message # => "must be an object, got []"
    class Problem
      # @return [String] a JSON pointer (RFC 6901); `""` is the whole document
      attr_reader :pointer
      # @return [String]
      attr_reader :message

      # @param pointer [String]
      # @param message [String]
      def initialize(pointer, message)
        @pointer, @message = -pointer, -message
        freeze
      end

      # @return [String] the place and the message in one line
      def to_s = "#{pointer.empty? ? "the document" : pointer}: #{message}."
    end

    # Walks a parsed document once and collects the problems. One instance for each document.
    # {ObjectRules} checks the objects that may be in several places: links, meta, errors.
    # @api private
    class Validator
      include ObjectRules

      KINDS = %i[response create update relationship].freeze
      TOP = %w[data errors meta jsonapi links included].freeze
      RESOURCE = %w[type id lid attributes relationships links meta].freeze
      IDENTIFIER = %w[type id lid meta].freeze
      RELATIONSHIP = %w[data links meta].freeze
      # An object with one of these members is a resource object, and not an identifier.
      CONTENT = %w[attributes relationships links].freeze
      private_constant :KINDS, :TOP, :RESOURCE, :IDENTIFIER, :RELATIONSHIP, :CONTENT

      # @param kind see {JsonApi.validate}, also for the others
      # @raise [ArgumentError]
      def initialize(kind:, full_linkage:, links:, extensions:)
        unless KINDS.include?(kind)
          raise ArgumentError, "validate: #{Suggestion.unknown("kind", kind, KINDS)}"
        end
        unless [nil, :absolute].include?(links)
          raise ArgumentError, "validate: links: takes :absolute or nil; got #{links.inspect}"
        end

        @kind, @full_linkage, @absolute, @extensions = kind, full_linkage, links, extensions
        @problems = []
      end

      # @param document [String, Hash]
      # @return [Array<Problem>]
      def problems(document)
        document = parsed(document)
        top(document) if @problems.empty?
        @problems.freeze
      end

      private

      def request? = @kind != :response

      # A Hash is written as JSON first, and that text is read.
      def parsed(document)
        document = ToJson.generate(document) unless String === document
        Fragment.new(document) # raises if it is not one JSON value
        tree = Tree.parse(document)
        shown(tree) if surrogate?(document.b)
        tree
      rescue EncodingError
        problem("", "has text that is no UTF-8, such as half of a surrogate pair")
      rescue FragmentError => error
        problem("", "is no JSON: #{error.message.delete_suffix(".")}")
      rescue NestingError, SystemStackError
        problem("", "is nested too deep to be checked")
      end

      def surrogate?(bytes) = bytes.include?("\\ud") || bytes.include?("\\uD")

      def top(document)
        return problem("", "must be an object, got #{shown(document)}") unless Hash === document

        @of_any = Hash === document["jsonapi"] && Array(document["jsonapi"]["ext"]).any?
        document = object("", document, TOP)
        required(document)
        jsonapi(document["jsonapi"]) if document.key?("jsonapi")
        links("/links", document["links"], TOP_LINKS) if document.key?("links")
        meta("/meta", document["meta"]) if document.key?("meta")
        errors(document["errors"]) if document.key?("errors")
        data("/data", document["data"]) if document.key?("data")
        included(document["included"]) if document.key?("included")
        identities(document)
      end

      def required(document)
        if request?
          problem("", "must have the member \"data\"") unless document.key?("data")
        elsif !%w[data errors meta].intersect?(document.keys) &&
              document.keys.none? { |name| name.include?(":") }
          problem("", "must have at least one of the members data, errors and meta")
        end
        if document.key?("data") && document.key?("errors")
          problem("", "must not have both of data and errors")
        end
        return unless document.key?("included") && !document.key?("data")

        problem("/included", "must not stand in a document without data")
      end

      def data(pointer, value)
        case @kind
        when :create, :update then resource(pointer, value)
        when :relationship then linkage(pointer, value)
        else
          case value
          when nil then nil
          when Array then each(pointer, value) { |place, one| resource(place, one) }
          when Hash then resource(pointer, value)
          else problem(pointer, "must be a resource object, an array or null, got #{shown(value)}")
          end
        end
      end

      def included(value)
        return problem("/included", "must be an array, got #{shown(value)}") unless Array === value

        each("/included", value) { |place, one| resource(place, one) }
      end

      # @return [void]
      def resource(pointer, value)
        unless Hash === value
          return problem(pointer, "must be a resource object, got #{shown(value)}")
        end

        value = object(pointer, value, RESOURCE)
        identity(pointer, value, new: @kind == :create && pointer == "/data")
        attributes("#{pointer}/attributes", value["attributes"]) if value.key?("attributes")
        if value.key?("relationships")
          relationships("#{pointer}/relationships", value["relationships"], value["attributes"])
        end
        links("#{pointer}/links", value["links"], RESOURCE_LINKS) if value.key?("links")
        meta("#{pointer}/meta", value["meta"]) if value.key?("meta")
      end

      # @param new [Boolean] whether the resource is made by this request, so it may have no id
      def identity(pointer, value, new: false)
        type(pointer, value)
        %w[id lid].each { |name| string("#{pointer}/#{name}", value[name]) if value.key?(name) }
        return if new || value.key?("id") || (request? && value.key?("lid"))

        problem(pointer, "must have the member \"id\"")
      end

      def type(pointer, value)
        return problem(pointer, "must have the member \"type\"") unless value.key?("type")

        type = value["type"]
        return unless string("#{pointer}/type", type) && !MemberName.valid?(type)

        problem("#{pointer}/type", "#{shown(type)} is no type. #{MemberName::ADVICE}")
      end

      def attributes(pointer, value)
        fields(pointer, value, "an attributes object", "an attribute")
      end

      def relationships(pointer, value, attributes)
        fields(pointer, value, "a relationships object", "a relationship") do |place, name, one|
          if Hash === attributes && attributes.key?(name)
            problem(place, "has the name of an attribute")
          end
          relationship(place, one)
        end
      end

      # Checks the names of attributes or relationships.
      def fields(pointer, value, what, one_of_them)
        return problem(pointer, "must be #{what}, got #{shown(value)}") unless Hash === value

        value.each do |name, one|
          next if at_member?(name) || of_extension?(pointer, name)

          place = below(pointer, name)
          if MemberName::RESERVED.include?(name)
            problem(place, "#{one_of_them} must not be named type or id")
          end
          named(place, name)
          yield place, name, one if block_given?
        end
      end

      def relationship(pointer, value)
        return problem(pointer, "must be an object, got #{shown(value)}") unless Hash === value

        value = object(pointer, value, RELATIONSHIP)
        needed = request? ? %w[data] : RELATIONSHIP
        unless needed.intersect?(value.keys) || (!request? && value.any?)
          problem(pointer, "must have #{needed.one? ? "the member" : "at least one of"} " \
                           "#{needed.join(", ")}")
        end
        linkage("#{pointer}/data", value["data"]) if value.key?("data")
        relationship_links("#{pointer}/links", value["links"]) if value.key?("links")
        meta("#{pointer}/meta", value["meta"]) if value.key?("meta")
      end

      def linkage(pointer, value)
        case value
        when nil then nil
        when Hash then identifier(pointer, value)
        when Array then each(pointer, value) { |place, one| identifier(place, one) }
        else
          problem(pointer, "must be null, a resource identifier object or an array of them, " \
                           "got #{shown(value)}")
        end
      end

      def identifier(pointer, value)
        unless Hash === value
          return problem(pointer, "must be a resource identifier object, got #{shown(value)}")
        end

        value = object(pointer, value, IDENTIFIER)
        identity(pointer, value)
        meta("#{pointer}/meta", value["meta"]) if value.key?("meta")
      end

      # Checks that each resource is in the document only once, and that the primary data leads to
      # each included one.
      def identities(document)
        primary = placed("/data", document["data"])
        included = placed("/included", document["included"])
        unique(primary.select { |_, one| one.keys.intersect?(CONTENT) } + included)
        return if included.empty? || !@full_linkage

        reached = reached_from(primary, included)
        included.each do |place, one|
          next if reached.include?(key(one))

          problem(place, "is linked from neither the primary data nor what those include")
        end
      end

      # @return [Array<Array(String, Hash)>] places and the objects there
      def placed(pointer, value)
        return [[pointer, value]] if Hash === value
        return [] unless Array === value

        value.each_with_index.filter_map { |one, i| ["#{pointer}/#{i}", one] if Hash === one }
      end

      def unique(resources)
        seen = {}
        resources.each do |place, one|
          next unless one.key?("id") || one.key?("lid")

          first = seen[key(one)]
          next seen[key(one)] = place unless first

          problem(place, "is the same resource as #{first}: a document has each once")
        end
      end

      def reached_from(primary, included)
        known = included.to_h { |_, one| [key(one), one] }
        waiting = primary.map(&:last)
        reached = waiting.to_h { |one| [key(one), true] }
        while (one = waiting.shift)
          identifiers(one).each do |identity|
            next if reached[identity]

            reached[identity] = true
            waiting << known[identity] if known[identity]
          end
          # If the request was for a relationship, the primary data consists of identifiers, whose
          # resources may be included.
          same = known.delete(key(one))
          waiting << same if same && !same.equal?(one)
        end
        reached
      end

      def identifiers(resource)
        relationships = resource["relationships"]
        return [] unless Hash === relationships

        relationships.each_value.grep(Hash).flat_map do |one|
          placed("", one["data"]).map { |_, identifier| key(identifier) }
        end
      end

      def key(one) = one.key?("id") ? [one["type"], one["id"]] : [one["type"], nil, one["lid"]]
    end
  end
end
