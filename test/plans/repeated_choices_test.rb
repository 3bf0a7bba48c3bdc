# frozen_string_literal: true

require "test_helper"

# A class keeps what its last calls chose by names, and the last view. A call that says something
# else, however alike it looks, never gets it.
class RepeatedChoicesTest < ToJsonTest
  AuthorSerializer = Class.new(ToJson::Serializer) { attributes :id, :name }

  def serializer(&body)
    Class.new(ToJson::Serializer) do
      attributes :id, :title
      has_one :author, serializer: AuthorSerializer
      view(:full) { attributes :body }
      view(:plain) { remove :author }
      class_exec(&body) if body
    end
  end

  POST = { id: 1, title: "t", body: "b", author: { id: 2, name: "n" } }.freeze
  ID = '{"id":1}'
  TITLE = '{"title":"t"}'
  BOTH = '{"id":1,"title":"t"}'
  AUTHOR = '{"author":{"id":2,"name":"n"}}'

  # Each: keywords, and the document. Beside each other stand those that look alike.
  CHOICES = [
    [{ only: :id }, ID], [{ only: "id" }, ID], [{ only: [:id] }, ID], [{ only: [[:id]] }, ID],
    [{ except: :id }, '{"title":"t","author":{"id":2,"name":"n"}}'],
    [{ only: :title, except: :author }, TITLE], [{ only: :author, except: :title }, AUTHOR],
    [{ only: %i[id title] }, BOTH], [{ only: %i[title id] }, BOTH],
    [{ only: [:id], except: [:title] }, ID], [{ only: %i[id title], except: [] }, BOTH],
    [{ only: [] }, "{}"], [{ only: [], except: nil }, "{}"], [{ only: nil, except: nil }, nil],
    [{ only: { author: :id } }, '{"author":{"id":2}}'], [{ only: %i[author id] },
                                                         '{"id":1,"author":{"id":2,"name":"n"}}'],
    [{ only: { author: true } }, AUTHOR], [{ only: { author: nil } }, AUTHOR],
    [{ only: "author(id)" }, '{"author":{"id":2}}'], [{ only: "author,id" },
                                                      '{"id":1,"author":{"id":2,"name":"n"}}'],
    [{ view: :plain, only: "id" }, ID], [{ view: "plain", only: "id,title" }, BOTH],
    [{ view: :full, only: "body" }, '{"body":"b"}'], [{ view: :plain }, BOTH],
    [{ view: :full, only: %i[body id] }, '{"id":1,"body":"b"}'], [{ view: "plain" }, BOTH]
  ].freeze

  test "each choice is right after each other one, and again" do
    made = serializer
    all = made.json!(POST)
    CHOICES.product(CHOICES).each do |(one, due), (other, other_due)|
      2.times { assert_equal due || all, made.json!(POST, **one), one.inspect }
      assert_equal other_due || all, made.json!(POST, **other), other.inspect
    end
  end

  test "an Array or String that changes between two calls is read again" do
    made = serializer
    names = [:id]
    assert_equal ID, made.json!(POST, only: names)
    names << :title
    assert_equal BOTH, made.json!(POST, only: names)
    names.replace([:title])
    assert_equal TITLE, made.json!(POST, only: names)
    text = +"id"
    assert_equal ID, made.json!(POST, only: text)
    text.replace("title")
    assert_equal TITLE, made.json!(POST, only: text)
    inner = { author: [:id] }
    assert_equal '{"author":{"id":2}}', made.json!(POST, only: inner)
    inner[:author] << :name
    assert_equal AUTHOR, made.json!(POST, only: inner)
  end

  test "a wrong choice raises after right ones, each time" do
    made = serializer
    3.times do
      assert_equal ID, made.json!(POST, only: "id")
      assert_raises(ToJson::UnknownFieldError) { made.json!(POST, only: "ix") }
      assert_raises(ToJson::UnknownFieldError) { made.json!(POST, only: "author(ix)") }
      assert_equal AUTHOR, made.json!(POST, only: "author")
      assert_raises(ToJson::UnknownViewError) { made.json!(POST, view: :fill) }
    end
  end

  test "lists of any length choose the same, those that are too long to be kept, too" do
    made = serializer
    [1, 5, 20, 24, 25, 26, 110, 120, 300].each do |times|
      2.times do
        assert_equal BOTH, made.json!(POST, only: %i[id title] * times)
        assert_equal TITLE, made.json!(POST, only: [:title] * times)
        assert_equal BOTH, made.json!(POST, only: (["id"] * times + ["title"]).join(","))
        assert_equal ID, made.json!(POST, only: (["id"] * times + ["id   "]).join(","))
      end
    end
  end

  test "a class that changes chooses anew, and so do its subclasses" do
    made = serializer
    sub = Class.new(made)
    [made, sub].each do |one|
      2.times { assert_equal ID, one.json!(POST, only: :id) }
      2.times { assert_equal BOTH, one.json!(POST, view: :plain) }
    end
    made.attributes id: :number
    made.view(:plain) { remove :title }
    assert_equal '{"number":1}', made.json!(POST, only: :number)
    left = [made, sub].map { |one| one.json!(POST, view: :plain) }
    assert_equal ['{"id":1,"number":1}'] * 2, left
  end

  test "classes by turns each get their own" do
    others = Array.new(6) { |number| serializer { attribute(:own) { number } } }
    3.times do
      others.each_with_index do |one, number|
        assert_equal %({"own":#{number}}), one.json!(POST, only: :own)
        assert_equal %({"own":#{number}}), one.json!(POST, only: "own")
        assert_equal %({"id":1,"title":"t","own":#{number}}), one.json!(POST, view: :plain)
      end
    end
  end

  test "names that were first met as text choose, too" do
    name = "dynamic_#{rand(10**9)}"
    made = Class.new(ToJson::Serializer) { attribute(name) { 1 } }
    3.times { assert_equal %({"#{name}":1}), made.json!(POST, only: name.to_sym) }
    GC.start
    assert_equal %({"#{name}":1}), made.json!(POST, only: [name.to_sym])
  end

  test "they are right after the garbage collector and compaction" do
    made = serializer
    write = -> { CHOICES.last(8).map { |one, _| made.json!(POST, **one) } }
    before = write.call
    3.times do
      GC.start
      GC.compact if GC.respond_to?(:compact)
      Array.new(10_000) { [+"x"] }
      assert_equal before, write.call
    end
  end
end
