# frozen_string_literal: true

# Layer: documents. The class methods that read what a serializer writes: parse, read, permit,
# expect. Their code in lib/to_json/reading is loaded when one of them is first called.

module ToJson
  module Declarations
    # Reads a document into a Hash of attributes: names are mapped back, key case and `as:` undone.
    # Only fields that are declared `writable:` are read. docs/reading.md is the guide.
    #
    # A document of JSON:API (its `data` has a `type`) or HAL (it has `_links` or `_embedded`) is
    # known by its members, and read too. A class with keys of these names reads plain documents
    # only, unless `envelope:` says otherwise.
    #
    # @example
    #   class RideSerializer < ToJson::Serializer
    #     transform_keys :camel_lower
    #     attributes :id, :distance
    #     attributes :title, note: :remark, writable: true
    #     attribute :started_at, as: :time, writable: true
    #   end
    #   require "json"
    #   ride = RideSerializer.parse('{"title":"Home","startedAt":"2026-11-20T10:00:00.000Z"}')
    #   ride[:title]      # => "Home"
    #   ride[:started_at] # => 2026-11-20 10:00:00 UTC
    #   RideSerializer.parse('{"distance":5}')
    #   # !> ToJson::ReadError: /distance: is not writable. Writable: title, remark, startedAt.
    # @param json [String, #read, Hash, Array, ActionController::Parameters] JSON text, an IO, or
    #   what it was parsed to
    # @option keywords [Symbol, String] :view (nil) whose fields are read
    # @option keywords [Symbol] :unknown (:raise) what is not writable: `:raise`, `:ignore`, or
    #   `:collect`, which returns it too: `[attributes, { "/distance" => 5 }]`
    # @option keywords [Symbol] :errors (:first) `:all` looks for all problems, at most 100
    # @option keywords [Symbol] :missing (:ignore) `:raise` wants each field that is always written
    # @option keywords [Symbol] :envelope (nil) `:plain`, `:json_api` or `:hal`; nil: the document
    #   says it
    # @option keywords [Boolean] :collection (false) true: the document has many objects, and an
    #   Array is returned; nil: the document says it
    # @option keywords [Boolean, Symbol, String] :root (nil) as for {Serialize#json!}; nil: the
    #   declared root
    # @option keywords [Integer] :max_depth (100) how deep it may be nested
    # @option keywords [Integer] :max_bytes (nil) how large JSON text may be
    # @return [Hash{Symbol => Object}, Array<Hash>]
    # @raise [ReadError] for any other document; its `problems` have JSON Pointers
    # @raise [DefinitionError] if nothing is writable
    # @raise [UnknownViewError, ArgumentError]
    def parse(json, **keywords)
      FirstUse.of(:Reading)
      Reading::Call.parse(self, json, keywords)
    end

    # Reads lines of JSON, one after the other, as {#parse} does.
    #
    # @example
    #   class DropSerializer < ToJson::Serializer
    #     attributes :size, writable: true
    #   end
    #   require "json"
    #   DropSerializer.parse_ndjson("{\"size\":1}\n{\"size\":2}\n").to_a
    #   # => [{:size => 1}, {:size => 2}]
    # @param io [IO, #gets, String] also the body of a request, such as `request.body`. An object
    #   without `each_line` needs `read` for `max_bytes:`
    # @param on_error [#call, nil] receives the {ReadError} of a line, which is left out then; nil:
    #   the error is raised
    # @param keywords those of {#parse}; `max_bytes:` counts for each line. In JSON:API each line
    #   must be a document with `data`; the lines of `json_api_ndjson` are resources without it
    # @yieldparam attributes [Hash{Symbol => Object}]
    # @yieldparam line [Integer] counted from 1
    # @return [Enumerator, nil] an Enumerator if no block is given; it reads one line for each
    #   `next`
    # @raise [ReadError] with the number of its `line`
    def parse_ndjson(io, on_error: nil, **keywords, &block)
      FirstUse.of(:Reading)
      unless block
        return Enumerator.new do |found|
          Reading::Call.lines(self, io, keywords, on_error) { |attributes, _| found << attributes }
        end
      end

      Reading::Call.lines(self, io, keywords, on_error, &block)
      nil
    end

    # Reads a document and assigns what {#parse} would return: to an object with setters, a Struct,
    # a Hash (by Symbols), or a Data, of which a new one is returned. Nothing is assigned unless the
    # whole document is right. An associated object that is there already gets its attributes;
    # `writable: { build: Comment }` makes new ones.
    #
    # Caveats: if a setter raises, its exception passes through, and {ToJson.assigned} says what was
    # assigned before. A Struct has its old values again. A document of JSON:API that has another
    # `id` than the object is a ReadError at `/data/id`.
    #
    # @example
    #   class BoatSerializer < ToJson::Serializer
    #     attributes :name, writable: true
    #   end
    #   Boat = Struct.new(:name)
    #   BoatSerializer.read({ name: "Ida" }, into: Boat.new).name # => "Ida"
    # @param json as for {#parse}
    # @param into [Object, Class] what gets the attributes; a class: a new object of it
    # @param keywords those of {#parse}
    # @return [Object] the object; with `unknown: :collect` an Array of the object and a Hash
    # @raise [ReadError]
    # @raise [Error] if there is no setter
    def read(json, into:, **keywords)
      FirstUse.of(:Reading)
      Reading::Call.read(self, json, into, keywords)
    end

    # Filters parameters of Rails to the writable fields, for `Post.new`: names are mapped back, key
    # case is undone. Values that models cast themselves (`as: :integer`, `:date` …) are not
    # converted. Everything else is left out, as `params.permit` does.
    #
    # @example
    #   class SongSerializer < ToJson::Serializer
    #     attributes :title, :length, writable: true
    #   end
    #   # In a controller: Song.new(SongSerializer.permit(params[:song]))
    #   SongSerializer.definition.fields.map(&:writable) # => [{}, {}]
    # @param params [ActionController::Parameters, Hash] the pairs under the root, or all parameters
    #   with the root
    # @param keywords those of {#parse}; `unknown:` is `:ignore`
    # @return [ActionController::Parameters] permitted
    # @raise [ReadError] with `unknown: :raise`
    def permit(params, **keywords)
      FirstUse.of(:Reading)
      Reading::Call.permit(self, params, keywords)
    end

    # Like {#permit}, with the same place and strictness as Rails' `params.expect`: the fields are
    # under the declared root, or under the name of the class (`post` for PostSerializer). If the
    # parameters have another form than the declaration, a {ReadError} is raised, and Rails answers
    # with status 400.
    #
    # Caveats: if Rails' ParamsWrapper made the root, the whole body is read.
    #
    # @example
    #   class AlbumSerializer < ToJson::Serializer
    #     attributes :title, writable: true
    #   end
    #   # In a controller: album.update(AlbumSerializer.expect(params))
    #   AlbumSerializer.definition.fields.map(&:writable) # => [{}]
    # @param params [ActionController::Parameters]
    # @param keywords those of {#parse}; `unknown:` is `:ignore`
    # @return [ActionController::Parameters] permitted
    # @raise [ReadError]
    def expect(params, **keywords)
      FirstUse.of(:Reading)
      Reading::Call.expect(self, params, keywords)
    end
  end
end
