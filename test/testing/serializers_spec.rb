# frozen_string_literal: true

# The matchers in RSpec. rspec_test.rb runs this file in a process of its own.

require "rspec/autorun"
require "to_json/testing"

class SpecPostSerializer < ToJson::Serializer
  attribute :id, as: :integer
  attributes :title
  has_many(:tags) { attributes :name }
  view(:full) { attributes :body }
end

RSpec.configure { |config| config.include ToJson::Testing::Matchers }

RSpec.describe ToJson::Testing::Matchers do
  let(:post) { { id: 1, title: "Hi", tags: [{ name: "a" }], body: "B" } }

  # The message of the failure.
  def failure
    yield
    raise "nothing failed"
  rescue RSpec::Expectations::ExpectationNotMetError => error
    error.message
  end

  it "compares documents" do
    expect(SpecPostSerializer.new(post)).to write_document(id: 1, title: /H/, tags: [{ name: "a" }])
    expect(SpecPostSerializer.json!([post], only: :id)).to write_document([{ id: 1 }])
    expect(SpecPostSerializer.new(post)).not_to write_document(id: 1)
    expect('{"ids":[3,2],"n":5}').to write_document(ids: contain_exactly(2, 3),
                                                    n: an_instance_of(Integer))
    expect(failure { expect('{"a":1}').to write_document(a: 2) })
      .to start_with "$.a: expected 2, got 1.\n"
    expect(failure { expect('{"a":1}').to write_document(a: be > 3) })
      .to start_with "$.a: expected be > 3, got 1.\n"
    expect(failure { expect("1").not_to write_document(1) }).to include "not to write 1"
  end

  it "composes with other matchers" do
    expect(["[1]", "[2]"]).to contain_exactly(write_document([2]), write_document([1]))
    expect("[1]").to write_document([1]).and write_document([Integer])
    expect(failure { expect(["[1]"]).to all(write_document([2])) })
      .to include "$[0]: expected 2, got 1."
  end

  it "compares declarations" do
    expect(SpecPostSerializer).to declare_fields(:id, :title, :tags)
    expect(SpecPostSerializer).to declare_fields("id", "title", "tags", "body", view: :full)
    expect(SpecPostSerializer).to declare_views(:full)
    expect(SpecPostSerializer).to declare_associations(:tags)
    expect(SpecPostSerializer).to declare_associations(tags: nil)
    expect(SpecPostSerializer).not_to declare_fields(:id)
    expect(failure { expect(SpecPostSerializer).to declare_fields(:id, :title) })
      .to eq "SpecPostSerializer: fields: it also declares :tags. Declared: :id, :title, :tags."
  end

  it "compares with the schema" do
    expect(SpecPostSerializer.json!(post)).to follow_schema_of(SpecPostSerializer)
    expect(SpecPostSerializer.json!([post], view: :full))
      .to follow_schema_of(SpecPostSerializer, view: :full)
    expect(SpecPostSerializer.json!(post, view: :full)).not_to follow_schema_of(SpecPostSerializer)
    expect(failure { expect('{"id":1}').to follow_schema_of(SpecPostSerializer) })
      .to eq "$.title: missing, but required."
  end

  it "checks documents of JSON:API" do
    expect({ data: [] }).to follow_json_api
    expect({ data: { type: "posts" } }).to follow_json_api(kind: :create)
    expect(failure { expect('{"data":1}').to follow_json_api })
      .to start_with "/data: must be a resource object"
  end

  it "says what it is" do
    expect(write_document(a: 1).description).to match(/\Awrite \{.*a.*1\}\z/)
    expect(load_nothing.description).to eq "load nothing while it is written"
  end
end
