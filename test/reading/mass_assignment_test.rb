# frozen_string_literal: true

require_relative "reading_case"

# What a client may try, to assign what is not writable.
class MassAssignmentTest < ReadingCase
  def setup
    super
    @post = serializer do
      transform_keys :camel_lower
      attributes :id, :is_admin, :created_at
      attributes :title, writable: true
      has_one(:author, serializer: "AuthorSerializer", writable: true)
      has_many(:comments, serializer: "AuthorSerializer", writable: { nested: true })
      nested(:place) do
        attributes :owner_id
        attributes :street, writable: true
      end
      view(:admin) { attribute :is_admin, writable: true }
    end
    Blog.const_set(:AuthorSerializer, Class.new(ToJson::Serializer) do
      attributes :id, :role
      attributes :name, writable: true
    end)
  end

  # What stands beside the fields of a document that is right.
  TRIES = [
    { "isAdmin" => true }, { "is_admin" => true }, { "IsAdmin" => true }, { "isadmin" => true },
    { "isAdmin\u0000" => true }, { " isAdmin" => true }, { "id" => 1 }, { "author_id" => 1 },
    { "authorId" => 1 }, { "comment_ids" => [1] }, { "comments_attributes" => [{ "id" => 1 }] },
    { "author_attributes" => { "id" => 1 } }, { "attributes" => { "isAdmin" => true } },
    { "__proto__" => { "isAdmin" => true } }, { "constructor" => {} }, { "send" => "exit" },
    { "instance_variable_set" => ["@is_admin", true] }, { "class" => "Kernel" }, { "type" => "A" },
    { "post" => { "isAdmin" => true } }, { "owner_id" => 1 }, { "street" => "a", "ownerId" => 2 },
    { "author" => { "name" => "a", "role" => "root" } }, { "author" => { "id" => 1 } },
    { "comments" => [{ "name" => "a" }, { "role" => "root" }] },
    { "comments" => [{ "_destroy" => true }] }, { "comments" => { "0" => { "id" => 1 } } },
    { "place" => { "street" => "a", "ownerId" => 1 } }, { "_links" => {}, "isAdmin" => true },
    { "_embedded" => { "author" => { "role" => "root" } } }, { "_embedded" => { "isAdmin" => 1 } },
    { "json_class" => "Object" }, { "^o" => "Object" }, { "@type" => "Object" }
  ].freeze

  TRIES.each do |more|
    test "#{more.inspect} is refused, and left out where unknown keys are ignored" do
      given = JSON.generate({ "title" => "Tea" }.merge(more))
      assert_raises(ToJson::ReadError) { @post.parse(given) }
      assert_includes [{ title: "Tea" }], plain(@post, given)
    end
  end

  # What is assigned without what the tries may write: names and streets.
  def plain(made, given)
    found = begin
      made.parse(given, unknown: :ignore)
    rescue ToJson::ReadError
      { title: "Tea" }
    end
    found.delete(:street)
    assert_includes [{}, { name: "a" }], found.delete(:author) || {}
    (found.delete(:comments_attributes) || []).each do |one|
      assert_includes [{}, { name: "a" }], one
    end
    found
  end

  test "a key that stands twice, as it is or escaped, is refused whatever is ignored" do
    ['{"title":"a","title":"b"}', '{"title":"a","\u0074itle":"b"}'].each do |given|
      assert_problems(["/title", :duplicate]) { @post.parse(given, unknown: :ignore) }
    end
    assert_problems(["/title", :duplicate]) { @post.parse({ "title" => 1, title: 2 }) }
  end

  RELATIONSHIPS = [
    { author: { data: { type: "authors", id: "7" } } }, { author: { data: nil } },
    { comments: { data: [{ type: "authors", id: "7" }] } }, { comments: { data: [] } },
    { comments: { data: [{ type: "authors", lid: "a" }, { type: "authors", id: "7" }] } }
  ].freeze

  test "a class for plain JSON assigns no ids, though the client sends JSON:API" do
    RELATIONSHIPS.each do |relationships|
      name = relationships.keys.first
      given = { data: { type: "posts", attributes: { title: "Tea" }, relationships: relationships },
                included: [{ type: "authors", lid: "a", attributes: { name: "b" } }] }
      assert_problems(["/data/relationships/#{name}", :not_writable, "is not writable by ids."]) do
        @post.parse(given)
      end
      assert_equal({ title: "Tea" }, @post.parse(given, unknown: :ignore))
      found, unknown = @post.parse(given, unknown: :collect)
      assert_equal [{ title: "Tea" }, ["/data/relationships/#{name}"]], [found, unknown.keys]
    end
  end

  test "objects of the document itself are read, as they are in plain JSON" do
    given = { data: { type: "posts", attributes: { title: "Tea" },
                      relationships: { author: { data: { type: "authors", lid: "a" } } } },
              included: [{ type: "authors", lid: "a", attributes: { name: "b" } }] }
    assert_equal({ title: "Tea", author: { name: "b" } }, @post.parse(given))
  end

  test "ids are read where the call, the class or the field says so" do
    given = { data: { type: "posts", relationships: RELATIONSHIPS.first } }
    assert_equal({ author_id: "7" }, @post.parse(given, envelope: :json_api))
    typed = Class.new(@post) { type :posts }
    assert_equal({ author_id: "7" }, typed.parse(given))
    named = Class.new(@post) do
      has_one :author, serializer: "AuthorSerializer", writable: { id: :writer_id }
    end
    Blog.const_set(:NamedSerializer, named)
    Blog.const_set(:PostsSerializer, Class.new(@post))
    given[:data][:type] = "nameds"
    assert_equal({ writer_id: "7" }, named.parse(given))
  end

  test "views are those of the call, and what one view writes another one does not" do
    assert_equal({ is_admin: true }, @post.parse({ isAdmin: true }, view: :admin))
    assert_problems(["/isAdmin", :not_writable]) { @post.parse({ isAdmin: true }) }
    assert_raises(ToJson::UnknownViewError) { @post.parse({ isAdmin: true }, view: "nobody") }
  end
end
