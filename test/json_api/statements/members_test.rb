# frozen_string_literal: true

require_relative "statement_case"

# The names of members.
class JsonApiMemberStatementsTest < JsonApiStatementCase
  def named(name) = problems(resource(attributes: { name => 1 }))

  # Whether a serializer may have such an attribute.
  def declared?(name)
    made = Class.new(ToJson::Serializer) { type :posts; attribute(name.to_sym) { |_| 1 } }
    written(made, post, schema: name.ascii_only? && !name.include?(" "))["data"]["attributes"]
      .key?(name)
  rescue ToJson::DefinitionError
    false
  end

  test "member-name-case: names that differ in case differ" do
    made = Class.new(ToJson::Serializer) do
      type :posts
      attribute(:name) { |_| 1 }
      attribute(:Name) { |_| 2 }
    end
    assert_equal({ "name" => 1, "Name" => 2 }, written(made, post)["data"]["attributes"])
    assert_equal({ "Name" => 2 },
                 written(made, post, fields: { posts: "Name" })["data"]["attributes"])
    assert_raises(ToJson::JsonApi::ParameterError) { posts.json_api!(post, include: "Author") }
  end

  test "member-name-character: at least one character" do
    assert_equal ["/data/attributes/"], named("")
    refute declared?("")
  end

  test "member-name-allowed-characters-only: no others" do
    ["a\u007F", "a\tb", "a\u0000b", "a\nb"].each do |name|
      assert_equal 1, named(name).size, name.inspect
      refute declared?(name)
    end
  end

  test "member-name-globally-allowed: what stands at both ends" do
    %w[-a a- _a a_ - _].push(" a", "a ").each do |name|
      assert_equal 1, named(name).size, name.inspect
      refute declared?(name)
    end
    %w[a-b a_b 1-2].push("a b").each do |name|
      assert_empty named(name)
      assert declared?(name)
    end
  end

  test "member-name-url-safe: the keys that are declared stay safe" do
    made = Class.new(ToJson::Serializer) do
      type :posts
      transform_keys :dash
      attribute(:created_at) { |_| 1 }
      attribute(:word_count) { |_| 2 }
    end
    keys = written(made, post)["data"]["attributes"].keys
    assert_empty keys.grep_v(/\A[A-Za-z0-9._~-]+\z/)
  end

  test "member-name-allowed-characters: letters, digits, and what ASCII does not have" do
    %w[a Z 0 größe 名 a1B2].each do |name|
      assert_empty named(name)
      assert declared?(name)
    end
  end

  test "member-name-reserved-characters: none of them" do
    %q(+,.[]!"#$%&'()*/:;<=>?@\\^`{|}~).each_char do |character|
      name = "a#{character}b"
      assert_equal 1, named(name).size, name
      refute declared?(name), name
    end
  end

  test "member-name-at-members-definition: a name may begin with @" do
    valid resource(attributes: { "@a": 1 })
  end

  test "member-name-at-members-where: they may stand anywhere" do
    valid({ "@a": 1, data: { "@b": 1, type: "a", id: "1", meta: { "@c": 1 },
                             relationships: { "@d": 1, b: { "@e": 1, data: nil } },
                             links: { "@f": 1, self: { "@g": 1, href: URL } } },
            jsonapi: { "@h": 1 } })
    valid({ errors: [{ "@i": 1, detail: "x", source: { "@j": 1 } }] })
  end

  test "member-name-at-members-no-process: what they hold is not looked at" do
    valid resource("@a": { links: 1 }, attributes: { "@b": { "+": 1 } })
  end

  test "member-name-at-members-ignore-for-definitions: they stand for nothing" do
    invalid "", { "@data": nil }
    invalid "/data/relationships/a", resource(relationships: { a: { "@data": nil } })
    invalid "/errors/0", { errors: [{ "@detail": "x" }] }
  end
end
