# frozen_string_literal: true

require_relative "../test_helper"

# What ToJson::JsonApi.validate says of documents. examples_test.rb has those of the specification.
class JsonApiValidateTest < ToJsonTest
  POST = { type: "posts", id: "1" }.freeze
  ANN = { type: "people", id: "9", attributes: { name: "Ann" } }.freeze

  def found(document, **options) = ToJson::JsonApi.validate(document, **options).map(&:to_s)

  # A post with these members.
  def self.post(**members) = { data: { **POST, **members } }

  # A post with a relationship.
  def self.author(**members) = post(relationships: { author: members })

  # Linked as the specification wants it.
  def self.compound(included, data: { type: "people", id: "9" })
    { **author(data: data), included: included }
  end

  VALID = {
    "null" => { data: nil },
    "no resources" => { data: [] },
    "identifiers, one twice" => { data: [POST, POST] },
    "a lid beside the id" => post(lid: "x"),
    "names of other letters, with a space inside" =>
      post(attributes: { "größe" => 1, "a b" => 2, "a_b-c" => 3, "1" => 4 }),
    "names inside of attributes, which are the application's" =>
      post(attributes: { a: { "+" => 1, type: 2 } }),
    "@-members everywhere" =>
      { "@context": 1, data: { **POST, "@a": 1, attributes: { "@b": 1 },
                               relationships: { "@c": 1 }, links: { "@d": 1 },
                               meta: { "@e": 1 } },
        jsonapi: { "@f": 1 } },
    "an extension that the document names" =>
      { jsonapi: { ext: ["https://jsonapi.org/ext/version"] },
        data: { **POST, "version:id": "42", attributes: { "version:x": 1 },
                relationships: { a: { "version:y": 1 }, b: { links: { "version:z": "/" } } },
                meta: { "version:m": 1 } } },
    "only members of an extension" =>
      { jsonapi: { ext: ["https://jsonapi.org/ext/atomic"] }, "atomic:results": [] },
    "all members of a link object" =>
      { meta: {}, links: { self: { href: "/posts?a=%5B#x", rel: "self", describedby: "//a/b",
                                   title: "Posts", type: "text/html", hreflang: %w[en de-CH],
                                   meta: {} } } },
    "links that are null, relative, and an IPv6 address" =>
      { data: [], links: { self: "https://[::1]:80/a", related: "posts", next: nil,
                           describedby: "?a=1" } },
    "one language" => { meta: {}, links: { self: { href: "a", hreflang: "en" } } },
    "pages of a relationship" =>
      author(links: { self: "/a", related: "/b", first: "/c", last: nil, prev: nil, next: "/d" }),
    "a relationship with meta alone" => author(meta: { count: 3 }),
    "a whole error" =>
      { errors: [{ id: "1", links: { about: "/a", type: "/b" }, status: "422", code: "blank",
                   title: "No", detail: "It is", source: { pointer: "/data/a~1b", header: "X" },
                   meta: {} }] },
    "a jsonapi object" =>
      { meta: {}, jsonapi: { version: "1.1", ext: [], profile: ["urn:a"], meta: { a: 1 } } },
    "what is included from what is included, in a circle" =>
      compound([{ **ANN, relationships: { boss: { data: { type: "people", id: "8" } } } },
                { type: "people", id: "8",
                  relationships: { reports: { data: [{ type: "people", id: "9" }] } } }]),
    "what identifiers in data are linked by" =>
      { data: [{ type: "people", id: "9" }], included: [ANN] },
    "nothing included" => { data: nil, included: [] }
  }.freeze

  VALID.each do |name, document|
    test "valid: #{name}" do
      assert_empty found(document)
      assert ToJson::JsonApi.valid?(ToJson.generate(document))
    end
  end

  INVALID = {
    "text that is no JSON" => ["{", ["the document: is no JSON: "]],
    "a number that no Float has" => ['{"data":1e400}', ["/data: must be a resource object, an a"]],
    "an array" => [[], ["the document: must be an object, got []."]],
    "nothing" => [{}, ["the document: must have at least one of the members data, errors and"]],
    "links that are no object" => [{ meta: {}, links: nil }, ["/links: must be an object, got nu"]],
    "an unknown link" =>
      [{ meta: {}, links: { next_page: "/" } }, ["/links/next_page: is no member of this object"]],
    "a link that is no URI" =>
      [{ meta: {}, links: { self: "/a b", related: "/?page[a]=1", next: "/ä", last: "%zz" } },
       ["/links/self: \"/a b\" is no URI reference: percent-encode", "/links/related: ",
        "/links/next: ", "/links/last: "]],
    "a link object with faults" =>
      [{ meta: {}, links: { self: { rel: 1, hreflang: "d e", describedby: 1, meta: [], x: 1 } } },
       ["/links/self/x: ", "/links/self: must have the member \"href\"", "/links/self/rel: ",
        "/links/self/describedby: ", "/links/self/hreflang: ", "/links/self/meta: "]],
    "languages that are none" =>
      [{ meta: {}, links: { self: { href: "/", hreflang: [1] } } },
       ["/links/self/hreflang: must be a language tag or an array of them, got [1]."]],
    "names that are none" =>
      [post(attributes: { "" => 1, "-a" => 1, "a_" => 1, "a.b" => 1, "a/b~" => 1 }),
       ["/data/attributes/: ", "/data/attributes/-a: \"-a\" is no name of a member. Names consist",
        "/data/attributes/a_: ", "/data/attributes/a.b: ", "/data/attributes/a~1b~0: "]],
    "attributes that are no object" =>
      [post(attributes: []), ["/data/attributes: must be an attributes object, got []."]],
    "a field that is both" =>
      [post(attributes: { a: 1 }, relationships: { a: { meta: {} } }),
       ["/data/relationships/a: has the name of an attribute."]],
    "a relationship that is none" =>
      [post(relationships: { a: 1 }), ["/data/relationships/a: must be an object, got 1."]],
    "links of a relationship without self and related" =>
      [author(links: { first: "/" }),
       ["/data/relationships/author/links: must have at least one of self, related."]],
    "linkage without an id" =>
      [author(data: [{ type: "a", lid: "x" }, 1, nil]),
       ["/data/relationships/author/data/0: must have the member \"id\"",
        "/data/relationships/author/data/1: must be a resource identifier object, got 1.",
        "/data/relationships/author/data/2: "]],
    "a resource that is a number" => [{ data: [1] }, ["/data/0: must be a resource object, got 1"]],
    "data that is a number" => [{ data: 1 }, ["/data: must be a resource object, an array or nul"]],
    "a number as the id, and no type" =>
      [{ data: { id: 1 } },
       ["/data: must have the member \"type\"", "/data/id: must be a String, got 1."]],
    "members of an extension without one" =>
      [post("version:id": 1), ["/data/version:id: belongs to an extension, which jsonapi.ext"]],
    "a jsonapi object with faults" =>
      [{ meta: {}, jsonapi: { ext: "urn:a", profile: ["a", 1] } },
       ["/jsonapi/ext: must be an array of URIs, got \"urn:a\".",
        "/jsonapi/profile/0: must be a URI, got \"a\".", "/jsonapi/profile/1: "]],
    "an error with faults" =>
      [{ errors: [{}, { status: "12" }, { source: 1 }, { source: { pointer: "a", header: 1,
                                                                   cookie: "c" } }] },
       ["/errors/0: must have at least one of id, links,",
        "/errors/1/status: must be a status of HTTP, got \"12\".",
        "/errors/2/source: must be an object, got 1.", "/errors/3/source/cookie: ",
        "/errors/3/source/header: ", "/errors/3/source/pointer: must be a JSON pointer"]],
    "a resource that is primary data and included" =>
      [{ data: ANN, included: [ANN] },
       ["/included/0: is the same resource as /data: a document has each once."]],
    "what is included and linked from nowhere" =>
      [compound([ANN, { **ANN, id: "7" }]),
       ["/included/1: is linked from neither the primary data nor what those include."]],
    "what only itself links" =>
      [compound([{ type: "a", id: "1", relationships: { me: { data: { type: "a", id: "1" } } } }],
                data: nil),
       ["/included/0: is linked from neither the primary data nor what those include."]],
    "included without data" => [{ meta: {}, included: [] }, ["/included: must not stand in a doc"]],
    "a long value, cut" =>
      [{ data: "x" * 100 }, ["/data: must be a resource object, an array or null, got \"xxxxxxx"]]
  }.freeze

  INVALID.each do |name, (document, starts)|
    test "invalid: #{name}" do
      problems = found(document)
      assert_equal starts, starts.zip(problems).map { |start, one| one.to_s[0, start.size] }
      assert_equal starts.size, problems.size, problems.join("\n")
      assert(problems.all? { |one| one.size < 220 })
      refute ToJson::JsonApi.valid?(document)
    end
  end

  test "text that is nested deeper than the stack is refused" do
    text = "#{"[" * 90_000}#{"]" * 90_000}"
    problems = Thread.new { found(text) }.value # its stack is small
    assert_equal ["the document: is nested too deep to be checked."], problems.map(&:to_s)
  end

  test "a request that creates needs no id, and may link by lid" do
    made = { data: { type: "posts", lid: "p", relationships: {
      author: { data: { type: "people", lid: "a" } }
    } } }
    assert_empty found(made, kind: :create)
    assert_equal ["/data: must have the member \"id\".",
                  "/data/relationships/author/data: must have the member \"id\"."], found(made)
    assert_equal ["/data: must be a resource object, got []."], found({ data: [] }, kind: :create)
  end

  test "a request that updates needs the id, and data in each relationship" do
    document = { data: { type: "posts", relationships: { author: { meta: {} } } } }
    assert_equal ["/data: must have the member \"id\".",
                  "/data/relationships/author: must have the member data."],
                 found(document, kind: :update)
    assert_equal ["the document: must have the member \"data\"."], found({ meta: {} },
                                                                         kind: :update)
  end

  test "a request to a relationship has identifiers" do
    assert_empty found({ data: [POST, POST] }, kind: :relationship)
    assert_empty found({ data: nil }, kind: :relationship)
    assert_equal ["/data: must be null, a resource identifier object or an array of them, got 1."],
                 found({ data: 1 }, kind: :relationship)
    assert_equal ["/data/attributes: is no member of this object, whose members are type, id, " \
                  "lid, meta."], found({ data: { **POST, attributes: {} } }, kind: :relationship)
  end

  test "sparse fieldsets may leave out what links" do
    document = self.class.compound([{ **ANN, id: "7" }])
    assert_equal 1, found(document).size
    assert_empty found(document, full_linkage: false)
  end

  test "namespaces of extensions that are in use can be given" do
    document = self.class.post("version:id": 1)
    assert_empty found(document, extensions: ["version"])
    assert_equal 1, found({ **document, jsonapi: { ext: ["urn:a"] } }, extensions: ["other"]).size
  end

  test "unknown options are refused" do
    error = assert_raises(ArgumentError) { found({ data: nil }, kind: :creates) }
    assert_equal "validate: unknown kind :creates, did you mean :create? Known: response, " \
                 "create, update, relationship.", error.message
    error = assert_raises(ArgumentError) { found({ data: nil }, links: :relative) }
    assert_equal "validate: links: takes :absolute or nil; got :relative", error.message
  end

  test "text that is no UTF-8 is a problem" do
    problem = ["the document: has text that is no UTF-8, such as half of a surrogate pair."]
    assert_equal problem, found('{"meta":{"\ud800":1}}')
    assert_equal problem, found({ meta: { "\xFF" => 1 } })
    assert_empty found('{"meta":{"a":"\ud83d\ude00"}}')
  end

  test "what is wrong and deep is shown" do
    deep = "#{"[" * 1000}#{"]" * 1000}"
    assert_match(/\A.data.type: must be a String, got \[{58}/,
                 found(%({"data":{"type":#{deep},"id":"1"}})).first)
  end

  test "a problem can be sent to another Ractor" do
    assert Ractor.shareable?(ToJson::JsonApi.validate({ data: 1 }).first)
  end

  test "the bytes count, whatever encoding a text says that it has" do
    %w[UTF-8 BINARY UTF-16LE UTF-7 ISO-2022-JP].each do |name|
      text = +'{"data":{"type":"a","id":"\\u00e9"}}'
      assert_empty ToJson::JsonApi.validate(text.force_encoding(name)), name
    end
  end
end
