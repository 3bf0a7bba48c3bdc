# frozen_string_literal: true

require_relative "../test_helper"

# What a document of JSON:API reads of records, as `only:` of preloading. test/rails/cases has the
# queries that come of it.
class JsonApiReadsTest < ToJsonTest
  Reflection = Struct.new(:klass, :polymorphic?)

  class Post; end
  class Author; end
  class Badge; end

  # What ActiveRecord says of the associations.
  def Post.reflect_on_association(name)
    { author: Reflection.new(Author, false), badge: Reflection.new(Badge, false),
      owner: Reflection.new(nil, true), comments: Reflection.new(Post, false) }[name]
  end

  class AuthorSerializer < ToJson::Serializer
    transform_keys :camel_lower
    attributes :full_name, :mail
    has_many :posts, serializer: "PostSerializer"
  end

  class PostSerializer < ToJson::Serializer
    attributes :id, :title
    nested(:size) { attributes :words }
    flatten(:place) { attributes :city }
    has_one(:editor) { attributes :name }
    has_one :author
    has_one :badge
    has_one :owner
    has_one(:first, serializer: AuthorSerializer) { |post| post.author }
    has_one(:chosen, serializer: ->(_) { AuthorSerializer }, source: :author)
    has_many :comments, serializer: "PostSerializer", linkage: true
    has_many :reviewers, serializer: AuthorSerializer, linkage: :reviewer_ids
    view(:full) { attributes :body }
  end

  FIELDS = "id,title,size,city,editor"

  {
    {} => "#{FIELDS},comments()", { view: :full } => "#{FIELDS},body,comments()",
    { include: "author" } => "#{FIELDS},author(full_name,mail),comments()",
    { include: "reviewers" } => "#{FIELDS},comments(),reviewers(full_name,mail)",
    { include: "first,chosen,badge,owner.x" } =>
      "#{FIELDS},badge(),owner(),first(full_name,mail),chosen(),comments()",
    { include: "comments" } => "#{FIELDS},comments(#{FIELDS},comments())",
    { include: "comments.author" } =>
      "#{FIELDS},author(),comments(#{FIELDS},author(full_name,mail),comments())",
    { include: "author", fields: { posts: "title", authors: "fullName" } } =>
      "id,title,author(full_name),comments()",
    { include: "author", fields: { authors: "" } } => "#{FIELDS},author(),comments()"
  }.each do |options, expected|
    test "#{options} reads #{expected}" do
      choice = ToJson::JsonApi::Choice.of(PostSerializer,
                                          *options.values_at(:view, :include, :fields))
      assert_equal expected, ToJson::JsonApi::PreloadSelection.new(choice, Post).selection.to_s
    end
  end

  test "without a model, only declarations tell" do
    choice = ToJson::JsonApi::Choice.of(PostSerializer, nil, "author,first", nil)
    assert_equal "#{FIELDS},author(),first(full_name,mail),comments()",
                 ToJson::JsonApi::PreloadSelection.new(choice, nil).selection.to_s
  end
end
