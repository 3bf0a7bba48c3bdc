# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/own_process"

# The declared fields put by a `serialize` of one's own; an association's serializer told by a
# method.
class PutAttributesTest < ToJsonTest
  Author = Struct.new(:name)
  Post = Struct.new(:id, :title, :author)
  POST = Post.new(1, "Hi", Author.new("Ann")).freeze

  class AuthorSerializer < ToJson::Serializer
    attributes :name
  end

  class Step < ToJson::Serializer
    attributes :id, :title
    view(:short) { remove :title }

    def serialize(post, **how)
      put :first, 1
      put_attributes post, **how
      put :last, 2
    end
  end

  {
    {} => '{"first":1,"id":1,"title":"Hi","last":2}',
    { view: :short } => '{"first":1,"id":1,"last":2}',
    { only: :title } => '{"first":1,"title":"Hi","last":2}',
    { except: "id,title" } => '{"first":1,"last":2}',
    { view: nil, only: nil } => '{"first":1,"id":1,"title":"Hi","last":2}'
  }.each do |how, json|
    test "put_attributes with #{how} puts the fields in place" do
      step = Class.new(Step) { define_method(:serialize) { |post| super(post, **how) } }
      assert_equal json, step.json!(POST)
      assert_equal json, step.json!(POST)
    end
  end

  test "what the call says of view and only holds where put_attributes says nothing" do
    assert_equal '{"first":1,"id":1,"last":2}', Step.json!(POST, view: :short)
    assert_equal '{"first":1,"title":"Hi","last":2}', Step.json!(POST, only: [:title])
  end

  test "put_attributes of nil puts nothing" do
    assert_equal '{"first":1,"last":2}', Class.new(Step) {
      def serialize(_) = super(nil)
    }.json!(POST)
  end

  test "put_attributes of an unknown field is refused, and the next document is right" do
    step = Class.new(Step) { def serialize(post) = super(post, only: :titel) }
    assert_raises(ToJson::UnknownFieldError) { step.json!(POST) }
    assert_equal '{"first":1,"id":1,"title":"Hi","last":2}', Step.json!(POST)
  end

  def self.serializer_of(value) = value.is_a?(Author) ? AuthorSerializer : nil

  test "a Method tells the serializer of an association" do
    told = Class.new(ToJson::Serializer) do
      has_one :author, serializer: PutAttributesTest.method(:serializer_of)
    end
    assert_equal '{"author":{"name":"Ann"}}', told.json!(POST)
    assert_raises(ToJson::SerializerNotFound) { told.json!(Post.new(1, "x", Object.new)) }
  end

  # As Ruby 4.0 does with the Proc of a Method.
  test "a Method tells the serializer where Ruby cannot make it shareable" do
    found = OwnProcess.run(<<~'RUBY')
      refusing = Module.new do
        def make_shareable(value, **) = value.is_a?(Proc) ? raise("not supported yet") : super
      end
      Ractor.singleton_class.prepend(refusing)
      class AuthorSerializer < ToJson::Serializer
        attributes :name
        def self.for(_) = self
      end
      class PostSerializer < ToJson::Serializer
        has_one :author, serializer: AuthorSerializer.method(:for)
      end
      PostSerializer.compile!
      print PostSerializer.json!({ author: { name: "Ann" } })
    RUBY
    assert_equal '{"author":{"name":"Ann"}}', found
  end
end
