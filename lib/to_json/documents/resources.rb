# frozen_string_literal: true

# Layer: documents. The class methods that write JSON:API and HAL; their code is loaded when one of
# them is first called.

module ToJson
  module Declarations
    # Writes a document of JSON:API 1.1. docs/json_api.md is the guide.
    #
    # @example
    #   class PenSerializer < ToJson::Serializer
    #     attributes :id, :color
    #     has_one :owner, serializer: "OwnerSerializer"
    #   end
    #   class OwnerSerializer < ToJson::Serializer
    #     attributes :id, :name
    #   end
    #   require "json"
    #   pen = { id: 1, color: "red", owner: { id: 7, name: "Ann" } }
    #   PenSerializer.json_api!(pen)
    #   # => {"data":{"type":"pens","id":"1","attributes":{"color":"red"}}}
    #   document = JSON.parse(PenSerializer.json_api!(pen, include: "owner"))
    #   document.dig("data", "relationships")
    #   # => {"owner" => {"data" => {"type" => "owners", "id" => "7"}}}
    #   document["included"]
    #   # => [{"type" => "owners", "id" => "7", "attributes" => {"name" => "Ann"}}]
    # @param objects [Object, nil] one object, or a collection
    # @param keywords as for {Serialize#json!}: `context:`, `into:`, `chunk:`, `flush:`, `rules:`,
    #   `max_depth:`, `view:`, `collection:`
    # @option keywords [String, Symbol, Array, Hash] :include the paths of what is included
    # @option keywords [Hash{Symbol, String => String, Array}] :fields the fields of each type
    # @option keywords [Hash, #call] :links the links of the document
    # @option keywords [Hash, #call, false] :meta (the class's `meta`) the meta of the document
    # @option keywords [true, Hash] :jsonapi the member `jsonapi`; true: the version
    # @return [String, Object] the document in UTF-8, or `into`
    # @raise [JsonApi::ParameterError] for an unknown path, type or field
    # @raise [Error] like {Serialize#json!}
    def json_api!(objects, **keywords)
      __only_in_main("JSON:API")
      FirstUse.of(:Call, JsonApi)
      JsonApi::Call.json(self, objects, keywords)
    end

    # Returns the document of {#json_api!} as a body for Rack, like {Streams#stream}. Data is
    # written as it comes, then what is included.
    #
    # @example
    #   class CupSerializer < ToJson::Serializer
    #     attributes :color
    #   end
    #   CupSerializer.json_api_stream([{ id: 1, color: "red" }].each).each.to_a
    #   # => ["{\"data\":[{\"type\":\"cups\",\"id\":\"1\",\"attributes\":{\"color\":\"red\"}}]}"]
    # @param objects [Object]
    # @param keywords as for {#json_api!}, without `into:`
    # @return [Stream]
    # @raise [JsonApi::ParameterError, ArgumentError]
    def json_api_stream(objects, **keywords)
      __only_in_main("JSON:API")
      FirstUse.of(:Call, JsonApi)
      JsonApi::Call.stream(self, objects, keywords)
    end

    # Writes a line for each object: a resource of JSON:API without a document around it.
    #
    # @example
    #   class JarSerializer < ToJson::Serializer
    #     attributes :size
    #   end
    #   JarSerializer.json_api_ndjson([{ id: 1, size: 2 }])
    #   # => "{\"type\":\"jars\",\"id\":\"1\",\"attributes\":{\"size\":2}}\n"
    # @param objects [Enumerable]
    # @param keywords `fields:` and `view:` as for {#json_api!}, all others as for
    #   {Streams#ndjson}
    # @return [String, Object]
    # @raise [JsonApi::ParameterError, Error]
    def json_api_ndjson(objects, **keywords)
      __only_in_main("JSON:API")
      FirstUse.of(:Call, JsonApi)
      JsonApi::Call.ndjson(self, objects, keywords)
    end

    # Writes a document of HAL: `_links` from `link`, the fields, and associations in `_embedded`.
    # docs/hal.md is the guide.
    #
    # @example
    #   class MapSerializer < ToJson::Serializer
    #     attributes :scale
    #     link(:self) { |map| "/maps/#{map[:id]}" }
    #   end
    #   MapSerializer.hal!({ id: 1, scale: 50 })
    #   # => {"_links":{"self":{"href":"/maps/1"}},"scale":50}
    #   MapSerializer.hal!([{ id: 1, scale: 50 }], links: { self: "/maps" }, meta: { total: 1 })
    #   # => {"_links":{"self":{"href":"/maps"}},"total":1,"_embedded":{"maps":[…
    # @param objects [Object, nil] one object, or a collection
    # @param keywords as for {Serialize#json!}: `view:`, `only:`, `except:`, `collection:`,
    #   `context:`, `into:`, `chunk:`, `flush:`, `rules:`, `max_depth:`
    # @option keywords [Hash] :links of a collection: Strings, link objects, or Arrays of these
    # @option keywords [Hash] :meta the fields of a collection
    # @option keywords [Symbol, String] :as (the root for many, or the type) the name under which a
    #   collection is embedded
    # @return [String, Object] the document in UTF-8, or `into`
    # @raise [Error] like {Serialize#json!}
    def hal!(objects, **keywords)
      __only_in_main("HAL")
      FirstUse.of(:Document, Hal)
      Hal::Document.json(self, objects, keywords)
    end

    private

    # Asked before a constant is named that only the main Ractor can load.
    def __only_in_main(what)
      return if Ractor.current.equal?(Ractor.main)

      raise Error, "#{self}: #{what} works only in the main Ractor."
    end
  end

  class Serializer
    # The same as the class's {Declarations#json_api!}, of the object that `new` received.
    #
    # @example
    #   class LampSerializer < ToJson::Serializer
    #     attributes :watts
    #   end
    #   LampSerializer.new({ id: 1, watts: 9 }, jsonapi: true).json_api!
    #   # => {"jsonapi":{"version":"1.1"},"data":{"type":"lamps","id":"1","attributes":{"watts":9}}}
    # @param keywords as for {Declarations#json_api!}, over those of `new`
    # @return [String, Object]
    # @raise [Error]
    # @raise [ArgumentError] if `new` received no object
    def json_api!(**keywords)
      self.class.json_api!(__object_of_new("json_api!"), **__of_new, **keywords)
    end

    # The same as the class's {Declarations#hal!}, of the object that `new` received.
    #
    # @example
    #   class BulbSerializer < ToJson::Serializer
    #     attributes :watts
    #   end
    #   BulbSerializer.new({ watts: 9 }).hal! # => {"watts":9}
    # @param keywords as for {Declarations#hal!}, over those of `new`
    # @return [String, Object]
    # @raise [Error]
    # @raise [ArgumentError] if `new` received no object
    def hal!(**keywords)
      self.class.hal!(__object_of_new("hal!"), **__of_new, **keywords)
    end

    private

    # Not `scope`, which a class may redefine. An instance that `encode!` made has no object.
    # Without this check nil would be written.
    def __object_of_new(method)
      arguments = __to_json_arguments
      return arguments[1] if arguments && arguments.size > 1

      raise ArgumentError, "#{self.class}: `new` received no object. Call " \
                           "#{self.class}.#{method}(object)."
    end

    # The keywords of `new`, without those for plain documents only.
    def __of_new = __to_json_arguments&.first.to_h.except(:root, :rows)
  end
end
