# frozen_string_literal: true

require_relative "declaration_case"

# A model that is the value of a plain attribute: the serializer of its name writes it.
class ModelValuesTest < DeclarationCase
  module Shop
    # As ActiveModel's classes are known.
    class Model
      def self.model_name = name
      attr_reader :name

      def initialize(name) = @name = name
    end

    class Author < Model; end
    class Note < Model; end
    class Unknown < Model; end

    class AuthorSerializer < ToJson::Serializer
      root :author
      attributes :name
    end

    class NoteSerializer < ToJson::Serializer
      def serialize(note) = put(:text, note.name)
    end

    class PostSerializer < ToJson::Serializer
      attributes :id, :by
    end
  end

  Post = Struct.new(:id, :by)

  {
    Shop::Author.new("Ann") => '{"name":"Ann"}',
    [Shop::Author.new("Ann"), Shop::Note.new("Hi")] => '[{"name":"Ann"},{"text":"Hi"}]',
    { first: Shop::Note.new("Hi") } => '{"first":{"text":"Hi"}}',
    nil => "null"
  }.each do |value, json|
    test "#{value.class} within an attribute gives #{json}" do
      assert_equal "{\"id\":1,\"by\":#{json}}", Shop::PostSerializer.json!(Post.new(1, value))
    end
  end

  test "one without a serializer is named with its path and what was tried" do
    error = assert_raises(ToJson::SerializerNotFound) do
      Shop::PostSerializer.json!(Post.new(1, [nil, Shop::Unknown.new("x")]))
    end
    unknown = Shop::Unknown.name
    assert_match(/\A\$\.by\[1\]: no serializer for #{unknown}: tried .*, #{unknown}Serializer, /,
                 error.message)
  end

  test "outside of declared fields a model is refused" do
    assert_raises(ToJson::SerializerNotFound) { ToJson.generate([Shop::Author.new("Ann")]) }
  end
end
