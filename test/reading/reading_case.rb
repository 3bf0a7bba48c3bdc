# frozen_string_literal: true

require "json"
require_relative "../test_helper"

# What tests of reading share.
class ReadingCase < ToJsonTest
  # @return [Class] a serializer whose name is PostSerializer
  def serializer(&body)
    home = Module.new
    self.class.send(:remove_const, :Blog) if self.class.const_defined?(:Blog, false)
    self.class.const_set(:Blog, home)
    made = Class.new(ToJson::Serializer)
    home.const_set(:PostSerializer, made)
    made.class_eval(&body)
    made
  end

  # @return [ToJson::ReadError] with these problems: [pointer, code] or [pointer, code, message]
  def assert_problems(*expected, &)
    error = assert_raises(ToJson::ReadError, &)
    found = error.problems.map { |one| [one.pointer, one.code, one.message] }
    assert_equal expected.map { |one| one.first(2) }, (found.map { |one| one.first(2) })
    expected.zip(found) { |one, other| assert_equal one[2], other[2] if one[2] }
    error
  end
end
