# frozen_string_literal: true

require_relative "../test_helper"
require_relative "schema"

# The examples that belong to the JSON Schema of JSON:API, valid and invalid ones.
class JsonApiExamplesTest < ToJsonTest
  KINDS = { "request/resource/create/" => :create, "request/resource/update/" => :update,
            "request/relationship/update/" => :relationship, "response/" => :response }.freeze
  # Valid in version 1.1, which allows any URI reference.
  RELATIVE = "response/invalid/links/link_must_be_valid_uri.json"

  # [name, text, kind, whether it is valid] of each.
  def examples
    paths = shared_data("json_api/tests/**/*.json")
    assert_operator paths.size, :>=, 94
    paths.map do |path|
      name = path[%r{json_api/tests/(.+)\z}, 1]
      kind = KINDS.find { |start, _| name.start_with?(start) }.last
      [name, File.read(path, encoding: "UTF-8"), kind, name.include?("/valid/")]
    end
  end

  test "valid and invalid examples are told apart" do
    wrong = examples.reject do |name, text, kind, valid|
      found = ToJson::JsonApi.validate(text, kind: kind)
      found.empty? == (valid || name == RELATIVE)
    end
    assert_empty wrong.map(&:first)
  end

  test "the one that is valid in 1.1 alone is invalid if links must be absolute" do
    text = examples.find { |name, *| name == RELATIVE }[1]
    assert_equal ["/links/self: must be an absolute URI, got \"wrong\"."],
                 ToJson::JsonApi.validate(text, links: :absolute).map(&:to_s)
    examples.select(&:last).each do |name, text, kind, _|
      assert_empty ToJson::JsonApi.validate(text, kind: kind, links: :absolute), name
    end
  end

  # Examples say in their meta what is wrong, and where.
  test "an error is found where the example says" do
    checked = 0
    examples.each do |name, text, kind, valid|
      next if valid || name == RELATIVE

      meta = ToJson::Tree.parse(text)["meta"]
      listed = meta["errors-present-in-document"] if Hash === meta
      pointers = ToJson::JsonApi.validate(text, kind: kind).map(&:pointer)
      Array(listed).each do |error|
        place = error.dig("source", "pointer").delete_suffix("/")
        checked += 1
        assert(pointers.any? { |pointer| pointer.start_with?(place) }, "#{name}: #{pointers}")
      end
    end
    assert_operator checked, :>=, 60
  end

  if JsonApiSchema.there?
    test "the JSON Schema tells them apart too" do
      wrong = examples.reject do |_, text, kind, valid|
        JsonApiSchema.problems(ToJson::Tree.parse(text), kind).empty? == valid
      end
      assert_empty wrong.map(&:first)
    end
  end
end
