# frozen_string_literal: true

# What the cases of pagination share: serializers, and an action that shows a page in each way.

class AuthorSerializer < ToJson::Serializer
  attributes :name
end

class PostSerializer < ToJson::Serializer
  root :post, :posts
  attributes :id
  has_one :author
end

class PagesController < ActionController::API
  include ToJson::Rendering

  private

  # @param meta [Hash] what a client needs to know of the page
  def show(page, meta, **options)
    case params[:way]
    when "stream" then render(json: page, stream: true, meta: meta, **options)
    when "lines" then render(ndjson: page, **options)
    when "fresh"
      serializer = PostSerializer.new(page)
      render(json: serializer) if stale?(serializer)
    else render(json: page, meta: meta, **options)
    end
  end
end

# Three posts, two of them on the first page.
class PagesCase < AppCase
  def setup
    super
    @author = Author.create!(name: "Ann")
    1.upto(3) { |id| Post.create!(id: id, title: "Post #{id}", author: @author) }
  end

  # @return [Array<String>] the queries that the block sends
  def queries(&block)
    found = []
    note = ->(*, payload) { found << payload[:sql] unless payload[:name] == "SCHEMA" }
    ActiveSupport::Notifications.subscribed(note, "sql.active_record", &block)
    found
  end

  def ids(document) = document["posts"].map { |post| post["id"] }

  # The tests of a page that is made by the action at `path`.
  # @param numbers [Hash] of the first page
  # @param queries [Integer] how many the first page takes
  def self.tests_of(path, numbers:, queries:)
    test "#{path}: a page has its records, each with its serializer, and its numbers" do
      first = json_of("#{path}?page=1")
      assert_equal [1, 2], ids(first)
      assert_equal "Ann", first["posts"][0]["author"]["name"]
      assert_equal numbers, first["meta"]
      assert_equal [3], ids(json_of("#{path}?page=2"))
    end

    test "#{path}: a page takes no query more than it needs" do
      json_of("#{path}?page=1")
      seen = queries { json_of("#{path}?page=1") }
      assert_equal queries, seen.size, seen.join("\n")
    end

    test "#{path}: a stream has the records of the page, in lines too" do
      assert_equal json_of("#{path}?page=1"), json_of("#{path}?page=1&way=stream")
      lines = body_of("#{path}?page=2&way=lines").lines
      assert_equal ['{"id":3,"author":{"name":"Ann"}}'], lines.map(&:chomp)
    end

    test "#{path}: the ETag is that of the page" do
      etag = get("#{path}?page=1&way=fresh")["etag"]
      assert_equal 304, get("#{path}?page=1&way=fresh", "HTTP_IF_NONE_MATCH" => etag).status
      assert_equal 200, get("#{path}?page=2&way=fresh", "HTTP_IF_NONE_MATCH" => etag).status
      Post.find(3).touch(time: 1.day.from_now)
      assert_equal 304, get("#{path}?page=1&way=fresh", "HTTP_IF_NONE_MATCH" => etag).status
      Post.find(2).touch(time: 1.day.from_now)
      assert_equal 200, get("#{path}?page=1&way=fresh", "HTTP_IF_NONE_MATCH" => etag).status
    end

    test "#{path}: a page behind the last is empty, and keeps its root" do
      Post.delete_all
      assert_equal [], json_of("#{path}?page=1")["posts"]
    end
  end
end
