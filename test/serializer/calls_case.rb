# frozen_string_literal: true

require_relative "../test_helper"

# What the tests of json! of a class and of an instance share. The first document of a class goes
# the general way, and the others take the fast one.
class CallsCase < ToJsonTest
  def serializer(parent = ToJson::Serializer, &body) = Class.new(parent, &body)

  # The value of the block, which must be the same each time.
  def settled
    first = yield
    3.times { assert_equal first, yield }
    first
  end

  # The error of the block, which must say the same each time.
  def settled_error(error)
    messages = Array.new(3) { assert_raises(error) { yield }.message }
    assert_equal 1, messages.map { |message| message.sub(/expected .*\)/, "expected)") }.uniq.size,
                 messages.inspect
    messages.first
  end
end
