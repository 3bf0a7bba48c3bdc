# frozen_string_literal: true

# Stops. One object, by the ways that need no serializer at work: `new` with one argument, `as:` a
# serializer, a root, a context, one object into memory.

module Stops
  ONE = '{"id":1,"title":"One"}'

  def self.post_serializer = serializer { attributes :id, :title }

  scenario "new(object).to_json without methods of the serializer" do
    made = post_serializer
    { call: -> { made.new(POST).to_json }, expect: ONE }
  end

  scenario "one instance without methods, again and again" do
    made = post_serializer
    instance = made.new(POST)
    { call: -> { instance.to_json + instance.json! + instance.dup.to_s }, expect: ONE * 3,
      again: -> { instance.scope.id.to_s + instance.to_json }, accepts: ["1#{ONE}"] }
  end

  scenario "instances as values" do
    made = post_serializer
    { call: -> { ToJson.generate({ a: made.new(POST), b: [made.new(POST), made.new(nil)] }) },
      expect: "{\"a\":#{ONE},\"b\":[#{ONE},null]}" }
  end

  scenario "as: a serializer" do
    author = serializer { attributes :id, :name }
    made = serializer do
      attribute :author, as: author
      attribute :tags, as: author, skip_nil: true
      attribute :title, as: author, if: ->(post) { post.title.is_a?(Author) }
    end
    { call: -> { made.json!(POST) },
      expect: '{"author":{"id":7,"name":"Ann"},"tags":[{"id":8,"name":"x"}]}' }
  end

  scenario "as: a serializer with an object inside" do
    author = serializer { attributes :name }
    middle = serializer { has_one :author, serializer: author }
    made = serializer { attribute :author, as: middle }
    { call: -> { made.json!(Post.new(1, "", POST)) },
      expect: '{"author":{"author":{"name":"Ann"}}}' }
  end

  # The first is a Hash without a document. In the second, Ruby writes a value.
  scenario "to_h of one object" do
    author = serializer { attributes :id, :name }
    made = serializer do
      attributes :id, :title
      has_one :author, serializer: author
    end
    written = serializer { attributes :author }
    ann = { "id" => 7, "name" => "Ann" }
    { call: -> { [made.to_h(POST), written.to_h(POST)].inspect },
      expect: [{ "id" => 1, "title" => "One", "author" => ann }, { "author" => ann }].inspect }
  end

  scenario "one object under a root, with a context" do
    made = serializer do
      root :post
      attributes :id
      attribute(:title) { |post| context[:before] + post.title }
    end
    context = { before: "> " }
    { call: -> { made.json!(POST, context: context) + made.json!(POST, root: "p", only: :id) },
      expect: '{"post":{"id":1,"title":"> One"}}{"p":{"id":1}}' }
  end

  # The Buffer is small at first, so the document grows within it.
  scenario "one object into a Buffer" do
    made = post_serializer
    buffer = ToJson::Buffer.new
    text = "{\"p\":#{ONE}}"
    whole = lambda do |_|
      found = buffer.to_s
      buffer.clear.shrink
      "the Buffer has #{found.inspect}" unless ["", text].include?(found)
    end
    { call: -> { made.json!(POST, into: buffer, root: :p).to_s }, expect: text, whole: whole,
      again: -> { made.json!(POST, into: buffer).to_s.tap { buffer.clear } }, accepts: [ONE] }
  end

  scenario "one object into a String" do
    made = post_serializer
    text = +"before"
    whole = lambda do |_|
      found = text.dup
      text.replace("before")
      "the String has #{found.inspect}" unless ["before", "before#{ONE}"].include?(found)
    end
    { call: -> { made.json!(POST, into: text).equal?(text) }, expect: true, whole: whole,
      again: -> { made.json!(POST, into: +"") }, accepts: [ONE] }
  end
end
