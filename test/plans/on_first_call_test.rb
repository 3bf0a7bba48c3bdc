# frozen_string_literal: true

require "test_helper"
require "minitest/mock"
require_relative "../support/own_process"

# Generated methods that are defined at the first call of one of them: those beside `document`.
class OnFirstCallTest < ToJsonTest
  Boat = Struct.new(:id, :name)
  BOAT = Boat.new(1, "a")
  ONE = '{"id":1,"name":"a"}'
  LEFT = %i[items object].freeze

  def boats = Class.new(ToJson::Serializer) { attributes :id, :name }

  # With a value that the serializer computes: a Hash is not read by key alone.
  def computed = boats.tap { |made| made.attribute(:twice) { |boat| boat[:id] * 2 } }

  def code_of(made)
    made.instance_variable_get(:@to_json_plans).published.handles.each_value.first.code
  end

  # The generated methods that are there.
  def defined_of(made) = code_of(made).singleton_methods(false).sort

  # How a class writes what it did not write before => [the class's maker, the call, what is due].
  FIRST = {
    "a list" => [:boats, ->(made) { made.json!([BOAT, BOAT]) }, "[#{ONE},#{ONE}]"],
    "a list that is no Array" => [:boats, ->(made) { made.json!([BOAT].each) }, "[#{ONE}]"],
    "an object inside a Hash" =>
      [:boats, ->(made) { ToJson.generate({ a: made.new(BOAT) }) }, "{\"a\":#{ONE}}"],
    "an object to an IO" =>
      [:boats, ->(made) { StringIO.new.tap { |io| made.json!(BOAT, into: io) }.string }, ONE],
    "an object inside a block" =>
      [:boats, ->(made) { ToJson.json { |j| j.put(:a, made.new(BOAT)) } }, "{\"a\":#{ONE}}"],
    "a list of Hashes" =>
      [:boats, ->(made) { made.json!([{ id: 1, name: "a" }]) }, "[#{ONE}]"],
    "a Hash inside a list that is no Array" =>
      [:computed, ->(made) { made.json!([{ id: 1, name: "a" }].each) },
       '[{"id":1,"name":"a","twice":2}]'],
    "an Array whose elements are Hashes and objects" =>
      [:computed, ->(made) { made.json!([{ id: 1, name: "a" }, BOAT]) },
       "[#{(['{"id":1,"name":"a","twice":2}'] * 2).join(",")}]"]
  }.freeze

  FIRST.each do |what, (maker, call, due)|
    test "the first call of a class: #{what}" do
      2.times do |written|
        made = send(maker)
        made.json!(BOAT) if written == 1
        2.times { assert_equal due, call.call(made) }
      end
    end
  end

  test "a class that only writes documents of one object defines nothing else" do
    made = boats
    3.times { assert_equal ONE, made.json!(BOAT) }
    assert_equal ONE, made.json!({ id: 1, name: "a" })
    assert_empty defined_of(made) & LEFT
    made.json!([BOAT])
    assert_equal LEFT, defined_of(made) & LEFT
  end

  test "compile! and freeze define all" do
    made = computed
    made.compile!
    assert_equal [*LEFT, :row], defined_of(made) & [*LEFT, :row]
    made = boats.freeze
    assert_equal LEFT, defined_of(made) & LEFT
  end

  test "what is defined is not defined again" do
    made = boats
    made.json!([BOAT])
    methods = LEFT.map { |name| code_of(made).singleton_method(name) }
    made.compile!
    made.json!([BOAT].each)
    made.freeze
    assert_equal methods, LEFT.map { |name| code_of(made).singleton_method(name) }
  end

  test "an error at the first call has its path, and the field of an object's own error is found" do
    made = boats
    made.json!(BOAT)
    error = assert_raises(ToJson::NumberError) { made.json!([BOAT, Boat.new(1, Float::NAN)]) }
    assert_equal "$[1].name", error.path
    made = boats.tap { |boat| boat.attribute(:mast) }
    made.json!({ id: 1 })
    error = assert_raises(NoMethodError) { made.json!([BOAT]) }
    assert_equal "mast", ToJson::PlanCache.plan_of(made).field_at(error)
  end

  test "threads that meet at a first list all write it" do
    10.times do
      made, gate = boats, Queue.new
      made.json!(BOAT)
      threads = Array.new(6) { Thread.new { gate.pop; made.json!([BOAT]) } }
      6.times { gate << true }
      assert_equal ["[#{ONE}]"], threads.map(&:value).uniq
    end
  end

  test "a thread that is killed in a first list leaves a class that writes" do
    100.times do
      made = computed
      made.json!(BOAT)
      thread = Thread.new { made.json!([BOAT, { id: 1, name: "a" }]) }
      sleep(rand * 0.0005)
      thread.kill.join
      assert_equal '[{"id":1,"name":"a","twice":2}]', made.json!([{ id: 1, name: "a" }])
    end
  end

  test "what stops the definition leaves it to the next call" do
    made = boats
    made.json!(BOAT)
    ToJson::GeneratedCode.stub(:define, ->(*) { raise "stopped" }) do
      assert_raises(RuntimeError) { made.json!([BOAT]) }
    end
    assert_empty defined_of(made) & LEFT
    assert_equal "[#{ONE}]", made.json!([BOAT])
  end

  test "the first list may be another Ractor's" do
    script = <<~RUBY
      class BoatSerializer < ToJson::Serializer
        attributes :id, :name
      end
      BoatSerializer.json!({ id: 1, name: "a" })
      first = Ractor.new { 2.times.map { BoatSerializer.json!([{ id: 1, name: "a" }]) } }.value
      print first.uniq, BoatSerializer.json!([{ id: 2, name: "b" }].each)
    RUBY
    assert_equal '["[{\"id\":1,\"name\":\"a\"}]"][{"id":2,"name":"b"}]', OwnProcess.run(script)
  end
end
