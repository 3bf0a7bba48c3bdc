# frozen_string_literal: true

require "test_helper"

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

  def keep(type) = ToJson::ClassMemory.keep(type, :@kept, ToJson::PlanCache.epoch, :value)

  def recall(type) = ToJson::ClassMemory.recall(type, :@kept)
end
