# frozen_string_literal: true

require_relative "caching_case"

# `cache:` of an association: its text under a key of the object that has it; on a hit the value is
# not even read.
class CachingAssociationsTest < CachingCase
  Owner = Struct.new(:id, :version, :posts, :reads) do
    def list
      self.reads = reads.to_i + 1
      posts
    end
  end

  def owner_type(word, **options, &body)
    Class.new(ToJson::Serializer) do
      attributes :id
      public_send(word, :posts, source: :list,
                  cache: { key: ->(owner) { [owner.id, owner.version] } }, **options, &body)
      attribute(:after) { 1 }
    end
  end

  Short = Class.new(ToJson::Serializer) { attributes :id, :title; view(:tiny) { remove :title } }

  ROWS = [{ id: 1, title: "a" }, { id: 2, title: "b" }].freeze
  CASES = [
    [:has_many, {}, ROWS, '[{"id":1,"title":"a"},{"id":2,"title":"b"}]'],
    [:has_many, {}, nil, "null"], [:has_many, {}, [], "[]"],
    [:has_many, { view: :tiny }, ROWS.each, '[{"id":1},{"id":2}]'],
    [:has_one, {}, ROWS[0], '{"id":1,"title":"a"}'], [:has_one, {}, nil, "null"],
    [:has_one, { only: "title" }, ROWS[0], '{"title":"a"}'],
    [:association, {}, ROWS, '[{"id":1,"title":"a"},{"id":2,"title":"b"}]'],
    [:association, {}, ROWS[1], '{"id":2,"title":"b"}'],
    [:belongs_to, { default: ROWS[1] }, nil, '{"id":2,"title":"b"}'],
    [:has_many, { context: {} }, ROWS, '[{"id":1,"title":"a"},{"id":2,"title":"b"}]']
  ].freeze

  CASES.each do |word, options, value, due|
    test "#{word} #{options.inspect} of #{value.class}, #{due}: read once" do
      type = owner_type(word, serializer: Short, **options)
      owner = Owner.new(1, 1, value)
      3.times { assert_equal %({"id":1,"posts":#{due},"after":1}), type.json!(owner) }
      assert_equal 1, owner.reads
      assert_equal due, @store.entries.values.first
      assert_equal %([{"id":1,"posts":#{due},"after":1}]), type.json!([owner].each)
    end
  end

  test "every way out, as objects, as rows, alone and among others" do
    type = owner_type(:has_many) { attributes :id }
    assert_document('[{"id":1,"posts":[{"id":1},{"id":2}],"after":1},{"id":2,"posts":null,' \
                    '"after":1}]') do |**out|
      type.json!([Owner.new(1, 1, ROWS), Owner.new(2, 1, nil)], **out)
    end
    row = Class.new(ToJson::Serializer) do
      has_many(:posts, cache: { key: :id }) { attributes :title }
    end
    2.times do
      assert_equal '{"posts":[{"title":"a"},{"title":"b"}]}', row.json!({ id: 1, posts: ROWS })
    end
    assert_equal '{"posts":[{"title":"a"},{"title":"b"}]}', row.json!({ id: 1 })
  end

  test "conditions are asked before, keys are the object's own" do
    type = owner_type(:has_many, if: ->(owner) { owner.version == 1 }) { attributes :id }
    assert_equal '{"id":1,"after":1}', type.json!(Owner.new(1, 2, ROWS))
    assert_empty @store.entries
    assert_equal '{"id":1,"posts":[{"id":1},{"id":2}],"after":1}', type.json!(Owner.new(1, 1, ROWS))
  end

  test "a block gives the value, once" do
    given = 0
    type = Class.new(ToJson::Serializer) do
      has_many(:posts, serializer: Short, cache: { key: :id }) { |_| given += 1; ROWS }
    end
    3.times do
      assert_equal '{"posts":[{"id":1,"title":"a"},{"id":2,"title":"b"}]}', type.json!({ id: 1 })
    end
    assert_equal 1, given
  end

  test "a Mask has entries of its own, and what it leaves out is not looked up" do
    type = owner_type(:has_many, serializer: Short)
    owner = Owner.new(1, 1, ROWS)
    2.times do
      assert_equal '{"posts":[{"id":1},{"id":2}]}', type.json!(owner, only: "posts(id)")
      assert_equal '{"posts":[{"title":"a"},{"title":"b"}]}',
                   type.json!(owner, only: [{ posts: :title }])
      assert_equal '{"id":1}', type.json!(owner, only: "id")
      assert_equal '{"id":1,"posts":[{"id":1,"title":"a"},{"id":2,"title":"b"}],"after":1}',
                   type.json!(owner)
    end
    assert_equal 3, @store.entries.size
  end

  test "a method that gives the value, and what its block calls, are in the keys; other methods " \
       "are not" do
    type = Class.new(ToJson::Serializer) do
      has_many(:posts, cache: { key: :id }) { attributes :id }
      def posts(_) = ROWS
    end
    assert_equal '{"posts":[{"id":1},{"id":2}]}', type.json!({ id: 1 })
    type.class_eval do
      remove_method :posts
      def posts(_) = ROWS.first(1)
    end
    2.times { assert_equal '{"posts":[{"id":1}]}', type.json!({ id: 1 }) }
    assert_equal 2, @store.entries.size
    blocks = Class.new(ToJson::Serializer) do
      has_many(:posts, serializer: Short, cache: { key: :id }) { |_| some }
      has_many :rows, serializer: Short, view: :tiny, cache: { key: :id }
      def some = ROWS.first(1)
    end
    row = { id: 1, rows: ROWS }
    assert_equal '{"posts":[{"id":1,"title":"a"}],"rows":[{"id":1},{"id":2}]}', blocks.json!(row)
    blocks.class_eval do
      remove_method :some
      def some = ROWS.last(1)
    end
    assert_equal '{"posts":[{"id":2,"title":"b"}],"rows":[{"id":1},{"id":2}]}', blocks.json!(row)
    assert_equal 5, @store.entries.size
  end

  test "cache: true takes the object's own key" do
    type = Class.new(ToJson::Serializer) { has_many(:posts, cache: true) { attributes :id } }
    record = Struct.new(:posts) { def cache_key_with_version = "o/1" }.new(ROWS)
    2.times { assert_equal '{"posts":[{"id":1},{"id":2}]}', type.json!(record) }
    assert_equal [[:read, 1], [:write, 1], [:read, 1]], @store.calls_made
  end

  test "two associations of one object have two entries" do
    type = Class.new(ToJson::Serializer) do
      has_many(:a, cache: { key: :id }) { attributes :id }
      has_many(:b, cache: { key: :id }) { attributes :id }
    end
    2.times do
      assert_equal '{"a":[{"id":1},{"id":2}],"b":[{"id":2}]}',
                   type.json!({ id: 1, a: ROWS, b: ROWS.last(1) })
    end
  end
end
