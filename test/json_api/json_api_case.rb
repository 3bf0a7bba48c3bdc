# frozen_string_literal: true

require "json"
require_relative "../test_helper"

# What tests of JSON:API share: a blog.
class JsonApiCase < ToJsonTest
  Person = Struct.new(:id, :name, :posts, :email)
  Comment = Struct.new(:id, :body, :author, :post)
  Post = Struct.new(:id, :title, :body, :author, :comments)

  # The serializers of a blog, new for each test, as constants of a module.
  def blog(&more)
    home = Module.new
    self.class.send(:remove_const, :Blog) if self.class.const_defined?(:Blog, false)
    self.class.const_set(:Blog, home)
    home.module_eval(BLOG)
    home.const_get(:PostSerializer).class_eval(&more) if more
    home
  end

  BLOG = <<~RUBY
    class PostSerializer < ToJson::Serializer
      attributes :id, :title, :body
      has_one :author, serializer: "PersonSerializer"
      has_many :comments, serializer: "CommentSerializer"
    end
    class PersonSerializer < ToJson::Serializer
      type :people
      attributes :name
      has_many :posts, serializer: "PostSerializer"
    end
    class CommentSerializer < ToJson::Serializer
      attributes :body
      belongs_to :author, serializer: "PersonSerializer"
      belongs_to :post, serializer: "PostSerializer"
    end
  RUBY

  def ann = @ann ||= Person.new(1, "Ann", [])
  def bob = @bob ||= Person.new(2, "Bob", [])

  # Of Ann, with a comment of Bob and one of Ann.
  def post(id = 5)
    made = Post.new(id, "Tea", "Hot.", ann, [])
    made.comments << Comment.new(8, "Yes", bob, made) << Comment.new(9, "No", ann, made)
    ann.posts << made
    made
  end

  # The document, which must be valid.
  def parsed(objects, **options)
    text = @serializer.json_api!(objects, **options)
    assert_empty ToJson::JsonApi.validate(text, full_linkage: !options[:fields]).map(&:to_s)
    JSON.parse(text)
  end

  def identities(resources) = resources.map { |one| one.values_at("type", "id").join(":") }
end
