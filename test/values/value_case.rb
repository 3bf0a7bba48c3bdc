# frozen_string_literal: true

# Tests of values as tables: a row is a sentence, the JSON, the options and the value.

require "test_helper"
require_relative "../support/ways_out"

# What the files of test/values and test/rules inherit from.
class ValueCase < ToJsonTest
  # Defines a test: what the block gives is written as `json` under `options`, whatever the way out.
  # The block runs anew for each document.
  def self.writes(sentence, json, **options, &value)
    test(sentence) do
      assert_document(json) { |**out| ToJson.generate(instance_exec(&value), **options, **out) }
    end
  end

  # Defines a test: what the block gives is refused with `error` at `path` (nil: anywhere), whatever
  # the way out.
  def self.refuses(sentence, error, path: "$", message: nil, **options, &value)
    test(sentence) do
      raised = assert_failure(error, path: path, message: message) do |**out|
        ToJson.generate(instance_exec(&value), **options, **out)
      end
      assert raised.message.start_with?("#{path || raised.path}: "),
             "the message begins with the path: #{raised.message}"
      assert_equal path, raised.path if path
    end
  end

  # Under ASan RSS says nothing, time runs otherwise and Ruby does not see the end of its stack.
  SANITIZED = ENV["TO_JSON_SANITIZED"] == "1"

  # Runs the block while instances of these modules have `name`, which gives `result`; puts back
  # what was there.
  def with_patched(modules, name, result)
    kept = modules.to_h do |type|
      [type, type.method_defined?(name, false) ? type.instance_method(name) : nil]
    end
    kept.each { |type, own| type.send(:remove_method, name) if own }
    modules.each { |type| type.define_method(name) { |*| result } }
    yield
  ensure
    modules.each { |type| type.send(:remove_method, name) }
    kept.each { |type, own| type.define_method(name, own) if own }
  end

  # An object with these methods and no others of its own.
  def object_with(methods = {}, &body)
    Class.new do
      methods.each { |name, result| define_method(name) { |*| result } }
      class_eval(&body) if body
    end.new
  end
end
