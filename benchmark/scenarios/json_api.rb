# frozen_string_literal: true

require_relative "../data/blog"

# Documents of JSON:API: 100 posts with their author and 10 comments each, all of them included, of
# which a client asked for some fields. And one post alone, with nothing included.
Bench.scenario 19, "json_api", "JSON:API: included resources, sparse fieldsets" do
  ours = <<~RUBY
    class AuthorSerializer < ToJson::Serializer
      attributes :name, :email
    end
    class CommentSerializer < ToJson::Serializer
      attributes :body, :score
    end
    class PostSerializer < ToJson::Serializer
      attributes :title, :body
      has_one :author, serializer: AuthorSerializer
      has_many :comments, serializer: CommentSerializer
    end
    FIELDS = {posts: "title,author,comments", authors: "name", comments: "body"}.freeze
  RUBY
  theirs = <<~RUBY
    class JsonApiAuthor
      include JSONAPI::Serializer
      set_type :authors
      attributes :name, :email
    end
    class JsonApiComment
      include JSONAPI::Serializer
      set_type :comments
      attributes :body, :score
    end
    class JsonApiPost
      include JSONAPI::Serializer
      set_type :posts
      attributes :title, :body
      has_one(:author, serializer: JsonApiAuthor, lazy_load_data: LAZY, &:author)
      has_many(:comments, serializer: JsonApiComment, lazy_load_data: LAZY, &:comments)
    end
    JSON_API_OPTIONS = {include: %i[author comments],
                        fields: {posts: %i[title author comments], authors: %i[name],
                                 comments: %i[body]}}.freeze
  RUBY
  ams = <<~RUBY
    class AmsAuthor < ActiveModel::Serializer
      type "authors"
      attributes :name, :email
    end
    class AmsComment < ActiveModel::Serializer
      type "comments"
      attributes :body, :score
    end
    class AmsPost < ActiveModel::Serializer
      type "posts"
      attributes :title, :body
      has_one :author, serializer: AmsAuthor
      has_many :comments, serializer: AmsComment
    end
    AMS_OPTIONS = {include: %i[author comments],
                   fields: {posts: %i[title author comments], authors: %i[name],
                            comments: %i[body]}}.freeze
  RUBY
  rb = <<~RUBY
    class RbAuthor < JSONAPI::Serializable::Resource
      type "authors"
      attributes :name, :email
    end
    class RbComment < JSONAPI::Serializable::Resource
      type "comments"
      attributes :body, :score
    end
    class RbPost < JSONAPI::Serializable::Resource
      type "posts"
      attributes :title, :body
      has_one :author
      has_many :comments
    end
    RB_OPTIONS = {class: {"Bench::Blog::Entry": RbPost, "Bench::Blog::Writer": RbAuthor,
                          "Bench::Blog::Remark": RbComment},
                  include: %i[author comments],
                  fields: {posts: %i[title author comments], authors: %i[name],
                           comments: %i[body]}}.freeze
    RENDERER = JSONAPI::Serializable::Renderer.new
  RUBY
  # Members, and included resources, in the order of ours: that in which data names them.
  in_order = lambda do |document|
    identity = ->(one) { one.slice("type", "id") }
    resource = lambda do |one|
      related = one["relationships"]&.transform_values do |relationship|
        data = relationship.fetch("data")
        {"data" => data.is_a?(Array) ? data.map(&identity) : identity[data]}
      end
      {**identity[one], "attributes" => one["attributes"], "relationships" => related}.compact
    end
    data = document.fetch("data")
    next {"data" => resource[data]} unless data.is_a?(Array)

    data = data.map(&resource)
    named = data.flat_map { |one| one["relationships"].values.flat_map { |two| two["data"] } }
    included = document.fetch("included").to_h { |one| [identity[one], resource[one]] }
    {"data" => data, "included" => named.flatten.uniq.map { |one| included.fetch(one) }}
  end
  order = "an order of its own"

  table "100 posts, included" do
    data { Bench::Blog.entries }
    setup :ours, ours
    contender "to_json, json_api!", :ours, objects: 2_600, code: <<~RUBY
      PostSerializer.json_api!(v, include: "author,comments", fields: FIELDS)
    RUBY
    setup "jsonapi-serializer", theirs.gsub("LAZY", "false")
    contender "jsonapi-serializer", :gem, peer: "jsonapi-serializer", maps: in_order,
                                          differs: order, code: <<~RUBY
      JSON.generate(JsonApiPost.new(v, JSON_API_OPTIONS).serializable_hash)
    RUBY
    setup "active_model_serializers", ams
    of_ams = {peer: "active_model_serializers", maps: in_order, differs: order}
    contender "ActiveModelSerializers, json_api", :gem, **of_ams, code: <<~RUBY
      all = ActiveModel::Serializer::CollectionSerializer.new(v, serializer: AmsPost)
      JSON.generate(ActiveModelSerializers::Adapter::JsonApi.new(all, AMS_OPTIONS.dup).as_json)
    RUBY
    setup "jsonapi-rb", rb
    contender "jsonapi-rb", :gem, peer: "jsonapi-rb", maps: in_order, differs: order,
                                  code: "JSON.generate(RENDERER.render(v, RB_OPTIONS))"

    reach "to_json, json_api!", over: :gem, at_least: 5
  end

  table "one post" do
    data { Bench::Blog.entries.map(&:first) }
    setup :ours, ours
    contender "to_json, json_api!", :ours, objects: 9, code: "PostSerializer.json_api!(v)"
    setup "jsonapi-serializer", theirs.gsub(/^  has_.*\n/, "")
    contender "jsonapi-serializer", :gem, peer: "jsonapi-serializer", maps: in_order,
                                          differs: order, code: <<~RUBY
      JSON.generate(JsonApiPost.new(v).serializable_hash)
    RUBY
  end
end
