# frozen_string_literal: true

require "test_helper"
require "fuzz/actors"

# User code changes what the DSL is at work with: a defined result or a named error, and a document
# that parses. (Values that change while they are written: test/values/mutation_test.rb.)
class DslMutationTest < ToJsonTest
  # Getters that do something to their own object while a field list is read.
  class Restless
    attr_accessor :on_a

    def a
      on_a&.call(self)
      1
    end

    def b = 2
    def c = 3
  end

  def restless(&change) = Restless.new.tap { |object| object.on_a = change }

  def fields(object) = ToJson.json { |j| j.put_fields object, :a, :b, :c }

  # More often than a reader is compiled.
  def often(times = 6) = Array.new(times) { yield }.uniq

  test "a getter that redefines a later getter of its object: the new one is read" do
    assert_equal ['{"a":1,"b":"new","c":3}'], often {
      fields(restless { |o| o.define_singleton_method(:b) { "new" } })
    }
  end

  test "a getter that redefines itself is read once, as it was" do
    assert_equal ['{"a":1,"b":2,"c":3}'], often {
      fields(restless { |o| o.define_singleton_method(:a) { 9 } })
    }
  end

  test "a getter that removes a later getter: NoMethodError, and nothing of the call stays" do
    often do
      object = restless { |o| o.singleton_class.undef_method(:c) }
      json = ToJson.json do |j|
        j.put :before, 1
        error = assert_raises(NoMethodError) { j.put_fields object, :a, :b, :c }
        assert_match(/c/, error.message)
        j.put :after, 1
      end
      assert_equal '{"before":1,"after":1}', json
    end
  end

  test "a getter that freezes its object" do
    assert_equal ['{"a":1,"b":2,"c":3}'], often { fields(restless(&:freeze)) }
  end

  test "a class whose getter is redefined between documents: a compiled reader sees it" do
    model = Class.new(Restless)
    5.times { assert_equal '{"a":1,"b":2,"c":3}', fields(model.new) }
    model.define_method(:b) { "patched" }
    assert_equal '{"a":1,"b":"patched","c":3}', fields(model.new)
    model.remove_method(:b)
    assert_equal '{"a":1,"b":2,"c":3}', fields(model.new)
  end

  test "a getter that empties the list of fields: the call goes on with what it was given" do
    list = [:a, %i[b bee], :c]
    object = restless { list.clear }
    assert_equal '{"a":1,"bee":2,"c":3}', ToJson.json { |j| j.put_fields object, *list }
    list.replace([:a, %i[b bee], :c])
    assert_equal '{"a":1,"bee":2,"c":3}', ToJson.json { |j| j.put_fields object, list }
  end

  test "a list of more fields than one native call takes, emptied by a getter" do
    list = [:a] + [:b] * 60
    object = restless { list.clear }
    assert_equal 61, ToJson.json { |j| j.put_fields object, list }.scan(/:/).size
  end

  test "a collection that its block pushes to, deletes from, clears or replaces is walked as it " \
       "is then" do
    assert_equal "[1,2,3,4]", walk([1, 2, 3]) { |list, x| list << 4 if x == 1 }
    assert_equal "[1,3]", walk([1, 2, 3]) { |list, x| list.delete(2) if x == 1 }
    assert_equal "[1]", walk([1, 2, 3]) { |list, _| list.clear }
    assert_equal "[1,8,9]", walk([1, 2, 3]) { |list, x| list.replace([7, 8, 9]) if x == 1 }
    assert_equal "[1,2,3]", walk([1, 2, 3]) { |list, _| list.freeze }
  end

  test "a Hash whose block adds to it: Ruby's own error, and the call is undone" do
    hash = { a: 1 }
    json = ToJson.json do |j|
      assert_raises(RuntimeError) do
        j.put(:list, hash, collection: true) { |x| hash[:new] = j.value(x) }
      end
      j.put :after, 1
    end
    assert_equal '{"after":1}', json
  end

  test "the keywords of put, changed by a value: Ruby's own error, and no pair of them stays" do
    pairs = { a: 1, b: nil }
    pairs[:b] = Fuzz::Intruder.new { pairs[:c] = 1 }
    json = ToJson.json do |j|
      assert_raises(RuntimeError) { j.put(pairs) }
      j.put :after, 1
    end
    assert_equal '{"after":1}', json
  end

  test "an object frozen inside its own document finishes it, and never writes into another" do
    host = Fuzz::Host.new
    assert_equal '{"a":1}', host.json!(->(*) { freeze && put(:a, 1) })
    json = ToJson.json do |j|
      j.put :x, 1
      assert_raises(ToJson::GrammarError) { host.put :evil, 2 }
    end
    assert_equal '{"x":1}', json
    assert_match(/frozen/, assert_raises(ToJson::Error) { host.json!(->(*) { put :b, 2 }) }.message)
    assert_equal '{"b":2}', host.dup.json!(->(*) { put :b, 2 })
  end

  test "a serializer frozen inside its own document finishes it and can be used again" do
    serializer = Fuzz::Written.new(->(*) { freeze && put(:a, 1) })
    2.times { assert_equal '{"a":1}', serializer.json! }
  end

  test "instance variables removed inside the module form" do
    host = Fuzz::Host.new
    json =
      host
        .json!(
          ->(*) do
            put :a, 1; instance_variables.each { |name| remove_instance_variable(name) }; put :b, 2
          end
        )
    assert_equal '{"a":1,"b":2}', json
  end

  test "a target String that is written to, cleared or written as a value in mid-document" do
    { ->(s) { s << "more" } => 'startmore{"a":1,"b":"startmore"}',
      ->(s) { s.clear } => '{"a":1,"b":""}' }.each do |change, due|
      target = +"start"
      ToJson.json(into: target) { |j| j.put(:a, 1); change.call(target); j.put :b, target }
      assert_equal due, target
    end
    target = +"start"
    assert_equal 'start["start"]', ToJson.generate([target], into: target)
  end

  test "a target String that is frozen or relabelled in mid-document is refused and stays as it " \
       "was then" do
    target = +"start"
    assert_raises(FrozenError) { ToJson.json(into: target) { |j| j.put(:a, 1); target.freeze } }
    assert_equal "start", target
    target = +"start"
    assert_raises(ToJson::SinkError) do
      ToJson.json(into: target) { |j| j.put(:a, "é"); target.force_encoding("UTF-16LE") }
    end
    assert_equal "start", target.b
  end

  test "the class of a serializer reopened in mid-document: its next instance has the new method" do
    klass = Class.new(ToJson::Serializer) do
      def serialize(depth)
        if depth.zero?
          self.class.remove_method(:serialize)
          self.class.define_method(:serialize) { |_| put :new, true }
        end
        put :old, depth
        put :next, self.class.new(depth + 1) if depth.zero?
      end
    end
    assert_equal '{"old":0,"next":{"new":true}}', klass.json!(0)
    assert_equal '{"new":true}', klass.json!(0)
  end

  test "DSL words from inside the text of a value or key are refused, wherever it stands" do
    calls = { "put" => ->(j) { j.put :x, 1 }, "value" => ->(j) { j.value 1 }, "array" => ->(j) {
      j.array
    }, "open" => ->(j) { j.open },
              "open_array" => ->(j) { j.open_array }, "close" => ->(j) { j.close },
              "put_fields" => ->(j) { j.put_fields({ a: 1, b: 2 }, :a, :b) } }
    calls.each do |name, call|
      places = { "a pair" => ->(j, own) { j.put :k, own }, "a value" => ->(j, own) {
        j.put(:k) { j.value own }
      },
                 "an element" =>
                   ->(j, own) { j.put(:k) { j.array 1, own } },
                   "an Array" => ->(j, own) { j.put :k, [1, own] },
                 "a Hash" =>
                   ->(j, own) { j.put :k, { a: own } },
                   "a field" => ->(j, own) { j.put_field({ f: own }, :f) },
                 "a key" => ->(j, own) { j.put own, 1 }, "keywords" => ->(j, own) do
                   j.put(a: 1, b: own)
                 end }
      places.each do |place, write|
        json = ToJson.json do |j|
          own = Fuzz::Intruder.new { call.call(j) }
          own.define_singleton_method(:to_s) { call.call(j).to_s }
          assert_raises(ToJson::GrammarError, "#{name} inside #{place}") { write.call(j, own) }
          j.put :after, 1
        end
        assert_equal '{"after":1}', json, "#{name} inside #{place}"
      end
    end
  end

  private

  def walk(list) = ToJson.json { |j| j.array(list) { |x| yield(list, x); j.value x } }
end
