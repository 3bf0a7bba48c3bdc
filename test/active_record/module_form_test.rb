# frozen_string_literal: true

# Records that write themselves, and blocks in methods of records. Neither may change the record.

require_relative "../test_helper"

if Without.library?("active_record") && Without.library?("sqlite3")
  require_relative "preload_case"

  class RecordModuleFormTest < PreloadCase
    class Self < Shop::Record
      include ToJson::Serialize
      self.table_name = "shop_posts"
      has_many :comments, class_name: "Shop::Comment", foreign_key: :post_id

      def serialize(depth = 0)
        put id: id, count: comments.size
        put :again, json!(depth + 1) if depth < 1
      end
    end

    class Blocked < Shop::Record
      self.table_name = "shop_posts"
      has_many :comments, class_name: "Shop::Comment", foreign_key: :post_id
      def document = ToJson::Serializer.json! { put :ids, comments.map(&:id); put :own, comments }
      def card = ToJson::Serializer.json! { put :title, title; put :count, comments.size }
      def found = ToJson::Serializer.json! { put :found, found?(itself) }
      def found?(post) = Blocked.where(id: post).to_a == [post]
    end

    # A dup is a new record, and a clone shares what keeps associations.
    test "a record that writes itself inside its document" do
      post = Self.create!(title: "a")
      inner = %({"id":#{post.id},"count":0})
      assert_equal %({"id":#{post.id},"count":0,"again":#{inner.to_json}}), post.json!
      assert_same post, post.association(:comments).owner
      assert_equal 1, [post.comments.build].size
      post.save!
      assert_equal 1, Shop::Comment.where(post_id: post.id).count
    end

    test "a record is refused while another thread writes it" do
      post, queue = Self.create!(title: "a"), Queue.new
      post.define_singleton_method(:comments) { queue.pop && [] }
      thread = Thread.new { post.json!(1) }
      Thread.pass until queue.num_waiting == 1
      assert_raises(ToJson::Error) { post.json!(1) }
      queue << 1
      assert_equal %({"id":#{post.id},"count":0}), thread.value
    end

    class Presenter < SimpleDelegator
      include ToJson::Serialize

      def serialize(depth = 0)
        put id: id, count: depth.zero? ? 0 : comments.size
        put :again, json!(depth + 1) if depth < 1
      end
    end

    # The clone of a Delegator clones the record.
    test "a presenter of a record that writes itself inside its document" do
      post = Blocked.new(title: "a")
      assert_equal '{"id":null,"count":0,"again":"{\\"id\\":null,\\"count\\":0}"}',
                   Presenter.new(post).json!
      assert_same post, post.association(:comments).owner
      post.comments.build
      post.save!
      assert_equal 1, Shop::Comment.where(post_id: post.id).count
    end

    class Proxy < BasicObject
      def initialize(record) = @record = record
      def respond_to_missing?(name, all = false) = @record.respond_to?(name, all)
      def respond_to?(name, all = false) = respond_to_missing?(name, all)
      def method_missing(name, ...) = @record.public_send(name, ...)
    end

    # Its as_json wrote all columns.
    test "a proxy of a record is refused as a value, as the record is" do
      post = Blocked.create!(title: "secret")
      [post, Proxy.new(post)].each do |value|
        error = assert_raises(ToJson::Error) { ToJson.json { |j| j.put :post, value } }
        refute_includes error.message, "secret"
      end
    end

    # The associations were those of a copy: save! inserted each row twice, and the class of the
    # copy stood among the subclasses of the model.
    test "a block in a method of a record changes neither the record nor its class" do
      post = Blocked.new(title: "a")
      assert_equal '{"title":"a","count":0}', post.card
      post.comments.build(body: "x")
      post.save!
      assert_equal 1, Shop::Comment.where(post_id: post.id).count
      assert_same post, post.association(:comments).owner
      assert_equal '{"found":true}', post.found
      assert_equal post, Marshal.load(Marshal.dump(post))
      assert_empty Blocked.descendants
      assert_equal Blocked.count, Blocked.all.to_a.size
      assert_raises(ToJson::SerializerNotFound) { post.document }
    end
  end
end
