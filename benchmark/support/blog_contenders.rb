# frozen_string_literal: true

# Layer: hand, json_api. The contenders of scenarios 5, 6 and 9: one serializer of each peer (blog/*.rb), each in the fastest way that
# its documentation shows. A serializer is named by its class there.

require_relative "hand"
require_relative "json_api"

module Bench
  # Adds contenders to a table.
  module BlogContenders
    # Files of blog/ by peer.
    FILES = {"panko_serializer" => "panko", "alba" => "alba", "oj_serializers" => "oj_serializers", "blueprinter" => "blueprinter",
             "transmutation" => "transmutation", "active_model_serializers" => "active_model_serializers",
             "jsonapi-serializer" => "jsonapi_serializer", "representable" => "representable", "rabl" => "rabl"}.freeze
    NEWLINE = "a newline at the end"
    # --quick leaves out the gems that were never the fastest.
    QUICK = {one: %w[oj_serializers], many: %w[oj_serializers Panko]}.freeze

    class << self
      # The file of a peer's serializers, loaded in its setup.
      def require_blog(name) = require(blog(name))

      def blog(name) = File.join(__dir__, "blog", "#{name}.rb")

      # `v` is one object; `include` is its association, for JSON:API.
      def one(table, serializer, include: nil, **more)
        add(table, :one, serializer, include, **more,
            panko: "PankoBlog::#{serializer}.new.serialize_to_json(v)",
            oj: "OjBlog::#{serializer}.one(v)", oj_writer: "OjBlog::#{serializer}.one_as_json(v)",
            transmutation: "TransmutationBlog::#{serializer}Serializer.new(v).as_json",
            ams: "AmsBlog::#{serializer}.new(v).as_json",
            representable: "RepresentableBlog::#{serializer}.new(v).to_hash")
      end

      # The least that serializing `v` by a declaration takes (blog/lower_bound.rb).
      def bound(table, serializer)
        table.setup(:lower_bound, source: blog("lower_bound")) { BlogContenders.require_blog("lower_bound") }
        table.contender "lower bound, native", :control, peer: "lower_bound", quick: true, code: "BoundBlog::#{serializer}.json!(v)"
        table.contender "lower bound, with keywords", :control, peer: "lower_bound", quick: true, code: "BoundBlog::#{serializer}.entry!(v)"
        table.contender "lower bound, kept right", :control, peer: "lower_bound", quick: true, code: "BoundBlog::#{serializer}.kept_entry!(v)"
      end

      # Likewise of the relation that `read` makes.
      def bound_of_many(table, serializer, read:)
        table.setup(:lower_bound, source: blog("lower_bound")) { BlogContenders.require_blog("lower_bound") }
        table.contender "lower bound, native", :control, peer: "lower_bound", code: "#{read}\nBoundBlog::#{serializer}.many!(v)"
      end

      # `v` is many.
      def many(table, serializer, include: nil, **more)
        add(table, :many, serializer, include, **more,
            panko: "Panko::ArraySerializer.new(v, each_serializer: PankoBlog::#{serializer}).to_json",
            oj: "OjBlog::#{serializer}.many(v)", oj_writer: "OjBlog::#{serializer}.many_as_json(v)",
            transmutation: "v.map { |object| TransmutationBlog::#{serializer}Serializer.new(object).as_json }",
            ams: "ActiveModel::Serializer::CollectionSerializer.new(v, serializer: AmsBlog::#{serializer}).as_json",
            representable: "RepresentableBlog::#{serializer}.for_collection.new(v).to_hash")
      end

      private

      # `read` is Ruby before what each contender does with `v`; `gems`: these only.
      def add(table, kind, serializer, include, jbuilder:, panko:, oj:, oj_writer:, transmutation:, ams:, representable:, rabl_maps: nil, read: nil, gems: nil)
        setups(table)
        code_of = ->(code) { [*read, code].join("\n") }
        gem = lambda do |name, peer, code, **more|
          table.contender(name, :gem, peer: peer, code: code_of[code], quick: QUICK[kind].include?(name), **more) if gems.nil? || gems.include?(name)
        end
        json_api = "JsonApiBlog::#{serializer}.new(v#{", include: [:#{include}]" if include}).serializable_hash"

        table.contender "to_json, json!", :ours, code: code_of["OurBlog::#{serializer}.json!(v)"]
        gem["oj_serializers", "oj_serializers", "Oj.dump(#{oj})"]
        gem["oj_serializers, StringWriter", "oj_serializers", "#{oj_writer}.to_s", differs: NEWLINE]
        gem["Panko", "panko_serializer", panko, differs: NEWLINE]
        gem["Alba", "alba", "AlbaBlog::#{serializer}.new(v).serialize"]
        gem["Blueprinter", "blueprinter", "BlueprinterBlog::#{serializer}.render(v)"]
        gem["Transmutation", "transmutation", "JSON.generate(#{transmutation})"]
        gem["ActiveModelSerializers", "active_model_serializers", "JSON.generate(#{ams})"]
        gem["jsonapi-serializer", "jsonapi-serializer", "JSON.generate(#{json_api})", differs: "JSON:API", maps: JsonApi.method(:plain)]
        gem["representable", %w[representable multi_json], "JSON.generate(#{representable})"]
        gem["RABL", "rabl", "Rabl::Renderer.json(v, RablBlog::#{serializer.gsub(/(?<=.)([A-Z])/, '_\1').upcase})",
            maps: rabl_maps, differs: rabl_maps && "children before computed fields"]
        gem["Jbuilder", "jbuilder", jbuilder]
      end

      def setups(table)
        table.setup(:ours, source: blog("ours")) { BlogContenders.require_blog("ours") }
        FILES.each { |peer, file| table.setup(peer, source: blog(file)) { BlogContenders.require_blog(file) } }
      end
    end
  end
end
