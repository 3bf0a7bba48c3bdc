# frozen_string_literal: true

# Stops. Documents that are read: what is compiled at the first use, and what an object has after a
# stop.

module Stops
  Draft = Struct.new(:title, :at, :author)
  Writer = Struct.new(:name)

  # Reads Drafts.
  def self.reader
    serializer do
      attributes :id
      attributes :title, writable: true
      attribute :at, as: :time, writable: true
      has_one(:author, writable: true) { attributes :name, writable: true }
      view(:short) { remove :author }
    end
  end

  GIVEN = { title: "New", at: "2026-11-20T10:00:00.000Z", author: { name: "Bob" } }.freeze
  AT = Time.utc(2026, 11, 20, 10)
  READ = { title: "New", at: AT, author: { name: "Bob" } }.freeze

  scenario "reading attributes" do
    made = reader
    { call: -> { made.parse(GIVEN) }, expect: READ, again: -> { made.parse({ title: "a" }) },
      accepts: [{ title: "a" }] }
  end

  scenario "reading text, and problems of it", group: :json do
    made = reader
    text = '{"title":"New","at":"2026-11-20T10:00:00.000Z","author":{"name":"Bob"}}'
    { call: -> { made.parse(text) }, expect: READ,
      again: lambda do
        made.parse('{"author":{"name":[]}}')
      rescue ToJson::ReadError => error
        error.pointer
      end, accepts: ["/author/name"] }
  end

  scenario "reading in a view of a frozen class" do
    made = reader.freeze
    { call: -> { made.parse({ title: "a" }, view: :short) }, expect: { title: "a" },
      again: -> { made.parse(GIVEN) }, accepts: [READ] }
  end

  scenario "reading into Structs" do
    made = reader
    old = ["Old", nil, Writer.new("Ann")]
    draft = Draft.new(*old)
    whole = lambda do |_finished|
      found = [draft.title, draft.at, draft.author.name]
      draft.title, draft.at, draft.author.name = "Old", nil, "Ann"
      next if [["Old", nil, "Ann"], ["New", AT, "Bob"]].include?(found)

      "the Struct has #{found}"
    end
    { call: -> { made.read(GIVEN, into: draft).title }, expect: "New", whole: whole,
      again: -> { made.parse(GIVEN) }, accepts: [READ] }
  end

  scenario "reading a document of JSON:API" do
    made = blog.const_get(:PostSerializer)
    made.attributes :body, writable: true
    made.has_one :editor, serializer: "AuthorSerializer", writable: true
    data = { type: "posts", attributes: { body: "a" },
             relationships: { editor: { data: { type: "people", id: "7" } } } }
    { call: -> { made.parse({ data: data }) }, expect: { body: "a", editor_id: "7" },
      again: -> { made.parse({ body: "b" }) }, accepts: [{ body: "b" }] }
  end

  scenario "reading lines", group: :json do
    made = reader
    { call: -> { made.parse_ndjson("{\"title\":\"a\"}\n{\"title\":\"b\"}\n").to_a },
      expect: [{ title: "a" }, { title: "b" }] }
  end
end
