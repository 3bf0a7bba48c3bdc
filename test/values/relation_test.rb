# frozen_string_literal: true

# ActiveRecord: relations are many, records are never dumped unasked.

require_relative "value_case"
require "delegate"

if Without.library?("active_record") && Without.library?("sqlite3")
  class RelationTest < ValueCase
    # other tests fork; their children do not touch it
    SQLite3::ForkSafety.suppress_warnings! if defined?(SQLite3::ForkSafety)
    unless ActiveRecord::Base.connected?
      ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: ":memory:")
    end

    # Tables of its own, so that other tests may have theirs.
    class Post < ActiveRecord::Base
      self.table_name = "relation_test_posts"
      has_many :comments, foreign_key: :post_id
    end

    # Belongs to a Post.
    class Comment < ActiveRecord::Base
      self.table_name = "relation_test_comments"
    end

    # Has its own to_h.
    class Open < Post
      def to_h = { id: id, title: title }
    end

    # Has its own as_json, as Rails users write it.
    class Jsonic < Post
      def as_json(options = nil) = super.slice("id")
    end

    def setup
      super
      connection = ActiveRecord::Base.connection
      unless connection.table_exists?(:relation_test_posts)
        connection.create_table(:relation_test_posts) do |t|
          t.string :title; t.decimal :price, precision: 8, scale: 2; t.datetime :at; t.date :on
        end
        connection.create_table(:relation_test_comments) { |t| t.integer :post_id; t.text :body }
      end
      Comment.delete_all
      Post.delete_all
      @one = Post.create!(id: 1, title: "é\"", price: "1.10",
                          at: Time.utc(2026, 1, 2, 3, 4, 5.678r), on: Date.new(2026, 1, 2))
      Post.create!(id: 2, title: "two")
      Comment.create!(id: 7, post_id: 1, body: "hm")
    end

    {
      "a relation" =>
        [-> { Post.all }, "$[0]"], "a loaded relation" => [-> { Post.all.load }, "$[0]"],
        "a filtered relation" => [-> { Post.where(id: 2) }, "$[0]"],
      "an association" =>
        [-> { Post.find(1).comments }, "$[0]"],
        "an Array of records" => [-> { Post.all.to_a }, "$[0]"],
      "find_each" =>
        [-> { Post.find_each }, "$[0]"], "a record" => [-> { Post.find(1) }, "$"],
        "a record in a Hash" => [-> { { post: Post.find(1) } }, "$.post"],
      "a new record" =>
        [-> { Post.new }, "$"],
        "a delegated record" => [-> { SimpleDelegator.new(Post.find(1)) }, "$"]
    }.each do |what, (value, path)|
      refuses("#{what} is never dumped by its columns", ToJson::SerializerNotFound, path: path,
              message:
                /RelationTest::(Post|Comment) is a model: its columns are not written by default/,
              &value)
    end

    writes("an empty relation is an empty array", "[[],[]]") { [Post.where(id: 0), Post.none] }
    writes("a relation of models with their own to_h",
           '[{"id":1,"title":"é\""},{"id":2,"title":"two"}]') do
      Open.order(:id)
    end
    writes("a model with its own as_json is that, even where it calls Rails'",
           '[{"id":1},{"id":2}]') do
      Jsonic.order(:id)
    end
    writes("a relation with a rule of its own", "[1,2]",
           convert: { ActiveRecord::Base => ->(record) { record.id } }) do
      Post.order(:id)
    end
    writes("plucked columns have the types of the database",
           '[[1,"é\"","1.1","2026-01-02T03:04:05.678Z","2026-01-02"],[2,"two",null,null,null]]') do
      Post.order(:id).pluck(:id, :title, :price, :at, :on)
    end
    writes("attributes are a Hash like any other", '{"id":7,"post_id":1,"body":"hm"}') do
      Comment.first.attributes
    end
    writes("a query's result is many", '[{"id":1},{"id":2}]') do
      ActiveRecord::Base.connection.select_all("select id from relation_test_posts order by id")
    end
    writes("a model class is its name", '"RelationTest::Post"') { Post }

    test "a relation is loaded once, and stays as it was" do
      queries = 0
      counter = ActiveSupport::Notifications.subscribe("sql.active_record") do |*, payload|
        queries += 1 if payload[:name].to_s.end_with?("Load")
      end
      relation = Open.order(:id)
      ToJson.generate(relation)
      assert_equal 1, queries
      ToJson.generate(relation)
      assert_equal 1, queries, "kept"
    ensure
      ActiveSupport::Notifications.unsubscribe(counter)
    end

    # {what: a call whose block went to another method}
    LOST_BLOCKS = {
      "array" => ->(j) { j.array Post.limit(2) { |post| j.put :id, post.id } },
      "put" => ->(j) { j.put :posts, Post.limit(2) { |post| j.put :id, post.id } },
      "value" => ->(j) { j.value Post.order(:id) { |post| j.put :id, post.id } }
    }.freeze

    LOST_BLOCKS.each do |word, call|
      test "#{word} with a block in braces that went to the relation says so" do
        error = assert_raises(ToJson::SerializerNotFound) { ToJson.json { |j| call.call(j) } }
        assert_match(/ is a model: .*braces give the block to the last call.*or do \.\.\. end\.\z/,
                     error.message)
        error = assert_raises(ToJson::SerializerNotFound) { ToJson.json { |j| j.put :a, @one } }
        refute_match(/braces/, error.message)
      end
    end

    test "SerializerNotFound says what to do" do
      error = assert_raises(ToJson::SerializerNotFound) { ToJson.generate([@one]) }
      assert_equal "$[0]: RelationTest::Post is a model: its columns are not written by default. " \
                   "Put its fields, or use a serializer.", error.message
    end
  end
end
