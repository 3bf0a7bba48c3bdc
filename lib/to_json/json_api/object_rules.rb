# frozen_string_literal: true

# Layer: json_api. Checks names, and the objects that may be in several places of a document.

module ToJson
  module JsonApi
    # The names of attributes, relationships and other members, and the types of resources.
    # @api private
    module MemberName
      # Members that are ignored in all places.
      AT_MEMBER = /\A@/u
      # A member of an extension: its namespace, and its name there.
      OF_EXTENSION = /\A([a-zA-Z0-9]+):(.*)\z/mu
      # Names that neither attributes nor relationships may have.
      RESERVED = %w[type id].freeze
      ADVICE = "Names consist of letters, digits, \"-\" and \"_\", and begin and end with a " \
               "letter or digit"
      private_constant :OF_EXTENSION

      # @param name [String]
      # @return [Boolean]
      def self.valid?(name) = ResourceWords::MEMBER.match?(name)

      # @return [String, nil] the namespace of a member of an extension, such as `version:id`
      def self.namespace(name)
        found = OF_EXTENSION.match(name)
        found[1] if found && valid?(found[2])
      end
    end

    # The part of {Validator} that checks names, links, meta, errors and the jsonapi object.
    # @api private
    module ObjectRules
      PAGES = %w[first last prev next].freeze
      TOP_LINKS = [*%w[self related describedby], *PAGES].freeze
      RESOURCE_LINKS = %w[self].freeze
      RELATIONSHIP_LINKS = [*%w[self related], *PAGES].freeze
      ERROR_LINKS = %w[about type].freeze
      LINK = %w[href rel describedby title type hreflang meta].freeze
      JSONAPI = %w[version ext profile meta].freeze
      ERROR = %w[id links status code title detail source meta].freeze
      SOURCE = %w[pointer parameter header].freeze
      # RFC 3986, without the grammar of hosts.
      URI = %r{\A(?:[a-zA-Z][a-zA-Z0-9+.-]*:)?(?://\[[\h:.]+\](?::\d*)?(?=[/?\#]|\z))?
               (?:[a-zA-Z0-9._~:/?@!$&'()*+,;=-]|%\h\h)*
               (?:\#(?:[a-zA-Z0-9._~:/?@!$&'()*+,;=-]|%\h\h)*)?\z}xu
      ABSOLUTE = /\A[a-zA-Z][a-zA-Z0-9+.-]*:/u
      POINTER = %r{\A(?:/(?:[^~/]|~[01])*)*\z}u
      LANGUAGE = /\A[a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*\z/u
      STATUS = /\A[1-5]\d\d\z/u
      LONGEST = 60

      private

      def problem(pointer, message)
        @problems << Problem.new(pointer, message)
        nil
      end

      # A number such as 1e400 has become an infinity.
      def shown(value)
        text = ToJson.generate(value, max_depth: Rules::MAX_DEPTH_LIMIT, rules: { nan: :allow })
        text.size > LONGEST ? "#{text[0, LONGEST]}…" : text
      end

      # The pointer of a member.
      def below(pointer, name) = "#{pointer}/#{name.gsub("~", "~0").gsub("/", "~1")}"

      def each(pointer, values)
        values.each_with_index { |value, index| yield "#{pointer}/#{index}", value }
      end

      def at_member?(name) = MemberName::AT_MEMBER.match?(name)

      # Whether it is the name of a member of an extension. Reports a problem if the extension is
      # not allowed.
      def of_extension?(pointer, name)
        namespace = MemberName.namespace(name) or return false
        unless @extensions ? @extensions.include?(namespace) : @of_any
          problem(below(pointer, name), "belongs to an extension, which jsonapi.ext does not name")
        end
        true
      end

      # Reports the members that this object of the specification does not have.
      # @return [Hash] the object without members that begin with an @
      def object(pointer, value, members)
        value.each_key do |name|
          next if members.include?(name) || at_member?(name) || of_extension?(pointer, name)

          problem(below(pointer, name),
                  "is no member of this object, whose members are #{members.join(", ")}")
        end
        value.reject { |name, _| at_member?(name) }
      end

      def string(pointer, value)
        return true if String === value

        problem(pointer, "must be a String, got #{shown(value)}")
      end

      # Checks the name of an attribute, a relationship, or a member of meta.
      def named(pointer, name)
        return if MemberName.valid?(name)

        problem(pointer, "#{shown(name)} is no name of a member. #{MemberName::ADVICE}")
      end

      def meta(pointer, value)
        return problem(pointer, "must be an object, got #{shown(value)}") unless Hash === value

        value.each_key do |name|
          next if at_member?(name) || of_extension?(pointer, name)

          named(below(pointer, name), name)
        end
      end

      def jsonapi(value)
        return problem("/jsonapi", "must be an object, got #{shown(value)}") unless Hash === value

        value = object("/jsonapi", value, JSONAPI)
        string("/jsonapi/version", value["version"]) if value.key?("version")
        %w[ext profile].each { |name| uris("/jsonapi/#{name}", value[name]) if value.key?(name) }
        meta("/jsonapi/meta", value["meta"]) if value.key?("meta")
      end

      def uris(pointer, values)
        unless Array === values
          return problem(pointer, "must be an array of URIs, got #{shown(values)}")
        end

        each(pointer, values) do |place, one|
          next if String === one && URI.match?(one) && ABSOLUTE.match?(one)

          problem(place, "must be a URI, got #{shown(one)}")
        end
      end

      def links(pointer, value, members)
        return problem(pointer, "must be an object, got #{shown(value)}") unless Hash === value

        object(pointer, value, members).each do |name, link|
          link(below(pointer, name), link) if members.include?(name)
        end
      end

      def relationship_links(pointer, value)
        links(pointer, value, RELATIONSHIP_LINKS)
        return unless Hash === value
        return if value.key?("self") || value.key?("related")
        return if value.any? { |name, _| MemberName.namespace(name) }

        problem(pointer, "must have at least one of self, related")
      end

      def link(pointer, value)
        case value
        when nil then nil
        when String then uri(pointer, value)
        when Hash then link_object(pointer, value)
        else problem(pointer, "must be a String, a link object or null, got #{shown(value)}")
        end
      end

      def link_object(pointer, value)
        value = object(pointer, value, LINK)
        problem(pointer, "must have the member \"href\"") unless value.key?("href")
        if value.key?("href") && string("#{pointer}/href", value["href"])
          uri("#{pointer}/href", value["href"])
        end
        %w[rel title type].each do |name|
          string("#{pointer}/#{name}", value[name]) if value.key?(name)
        end
        link("#{pointer}/describedby", value["describedby"]) if value.key?("describedby")
        hreflang("#{pointer}/hreflang", value["hreflang"]) if value.key?("hreflang")
        meta("#{pointer}/meta", value["meta"]) if value.key?("meta")
      end

      def hreflang(pointer, value)
        tags = Array === value ? value : [value]
        return if tags.all? { |tag| String === tag && LANGUAGE.match?(tag) }

        problem(pointer, "must be a language tag or an array of them, got #{shown(value)}")
      end

      def uri(pointer, value)
        unless URI.match?(value)
          return problem(pointer, "#{shown(value)} is no URI reference: percent-encode what " \
                                  "RFC 3986 does not allow")
        end
        return if @absolute.nil? || ABSOLUTE.match?(value)

        problem(pointer, "must be an absolute URI, got #{shown(value)}")
      end

      def errors(value)
        return problem("/errors", "must be an array, got #{shown(value)}") unless Array === value

        each("/errors", value) { |place, one| error(place, one) }
      end

      def error(pointer, value)
        unless Hash === value
          return problem(pointer, "must be an error object, got #{shown(value)}")
        end

        value = object(pointer, value, ERROR)
        problem(pointer, "must have at least one of #{ERROR.join(", ")}") if value.empty?
        %w[id code title detail].each do |name|
          string("#{pointer}/#{name}", value[name]) if value.key?(name)
        end
        status("#{pointer}/status", value["status"]) if value.key?("status")
        links("#{pointer}/links", value["links"], ERROR_LINKS) if value.key?("links")
        source("#{pointer}/source", value["source"]) if value.key?("source")
        meta("#{pointer}/meta", value["meta"]) if value.key?("meta")
      end

      def status(pointer, value)
        return unless string(pointer, value) && !STATUS.match?(value)

        problem(pointer, "must be a status of HTTP, got #{shown(value)}")
      end

      def source(pointer, value)
        return problem(pointer, "must be an object, got #{shown(value)}") unless Hash === value

        value = object(pointer, value, SOURCE)
        value.slice(*SOURCE).each { |name, text| string("#{pointer}/#{name}", text) }
        text = value["pointer"]
        return if !(String === text) || POINTER.match?(text)

        problem("#{pointer}/pointer", "must be a JSON pointer (RFC 6901), got #{shown(text)}")
      end
    end
  end
end
