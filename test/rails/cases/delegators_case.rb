# frozen_string_literal: true

# `render json:` of records in a SimpleDelegator, a DelegateClass or another Delegator.

require_relative "../app"

class AuthorSerializer < ToJson::Serializer
  attributes :name
end

class PostSerializer < ToJson::Serializer
  attributes :title
  has_one :author
end

# Has no serializer of its own.
class PostDecorator < SimpleDelegator
  def title = super.upcase
end

class ShownPost < DelegateClass(Post)
  def shown = "#{title}!"
end

class ShownPostSerializer < ToJson::Serializer
  attributes :title, :shown
end

# Its `initialize` leaves it empty.
class Unset < SimpleDelegator
  def initialize = nil
  def as_json(*) = "unset"
end

# Has only the methods of BasicObject and as_json, so no other method may be called on it.
class Bare < BasicObject
  def as_json(*) = "bare"
end

class DelegatorsController < ActionController::API
  include ToJson::Rendering

  def one = render(json: decorator)
  def nested = render(json: SimpleDelegator.new(decorator))
  def many = render(json: many_of)
  def mixed = render(json: [Post.first, decorator, nil, ShownPost.new(Post.first)])
  def tree = render(json: { posts: many_of })
  def several = render(json: many_of << ShownPost.new(Post.new(title: "new")))
  def many_lines = render(ndjson: many_of)
  def hash = render(json: { post: decorator })
  def beside = render(json: { post: decorator, all: Post.all, set: Set[ShownPost.new(Post.first)] })
  def shown = render(json: ShownPost.new(Post.first))
  def shown_nested = render(json: [SimpleDelegator.new(ShownPost.new(Post.first))])
  def streamed = render(json: { post: decorator, posts: [decorator] }, stream: true)
  def lines = render(ndjson: [decorator, ShownPost.new(Post.first)])
  def only = render(json: decorator, only: params[:only])
  def missing = render(json: SimpleDelegator.new(Comment.new))
  def values = render(json: { n: SimpleDelegator.new(1), none: SimpleDelegator.new(nil) })
  def unset = render(json: [Unset.new, { bare: Bare.new }])
  def hal = render(hal: decorator)

  private

  def decorator = PostDecorator.new(Post.first)
  def many_of = Post.order(:id).map { |post| PostDecorator.new(post) }
end

App.routes do
  DelegatorsController.action_methods.each { |name| get name, to: "delegators##{name}" }
end

class DelegatorsCase < AppCase
  POST = '{"title":"HI","author":{"name":"Ann"}}'
  PLAIN = '{"title":"Hi","author":{"name":"Ann"}}'
  SHOWN = '{"title":"Hi","shown":"Hi!"}'

  def setup
    super
    Post.create!(title: "Hi", body: "secret", author: Author.create!(name: "Ann"))
  end

  # All columns were written, as without the gem.
  test "a delegator is written with its methods, by the serializer of the record" do
    assert_equal POST, body_of("/one")
    assert_equal POST, body_of("/nested")
    assert_equal "[#{POST}]", body_of("/many")
    assert_equal %({"post":#{POST}}), body_of("/hash")
    assert_equal %({"post":#{POST},"posts":[#{POST}]}), body_of("/streamed")
    assert_equal '{"title":"HI","_embedded":{"author":{"name":"Ann"}}}', body_of("/hal")
  end

  # The N+1 guard raised.
  test "the associations of records inside Delegators are preloaded" do
    Post.create!(title: "Two", author: Author.create!(name: "Ben"))
    %w[/many /tree /several /many_lines].each do |path|
      count = 0
      ActiveSupport::Notifications.subscribed(->(*) { count += 1 }, "sql.active_record") do
        assert_includes body_of(path), '{"title":"TWO","author":{"name":"Ben"}}'
      end
      assert_equal 2, count, path
    end
  end

  # The request raised SerializerNotFound.
  test "a delegator beside records is written by its serializer, too" do
    assert_equal "[#{PLAIN},#{POST},null,#{SHOWN}]", body_of("/mixed")
    assert_equal %({"post":#{POST},"all":[#{PLAIN}],"set":[#{SHOWN}]}), body_of("/beside")
    assert_equal "#{POST}\n#{SHOWN}\n", body_of("/lines")
  end

  test "the serializer named after the delegator comes first" do
    assert_equal SHOWN, body_of("/shown")
    assert_equal "[#{SHOWN}]", body_of("/shown_nested")
  end

  test "a client chooses fields of a delegator" do
    assert_equal '{"title":"HI"}', body_of("/only?only=title")
    assert_equal 400, get("/only?only=body").status
  end

  test "a record without a serializer is refused in a delegator, too" do
    error = assert_raises(ToJson::SerializerNotFound) { get("/missing") }
    assert_includes error.message, "no serializer for Comment"
  end

  test "delegators around other values, and BasicObjects, are left to Rails" do
    assert_equal '{"n":1,"none":null}', body_of("/values")
    assert_equal '["unset",{"bare":"bare"}]', body_of("/unset")
  end
end
