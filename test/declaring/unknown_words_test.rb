# frozen_string_literal: true

require_relative "declaration_case"

# Whoever comes from another library, or mistypes, is told what ours is called.
class UnknownWordsTest < DeclarationCase
  # A line of a class body => the message.
  WORDS = {
    "root_key :post" =>
      "PostSerializer: root_key is not a word of serializers here. Write root :post, :posts.",
    "links self: 1" =>
      "PostSerializer: links is not a word of serializers here. Write link(:self) { |post| … }.",
    "set_type :posts" =>
      "PostSerializer: set_type is not a word of serializers here. Write type :posts.",
    "fields :id" =>
      "PostSerializer: fields is not a word of serializers here. Write attributes :id, :title.",
    "scope" =>
      "PostSerializer: scope is not a word of serializers here. Write context:, which a field " \
      "reads as context[:user].",
    "atributes :id" =>
      /\APostSerializer: unknown word atributes, did you mean attributes\? Known: association, /,
    "hasmany :tags" => /\APostSerializer: unknown word hasmany, did you mean has_many\?/,
    "transform_key :camel" =>
      /\APostSerializer: unknown word transform_key, did you mean transform_keys\?/
  }.freeze

  WORDS.each do |line, message|
    test("#{line} in a class body says what ours is called") do
      assert_refused(message) { serializer { class_eval(line) } }
    end
  end

  test "a word like none of ours is a NoMethodError, and no class says that it has one" do
    assert_raises(NoMethodError) { serializer { frobnicate :id } }
    refute_respond_to serializer, :root_key
    refute_respond_to serializer, :atributes
  end

  test "keywords of other libraries say ours" do
    type = serializer { attributes :id }
    { scope: :context, params: :context, fields: :only, exclude: :except,
      root_key: :root }.each do |theirs, ours|
      error = assert_raises(ArgumentError) { type.json!({ id: 1 }, theirs => 1) }
      meant = /unknown keyword #{theirs.inspect}, did you mean #{ours.inspect}\? Known: /
      assert_match(/\APostSerializer: #{meant}/, error.message)
    end
  end

  test "serialize without an object says which method returns the document" do
    error = assert_raises(ArgumentError) { serializer { attributes :id }.new({ id: 1 }).serialize }
    assert_equal "PostSerializer#serialize writes an object into the document at hand: " \
                 "serialize(object). " \
                 "For the document as text call json! or to_json, as a Hash to_h.", error.message
  end

  module Blog
    class Post
      def self.model_name = "Post"
    end

    class UserAccount < Post; end

    class UserAccountSerializer < ToJson::Serializer
      attributes :id
    end
  end

  test "a model as a value names the serializer that exists for it" do
    outer = "UnknownWordsTest::Blog"
    error = assert_raises(ToJson::SerializerNotFound) do
      ToJson.generate({ a: Blog::UserAccount.new })
    end
    assert_equal "$.a: #{outer}::UserAccount is a model: its columns are not written by default. " \
                 "Put its fields, or use #{outer}::UserAccountSerializer.new(user_account).",
                 error.message
    error = assert_raises(ToJson::SerializerNotFound) { ToJson.generate([Blog::Post.new]) }
    assert_equal "$[0]: #{outer}::Post is a model: its columns are not written by default. Put " \
                 "its fields, or use a serializer.", error.message
  end
end
