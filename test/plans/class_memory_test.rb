# frozen_string_literal: true

require "test_helper"
require "minitest/mock"

# What a serializer class keeps for one epoch, see ToJson::ClassMemory.
class ClassMemoryTest < ToJsonTest
  def setup
    super
    @class = Class.new(ToJson::Serializer) { attributes :id }
    ToJson::PlanCache.watch(@class)
  end

  test "what is kept is found until something changes" do
    assert_nil recall(@class)
    assert_equal :value, keep(@class)
    assert_equal :value, recall(@class)
    @class.attributes :name
    assert_nil recall(@class)
  end

  test "what was derived before a change is not found after it" do
    before = ToJson::PlanCache.epoch
    @class.attributes :name
    ToJson::ClassMemory.keep(@class, :@kept, before, :outdated)
    assert_nil recall(@class)
  end

  test "a copy of the class does not use it" do
    keep(@class)
    assert_nil recall(@class.dup)
    assert_nil recall(@class.clone)
  end

  test "a frozen class keeps it" do
    @class.freeze
    assert_equal :value, keep(@class)
    assert_equal :value, recall(@class)
    assert_nil recall(@class.clone)
  end

  test "what a frozen class kept before is replaced" do
    keep(@class)
    @class.freeze
    Class.new(ToJson::Serializer) { attributes :id }.then do |other|
      ToJson::PlanCache.watch(other)
      other.attributes :name # begins an epoch
    end
    assert_nil recall(@class)
    keep(@class)
    assert_equal :value, recall(@class)
  end

  private

  CHANGING = lambda do
    Class.new(ToJson::Serializer) do
      type :things
      attributes :id, :a
      view(:v) { attribute(:w) { 1 } }
      view(:u) { attribute(:x) { 1 } }
    end
  end
  THING = { id: 1, a: 2, late: 3 }.freeze

  # What was kept for other views stayed for ever: the epoch was read after it.
  %i[hal! json_api!].each do |form|
    test "a field that another thread declares while #{form} is made is in all later documents" do
      type = CHANGING.call
      [nil, :v].each { |view| type.public_send(form, THING, view: view) }
      once, watch = [true], ToJson::PlanCache.method(:watch)
      changed = lambda do |of|
        watch.call(of)
        Thread.new { type.attributes(:late) }.join if once.shift
      end
      ToJson::PlanCache.stub(:watch, changed) { type.public_send(form, THING, view: :u) }
      [nil, :v, :u].each do |view|
        assert_includes type.public_send(form, THING, view: view), '"late":3', view.inspect
      end
    end
  end

  # The same of what a call of JSON:API chooses.
  test "a field that another thread declares while names are transformed" do
    type, once = CHANGING.call, []
    type.transform_keys(lambda do |name|
      Thread.new { type.attributes(:late) }.join if once.shift
      name
    end)
    once << true
    type.json_api!(THING)
    2.times { assert_includes type.json_api!(THING), '"late":3' }
  end

  def keep(type) = ToJson::ClassMemory.keep(type, :@kept, ToJson::PlanCache.epoch, :value)

  def recall(type) = ToJson::ClassMemory.recall(type, :@kept)
end
