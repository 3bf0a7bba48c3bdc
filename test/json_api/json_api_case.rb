# frozen_string_literal: true

require "json"
require_relative "../test_helper"
require_relative "schema"

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
  # @param schema [Boolean] false: it has what only version 1.1 allows
  def parsed(objects, schema: true, **options)
    judged(@serializer.json_api!(objects, **options), schema: schema, relative: true,
                                                      full_linkage: !options[:fields])
  end

  # What the checker and the specification's schema find nothing wrong with, parsed.
  # @param relative [Boolean] whether links may be relative, which the schema does not know
  def judged(text, schema: true, relative: false, **options)
    assert_empty ToJson::JsonApi.validate(text, **options).map(&:to_s)
    document = JSON.parse(text)
    if schema && JsonApiSchema.there?
      assert_empty JsonApiSchema.problems(document, relative: relative)
    end
    document
  end

  def identities(resources) = resources.map { |one| one.values_at("type", "id").join(":") }
end
