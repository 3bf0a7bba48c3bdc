# frozen_string_literal: true

require_relative "../json_api_case"

# Tests by the statements of the specification: each is named by the id of one. listed_test.rb
# compares the ids with those of ../shared/data/json_api.
class JsonApiStatementCase < JsonApiCase
  URL = "https://example.com/posts"
  TYPE = ToJson::JsonApi::MEDIA_TYPE

  # A document of the writer, parsed. The checker and the specification's schema have judged it.
  # @param schema [Boolean] false: it has what only version 1.1 allows
  def written(serializer, objects, schema: true, **options)
    judged(serializer.json_api!(objects, **options), schema: schema,
                                                     full_linkage: !options[:fields])
  end

  # What the checker says of a document.
  def problems(document, **options) = ToJson::JsonApi.validate(document, **options).map(&:pointer)

  def invalid(pointer, document, **options)
    assert_includes problems(document, **options), pointer
  end

  def valid(document, **options) = assert_empty(problems(document, **options))

  # A resource with these members.
  def resource(**members) = { data: { type: "posts", id: "1", **members } }

  # The parameter that is refused.
  def refused(params, **options)
    error = assert_raises(ToJson::JsonApi::ParameterError) do
      ToJson::JsonApi::Query.new(params, **options)
    end
    errors = ToJson::JsonApi::Errors.new(error)
    assert_equal 400, errors.status
    judged(errors.json!)["errors"].first["source"]["parameter"]
  end

  def serializers = @serializers ||= blog
  def posts = serializers::PostSerializer
end
