# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/own_process"

# The blocks of a declaration become methods of the class, by names that are counted. Two threads
# that compile one class at once agree on them, and each name is defined once. One thread compiles;
# at its n-th event in blocks.rb the other one compiles the whole class, for every n. Left out is
# the call of define_method, before which only a TracePoint could make Ruby switch threads.
class DefiningBlocksTest < ToJsonTest
  SCRIPT = <<~'RUBY'
    ToJson.eager_load!
    O = Struct.new(:id).new(1)
    module Told
      SEEN = []
      def warn(message, **) = SEEN << message
    end
    Warning.singleton_class.prepend(Told)
    $VERBOSE = true
    BASE = Class.new(ToJson::Serializer) { attribute(:base) { |o| o.id } }
    BASE.json!(O) if ARGV[0] == "inherited"
    def serializer
      Class.new(BASE) do
        root :one, :many
        meta { { all: 1 } }
        attribute(:a) { |o| o.id + 1 }
        attribute(:b) { |o| o.id + 2 }
        view(:c) { attribute(:c) { |o| o.id + 3 } }
      end
    end
    PLAIN = '{"one":{"base":1,"a":2,"b":3},"meta":{"all":1}}'
    MORE = '{"one":{"base":1,"a":2,"b":3,"c":4},"meta":{"all":1}}'
    # True where the class was compiled before the n-th event.
    def stopped_at(number)
      klass, events, met, other = serializer, 0, false, nil
      first = Thread.new do
        point = TracePoint.new(:call, :c_call, :c_return, :line) do |trace|
          next if met || !trace.path.end_with?("/compiling/blocks.rb")
          next if trace.event == :c_call && trace.method_id == :define_method
          next unless (events += 1) == number

          met = true
          other = Thread.new { [klass.json!(O, view: :c), klass.json!(O)] }.value
        end
        point.enable(target_thread: Thread.current) { klass.json!(O) }
      end.value
      again = [klass.json!(O), klass.json!(O, view: :c)]
      right = first == PLAIN && again == [PLAIN, MORE] && (!met || other == [MORE, PLAIN])
      abort "#{number}: #{[first, other, again]}" unless right
      !met
    end
    stopped_at(0)
    number = 0
    nil until stopped_at(number += 1)
    puts Told::SEEN.uniq
    puts number > 50 ? "done" : "only #{number}"
  RUBY

  %w[own inherited].each do |which|
    test "two threads that compile one class define each method of a block once (#{which} names)" do
      out = OwnProcess.run(SCRIPT, arguments: [which])
      assert_equal "done\n", out
    end
  end
end
