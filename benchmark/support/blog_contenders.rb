# frozen_string_literal: true

# Layer: hand, json_api. The contenders of scenarios 5 and 6: one serializer of each peer (blog/*.rb), each in the fastest way that
# its documentation shows. A serializer is named by its class there.

require_relative "hand"
require_relative "json_api"

module Bench
  # Adds contenders to a table.
  module BlogContenders
    # Files of blog/ by peer. What is not `quick` was never the fastest: --quick leaves it out.
    FILES = {"panko_serializer" => "panko", "alba" => "alba", "oj_serializers" => "oj_serializers", "blueprinter" => "blueprinter",
             "transmutation" => "transmutation", "active_model_serializers" => "active_model_serializers",
             "jsonapi-serializer" => "jsonapi_serializer", "representable" => "representable", "rabl" => "rabl"}.freeze
    NEWLINE = "a newline at the end"

    class << self
      # The file of a peer's serializers, loaded in its setup.
      def require_blog(name) = require(File.join(__dir__, "blog", name))

      # `v` is one object.
      def one(table, serializer, include: nil, jbuilder:, rabl_maps: nil)
        add(table, serializer, jbuilder, rabl_maps,
            "to_json" => "OurBlog::#{serializer}.json!(v)",
            "Panko" => "PankoBlog::#{serializer}.new.serialize_to_json(v)",
            "oj_serializers" => "Oj.dump(OjBlog::#{serializer}.one(v))",
            "oj_serializers, StringWriter" => "OjBlog::#{serializer}.one_as_json(v).to_s",
            "Transmutation" => "JSON.generate(TransmutationBlog::#{serializer}Serializer.new(v).as_json)",
            "ActiveModelSerializers" => "JSON.generate(AmsBlog::#{serializer}.new(v).as_json)",
            "jsonapi-serializer" => json_api(serializer, include),
            "representable" => "JSON.generate(RepresentableBlog::#{serializer}.new(v).to_hash)")
      end

      # `v` is an Array.
      def many(table, serializer, include: nil, jbuilder:, rabl_maps: nil)
        add(table, serializer, jbuilder, rabl_maps,
            "to_json" => "OurBlog::#{serializer}.json!(v)",
            "Panko" => "Panko::ArraySerializer.new(v, each_serializer: PankoBlog::#{serializer}).to_json",
            "oj_serializers" => "Oj.dump(OjBlog::#{serializer}.many(v))",
            "oj_serializers, StringWriter" => "OjBlog::#{serializer}.many_as_json(v).to_s",
            "Transmutation" => "JSON.generate(v.map { |object| TransmutationBlog::#{serializer}Serializer.new(object).as_json })",
            "ActiveModelSerializers" =>
              "JSON.generate(ActiveModel::Serializer::CollectionSerializer.new(v, serializer: AmsBlog::#{serializer}).as_json)",
            "jsonapi-serializer" => json_api(serializer, include),
            "representable" => "JSON.generate(RepresentableBlog::#{serializer}.for_collection.new(v).to_hash)")
      end

      private

      def json_api(serializer, include)
        "JSON.generate(JsonApiBlog::#{serializer}.new(v#{", include: [:#{include}]" if include}).serializable_hash)"
      end

      def add(table, serializer, jbuilder, rabl_maps, code)
        setups(table)
        gem = ->(name, peer, quick: false, **more) { table.contender(name, :gem, peer: peer, quick: quick, code: code.fetch(name), **more) }
        table.contender "to_json, json!", :ours, code: code.fetch("to_json")
        gem.call("oj_serializers", "oj_serializers", quick: true)
        gem.call("oj_serializers, StringWriter", "oj_serializers", differs: NEWLINE)
        gem.call("Panko", "panko_serializer", quick: true, differs: NEWLINE)
        table.contender "Alba", :gem, peer: "alba", code: "AlbaBlog::#{serializer}.new(v).serialize"
        table.contender "Blueprinter", :gem, peer: "blueprinter", quick: false, code: "BlueprinterBlog::#{serializer}.render(v)"
        gem.call("Transmutation", "transmutation")
        gem.call("ActiveModelSerializers", "active_model_serializers")
        gem.call("jsonapi-serializer", "jsonapi-serializer", differs: "JSON:API", maps: JsonApi.method(:plain))
        gem.call("representable", %w[representable multi_json])
        table.contender "RABL", :gem, peer: "rabl", quick: false, maps: rabl_maps, differs: rabl_maps && "children before computed fields",
                                      code: "Rabl::Renderer.json(v, RablBlog::#{serializer.gsub(/(?<=.)([A-Z])/, '_\1').upcase})"
        table.contender "Jbuilder", :gem, peer: "jbuilder", quick: false, code: jbuilder
      end

      def setups(table)
        table.setup(:ours) { BlogContenders.require_blog("ours") }
        FILES.each { |peer, file| table.setup(peer) { BlogContenders.require_blog(file) } }
      end
    end
  end
end
