# frozen_string_literal: true

require_relative "../../test_helper"

# Each statement of the specification has a test, or a reason in docs/json_api.md.
class JsonApiListedStatementsTest < ToJsonTest
  FILES = "test/json_api/statements/*_test.rb"
  PAGE = "docs/json_api.md"

  def tested
    Project.files(FILES).flat_map do |path|
      Project.read(path).scan(/^ *test "([a-z0-9-]+): |"([a-z0-9-]+)" => \d{3}\b/).flatten.compact
    end
  end

  # The rows of the table: [id, reason].
  def left_out
    section = Project.read(PAGE)[/^## Statements of the specification\n.*?(?=^## |\z)/m]
    section.scan(/^\| `([a-z0-9-]+)` \| (.+) \|$/)
  end

  def statements
    path = shared_data("json_api/normative-statements-1.1.json").first
    document = ToJson::Tree.parse(File.read(path, encoding: "UTF-8"))
    document["included"].map { |one| one["id"] }.uniq
  end

  test "a statement is tested once, or listed once with a reason" do
    assert_operator tested.size, :>=, 90
    assert_equal tested.uniq, tested
    assert_empty tested & left_out.map(&:first)
    assert_equal left_out.map(&:first).uniq, left_out.map(&:first)
    assert(left_out.all? { |_, reason| reason.size > 10 })
  end

  test "no statement is missing, and no other is named" do
    assert_equal statements.sort, (tested + left_out.map(&:first)).sort
  end
end
