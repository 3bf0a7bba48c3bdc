# frozen_string_literal: true

# Stops. Values with code of their own, Rules, Coders.

require "set"

module Stops
  scenario "ToJson.generate with convert: and own methods" do
    money = Struct.new(:cents)
    own = Class.new { def to_json(*) = '{"own":1}' }
    other = Class.new { def as_json(*) = { as: [1.5, Rational(1, 3)] } }
    values = [money.new(5), own.new, other.new, { Time.at(0).utc => :x }]
    { call: -> { ToJson.generate(values, convert: { money => lambda(&:cents) }) },
      expect: '[5,{"own":1},{"as":[1.5,"1/3"]},{"1970-01-01 00:00:00 UTC":"x"}]' }
  end

  scenario "many that have each, to_ary and lazy" do
    many = Class.new do
      include Enumerable

      def each
        yield 1
        yield({ two: 2 })
      end
    end
    { call: -> { ToJson.generate([many.new, (1..3).lazy.map { |x| x * 2 }, many.new.to_set]) },
      expect: '[[1,{"two":2}],[2,4,6],[1,{"two":2}]]' }
  end

  scenario "Rules of a class and of a call" do
    made = serializer do
      rules time: :unix, decimal: :number
      attribute(:at) { |_| Time.at(5) }
      attribute(:h) { |_| { b: 1, a: 2 } }
    end
    { call: -> { made.json!(POST) + made.json!(POST, rules: { time: :unix_ms }) },
      expect: '{"at":5,"h":{"b":1,"a":2}}{"at":5000,"h":{"b":1,"a":2}}' }
  end

  scenario "a Coder under the dialect json" do
    coder = ToJson::Coder.new { |value| value.class.name.to_s }
    { call: -> { coder.dump({ a: [Object.new, nil] }) }, expect: '{"a":["Object",null]}' }
  end
end
