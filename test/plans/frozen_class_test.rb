# frozen_string_literal: true

require_relative "../test_helper"

# A frozen class can keep nothing new in its variables. What it had before it was frozen keeps its
# Plans, also those of later epochs, which begin when any class changes.
class FrozenClassTest < ToJsonTest
  Row = Struct.new(:id)

  class Declared < ToJson::Serializer
    attributes :id
    attribute(:next) { |row| row.id + 1 }
  end

  class Imperative < ToJson::Serializer
    def serialize(row) = put(id: row.id, next: row.id + 1)
  end

  # Counts how often the Plan of one class is asked for, and how often one is compiled.
  module Counted
    class << self
      attr_accessor :watched, :asked, :compiled
    end

    def default(serializer_class)
      Counted.asked += 1 if Counted.watched.equal?(serializer_class)
      super
    end

    def publish(serializer_class, epoch, handles)
      Counted.compiled += 1 if Counted.watched.equal?(serializer_class)
      super
    end
  end
  ToJson::PlanCache.singleton_class.prepend(Counted)

  # What three more uses ask for and compile.
  def counts(type)
    Counted.watched, Counted.asked, Counted.compiled = type, 0, 0
    3.times { assert_equal('{"id":1,"next":2}', type.json!(Row.new(1))) }
    [Counted.asked, Counted.compiled]
  ensure
    Counted.watched = nil
  end

  FROZEN = {
    "frozen" => ->(type) { type.dup.freeze },
    "a frozen class's clone" => ->(type) { type.dup.freeze.clone },
    "frozen after use" => ->(type) { type.dup.tap { |copy| copy.json!(Row.new(1)) }.freeze }
  }.freeze

  [Declared, Imperative].product(FROZEN.keys).each do |type, how|
    test "a class that is #{how} looks for its Plan once an epoch (#{type.name[/\w+$/]})" do
      frozen = FROZEN.fetch(how).call(type)
      assert frozen.frozen?
      3.times do
        ToJson::PlanCache.next_epoch
        assert_equal [1, type == Declared ? 1 : 0], counts(frozen)
        assert_equal [0, 0], counts(frozen)
      end
    end
  end

  # The Definition of a frozen class was another object at each call then, as if of an inline block:
  # all fields were read from the object, and serialize was not called.
  class Parent < ToJson::Serializer
    attributes :id
  end

  MADE = { "a class that is not" => ->(type) { type }, "a class that is" => ->(type) {
    type.freeze
  },
           "a clone that is" => ->(type) { type.clone(freeze: true) } }.freeze

  MADE.each do |what, make|
    test "#{what} frozen keeps its own methods and serialize when its superclass declares more" do
      parent = Class.new(Parent)
      own = make.call(Class.new(parent) { def id(row) = row.id + 1 })
      writes = make.call(Class.new(parent) { def serialize(row) = [super, put(:own, true)] })
      assert_equal ['{"id":8}', '{"id":7,"own":true}'], [own, writes].map { |type|
        type.json!(Row.new(7))
      }
      parent.attribute :more, source: :id
      2.times do
        assert_equal ['{"id":8,"more":8}', '{"id":7,"more":7,"own":true}'],
                     [own, writes].map { |type| type.json!(Row.new(7)) }
        assert_same own.definition, own.definition
      end
    end
  end
end
