# frozen_string_literal: true

# Layer: json_api. Documents with errors.

module ToJson
  module JsonApi
    # Makes the JSON pointer of an error of a model.
    # @api private
    class Pointers
      KINDS = { attribute: "attributes", nested: "attributes", one: "relationships",
                many: "relationships", any: "relationships" }.freeze
      private_constant :KINDS

      # @param serializer [Class, nil]
      # @param at [String] the pointer of the resource
      def initialize(serializer, at)
        @at = at
        @definition = serializer.definition if serializer
      end

      # @param error [#attribute, #base] of ActiveModel
      # @return [String]
      def of(error)
        # Errors of associated records: `comments.body`, `comments[0].body`.
        name = error.attribute.to_s[/\A[^.\[]+/].to_s
        return @at if name == "base" || name.empty?
        return "#{@at}/id" if name == "id" || id?(name)

        told = told(name, error.base.class)
        place, key = @definition ? declared(name, told) : told
        "#{@at}/#{place}/#{key.gsub("~", "~0").gsub("/", "~1")}"
      end

      private

      # Whether the id of the resource reads it.
      def id?(name) = @definition&.resource&.dig(:id)&.source&.name == name

      # If the serializer does not declare the name, the model tells whether it is an attribute or a
      # relationship.
      def declared(name, told)
        field = entry(name) || association(name.delete_suffix("_id"))
        return [told.first, cased(told.last)] unless field

        [place(field), cased(field.name.name)]
      end

      # An association with an inline block is an attribute.
      def place(field) = field.definition ? "attributes" : KINDS.fetch(field.kind)

      # Prefers a field that reads the attribute to a field that only has its name.
      def entry(name)
        fields = @definition.entries.select { |field| KINDS.key?(field.kind) }
        fields.find { |field| field.source&.name == name } ||
          fields.find { |field| field.name.name == name }
      end

      # The field of a belongs_to, found by the foreign key without `_id`.
      def association(name)
        field = entry(name)
        field if field && place(field) == "relationships"
      end

      def cased(name) = KeyCase.apply(@definition.key_case, name)

      def told(name, model)
        return ["attributes", name] unless model.respond_to?(:reflect_on_association)

        found = [name, name.delete_suffix("_id")].find { |one| model.reflect_on_association(one) }
        found ? ["relationships", found] : ["attributes", name]
      end
    end

    # A document with error objects, made from the errors of a model, an error of this library,
    # Hashes, or an Array of these.
    #
    # | given | becomes |
    # |---|---|
    # | `post.errors` of ActiveModel, or the record | an object for each, with its pointer |
    # | {ParameterError} | status 400 and `source.parameter` |
    # | {ReadError} | an object for each problem, with its pointer, status 400 |
    # | another {Error} that a client causes | status 400 |
    # | a Hash | itself: `status` may be an Integer, `source` a pointer |
    #
    # @example
    #   errors = ToJson::JsonApi::Errors.new([{ status: 404, detail: "There is no post 7" }])
    #   errors.status # => 404
    #   errors.json!
    #   # => {"errors":[{"status":"404","title":"Not Found","detail":"There is no post 7"}]}
    class Errors
      # The members of an error object, in the order in which they are written.
      MEMBERS = %i[id links status code title detail source meta].freeze
      # Errors of this library that a client causes, and their codes.
      CLIENT = { ParameterError => "invalid_parameter", UnknownFieldError => "unknown_field",
                 UnknownViewError => "unknown_view",
                 SelectionError => "invalid_selection" }.freeze
      # The titles of RFC 9110.
      TITLES = {
        400 => "Bad Request", 401 => "Unauthorized", 403 => "Forbidden", 404 => "Not Found",
        405 => "Method Not Allowed", 406 => "Not Acceptable", 409 => "Conflict", 410 => "Gone",
        413 => "Content Too Large", 415 => "Unsupported Media Type", 422 => "Unprocessable Content",
        429 => "Too Many Requests", 500 => "Internal Server Error", 501 => "Not Implemented",
        503 => "Service Unavailable"
      }.freeze
      private_constant :MEMBERS, :CLIENT, :TITLES

      # @param errors [#errors, #full_messages, Error, Hash, Array] see the table
      # @param serializer [Class, nil] tells which attributes of a model are relationships, and
      #   their names in documents; nil: the associations of the model tell it
      # @param at [String] the pointer of the resource in the request
      # @param status [Integer, nil] the status for errors without one; nil: 422 for models, no
      #   status for others
      # @param members [Hash] `meta:`, `links:` and `jsonapi:` of the document
      # @raise [ArgumentError] for an object that is no error, and for unknown members
      def initialize(errors, serializer: nil, at: "/data", status: nil, **members)
        unknown = members.keys - %i[meta links jsonapi]
        if unknown.any?
          raise ArgumentError,
                "errors: #{Suggestion.unknown("keyword", unknown.first,
                                              %i[serializer at status meta links jsonapi into])}"
        end

        @pointers, @given_status, @members = Pointers.new(serializer, at), status, members
        @objects = objects(errors).freeze
      end

      # @return [Array<Hash{Symbol => Object}>] the error objects
      def to_a = @objects

      # The status of the response: that of the errors, if all have the same; else 500 if one of
      # them is an error of the server, else 400.
      # @return [Integer]
      def status
        found = @objects.map { |one| one[:status].to_i }.uniq - [0]
        return found.first || @given_status || 400 if found.size < 2

        found.any? { |one| one >= 500 } ? 500 : 400
      end

      # @return [Hash{Symbol => Object}] the document
      def to_h = { errors: @objects, **@members }

      # @param into [String, IO, nil] see {ToJson.generate}
      # @return [String, Object] the document, or `into`
      def json!(into: nil)
        into ? ToJson.generate(to_h, into: into) : ToJson.generate(to_h)
      end

      # @return [String]
      def to_json(*) = json!

      private

      def objects(given)
        case given
        when Array then given.flat_map { |one| objects(one) }
        when Hash then [of_hash(given)]
        when ReadError then given.problems.map { |problem| of_problem(problem) }
        when Error then [of_error(given)]
        else of_model(given)
        end
      end

      def of_hash(hash)
        hash = hash.transform_keys(&:to_sym)
        unknown = hash.keys - MEMBERS
        if unknown.any?
          raise ArgumentError,
                "errors: #{Suggestion.unknown("member", unknown.first, MEMBERS)}"
        end

        hash[:source] = { pointer: hash[:source] } if String === hash[:source]
        build(hash)
      end

      def of_error(error)
        code = CLIENT.find { |type, _| type === error }&.last
        unless code
          raise ArgumentError,
                "errors: the client did not cause this #{error.class}, so its message must not " \
                "be sent. Pass a Hash with title: and detail:"
        end

        source = error.source if ParameterError === error
        build({ status: 400, code: code, detail: error.message, source: source }.compact)
      end

      def of_problem(problem)
        build({ status: @given_status || 400, code: problem.code.name, detail: problem.to_s,
                source: { pointer: problem.pointer } })
      end

      def of_model(given)
        list = given
        list = given.errors if given.respond_to?(:errors) && !given.respond_to?(:full_messages)
        unless list.respond_to?(:full_messages) && list.respond_to?(:each)
          raise ArgumentError,
                "errors: takes the errors of a model, an error of ToJson, Hashes, or an Array of " \
                "these; got #{Lookup.class_of(given)}"
        end

        list.each.map do |one|
          build({ status: @given_status || 422, code: code(one), detail: one.full_message,
                  source: { pointer: @pointers.of(one) } })
        end
      end

      # If an error was added as a text, its type is that text, and not a name.
      def code(error) = error.type.is_a?(Symbol) ? error.type.name : "invalid"

      def build(members)
        status = members.fetch(:status, @given_status)
        unless [nil, Integer, String].any? { |type| type === status }
          raise ArgumentError, "errors: status: takes an Integer such as 404; got #{status.inspect}"
        end

        members = { title: TITLES[status.to_i], **members, status: status&.to_s }.compact
        members.slice(*MEMBERS).freeze
      end
    end
  end
end
