# frozen_string_literal: true

require_relative "statement_case"

# What stands in documents: the top level, resources, relationships, links, meta.
class JsonApiDocumentStatementsTest < JsonApiStatementCase
  test "json-object: the root is an object" do
    [nil, [], post, [post(6)]].each { |data| assert_kind_of Hash, written(posts, data) }
    invalid "", []
  end

  test "required-top-level: there is data, errors or meta" do
    assert written(posts, nil).key?("data")
    assert judged(ToJson::JsonApi.errors!([])).key?("errors")
    invalid "", { jsonapi: {} }
  end

  test "data-errors: never both" do
    refute judged(ToJson::JsonApi.errors!([{ status: 404 }], meta: { a: 1 })).key?("data")
    refute written(posts, post).key?("errors")
    invalid "", { data: nil, errors: [] }
  end

  test "optional-top-level: jsonapi, links and included" do
    found = written(posts, post, include: "author", links: { self: URL }, jsonapi: true)
    assert_equal %w[data included jsonapi links], found.keys.sort
  end

  test "data-included: no included without data" do
    refute judged(ToJson::JsonApi.errors!([])).key?("included")
    invalid "/included", { meta: {}, included: [] }
  end

  test "additional-members: objects have no members but those of the specification" do
    assert_raises(ArgumentError) { posts.json_api!(post, errors: []) }
    invalid "/data/title", resource(title: "a")
    invalid "/links/author", { data: nil, links: { author: URL } }
  end

  test "primary-data: a resource, null or an array" do
    assert_kind_of Hash, written(posts, post)["data"]
    assert_nil written(posts, nil)["data"]
    assert_equal [], written(posts, [])["data"]
    invalid "/data", { data: 1 }
  end

  test "logical-collection: an array, also of one or none" do
    assert_equal 1, written(posts, [post])["data"].size
    assert_equal [], written(posts, [])["data"]
    assert_equal 1, written(posts, [post].each)["data"].size
  end

  test "resource-required-top-level: id and type" do
    assert_equal %w[5 posts], written(posts, post)["data"].values_at("id", "type")
    invalid "/data", { data: { id: "1" } }
    invalid "/data", { data: { type: "posts" } }
    valid({ data: { type: "posts" } }, kind: :create)
  end

  test "resource-optional-top-level: attributes, relationships, links and meta" do
    rich = blog do
      link :self, "#{URL}/5"
      resource_meta { |_| { a: 1 } }
    end
    found = written(rich::PostSerializer, post, include: "author")["data"]
    assert_equal %w[attributes id links meta relationships type], found.keys.sort
  end

  test "resource-id-type: every resource has both, what is included too" do
    found = written(posts, [post], include: "author,comments.author")
    [*found["data"], *found["included"]].each { |one| assert(one["id"] && one["type"]) }
  end

  test "resource-id-type-types: both are Strings, whatever the object has" do
    found = written(posts, post, include: "author")
    [found["data"], *found["included"]].each do |one|
      assert_equal [String, String], one.values_at("id", "type").map(&:class)
    end
    invalid "/data/id", resource(id: 1)
  end

  test "resource-type-constraints: a type is a member name" do
    assert_raises(ToJson::DefinitionError) { Class.new(ToJson::Serializer) { type :"a b+" } }
    invalid "/data/type", resource(type: "a+b")
  end

  test "resource-fields: type, id, attributes and relationships share one namespace" do
    wrong = Class.new(ToJson::Serializer) { type :posts; attribute(:type) { |_| 1 } }
    assert_raises(ToJson::DefinitionError) { wrong.json_api!(post) }
    assert_raises(ToJson::DefinitionError) do
      Class.new(ToJson::Serializer) do
        attribute :author
        has_one :author
      end
    end
    invalid "/data/relationships/a", resource(attributes: { a: 1 }, relationships: { a: {} })
  end

  test "resource-attributes-key: attributes is an object" do
    assert_kind_of Hash, written(posts, post)["data"]["attributes"]
    invalid "/data/attributes", resource(attributes: [])
  end

  test "resource-attributes-reserve-members: foreign keys are no attributes" do
    found = written(posts, post, include: "author")["data"]
    assert_equal %w[body title], found["attributes"].keys.sort
    assert found["relationships"].key?("author")
  end

  test "resource-relationships-key: relationships is an object" do
    assert_kind_of Hash, written(posts, post, include: "author")["data"]["relationships"]
    invalid "/data/relationships", resource(relationships: [])
  end

  test "resource-relationships-object: each has links, data or meta" do
    found = written(posts, post, include: "author")["data"]["relationships"]
    assert_equal ["author"], found.keys # one that would be empty is left out
    invalid "/data/relationships/a", resource(relationships: { a: {} })
    invalid "/data/relationships/a/links", resource(relationships: { a: { links: {} } })
  end

  test "resource-relationships-pagination: links of a to-many lead to pages" do
    paged = blog do
      relationship_link :comments, :related, "#{URL}/5/comments"
      relationship_link(:comments, :next) { |one| "#{URL}/#{one.id}/comments?page%5Bnumber%5D=2" }
    end
    links = written(paged::PostSerializer, post)["data"]["relationships"]["comments"]["links"]
    assert_equal %w[next related], links.keys.sort
  end

  RELATED = proc do
    relationship_link(:author, :related) { |one| "#{URL}/#{one.id}/author" }
  end

  test "resource-related-resource-link: it stands there even if nothing is related" do
    related = blog(&RELATED)
    lonely = Post.new(5, "Tea", "Hot.", nil, [])
    found = written(related::PostSerializer, lonely, include: "author")
    assert_equal({ "links" => { "related" => "#{URL}/5/author" }, "data" => nil },
                 found["data"]["relationships"]["author"])
  end

  test "resource-related-resource-link-change: it does not depend on what is related" do
    related = blog(&RELATED)
    found = [ann, bob].map do |author|
      one = Post.new(5, "Tea", "Hot.", author, [])
      written(related::PostSerializer, one, include: "author")["data"]["relationships"]["author"]
    end
    assert_equal 1, found.map { |one| one["links"] }.uniq.size
    assert_equal 2, found.map { |one| one["data"] }.uniq.size
  end

  test "resource-linkage: null, an array, an identifier, an array of them" do
    linkage = lambda do |one|
      written(posts, one, include: "author,comments")["data"]["relationships"]
        .transform_values { |relationship| relationship["data"] }
    end
    assert_equal({ "author" => nil, "comments" => [] },
                 linkage.call(Post.new(5, "Tea", "Hot.", nil, [])))
    assert_equal({ "author" => { "type" => "people", "id" => "1" },
                   "comments" => [{ "type" => "comments", "id" => "8" },
                                  { "type" => "comments", "id" => "9" }] }, linkage.call(post))
    invalid "/data/relationships/a/data", resource(relationships: { a: { data: "x" } })
  end

  test "resource-links: self of the resource" do
    linked = blog { link(:self) { |one| "#{URL}/#{one.id}" } }
    assert_equal({ "self" => "#{URL}/5" }, written(linked::PostSerializer, post)["data"]["links"])
  end

  test "resource-identifier-required-members: type and id" do
    found = written(posts, post, include: "comments")["data"]["relationships"]["comments"]["data"]
    assert_equal [%w[id type]], found.map { |one| one.keys.sort }.uniq
    invalid "/data/relationships/a/data", resource(relationships: { a: { data: { type: "b" } } })
  end

  test "resource-identifier-optional-member: meta" do
    identifier = { type: "b", id: "1", meta: { role: "x" } }
    valid resource(relationships: { a: { data: identifier } })
    invalid "/data/relationships/a/data/meta",
            resource(relationships: { a: { data: { **identifier, meta: 1 } } })
  end

  test "compound-documents-allow: related resources in one document" do
    assert_equal %w[people:1 comments:8 comments:9],
                 identities(written(posts, post, include: "author,comments")["included"])
  end

  test "compound-documents-top-level-included: an array of resources" do
    assert_kind_of Array, written(posts, post, include: "author")["included"]
    invalid "/included", { data: nil, included: {} }
  end

  test "compound-documents-full-linkage: all that is included is linked" do
    # the checker follows the links of each document of these tests
    assert_equal 4, written(posts, post, include: "author,comments.author")["included"].size
    invalid "/included/0", { data: nil, included: [{ type: "a", id: "1" }] }
  end

  test "compound-documents-duplicates: each resource once" do
    found = written(posts, [post, post(6)], include: "author.posts,comments.author,comments.post")
    all = identities(found["data"] + found["included"])
    assert_equal all.uniq, all
    twice = { type: "posts", id: "1", attributes: {} }
    invalid "/data/1", { data: [twice, twice] }
  end

  test "meta-objects: meta is an object" do
    assert_equal({ "a" => 1 }, written(posts, nil, meta: { a: 1 })["meta"])
    invalid "/meta", { meta: [] }
    invalid "/data/meta", resource(meta: 1)
  end

  test "meta-object-members: any members may stand in meta" do
    meta = { "copyright" => "2026", "authors" => ["Ann"], "deep" => { "a" => [nil, { "b" => 1 }] } }
    assert_equal meta, written(posts, nil, meta: meta)["meta"]
  end

  test "top-level-links: links is an object" do
    assert_equal({ "self" => URL }, written(posts, nil, links: { self: URL })["links"])
    invalid "/links", { meta: {}, links: [URL] }
  end

  test "top-level-links-members: a link is a String or a link object" do
    rich = { href: URL, meta: { count: 3 } }
    found = written(posts, [], links: { self: URL, related: rich })["links"]
    assert_equal [URL, { "href" => URL, "meta" => { "count" => 3 } }], found.values
    invalid "/links/self", { meta: {}, links: { self: 1 } }
    invalid "/links/self", { meta: {}, links: { self: {} } }
  end

  test "top-level-json-api-member: the document may say what wrote it" do
    assert_equal({ "version" => "1.1" }, written(posts, nil, jsonapi: true)["jsonapi"])
    refute written(posts, nil).key?("jsonapi")
  end

  test "json-api-type: it is an object" do
    assert_kind_of Hash, written(posts, nil, jsonapi: { meta: {} })["jsonapi"]
    invalid "/jsonapi", { data: nil, jsonapi: "1.1" }
  end

  test "json-api-version: a String" do
    invalid "/jsonapi/version", { data: nil, jsonapi: { version: 1.1 } }
    assert_equal "1.0", written(posts, nil, jsonapi: { version: "1.0" })["jsonapi"]["version"]
  end

  test "json-api-meta: an object" do
    assert_equal({ "a" => 1 }, written(posts, nil, jsonapi: { meta: { a: 1 } })["jsonapi"]["meta"])
    invalid "/jsonapi/meta", { data: nil, jsonapi: { meta: 1 } }
  end
end
