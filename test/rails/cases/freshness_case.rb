# frozen_string_literal: true

# `stale?` and `fresh_when` with serializers.

require_relative "../app"

class CommentSerializer < ToJson::Serializer
  attributes :body
end

class AuthorSerializer < ToJson::Serializer
  attributes :name
end

class PostSerializer < ToJson::Serializer
  attributes :id, :title
  has_many :comments
  has_one :author, serializer: AuthorSerializer
  view(:full) { attributes :body }
end

class ContextualSerializer < ToJson::Serializer
  attribute(:role) { context[:role] }
end

class AskingSerializer < ToJson::Serializer
  attribute(:admin) { |_| admin? }

  private

  def admin? = false
end

module Private
  private

  def admin? = true
end

class ViewedSerializer < ToJson::Serializer
  attributes :id
  attribute(:viewer) { |_| @viewer }

  def initialize(post, viewer, **options)
    super(post, **options)
    @viewer = viewer
  end
end

class NamedSerializer < ToJson::Serializer
  attribute(:role) { context[:role].name }
end

class RoleSerializer < ToJson::Serializer
  attribute(:role) { context[:of].role }
end

class Viewer < ActiveSupport::CurrentAttributes
  attribute :role
end

# A Hash that has more than its pairs.
class Memo < Hash
  attr_accessor :role
end

class AnimalSerializer < ToJson::Serializer
  attributes :name
end

# A lambda chooses a serializer, so the ETag is made of the document.
class ZooSerializer < ToJson::Serializer
  attributes :name
  has_many :posts, serializer: ->(_post) { PostSerializer }
end

class InsectSerializer < ToJson::Serializer
  attributes :name
end

class BeeSerializer < InsectSerializer; end

class HiveSerializer < ToJson::Serializer
  has_many :insects
end

Author.has_many :insects, primary_key: :name, foreign_key: :name

class OwnSerializer < ToJson::Serializer
  def serialize(post, tail) = put(:title, "#{post.title}#{tail}")
end

Total = Struct.new(:number) do
  include ToJson::Serialize

  def serialize = put(:total, number)
end

# Says nothing of itself that a cache key could hold.
class Opaque
  def as_json(*) = "opaque"
end

# An empty Hash that says who asks.
class RoleHash < Hash
  def initialize(role) = (super(); @role = role)
  def [](_key) = @role
end

# A record, and who looks at it.
class SeenPost < SimpleDelegator
  def initialize(post, viewer) = (super(post); @viewer = viewer)
  attr_reader :viewer
end

# A relation, and who looks at its records.
class SeenPosts < SimpleDelegator
  def initialize(posts, viewer) = (super(posts); @viewer = viewer)
  def to_ary = __getobj__.map { |post| SeenPost.new(post, @viewer) }
  def each(&) = to_ary.each(&)
end

class ForwardingPosts
  delegate_missing_to :@posts
  def initialize(posts, viewer) = (@posts, @viewer = posts, viewer)
  def to_ary = @posts.map { |post| SeenPost.new(post, @viewer) }
  def each(&) = to_ary.each(&)
end

class SeenPostSerializer < ToJson::Serializer
  attributes :id, :viewer
end

# Its updated_at says nothing of its columns.
class Timed < ApplicationRecord
  self.table_name = "animals"
  self.inheritance_column = nil
  def updated_at = Time.at(0)
end

class TitleSerializer < ToJson::Serializer
  attributes :title
  attribute(:n) { |post| post.n if post.has_attribute?(:n) }
end

# What code makes of rows that stay.
class Found < ApplicationRecord
  self.table_name = "posts"
  class_attribute :shown, default: "a"
  after_find { |post| post.title = shown }
end

class Viewed < ApplicationRecord
  self.table_name = "posts"
  attribute :seen_by, default: -> { Found.shown }
end

class OwnVersion < ApplicationRecord
  self.table_name = "posts"
  class_attribute :shown, default: "a"
  def title = shown
  def cache_version = shown
end

module Titled
  def records = super.each { |post| post.title = Found.shown }
end

# The serializer of the author is looked up, and looks at the context.
class PlainSerializer < ToJson::Serializer
  attributes :id, :author
end

# Only a subclass has the association.
class Kind < ApplicationRecord
  self.table_name = "kinds"
end

class Kin < Kind
  belongs_to :author
  def cache_version = Found.shown
end

Author.has_many :kinds

class Subjected < ApplicationRecord
  self.table_name = "kinds"
  self.inheritance_column = nil
  belongs_to :subject, polymorphic: true
end

class KindsSerializer < ToJson::Serializer
  has_many(:kinds) { attributes :id, :author }
end

class SubjectSerializer < ToJson::Serializer
  has_one(:subject) { attributes :id, :author }
end

class ShownSerializer < ToJson::Serializer
  attribute(:shown) { |one| one.id && Found.shown }
end

class BodySerializer < ToJson::Serializer
  attributes :id
  attribute :title, if: ->(post) { post.has_attribute?(:title) }
end

class NameSerializer < ToJson::Serializer
  attributes :name
end

# Says its version by itself, and is no record.
VersionedPost = Struct.new(:title) do
  def cache_key_with_version = "versioned/#{title}"
end

class PostsController < ActionController::API
  include ToJson::Rendering

  OBJECTS = {
    "post" => -> { PostSerializer.new(Post.first) }, "posts" => -> {
      PostSerializer.new(Post.order(:id))
    },
    "loaded" => -> { PostSerializer.new(Post.order(:id).to_a) },
    "full" => -> { PostSerializer.new(Post.first, view: :full) }, "some" => -> {
      PostSerializer.new(Post.first, only: "id")
    },
    "list" => -> { [PostSerializer.new(Post.first), Author.first] },
    "one" => -> {
      TitleSerializer.new(params[:in] == "list" ? [Post.first] : Post.first)
    },
    "none" => -> { TitleSerializer.new(params[:in] == "list" ? [nil] : nil) },
    "star" => -> { NameSerializer.new(Post.joins(:author).select("*")) },
    "pages" => -> {
      TitleSerializer.new(Post.includes(:comments).order(:id).offset(1).limit(30))
    },
    "told" => -> {
      posts = Post.includes(:comments).where(comments: { body: params[:body] }).order(:id)
      PostSerializer.new(params[:loaded] ? posts.load : posts)
    },
    "few" => -> {
      posts = params[:few] ? Post.select(:id, :updated_at) : Post.all
      how = params[:few] || params[:all]
      BodySerializer.new({ "one" => posts.first, "loaded" => posts.dup.load }.fetch(how, posts))
    },
    "found" => -> { TitleSerializer.new(Found.order(:id)) },
    "found_kin" => -> { ShownSerializer.new(Kind.all) },
    "own_attribute" => -> { TitleSerializer.new(Viewed.order(:id)) },
    "own_version" => -> { TitleSerializer.new(OwnVersion.order(:id)) },
    "extending" => -> { TitleSerializer.new(Post.order(:id).extending(Titled)) },
    "plain" => -> { PlainSerializer.new(Post.first) },
    "plain_list" => -> { PlainSerializer.new([Post.first, Kin.first]) },
    "plain_hole" => -> { PlainSerializer.new([Post.first, nil]) },
    "plain_subclass" => -> { PlainSerializer.new(Kind.all) },
    "plain_inside" => -> { KindsSerializer.new(Author.first) },
    "plain_any" => -> { SubjectSerializer.new(Subjected.first) },
    "polymorphic" => -> { TitleSerializer.new(Post.includes(:subject)) },
    "versioned" => -> { TitleSerializer.new(VersionedPost.new(params[:title])) },
    "extended" => -> {
      TitleSerializer.new(Post.first.tap { |post| post.define_singleton_method(:title) { "x" } })
    },
    "animal" => -> { AnimalSerializer.new(Animal.first) }, "animals" => -> {
      AnimalSerializer.new(Animal.all)
    },
    "own" => -> { OwnSerializer.new(Post.first, "!") }, "rules" => -> {
      PostSerializer.new(Post.first, rules: :json)
    },
    "nil" => -> { PostSerializer.new(nil) },
    "timed" => -> { AnimalSerializer.new(Timed.first) },
    "animal_list" => -> { AnimalSerializer.new(Animal.all.to_a) },
    "changed" => -> { AuthorSerializer.new(Author.first.tap { |one| one.name = params[:title] }) },
    "part" => -> { AuthorSerializer.new(Author.select(:id, :name).first) },
    "of_call" => -> { ContextualSerializer.new(Post.first, context: { role: "x" }, rules: :json) },
    "total" => -> { Total.new(params[:title]) },
    "zoos" => -> { ZooSerializer.new(Author.order(:id)) },
    "zoo_list" => -> { ZooSerializer.new(Author.order(:id).to_a) },
    "hive" => -> { HiveSerializer.new(Author.find_by(name: "Maya")) },
    "seen" => -> { SeenPostSerializer.new(SeenPost.new(Post.first, params[:viewer])) },
    "seen_list" => -> { SeenPostSerializer.new([SeenPost.new(Post.first, params[:viewer])]) },
    "seen_posts" => -> { SeenPostSerializer.new(SeenPosts.new(Post.order(:id), params[:viewer])) },
    "forwarding" => -> {
      SeenPostSerializer.new(ForwardingPosts.new(Post.order(:id), params[:viewer]))
    },
    "chosen" => -> { SeenPostSerializer.new(chosen) },
    "chosen_loaded" => -> { SeenPostSerializer.new(chosen.load) },
    "chosen_list" => -> { SeenPostSerializer.new(chosen.to_a) },
    "chosen_one" => -> { SeenPostSerializer.new(chosen.first) },
    "chosen_title" => -> { TitleSerializer.new(chosen("title").load) },
    "counted" => -> {
      TitleSerializer.new(Post.order(:id).select("posts.*", "(SELECT count(*) FROM comments) AS n"))
    },
    "columns" => -> {
      TitleSerializer.new(Post.order(:id).select(:id, "posts.title", :updated_at))
    },
    "grouped" => -> { TitleSerializer.new(Post.joins(:comments).group(:id).order(:id)) },
    "distinct" => -> { TitleSerializer.new(Post.joins(:comments).distinct.order(:id)) },
    "joined" => -> {
      TitleSerializer.new(Post.joins(:comments).where(comments: { body: "c" }).order(:id))
    },
    "inside" => -> {
      TitleSerializer.new(Post.where(id: Comment.where(body: "c").select(:post_id)).order(:id))
    },
    "page" => -> { TitleSerializer.new(Post.order(:id).offset(1).limit(params[:limit])) },
    "eager" => -> { TitleSerializer.new(Post.eager_load(:comments).order(:id).offset(1).limit(2)) },
    "author" => -> { AuthorSerializer.new(Author.first) },
    "current" => -> {
      Viewer.role = params[:role]
      RoleSerializer.new(Post.first, context: { of: Viewer })
    },
    "memo" => -> {
      memo = Memo.new.tap { |one| one.role = params[:role] }
      RoleSerializer.new(Post.first, context: { of: memo })
    },
    "changed_author" => -> {
      author = Author.first.tap { |one| one.name = params[:role] }
      NamedSerializer.new(Post.first, context: { role: author })
    },
    "chosen_author" => -> {
      author = Author.select("authors.*", "#{Post.connection.quote(params[:role])} AS role").first
      RoleSerializer.new(Post.first, context: { of: author })
    },
    "built" => -> {
      TitleSerializer.new(Author.first.posts.tap { |posts| posts.build(title: params[:title]) })
    },
    "of_author" => -> { NamedSerializer.new(Post.first, context: { role: Author.first }) },
    "of_animal" => -> { NamedSerializer.new(Post.first, context: { role: Animal.first }) },
    "extended_serializer" => lambda do
      AskingSerializer.new(Post.first).tap { |one| one.extend(Private) if params[:viewer] }
    end,
    "viewed" => -> { ViewedSerializer.new(Post.first, params[:viewer]) },
    "encoded" => lambda do
      ContextualSerializer.new(Post.first).encode!(context: { role: params[:role] })
    end,
    "encoded_only" => lambda do
      PostSerializer.new(Post.first).encode!(only: params[:only].to_sym)
    end,
    "contextual" => -> { ContextualSerializer.new(Post.first) }, "record" => -> { Post.first },
    "hash" => -> { PostSerializer.new({ id: 1, title: params[:title], comments: [], author: nil }) }
  }.freeze

  def show
    object = OBJECTS.fetch(params[:name]).then { |block| instance_exec(&block) }
    I18n.with_locale(params[:locale] || :en) do
      render json: { fresh: true } if stale?(object)
    end
  end

  def option
    (fresh_when(etag: PostSerializer.new(Post.first)) || (render(json: 1) unless performed?))
  end

  def both
    fresh_when(PostSerializer.new(Post.first), etag: params[:tag], last_modified: Time.at(0))
    render(json: 1) unless performed?
  end

  private

  # A value of the viewer is in the SELECT.
  def chosen(name = "viewer")
    Post.order(:id).select(:id, :updated_at, "#{Post.connection.quote(params[:viewer])} AS #{name}")
  end

  def serialization_context
    return Hash.new(params[:default]) if params[:default]
    return RoleHash.new(params[:hash]) if params[:hash]

    { role: params[:role]&.then { |role| role == "opaque" ? Opaque.new : role } }
  end
end

class BeforeController < ActionController::API
  etag { ContextualSerializer.new(Post.first) if params[:in] == "before" }
end

class TaggedController < BeforeController
  include ToJson::Rendering

  Held = Struct.new(:it)

  etag { Set[ContextualSerializer.new(Post.first)] if params[:in] == "block" }
  etag { |_options| params[:in] if params[:in] == "text" }

  def tagged
    of = ContextualSerializer.new(Post.first)
    tag = { "hash" => { post: of }, "set" => Set[[of]], "struct" => Held.new(of),
            "each" => [of].each }[params[:in]] || "same"
    object = { "a hash" => { post: of }, "a set" => Set[of], "inside" => [{ of: [of] }] }
    given = object[params[:in]]
    render(json: { fresh: true }) if given ? stale?(given) : stale?(etag: tag)
  end

  private

  def serialization_context = { role: params[:role] }
end

# Serializers that say something else of themselves to ActiveSupport.
# A model in the module form.
class SpokenPost < ApplicationRecord
  self.table_name = "posts"
  include ToJson::Serialize

  def serialize = put(:title, title)
end

class SpokenPresenter < SimpleDelegator
  include ToJson::Serialize

  def serialize = put(:title, title)
end

# Fields that read the objects' to_param.
class SluggedSerializer < ToJson::Serializer
  attribute :slug, :to_param
end

class OddController < ActionController::API
  include ToJson::Rendering

  def slugged = render(json: Post.first, serializer: SluggedSerializer)

  def spoken
    render plain: [SpokenPost.first.to_param, [SpokenPost.first].to_query("id"),
                   SpokenPresenter.new(Post.first).to_param].join(" ")
  end

  Told = Struct.new(:number) do
    include ToJson::Serialize
    def serialize = put(:role, context[:role])
  end

  class Row < ApplicationRecord
    self.table_name = "posts"
    include ToJson::Serialize
    def serialize = put(:role, context[:role])
  end

  class Keyed < ContextualSerializer
    attributes :cache_key
    def cache_key(_post) = "k"
  end

  class Listed < ContextualSerializer
    def to_a = [1]
  end

  etag { |_options| given if params[:in] == "block" }

  def odd
    render(json: { fresh: true }) if params[:in] == "object" ? stale?(given) : stale?(**options)
  end

  private

  def given
    case params[:name]
    when "struct" then Told.new(1)
    when "record" then Row.first
    when "method" then Keyed.new(Post.first)
    when "array" then Listed.new(Post.first)
    end
  end

  def options
    case params[:in]
    when "weak" then { weak_etag: given }
    when "strong" then { strong_etag: given }
    when "list" then { etag: [[given]] }
    when "hash" then { etag: { of: given } }
    when "held" then { etag: TaggedController::Held.new(given) }
    when "etag" then { etag: given }
    when "block" then { etag: "same" }
    end
  end

  def serialization_context = { role: params[:role] }
end

I18n.available_locales = %i[en fr]
App.routes do
  get "odd", to: "odd#odd"
  get "spoken", to: "odd#spoken"
  get "slugged", to: "odd#slugged"
  get "option", to: "posts#option"
  get "both", to: "posts#both"
  get "tagged", to: "tagged#tagged"
  get ":name", to: "posts#show"
end

class FreshnessCase < AppCase
  def setup
    super
    @author = Author.create!(name: "Ann")
    @post = Post.create!(title: "One", body: "B", author: @author)
    @comment = Comment.create!(post: @post, body: "c")
    Animal.create!(name: "Rex")
  end

  def etag(path)
    response = get(path)
    assert_equal 200, response.status, response.body
    response["etag"]
  end

  # Asserts that the ETag of a path changes by what the block does, or does not.
  def assert_changes(path, changes = true)
    before = etag(path)
    yield
    assert_equal 304, get(path, "HTTP_IF_NONE_MATCH" => etag(path)).status
    changes ? refute_equal(before, etag(path), path) : assert_equal(before, etag(path), path)
  end

  # It was the serializer's: an ArgumentError, or the digest of a document.
  test "a field may read the to_param of its object" do
    document = %({"slug":"#{@post.id}"})
    assert_equal document, SluggedSerializer.json!(@post)
    assert_equal document, body_of("/slugged")
  end

  # It was the digest of its document, also in URLs.
  test "a record in the module form keeps its to_param in a controller" do
    id = @post.id
    assert_equal "#{id} id%5B%5D=#{id} #{id}", body_of("/spoken")
  end

  test "a client that has the document gets 304 and no body" do
    response = get("/post", "HTTP_IF_NONE_MATCH" => etag("/post"))
    assert_equal [304, ""], [response.status, response.body]
    assert_nil get("/post")["last-modified"] # it would not know of a deploy
    assert_equal 304, get("/option", "HTTP_IF_NONE_MATCH" => get("/option")["etag"]).status
  end

  test "the ETag changes with the record, and with a child that touches it" do
    %w[/post /posts /loaded /full /list].each do |path|
      assert_changes(path) { @post.update!(title: "#{@post.title}!") }
      assert_changes(path) { @comment.update!(body: "#{@comment.body}!") }
      assert_changes(path, false) { nil }
    end
    assert_changes("/posts") { Post.create!(title: "Two") }
    assert_changes("/list") { @author.update!(name: "Eve") }
  end

  test "the ETag changes with a view, a selection, and the locale" do
    tags = ["/post", "/full", "/some", "/post?locale=fr", "/rules"].map { |path| etag(path) }
    assert_equal tags.uniq, tags
  end

  test "the ETag changes with the serializer, a nested one, and one that is looked up" do
    { PostSerializer => :updated_at, AuthorSerializer => :id,
      CommentSerializer => :id }.each do |type, field|
      assert_changes("/post") { type.attributes(field) }
      assert_changes("/posts") { type.remove(field) }
    end
    assert_changes("/post", false) { AnimalSerializer.attributes(:type) }
  end

  # The ETag depended only on the serializer of the association's own class. So the answer was 304.
  test "the ETag changes with the serializer of a subclass that is not loaded yet" do
    Author.create!(name: "Maya")
    App.insert_animal("Bee", "Maya")
    assert_empty Insect.subclasses
    assert_changes("/hive") { BeeSerializer.attributes(:id) }
  end

  test "the ETag changes with the context, if the serializer looks at it" do
    assert_equal etag("/author?role=a"), etag("/author?role=b")
    refute_equal etag("/contextual?role=a"), etag("/contextual?role=b")
    refute_equal etag("/contextual?role=opaque"), etag("/contextual?role=b")
  end

  # The ETag was the same, so another viewer got 304.
  test "the ETag changes with what a serializer instance has of its own" do
    refute_equal etag("/viewed?viewer=a"), etag("/viewed?viewer=b")
    assert_changes("/viewed?viewer=a", false) { nil }
    refute_equal etag("/extended_serializer?viewer=a"), etag("/extended_serializer")
  end

  # The ETag was that of what `new` got, but the document is what encode! kept.
  test "the ETag changes with what encode! of an instance got" do
    assert_equal etag("/encoded?role=a"), etag("/encoded?role=a")
    refute_equal etag("/encoded?role=a"), etag("/encoded?role=b")
    refute_equal etag("/encoded_only?only=id"), etag("/encoded_only?only=title")
  end

  # Another viewer got 304: the ETag was that of the record.
  test "the ETag changes with what a delegator around a record has" do
    %w[/seen /seen_list /seen_posts /forwarding].each do |path|
      assert_equal etag("#{path}?viewer=a"), etag("#{path}?viewer=a")
      refute_equal etag("#{path}?viewer=a"), etag("#{path}?viewer=b")
    end
  end

  # A record with such a value, and a loaded relation, had only the versions of its records.
  test "the ETag changes with what the SELECT gives to records" do
    %w[/chosen /chosen_loaded /chosen_list /chosen_one /chosen_title].each do |path|
      assert_equal etag("#{path}?viewer=a"), etag("#{path}?viewer=a")
      refute_equal etag("#{path}?viewer=a"), etag("#{path}?viewer=b"), path
    end
  end

  # The documents are an object and a list.
  test "the ETag of one object is another than that of a list with this object" do
    %w[/one /none].each { |path| refute_equal etag(path), etag("#{path}?in=list") }
  end

  test "the ETag changes with columns that a * takes from a joined table" do
    assert_changes("/star") { @post.author.update!(name: "Changed") }
  end

  # The query for the ETag joined the comments: 1,500 rows, of which only the number counted.
  test "the ETag changes with the rows of a page, whatever it preloads" do
    40.times do |i|
      post = Post.create!(title: "P#{i}")
      Comment.insert_all!(Array.new(50) { { post_id: post.id, body: "c" } })
    end
    Post.update_all(updated_at: Time.at(0))
    assert_changes("/pages") { Post.first.delete }
  end

  test "the ETag changes with the associated records that a query chooses" do
    Comment.create!(post: @post, body: "other")
    Post.update_all(updated_at: Time.at(0))
    ["", "&loaded=1"].each do |loaded|
      refute_equal etag("/told?body=c#{loaded}"), etag("/told?body=other#{loaded}")
    end
  end

  test "the ETag changes with the columns that a SELECT leaves out" do
    %w[relation loaded one].each do |how|
      refute_equal etag("/few?few=#{how}"), etag("/few?all=#{how}"), how
    end
  end

  # The rows stay.
  test "the ETag changes with what callbacks, versions and modules of a relation make" do
    Kin.create!(author: @author)
    assert_changes("/found") { Found.shown = "b" }
    Found.shown = "a"
    assert_changes("/found_kin") { Found.shown = "b" }
    Found.shown = "a"
    assert_changes("/own_attribute") { Found.shown = "b" }
    Kin.delete_all
    assert_changes("/extending") { Found.shown = "c" }
    assert_changes("/own_version") { OwnVersion.shown = "b" }
  end

  test "the ETag changes with the shard" do
    base = ActiveRecord::Base
    base.connection_handler.establish_connection(base.connection_db_config, owner_name: base,
                                                 role: :writing, shard: :two)
    versions = ToJson::Rendering::Freshness.const_get(:Versions)
    text = lambda do |shard|
      base.connected_to(role: :writing, shard: shard) do
        unless Post.connection.table_exists?(:posts)
          Post.connection.create_table(:posts) { |table| table.timestamps }
        end
        versions.of(Post.where(id: -1))
      end
    end
    refute_equal text.call(:default), text.call(:two)
  end

  test "the ETag changes with what the looked-up serializer of a plain field writes" do
    before = etag("/plain")
    assert_equal before, etag("/plain")
    @post.author.update_columns(name: "Changed")
    refute_equal before, etag("/plain")
  end

  # Only the value tells that a plain field has a record. So what its serializer reads of the
  # context did not count.
  test "the ETag changes with a plain field whose model only the value tells" do
    kin = Kin.create!(author: @author)
    Subjected.where(id: kin.id).update_all(subject_type: "Post", subject_id: @post.id)
    AuthorSerializer.attribute(:role) { context[:role] }
    %w[plain plain_list plain_hole plain_subclass plain_inside plain_any].each do |name|
      tags = %w[a b a].map { |role| etag("/#{name}?role=#{role}") }
      assert_equal tags[0], tags[2], name
      refute_equal tags[0], tags[1], name
    end
  ensure
    AuthorSerializer.remove(:role)
  end

  # ActiveSupport asks an object for its `cache_key` and its `to_a` first.
  test "a serializer with methods of a Struct, a record or a field counts as a serializer" do
    %w[struct record method array].each do |name|
      %w[object etag weak strong list hash held block].each do |place|
        path = "/odd?name=#{name}&in=#{place}"
        tags = %w[a b a].map { |role| etag("#{path}&role=#{role}") }
        assert_equal tags[0], tags[2], path
        refute_equal tags[0], tags[1], path
      end
    end
  end

  # It raised EagerLoadPolymorphicError.
  test "the ETag of a relation that includes a polymorphic association" do
    Post.belongs_to :subject, polymorphic: true, optional: true
    assert_equal etag("/polymorphic"), etag("/polymorphic")
  end

  # It raised a NoMethodError for has_attribute?.
  test "the ETag changes with the key of an object that is no record" do
    assert_equal etag("/versioned?title=a"), etag("/versioned?title=a")
    refute_equal etag("/versioned?title=a"), etag("/versioned?title=b")
  end

  test "the ETag changes with what a method of the record itself writes" do
    refute_equal etag("/extended"), etag("/one")
  end

  test "the ETag changes with a record whose updated_at is no column" do
    assert_changes("/timed") { Timed.first.update!(name: "Tom") }
  end

  # In an ETag they had the text of an empty context. In a Hash or a Set that is the object of
  # `stale?`, they were asked for `updated_at`, and a NoMethodError was raised.
  test "serializers count with their context wherever an ETag has them" do
    %w[block before hash set struct each a+hash a+set inside].each do |where|
      tags = %w[a b a].map { |role| etag("/tagged?in=#{where}&role=#{role}") }
      assert_equal tags[0], tags[2]
      refute_equal tags[0], tags[1], where
    end
    assert_equal etag("/tagged?in=text&role=a"), etag("/tagged?in=text&role=b")
    refute_equal etag("/tagged?in=text"), etag("/tagged?in=other")
  end

  # The versions of the posts stay.
  test "the ETag changes with what the SELECT of a relation gives of other tables" do
    assert_changes("/counted") { Comment.insert!({ post_id: @post.id, body: "d" }) }
    assert_changes("/columns", false) { Comment.insert!({ post_id: @post.id, body: "e" }) }
    assert_changes("/columns") { @post.update!(title: "Two") }
  end

  # Rails' version of a relation is the number of rows and the latest change. That of a relation
  # with groups has the first group only.
  test "the ETag changes with the rows of a relation" do
    2.upto(4) { |i| Comment.create!(post: Post.create!(title: "P#{i}"), body: "d") }
    Post.update_all(updated_at: Time.at(0))
    %w[grouped distinct].each do |name|
      assert_changes("/#{name}") { Post.last.update!(title: "#{name} has changed") }
    end
    Post.update_all(updated_at: Time.at(0))
    %w[joined inside].each do |name|
      assert_changes("/#{name}") do
        was, other = Comment.find_by(body: "c"), Comment.find_by(body: "d")
        was.update_columns(body: "d")
        other.update_columns(body: "c")
      end
    end
    %w[page?limit=2 eager].each do |name|
      Post.insert!({ title: "last", created_at: Time.at(0), updated_at: Time.at(0) })
      assert_changes("/#{name}") { Post.first.delete }
    end
  end

  test "the ETag of more rows than are read changes with their number and the latest change" do
    versions = ToJson::Rendering::Freshness.const_get(:Versions)
    now = Time.now
    Post.insert_all!(Array.new(versions.const_get(:MOST_ROWS)) do |i|
      { title: "P#{i}", created_at: now, updated_at: now }
    end)
    assert_equal Post.count, versions.const_get(:MOST_ROWS) + 1
    title = PostsController::OBJECTS["columns"]
    text = -> { versions.of(title.call.__send__(:__to_json_arguments)[1]) }
    before = text.call
    assert_operator before, :end_with?,
                    Post.order(:id).select(:id, "posts.title",
                                           :updated_at).cache_key_with_version
    Post.last.update!(title: "changed")
    refute_equal before, text.call
  end

  test "the ETag changes with a record in the context, also one without updated_at" do
    assert_changes("/of_animal") { Animal.first.update!(name: "Tim") }
    assert_changes("/of_author") { @author.update!(name: "Zoe") }
  end

  # Another viewer got 304: the key of the context was the name of the class, an empty Hash, or the
  # version of the record.
  test "the ETag changes with what a context says beside its contents" do
    %w[current memo changed_author chosen_author].each do |name|
      assert_equal etag("/#{name}?role=a"), etag("/#{name}?role=a")
      refute_equal etag("/#{name}?role=a"), etag("/#{name}?role=b"), name
    end
  end

  # A deploy may change it.
  test "the ETag changes with ActiveSupport's settings" do
    encoding = ActiveSupport::JSON::Encoding
    before, rules = encoding.time_precision, ToJson.default_rules
    ToJson.default_rules = { dialect: :rails }
    assert_changes("/post") { encoding.time_precision = 0 }
  ensure
    encoding.time_precision = before
    ToJson.default_rules = rules
  end

  test "the ETag changes with what an empty Hash says as a context" do
    refute_equal etag("/contextual?default=a"), etag("/contextual?default=b")
    refute_equal etag("/contextual?hash=a"), etag("/contextual?hash=b")
  end

  test "a thread that is killed while it looks for digests leaves none of before" do
    nested = ToJson::Rendering::Freshness.const_get(:Nested, false)
    file, first = nested.method(:fresh).source_location
    lines = (first..first + 10)
    1.upto(20) do |nth|
      nested.digest(AuthorSerializer, Author)
      AuthorSerializer.attribute(:"more#{nth}") { 1 }
      count = 0
      Thread.new do
        trace = TracePoint.new(:line, :call, :c_return) do |event|
          next unless event.path == file && lines.cover?(event.lineno)

          Thread.current.kill if (count += 1) == nth
        end
        trace.enable { nested.digest(AuthorSerializer, Author) }
      end.join
      assert_equal AuthorSerializer.digest, nested.digest(AuthorSerializer, Author), nth
      AuthorSerializer.remove(:"more#{nth}")
    end
  end

  test "an ETag of one's own stands beside that of the serializer" do
    refute_equal etag("/both?tag=a"), etag("/both?tag=b")
    assert_changes("/both?tag=a") { @post.update!(title: "Both") }
    assert_equal Time.at(0).httpdate, get("/both?tag=a")["last-modified"]
  end

  test "a serializer that stands twice inside another changes the ETag" do
    PostSerializer.has_one(:writer, source: :author, serializer: AuthorSerializer)
    assert_changes("/post") { AuthorSerializer.attributes(:id) }
    AuthorSerializer.remove(:id)
  ensure
    PostSerializer.remove(:writer)
  end

  test "nil has an ETag, and a context of the serializer comes before the controller's" do
    assert_changes("/nil", false) { @post.update!(title: "Other") }
    assert_equal etag("/of_call?role=a"), etag("/of_call?role=b")
  end

  test "what has no version counts by its document" do
    assert_changes("/animal") { Animal.first.update!(name: "Tim") }
    assert_changes("/animals") { Animal.first.update!(name: "Tom") }
    assert_changes("/own") { @post.update_column(:title, "Three") }
    assert_changes("/animal_list") { Animal.first.update!(name: "Kim") }
    assert_changes("/part") { @author.update_column(:name, "Zoe") }
    %w[hash changed total built].each do |name|
      refute_equal etag("/#{name}?title=a"), etag("/#{name}?title=b"), name
    end
  end

  test "a document that is written for its ETag has its associations preloaded" do
    3.times { |i| Author.create!(name: "A#{i}").posts.create!(title: "P#{i}").comments.create! }
    told = []
    ActiveSupport::Notifications.subscribed(->(*, data) { told << data }, "serialize.to_json") do
      %w[zoos zoo_list].each do |name|
        assert_changes("/#{name}") { @comment.update_column(:body, "#{name} has changed") }
      end
    end
    assert_equal(["Hash"] * told.size, told.map { |data| data[:name] })
  end

  test "a record alone is Rails' as before" do
    key = ActiveSupport::Cache.expand_cache_key([@post.reload])
    assert_equal %(W/"#{ActiveSupport::Digest.hexdigest(key)}"), etag("/record")
    assert_equal @post.updated_at.httpdate, get("/record")["last-modified"]
  end
end
