# frozen_string_literal: true

require_relative "statement_case"

# What a client asks for when it reads: include, fields, sort, pages, filters.
class JsonApiReadingStatementsTest < JsonApiStatementCase
  Page = Struct.new(:current_page, :total_pages)

  def query(params, **options) = ToJson::JsonApi::Query.new(params, **options)

  # The document that the query asks for.
  def answer(params, objects = post, **options)
    asked = query(params, serializer: posts, **options)
    written(posts, objects, **asked.to_h)
  end

  def order(text) = query({ "sort" => text }, serializer: posts).sort.keys.map(&:name)

  def pages(current, last)
    links = ToJson::JsonApi::Pagination.links(Page.new(current, last), url: URL)
    written(posts, [post], links: links)["links"]
  end

  test "fetch-primary-data-collection: an array of resources, or an empty one" do
    assert_equal %w[posts:5 posts:6], identities(written(posts, [post, post(6)])["data"])
    assert_equal [], written(posts, [])["data"]
  end

  test "fetch-primary-data-single: a resource or null" do
    assert_equal "5", written(posts, post)["data"]["id"]
    assert_nil written(posts, nil)["data"]
  end

  test "fetch-responses-error-details: a document of errors" do
    text = ToJson::JsonApi.errors!({ status: 404, detail: "There is no post 7" })
    assert_equal "There is no post 7", judged(text)["errors"].first["detail"]
  end

  test "inclusion-default: an action may include without being asked" do
    asked = query({}, serializer: posts)
    assert_equal 1, written(posts, post, include: "author", **asked.to_h)["included"].size
  end

  test "inclusion-include-parameter: the client may choose" do
    assert_equal %w[people:1], identities(answer({ "include" => "author" })["included"])
  end

  test "inclusion-unrequested: nothing else is included" do
    asked = query({ "include" => "" }, serializer: posts)
    refute written(posts, post, **{ include: "author" }.merge(asked.to_h)).key?("included")
    found = answer({ "include" => "comments" })["included"]
    assert_equal %w[comments:8 comments:9], identities(found)
  end

  test "inclusion-include-parameter-value: paths between commas, names between full stops" do
    found = answer({ "include" => "author,comments.author" })["included"]
    assert_equal %w[comments:8 comments:9 people:1 people:2], identities(found).sort
    %w[author;comments author,,comments author..posts .author].each do |path|
      assert_equal "include", refused({ "include" => path }, serializer: posts)
    end
  end

  test "inclusion-bad-request: an unknown path has status 400" do
    assert_equal "include", refused({ "include" => "autor" }, serializer: posts)
    assert_equal "include", refused({ "include" => "author.comments" }, serializer: posts)
    assert_equal "include", refused({ "include" => "author" }, include: false)
    assert_equal "include", refused({ "include" => "comments" }, include: %w[author])
  end

  test "sparse-fieldsets-parameter: the client may choose fields by type" do
    found = answer({ "include" => "author", "fields" => { "posts" => "title,author" } })
    assert_equal [%w[title], %w[author], %w[name]],
                 [found["data"]["attributes"], found["data"]["relationships"],
                  found["included"].first["attributes"]].map(&:keys)
  end

  test "sparse-fieldsets-parameter-value: names between commas, or none" do
    assert_equal %w[body title],
                 answer({ "fields" => { "posts" => "title,body" } })["data"]["attributes"].keys.sort
    assert_equal %w[id type], answer({ "fields" => { "posts" => "" } })["data"].keys.sort
    assert_equal "fields[posts]", refused({ "fields" => { "posts" => "title;body" } },
                                          serializer: posts)
  end

  test "sparse-fieldsets-additional-fields: no others" do
    assert_equal({ "title" => "Tea" },
                 answer({ "fields" => { "posts" => "title" } })["data"]["attributes"])
  end

  test "sorting-option: the server says what may be sorted by" do
    assert_equal({ title: :asc }, query({ "sort" => "title" }, sort: %i[title]).sort)
    assert_equal "sort", refused({ "sort" => "body" }, sort: %i[title])
  end

  test "sorting-parameter: primary data by the parameter sort" do
    assert_equal({ title: :asc }, query({ "sort" => "title" }, serializer: posts).sort)
  end

  test "sorting-parameter-value: sort fields" do
    assert_equal "sort", refused({ "sort" => "title desc" }, serializer: posts)
  end

  test "sorting-multiple-fields: several between commas" do
    assert_equal %w[title body id], order("title,body,id")
  end

  test "sorting-multiple-fields-order: in the order of the client" do
    assert_equal %w[id body title], order("id,-body,title")
  end

  test "sorting-order: ascending, or descending with a minus" do
    assert_equal({ title: :asc, body: :desc },
                 query({ "sort" => "title,-body" }, serializer: posts).sort)
    assert_equal "sort", refused({ "sort" => "--title" }, serializer: posts)
  end

  test "sorting-not-supported: status 400" do
    assert_equal "sort", refused({ "sort" => "title" }, sort: false)
  end

  test "pagination-links: links to the other pages" do
    assert_equal "#{URL}?page%5Bnumber%5D=3", pages(2, 4)["next"]
  end

  test "pagination-links-object: they stand beside the collection that they are about" do
    found = written(posts, [post], links: ToJson::JsonApi::Pagination.links(Page.new(1, 2),
                                                                            url: URL))
    assert found["links"].key?("next")
    refute found["data"].first.key?("links")
  end

  test "pagination-keys: first, last, prev and next" do
    assert_equal %w[first last next prev], pages(2, 3).keys.sort - %w[self]
  end

  test "pagination-unavailable-link: null" do
    assert_equal [nil, nil], pages(1, 1).values_at("prev", "next")
    endless = Struct.new(:current_page, :next_page).new(1, nil)
    refute ToJson::JsonApi::Pagination.links(endless, url: URL).key?(:last)
  end

  test "pagination-page-parameter: the parameter page is that of pages" do
    assert_equal({ number: 2, size: 10 },
                 query({ "page" => { "number" => "2", "size" => "10" } }).page)
    assert_equal "page[nr]", refused({ "page" => { "nr" => "2" } })
    assert_equal "page", refused({ "page" => "2" })
  end

  test "filtering: the parameter filter is that of filters" do
    assert_equal({ draft: "true" },
                 query({ "filter" => { "draft" => "true" } }, filter: %i[draft]).filter)
    assert_equal "filter[drft]", refused({ "filter" => { "drft" => "1" } }, filter: %i[draft])
  end

  test "query-parameters-non-alpha: a server's own parameters have another character than a-z" do
    assert query({ "api_key" => "1", "camelCase" => "1", "v2" => "1" })
    assert_equal "apikey", refused({ "apikey" => "1" })
    assert_equal "a.b", refused({ "a.b" => "1" })
  end

  test "query-parameters-under-camel: - and _ and capital letters will do" do
    assert query({ "a-b" => "1", "a_b" => "1", "aB" => "1" })
  end

  test "query-parameters-bad-request: any other has status 400" do
    assert_equal "locale", refused({ "locale" => "de" })
    assert query({ "locale" => "de" }, other: %w[locale])
  end
end
