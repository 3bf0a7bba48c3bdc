# frozen_string_literal: true

require_relative "../test_helper"

# What tests of declarations share: serializer classes with a name for messages, and exact errors.
class DeclarationCase < ToJsonTest
  # A serializer class that calls itself PostSerializer, or `label`.
  def serializer(parent = ToJson::Serializer, label = "PostSerializer", &body)
    Class.new(parent).tap do |made|
      made.define_singleton_method(:to_s) { label }
      made.class_eval(&body) if body
    end
  end

  # The fields that a body declares, as they were declared.
  def declared(&body) = serializer(&body).definition.fields.map { |field| worded(field) }

  def worded(field) = field.inspect[/\A#<ToJson::Field (.*)>\z/m, 1]

  # The words of a Definition.
  def worded_definition(type)
    type.definition.inspect[/\A#<ToJson::Definition \w+(?:: )?(.*)>\z/m, 1]
  end

  def assert_refused(message, type = ToJson::DefinitionError, &block)
    error = assert_raises(type, &block)
    if message.is_a?(Regexp)
      assert_match(message, error.message)
    else
      assert_equal(message, error.message)
    end
    assert_kind_of ToJson::Error, error
  end
end
