# frozen_string_literal: true

# Layer: json_api. Reads and checks the query of a request.

module ToJson
  module JsonApi
    # The query parameters of JSON:API, checked before anything is read: `include`, `fields[type]`,
    # `sort`, `page[…]` and `filter[…]`. For a name that the server does not know it raises
    # {ParameterError}, which becomes status 400 with `source.parameter`. No Symbol is made of a
    # client's text.
    #
    # @example
    #   class SongSerializer < ToJson::Serializer
    #     attributes :title, released: :year
    #   end
    #   params = { "fields" => { "songs" => "title" }, "sort" => "-year,title",
    #              "page" => { "number" => "2" } }
    #   query = ToJson::JsonApi::Query.new(params, serializer: SongSerializer)
    #   query.to_h # => {fields: {"songs"=>"title"}}
    #   query.sort # => {released: :desc, title: :asc}
    #   query.page # => {number: 2}
    #   ToJson::JsonApi::Query.new("sort=size", serializer: SongSerializer)
    #   # !> ToJson::JsonApi::ParameterError: sort: unknown field "size". …
    class Query
      NAMES = %w[include fields sort page filter].freeze
      PAGE = { number: 1.., size: 1.. }.freeze
      # The specification reserves the names that have only lower-case letters.
      RESERVED = /\A[a-z]+\z/
      INTEGER = /\A\d{1,18}\z/
      private_constant :NAMES, :PAGE, :RESERVED, :INTEGER

      # @param params [Hash, String, #to_unsafe_h] those of Rack or Rails, or the text of a query
      # @param serializer [Class, nil] that of the primary data. `include`, `fields` and `sort` may
      #   name its relationships, types and fields
      # @param view [Symbol, String, Array, nil] the view of the document
      # @param include [true, false, Array<String>] false: the endpoint has no `include`; an Array
      #   has the paths of the serializer that may be included
      # @param sort [nil, false, Array, Hash] the names to sort by; a Hash has the key for each in
      #   {#sort}; nil: the attributes of the serializer that are read from the object, and `id`
      # @param page [Hash, Array, nil] the names of page parameters; a Hash has the Range of each
      #   that is an Integer, or nil; nil: any
      # @param filter [Array, nil] the names of filters; nil: any
      # @param other [Array<String>] further parameters of lower-case letters that the server has
      # @raise [ParameterError]
      # @raise [ArgumentError] if `params` is none of these
      # @raise [Error] if a serializer is given in another Ractor than the main one
      def initialize(params, serializer: nil, view: nil, include: true, sort: nil, page: PAGE,
                     filter: nil, other: [])
        serializer&.__send__(:__only_in_main, "JSON:API")
        @params = Parameters.of(params)
        check_others(other)
        @include = included(include)
        @fields = fieldsets
        Choice.of(serializer, view, @include, @fields) if serializer
        @sort = sorted(sort, serializer, view)
        @page = paged(page)
        @filter = filtered(filter)
        freeze
      end

      # @return [String, nil] as `json_api!` takes it
      attr_reader :include
      # @return [Hash{String => String}, nil] as `json_api!` takes it
      attr_reader :fields
      # @return [Hash{Symbol, String => :asc, :desc}] as `order` of ActiveRecord takes it
      attr_reader :sort
      # @return [Hash{Symbol, String => Integer, String}]
      attr_reader :page
      # @return [Hash{Symbol, String => Object}]
      attr_reader :filter

      # @return [Hash{Symbol => Object}] the keywords of `json_api!`
      def to_h = { include: include, fields: fields }.compact

      private

      def check_others(known)
        @params.each_key do |name|
          next if NAMES.include?(name) || known.include?(name)

          base = name[/\A[^\[]*/]
          next if MemberName.valid?(base) && !RESERVED.match?(base)

          refuse(name, "#{Suggestion.unknown("parameter", name, NAMES + known)} A parameter that " \
                       "the server defines has a character other than a to z")
        end
      end

      def included(allowed)
        given = text("include") or return
        refuse("include", "include: this endpoint has no include") unless allowed
        return given if allowed == true

        given.split(",").each do |path|
          next if allowed.any? { |one| one == path || one.start_with?("#{path}.") }

          refuse("include", "include: #{Suggestion.unknown("path", path, allowed)}")
        end
        given
      end

      def fieldsets
        given = family("fields") or return
        given.each_key { |type| text_of("fields[#{type}]", given[type]) }
      end

      def sorted(allowed, serializer, view)
        given = text("sort") or return {}
        refuse("sort", "sort: this endpoint cannot sort") if allowed == false
        known = sortable(allowed, serializer, view)
        given.split(",", -1).to_h do |one|
          name = one.delete_prefix("-")
          key = known ? known[name] : name
          refuse("sort", "sort: #{Suggestion.unknown("field", name, known.keys)}") unless key
          [key, one.start_with?("-") ? :desc : :asc]
        end
      end

      # @return [Hash{String => Object}, nil] the key in {#sort} for each name in the query
      def sortable(allowed, serializer, view)
        case allowed
        when Hash then allowed.transform_keys(&:to_s)
        when Array then allowed.to_h { |name| [name.to_s, name] }
        else serializer && attributes(serializer, serializer.definition, view)
        end
      end

      # Those that are read from the object by a name, as a column may be. Not one with a condition:
      # the order would tell what the condition hides.
      def attributes(serializer, definition, view)
        owner = Compiler::Owner.new(serializer, nil)
        fields = definition.fields(definition.resolve_views(view))
        read = fields.select do |field|
          field.kind == :attribute && field.conditions.empty? && !owner.computes?(field)
        end
        found = read.to_h do |field|
          [KeyCase.apply(definition.key_case, field.name.name), field.source]
        end
        id = definition.resource[:id] || fields.find { |field| field.name == :id } ||
             Field.new(:attribute, :id, :id, {}.freeze)
        owner.computes?(id) ? found.except("id") : { "id" => id.source, **found.except("id") }
      end

      def paged(allowed)
        given = family("page") or return {}
        return given if allowed.nil?

        ranges = Hash === allowed ? allowed : allowed.to_h { |name| [name, nil] }
        chosen("page", given, ranges.keys).to_h do |name, value|
          parameter = "page[#{name}]"
          value = text_of(parameter, value)
          [name, ranges[name] ? number(parameter, value, ranges[name]) : value]
        end
      end

      def number(parameter, value, range)
        return value.to_i if INTEGER.match?(value) && range.cover?(value.to_i)

        refuse(parameter, "#{parameter}: takes an Integer of #{range}, got " \
                          "#{Suggestion.shown(value)}")
      end

      def filtered(allowed)
        given = family("filter") or return {}
        allowed ? chosen("filter", given, allowed) : given
      end

      # @return [Hash] the values, by the names that the server gave
      def chosen(family, given, known)
        given.to_h do |name, value|
          found = known.find { |one| one.to_s == name }
          unless found
            refuse("#{family}[#{name}]", "#{family}: #{Suggestion.unknown("name", name, known)}")
          end
          [found, value]
        end
      end

      def text(name) = @params.key?(name) ? text_of(name, @params[name]) : nil

      def text_of(name, value)
        text = Parameters.utf8(value) if String === value
        return text if text

        shown = Suggestion.cut(name)
        refuse(name, "#{shown}: takes one text, such as #{shown}=a,b")
      end

      def family(name)
        given = @params[name]
        return given if given.nil? || Hash === given

        refuse(name, "#{name}: takes a name in brackets, such as #{name}[a]=b")
      end

      def refuse(parameter, message)
        raise ParameterError.new(message.end_with?(".") ? message : "#{message}.", parameter)
      end
    end

    # Makes one Hash from the parameters of Rack or Rails, or from text.
    # @api private
    module Parameters
      FLAT = /\A([^\[\]]+)\[(.*)\]\z/m
      private_constant :FLAT

      class << self
        # @param given [Hash, String, #to_unsafe_h]
        # @return [Hash{String => Object}] where `fields[posts]` is `{"fields" => {"posts" => …}}`
        def of(given)
          given = given.to_unsafe_h if given.respond_to?(:to_unsafe_h)
          pairs = String === given ? parsed(given) : given
          unless pairs.respond_to?(:each_with_object)
            raise ArgumentError, "a Query is made of the parameters of Rack or Rails, or of the " \
                                 "text of a query; got #{Lookup.class_of(given)}"
          end

          pairs.each_with_object({}) { |(name, value), found| add(found, text(name), value) }
        end

        # @return [String, nil] the text in UTF-8; nil: it cannot be
        def utf8(text)
          text = text.encode(Encoding::UTF_8) unless text.encoding == Encoding::BINARY
          text = text.dup.force_encoding(Encoding::UTF_8) unless text.encoding == Encoding::UTF_8
          text if text.valid_encoding?
        rescue ::EncodingError
          nil
        end

        private

        def parsed(text)
          text.b.split("&").reject(&:empty?).map do |pair|
            pair.split("=", 2).then { |name, value| [decoded(name), decoded(value.to_s)] }
          end
        end

        # The name as valid text, because an error may repeat it.
        def text(name) = name.to_s.b.force_encoding(Encoding::UTF_8).scrub

        def decoded(text)
          text.tr("+", " ").gsub(/%\h\h/) { |code| code[1, 2].hex.chr }
              .force_encoding(Encoding::UTF_8)
        end

        # If a parameter is given both with brackets and without, the last one counts.
        def add(found, name, value)
          family, inner = name.match(FLAT)&.captures
          unless family
            return found[name] = Hash === value ? value.transform_keys { |key| text(key) } : value
          end

          found[family] = {} unless Hash === found[family]
          found[family][inner] = value
        end
      end
    end
  end
end
