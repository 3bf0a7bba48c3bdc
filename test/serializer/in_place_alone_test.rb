# frozen_string_literal: true

require "test_helper"
require "json"

# A serializer as a value, which its Plan writes alone, without the serializer: what it writes, and
# what an error leaves, is the same as of one whose fields call its methods.
class InPlaceAloneTest < ToJsonTest
  Person = Struct.new(:id, :name)
  # Whose getter fails, also as an element of a list.
  Broken = Struct.new(:id) { def name = raise(IOError, "gone") }

  class AloneSerializer < ToJson::Serializer
    root :person, :people
    attributes :id, :name
  end

  class MethodSerializer < ToJson::Serializer
    root :person, :people
    attributes :id, :name
    def id(person) = person.is_a?(Hash) ? person[:id] : person.id
  end

  SERIALIZERS = [AloneSerializer, MethodSerializer].freeze
  ANN = Person.new(1, "Ann")

  # The same of both serializers.
  def assert_alike(due)
    SERIALIZERS.each { |made| assert_equal due, yield(made), made.name }
  end

  def outer(as) = Class.new(ToJson::Serializer) { attribute :it, as: as }

  {
    ANN => '{"it":{"id":1,"name":"Ann"}}',
    { id: 2, name: "Bob" } => '{"it":{"id":2,"name":"Bob"}}',
    [ANN, ANN] => '{"it":[{"id":1,"name":"Ann"},{"id":1,"name":"Ann"}]}',
    [] => '{"it":[]}', nil => '{"it":null}',
    [ANN, nil].each => '{"it":[{"id":1,"name":"Ann"},null]}'
  }.each do |value, due|
    test "as: a serializer has no root inside: #{due}" do
      assert_alike(due) { |made| outer(made).json!({ it: value }) }
      assert_alike(JSON.parse(due)) { |made| outer(made).to_h({ it: value }) }
      assert_alike(due.sub("it", "a")) { |made| ToJson.generate({ a: made.new(value) }) }
    end
  end

  test "as all of a document it has its root" do
    assert_alike('{"person":{"id":1,"name":"Ann"}}') { |made| ToJson.generate(made.new(ANN)) }
    assert_alike('[{"id":1,"name":"Ann"}]') { |made| ToJson.generate([made.new(ANN)]) }
  end

  test "keywords of new count inside" do
    assert_alike('[{"id":1},{"person":{"id":1,"name":"Ann"}}]') do |made|
      ToJson.generate([made.new(ANN, only: :id), made.new(ANN, root: :person)])
    end
  end

  test "what an exception leaves behind is taken back, and words of the DSL may follow" do
    assert_alike('{"before":1,"after":{"id":1,"name":"Ann"},"end":2}') do |made|
      ToJson.json do |j|
        j.put :before, 1
        assert_raises(IOError) { j.put :broken, made.new(Broken.new(1)) }
        j.put :after, made.new(ANN)
        j.put :end, 2
      end
    end
  end

  test "an exception has the path of the field" do
    assert_alike("$.list[1].it.name") do |made|
      list = Class.new(ToJson::Serializer)
      list.has_many :list, serializer: outer(made)
      error = assert_raises(IOError) do
        list.json!({ list: [{ it: ANN }, { it: Broken.new(1) }] })
      end
      ToJson.location(error)
    end
  end

  test "no word of the DSL may write while its Plan does" do
    SERIALIZERS.each do |made|
      error = assert_raises(ToJson::Error) do
        ToJson.json do |j|
          writes = Person.new(1, "Ann")
          writes.define_singleton_method(:name) { j.put(:more, 1) }
          j.put :it, made.new(writes)
        end
      end
      assert_kind_of ToJson::GrammarError, error
    end
  end

  test "an endless chain of objects ends in NestingError" do
    node = Class.new(ToJson::Serializer)
    node.attribute :me, as: node
    endless = Struct.new(:me).new
    endless.me = endless
    assert_raises(ToJson::NestingError) { node.json!(endless) }
    assert_equal '{"me":null}', node.json!(Struct.new(:me).new(nil))
  end
end
