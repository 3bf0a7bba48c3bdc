# frozen_string_literal: true

require "test_helper"
require_relative "../support/own_process"

# What is not documented is still there to be called. Given what it does not expect it raises, as
# Ruby's own methods do: functions of C would take a number for a class, and end the process.
class WrongArgumentsTest < ToJsonTest
  class Item < ToJson::Serializer
    attributes :id
  end

  # None is a class, a Plan, Rules, a Part, a Proc or an exception.
  STRANGE = [nil, 0, -1, 1.5, :a, "", [1], { a: 1 }, Object.new, BasicObject.new, Module.new,
             Item.new({ id: 1 }), Time.at(0)].freeze
  PLAN = { code: nil, row: nil, root_one: nil, root_many: nil, meta: nil, rules: true,
           serializer_class: Item, serializer: true, masked: false, imperative: false,
           epoch: 1 }.freeze
  ERRORS = [TypeError, ArgumentError, NoMethodError, KeyError].freeze

  def refuses(*less)
    STRANGE.each do |strange|
      next if less.any? { |one| one.equal?(strange) }

      assert_raises(*ERRORS) { yield strange }
    end
    assert_equal '{"id":1}', Item.json!({ id: 1 })
  end

  %i[use watch plan_of default compile_all prepare].each do |name|
    test("PlanCache.#{name} of what is no class") do
      refuses { |strange| ToJson::PlanCache.send(name, strange) }
    end
  end

  test "PlanCache.keep, block_number and define_once of what is no class, or no Plan" do
    plan = ToJson::PlanCache.plan_of(Item)
    refuses { |strange| ToJson::PlanCache.keep(strange, plan) }
    refuses { |strange| ToJson::PlanCache.keep(Item, strange) }
    refuses { |strange| ToJson::PlanCache.block_number(strange, -> {}) }
    refuses { |strange| ToJson::PlanCache.define_once(strange, :a, -> {}) }
  end

  test "ToJson.give_rules of what is no module, or no Rules" do
    refuses(STRANGE.grep(Module).first) { |strange| ToJson.give_rules(strange, ToJson::Rules.new) }
    refuses { |strange| ToJson.give_rules(Item, strange) }
  end

  test "Rules and Plans of what is no Hash, and of values that they do not take" do
    made = ToJson::Rules.new.to_h
    refuses { |strange| ToJson::Rules.send(:from_checked, strange) }
    refuses(nil, "") { |strange| ToJson::Rules.send(:from_checked, { **made, indent: strange }) }
    refuses { |strange| ToJson::Plan.new(strange) }
    refuses { |strange| ToJson::Plan.new({ **PLAN, serializer_class: strange }) }
    refuses { |strange| ToJson::Plan.new({ **PLAN, rules: strange }) }
    %i[row root_one root_many helper main_ractor_only].each do |name|
      refuses(nil, :a, "") { |strange| ToJson::Plan.new({ **PLAN, name => strange }) }
    end
  end

  test "records by what is no Proc" do
    refuses(nil) { |strange| Item.send(:__to_json_records, nil, false, strange, [1]) }
  end

  CALLS = { run: "nil, 1", merge: "nil, 1", helper: "nil", __to_json_leave: "" }.freeze

  # In a process of its own: once there was a second Ractor, ObjectSpace lists no Writers.
  CALLS.each do |name, rest|
    test("#{name} of a Writer, of what is no class and no exception") do
      answers = OwnProcess.run(<<~RUBY).split
        STRANGE = [nil, 0, -1, 1.5, :a, "", [1], { a: 1 }, Object.new, BasicObject.new, Module.new,
                   Time.at(0)]
        class Asking < ToJson::Serializer
          attribute(:answers) do |_|
            ObjectSpace.each_object(ToJson::Writer).flat_map do |writer|
              STRANGE.map { |strange| Asking.answer(writer, strange) }
            end
          end

          def self.answer(writer, strange)
            writer.public_send(:#{name}, strange, *[#{rest}])
          rescue ToJson::GrammarError # it is idle
            "idle"
          rescue TypeError, ArgumentError, NoMethodError, KeyError => error
            error.class.name
          end
        end
        puts Asking.to_h(1)["answers"]
      RUBY
      assert_empty answers - ["idle", *ERRORS.map(&:name)]
      assert_includes answers, "TypeError"
    end
  end

  test "$, (the separator of Array#join) changes neither keys nor pointers" do
    said = OwnProcess.run(<<~'RUBY', "-rjson")
      made = Class.new(ToJson::Serializer) do
        transform_keys :camel_lower
        attribute :first_name, writable: true
        has_many(:small_kids, writable: true) { attribute :n, as: :integer, writable: true }
      end
      results = lambda do
        text = '{"firstName":1,"smallKids":[{"n":"x"}]}'
        pointer = begin
          made.parse(text)
        rescue ToJson::ReadError => error
          error.problems.map(&:pointer)
        end
        [made.json!({ first_name: 1, small_kids: [] }), pointer, error&.message]
      end
      plain = results.call
      $, = "|"
      print results.call == plain && plain.first == '{"firstName":1,"smallKids":[]}'
    RUBY
    assert_equal "true", said
  end
end
