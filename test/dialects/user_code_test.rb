# frozen_string_literal: true

# User code that a dialect asks for the form of a core class: it gives a text, and cannot write into
# the document that waits for it.

require_relative "../test_helper"
require "json"

unless Without.banned?("active_support")
  require "active_support"
  require "active_support/json"
end

class DialectUserCodeTest < ToJsonTest
  class Writing < ToJson::Serializer
    class << self
      attr_accessor :last
    end

    def serialize(value)
      self.class.last = self
      begin
        put :first, value
      rescue StandardError => e
        put :refused, e.class.name
      end
      put :second, value
    end
  end

  # `klass` has another `name` for the time of the block.
  def with_method(klass, name, body)
    own = klass.method_defined?(name, false) ? klass.instance_method(name) : nil
    klass.send(:remove_method, name) if own
    klass.define_method(name, &body)
    yield
  ensure
    klass.send(:remove_method, name)
    klass.define_method(name, own) if own
  end

  meddle = ->(text) { ->(*) { Writing.last.put(:meddled, 1) && text } }
  rows = { "to_json of a Symbol under :json" => [:json, Symbol, :to_json, :sym, '"spoken"'],
           "to_json of a Symbol under :json2" => [:json2, Symbol, :to_json, :sym, '"spoken"'] }
  # asks no Float
  unless Without.banned?("active_support") ||
         ActiveSupport::JSON::Encoding.const_defined?(:JSONGemCoderEncoder)
    rows["as_json of a Float under :rails"] = [:rails, Float, :as_json, 1.5, "spoken"]
  end

  rows.each do |what, (dialect, klass, name, value, text)|
    test "#{what} cannot write into the document" do
      with_method(klass, name, meddle.call(text)) do
        assert_raises(ToJson::GrammarError) { Writing.json!(value, rules: { dialect: dialect }) }
      end
    end

    test "#{what} is written, in the document and in Arrays" do
      with_method(klass, name, ->(*) { text }) do
        assert_equal('{"first":"spoken","second":"spoken"}',
                     Writing.json!(value, rules: { dialect: dialect }))
        assert_equal('[["spoken"],{"k":"spoken"}]',
                     ToJson.generate([[value], { k: value }], dialect: dialect))
      end
    end
  end

  if rows.key?("as_json of a Float under :rails")
    test "a Float is asked again after one whose as_json gave NaN, which the serializer has " \
         "rescued" do
      answers = [Float::NAN, "asked"]
      with_method(Float, :as_json, ->(*) { answers.shift }) do
        assert_equal('{"refused":"JSON::GeneratorError","second":"asked"}',
                     Writing.json!(1.5, rules: { dialect: :rails }))
      end
    end

    test "numbers that a Float's as_json gives are written, of every size" do
      { 2.5 => "2.5", 7 => "7", 2**70 => "1180591620717411303424", 1e-310 => "1e-310",
        nil => "null" }.each do |answer, text|
        with_method(Float, :as_json, ->(*) { answer }) do
          assert_equal("[#{text}]", ToJson.generate([1.5], dialect: :rails))
        end
      end
    end
  end
end
