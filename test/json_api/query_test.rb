# frozen_string_literal: true

require_relative "../test_helper"

# The query parameters of requests, and what is said of those that a server does not know.
class JsonApiQueryTest < ToJsonTest
  class AuthorSerializer < ToJson::Serializer
    attributes :name
  end

  class PostSerializer < ToJson::Serializer
    transform_keys :camel_lower
    attributes :title, :word_count, published_at: :written_on
    attribute(:shout) { |post| post.title.upcase }
    has_one :author, serializer: AuthorSerializer
    view(:full) { attributes :body }
  end

  def query(params = {}, **options) = ToJson::JsonApi::Query.new(params, **options)

  # [the parameter, the message] of the error.
  def refused(params, **options)
    error = assert_raises(ToJson::JsonApi::ParameterError) { query(params, **options) }
    assert_empty ToJson::JsonApi.validate(ToJson::JsonApi.errors!(error))
    [error.parameter, error.message]
  end

  test "nothing asked for is nothing chosen" do
    empty = query
    assert_equal [nil, nil, {}, {}, {}, {}],
                 [empty.include, empty.fields, empty.sort, empty.page, empty.filter, empty.to_h]
  end

  NESTED = { "include" => "author,comments.author",
             "fields" => { "posts" => "title", "people" => "" }, "sort" => "-title,id",
             "page" => { "number" => "3", "size" => "20" },
             "filter" => { "draft" => "true" } }.freeze
  FLAT = { "include" => "author,comments.author", "fields[posts]" => "title",
           "fields[people]" => "", "sort" => "-title,id", "page[number]" => "3",
           "page[size]" => "20", "filter[draft]" => "true" }.freeze
  TEXT = "include=author%2Ccomments.author&fields%5Bposts%5D=title&fields[people]=&sort=-title," \
         "id&page[number]=3&&page%5bsize%5d=20&filter[draft]=true"

  { "nested" => NESTED, "nested, with Symbols" => NESTED.transform_keys(&:to_sym), "flat" => FLAT,
    "a text" => TEXT,
    "parameters of Rails" => Struct.new(:to_unsafe_h).new(NESTED) }.each do |name, params|
    test "it reads all families from #{name}" do
      made = query(params)
      assert_equal "author,comments.author", made.include
      assert_equal({ "posts" => "title", "people" => "" }, made.fields)
      assert_equal({ "title" => :desc, "id" => :asc }, made.sort)
      assert_equal({ number: 3, size: 20 }, made.page)
      assert_equal({ "draft" => "true" }, made.filter)
      assert_equal({ include: made.include, fields: made.fields }, made.to_h)
    end
  end

  [{ "\xFF" => "1" }, { "a\xFF[x]" => "1" }, { "page" => { "\xFF" => "1" } },
   { "page[\xFF]" => "1" }].each do |params|
    test "#{params} has a name that is no UTF-8, and is refused if that is not known" do
      refused({ **params, "page" => { "\xFF" => "1" } })
    end
  end

  test "a text is decoded as a form" do
    assert_equal({ "größe a&b" => "1+%2" },
                 query("filter[gr%C3%B6%C3%9Fe+a%26b]=1%2B%252").filter)
    assert_equal({ "filter[a" => "" }, query("filter[filter%5Ba]").filter)
  end

  test "bytes that are no text are refused, not raised" do
    assert_equal "sort", refused("sort=\xFF").first
    assert query("\xFF=%FF") # a name that the specification leaves to servers
  end

  test "the last of two forms counts" do
    assert_equal({ "a" => "2" }, query("filter=1&filter[a]=2").filter)
  end

  # [parameters, options] => [parameter, beginning of the message]
  {
    [{ "include" => ["a"] }, {}] =>
      ["include", "include: takes one text, such as include=a,b."],
    [{ "include" => "\xFF" }, {}] => ["include", "include: takes one text"],
    [{ "include" => "" }, { include: false }] =>
      ["include", "include: this endpoint has no include."],
    [{ "include" => "author,tags" }, { include: %w[author comments.author] }] =>
      ["include", "include: unknown path \"tags\". Known: author, comments.author."],
    [{ "fields" => "title" }, {}] =>
      ["fields", "fields: takes a name in brackets, such as fields[a]=b."],
    [{ "fields" => { "posts" => ["a"] } }, {}] =>
      ["fields[posts]", "fields[posts]: takes one text, such as fields[posts]=a,b."],
    [{ "sort" => "title" }, { sort: false }] => ["sort", "sort: this endpoint cannot sort."],
    [{ "sort" => "titel" }, { sort: %i[title id] }] =>
      ["sort", "sort: unknown field \"titel\", did you mean \"title\"? Known: title, id."],
    [{ "sort" => "title,,id" }, { sort: %i[title id] }] => ["sort", "sort: unknown field \"\"."],
    [{ "page" => "2" }, {}] => ["page", "page: takes a name in brackets, such as page[a]=b."],
    [{ "page" => { "nr" => "2" } }, {}] =>
      ["page[nr]", "page: unknown name \"nr\". Known: number, size."],
    [{ "page" => { "number" => "0" } }, {}] =>
      ["page[number]", "page[number]: takes an Integer of 1.., got \"0\"."],
    [{ "page" => { "size" => "101" } }, { page: { size: 1..100 } }] =>
      ["page[size]", "page[size]: takes an Integer of 1..100, got \"101\"."],
    [{ "page" => { "number" => "2x\n" } }, {}] => ["page[number]", "page[number]: takes an Int"],
    [{ "page" => { "number" => { "a" => "b" } } }, {}] =>
      ["page[number]", "page[number]: takes one text"],
    [{ "filter" => { "drafts" => "1" } }, { filter: %i[draft] }] =>
      ["filter[drafts]", "filter: unknown name \"drafts\", did you mean \"draft\"?"],
    [{ "includes" => "a" }, {}] =>
      ["includes", "unknown parameter \"includes\", did you mean \"include\"? Known: include, " \
                   "fields, sort, page, filter. A parameter that the server defines has a " \
                   "character other than a to z."],
    [{ "a." => "1" }, {}] => ["a.", "unknown parameter \"a.\"."],
    ["[a]=1", {}] => ["[a]", "unknown parameter \"[a]\""],
    ["locale[a]=1", {}] => ["locale", "unknown parameter \"locale\"."]
  }.each do |(params, options), (parameter, message)|
    test "#{params.inspect} with #{options} is refused" do
      found = refused(params, **options)
      assert_equal [parameter, message], [found.first, found.last[0, message.size]]
    end
  end

  test "parameters of a server's own have a name that the specification leaves to it" do
    assert query({ "camelCase" => "1", "a_b" => "1", "a-b" => { "c" => 1 }, "a1[b]" => "2" })
    assert query({ "locale" => "de" }, other: %w[locale])
  end

  test "a path may end above one that may be included" do
    above = query({ "include" => "comments" }, include: %w[comments.author])
    assert_equal "comments", above.include
    assert_equal "", query({ "include" => "" }, include: []).include
  end

  test "sort: says what names stand for" do
    assert_equal({ title: :asc, "users.name": :desc },
                 query({ "sort" => "title,-author.name" },
                       sort: { title: :title, "author.name": :"users.name" }).sort)
  end

  test "names of pages need no Range" do
    assert_equal({ cursor: "abc" }, query({ "page" => { "cursor" => "abc" } },
                                          page: %i[cursor]).page)
    assert_equal({ "x" => "1" }, query({ "page" => { "x" => "1" } }, page: nil).page)
  end

  # Such names went into the SQL of `order`.
  test "what methods of the serializer compute is not sorted, and id stands for what it reads" do
    people = Class.new(ToJson::Serializer) do
      type :people
      id :slug
      attributes :name, :full_name
      def full_name(person) = "#{person.name}!"
    end
    assert_equal({ slug: :asc, name: :desc }, query({ "sort" => "id,-name" },
                       serializer: people).sort)
    assert_equal "sort", refused({ "sort" => "full_name" }, serializer: people).first
    computed = Class.new(ToJson::Serializer) do
      type :people
      id { |one| one.slug }
      attributes :name
    end
    assert_equal "sort", refused({ "sort" => "id" }, serializer: computed).first
    shown = Class.new(ToJson::Serializer) do
      type :people
      attributes :id, :name
      attribute :salary, if: -> { context[:admin] }
      def id(person) = "p#{person.id}"
    end
    %w[id salary].each do |name|
      assert_equal "sort", refused({ "sort" => name }, serializer: shown).first
    end
    public_id = Class.new(ToJson::Serializer) { type :people; attribute :id, :public_id }
    assert_equal({ public_id: :asc }, query({ "sort" => "id" }, serializer: public_id).sort)
  end

  test "a serializer tells what may be included, which fields there are, and what may be sorted" do
    made = query({ "include" => "author", "fields" => { "posts" => "wordCount", "authors" => "" },
                   "sort" => "-writtenOn,id,wordCount" }, serializer: PostSerializer)
    assert_equal({ published_at: :desc, id: :asc, word_count: :asc }, made.sort)
    assert_equal({ include: "author", fields: { "posts" => "wordCount", "authors" => "" } },
                 made.to_h)
  end

  {
    { "include" => "author.posts" } => ["include", "posts"],
    { "include" => "tags" } => ["include", "tags"],
    { "fields" => { "people" => "name" } } => ["fields[people]", "people"],
    { "fields" => { "posts" => "wordCuont" } } => ["fields[posts]", "wordCount"],
    { "fields" => { "posts" => "body" } } => ["fields[posts]", "body"],
    { "sort" => "shout" } => ["sort", "shout"], { "sort" => "author" } => ["sort", "author"],
    { "sort" => "word_count" } => ["sort", "wordCount"]
  }.each do |params, (parameter, word)|
    test "beside the serializer, #{params} is refused" do
      found = refused(params, serializer: PostSerializer)
      assert_equal parameter, found.first
      assert_includes found.last, word.inspect
    end
  end

  test "the view counts" do
    fields = { "fields" => { "posts" => "body" } }
    assert query(fields, serializer: PostSerializer, view: :full)
    sort = { "sort" => "body" }
    assert_equal({ body: :asc }, query(sort, serializer: PostSerializer, view: :full).sort)
    assert_equal "sort", refused(sort, serializer: PostSerializer).first
  end

  test "text in other encodings is read as UTF-8" do
    given = { "sort" => "-title", "include" => "", "page" => { "number" => "2" } }
    ["UTF-16LE", "UTF-16BE", "ISO-8859-1"].each do |encoding|
      params = given.transform_values do |value|
        Hash === value ? value.transform_values { |one| one.encode(encoding) }
                       : value.encode(encoding)
      end
      query = ToJson::JsonApi::Query.new(params, serializer: PostSerializer)
      assert_equal [{ title: :desc }, { number: 2 }], [query.sort, query.page]
    end
    broken = "\xD8\x00".dup.force_encoding("UTF-16BE")
    error = assert_raises(ToJson::JsonApi::ParameterError) do
      ToJson::JsonApi::Query.new({ "sort" => broken }, serializer: PostSerializer)
    end
    assert_equal "sort", error.parameter
  end

  test "what has no parameters is an ArgumentError" do
    [5, Object.new, :a].each do |given|
      error = assert_raises(ArgumentError) { ToJson::JsonApi::Query.new(given) }
      assert_equal "a Query is made of the parameters of Rack or Rails, or of the text of a " \
                   "query; got #{given.class}", error.message
    end
  end
end
