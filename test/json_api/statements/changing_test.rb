# frozen_string_literal: true

require_relative "statement_case"

# Documents of requests that create and update, as the checker judges them, and the errors that are
# answered.
class JsonApiChangingStatementsTest < JsonApiStatementCase
  POST = { type: "posts", id: "1" }.freeze

  test "create-single-resource: one resource" do
    valid({ data: { type: "posts" } }, kind: :create)
    invalid "/data", { data: [{ type: "posts" }] }, kind: :create
    invalid "/data", { data: nil }, kind: :create
    invalid "", { meta: {} }, kind: :create
  end

  test "create-type-member: it has a type" do
    invalid "/data", { data: { attributes: {} } }, kind: :create
  end

  test "create-relationships-member: a relationship has data" do
    made = ->(one) { { data: { type: "posts", relationships: { author: one } } } }
    valid made.call({ data: nil }), kind: :create
    invalid "/data/relationships/author", made.call({ meta: {} }), kind: :create
  end

  test "create-accept-client-generated-ids: a resource may bring its id" do
    valid({ data: POST }, kind: :create)
  end

  test "create-client-generated-ids-key: it is the member id, a String" do
    invalid "/data/id", { data: { type: "posts", id: 7 } }, kind: :create
  end

  test "update-patch-resource: one resource" do
    valid({ data: POST }, kind: :update)
    invalid "/data", { data: [POST] }, kind: :update
  end

  test "update-patch-resource-members: it has type and id" do
    invalid "/data", { data: { type: "posts" } }, kind: :update
    invalid "/data", { data: { id: "1" } }, kind: :update
  end

  test "update-resource-attributes: all attributes, some or none" do
    [{}, { attributes: {} }, { attributes: { title: "Hi" } }].each do |some|
      valid({ data: { **POST, **some } }, kind: :update)
    end
  end

  test "update-resource-relationships: all relationships, some or none" do
    [{}, { author: { data: nil } }, { author: { data: nil }, tags: { data: [] } }].each do |some|
      valid({ data: { **POST, relationships: some } }, kind: :update)
    end
  end

  test "update-resource-relationship-value: a relationship has data" do
    invalid "/data/relationships/author",
            { data: { **POST, relationships: { author: { meta: {} } } } }, kind: :update
  end

  test "patch-to-one-data-member: data is an identifier or null" do
    valid({ data: POST }, kind: :relationship)
    valid({ data: nil }, kind: :relationship)
    invalid "", { meta: {} }, kind: :relationship
    invalid "/data/attributes", { data: { **POST, attributes: {} } }, kind: :relationship
  end

  test "patch-post-delete-to-many-data-member: data is an array of identifiers" do
    valid({ data: [] }, kind: :relationship)
    valid({ data: [POST] }, kind: :relationship)
    invalid "/data/0", { data: [1] }, kind: :relationship
  end

  # A conflict, and where it is.
  def conflict(pointer)
    text = ToJson::JsonApi.errors!({ status: 409, code: "taken", source: pointer })
    judged(text)["errors"].first.values_at("status", "source")
  end

  test "create-responses-409-error-details: the error says where the conflict is" do
    assert_equal ["409", { "pointer" => "/data/id" }], conflict("/data/id")
  end

  test "update-resource-409-details: the error says where the conflict is" do
    assert_equal ["409", { "pointer" => "/data/type" }], conflict("/data/type")
  end

  { "create-responses-other-error-details" => 422, "update-resource-other-status" => 423,
    "update-resource-other-semantics" => 409, "fetch-relationships-other-error-details" => 404,
    "updating-relationship-other-details" => 403, "deleting-other-details" => 404 }
    .each do |id, status|
    test "#{id}: an answer with status #{status} may have a document of errors" do
      errors = ToJson::JsonApi::Errors.new({ detail: "It cannot be" }, status: status)
      assert_equal status, errors.status
      assert_equal status.to_s, judged(errors.json!)["errors"].first["status"]
    end
  end

  test "error-stop-processing: one problem, or all of them" do
    assert_equal 1, judged(ToJson::JsonApi.errors!({ status: 422 }))["errors"].size
    many = [{ status: 422, code: "a" }, { status: 422, code: "b" }]
    assert_equal 2, judged(ToJson::JsonApi.errors!(many))["errors"].size
  end

  test "error-general: problems of several kinds have the status that holds for all" do
    status = ->(*all) { ToJson::JsonApi::Errors.new(all.map { |one| { status: one } }).status }
    assert_equal [422, 400, 500], [status.call(422, 422), status.call(422, 409),
                                   status.call(422, 503)]
  end

  test "error-object-key: an array under errors" do
    assert_equal [], judged(ToJson::JsonApi.errors!([]))["errors"]
    assert_kind_of Array, judged(ToJson::JsonApi.errors!({ status: 404 }))["errors"]
    invalid "/errors", { errors: { status: "404" } }
  end

  test "error-object-members: those of the specification, texts where it wants them" do
    all = { id: "1", links: { about: "https://example.com/errors/1" }, status: 422, code: "blank",
            title: "Wrong", detail: "It is blank",
            source: { pointer: "/data/attributes/title", parameter: "include" }, meta: { a: 1 } }
    found = judged(ToJson::JsonApi.errors!(all))["errors"].first
    assert_equal all.keys.map(&:name), found.keys
    assert_equal "422", found["status"]
    assert_raises(ArgumentError) { ToJson::JsonApi.errors!({ reason: "x" }) }
    invalid "/errors/0/reason", { errors: [{ reason: "x" }] }
  end
end
