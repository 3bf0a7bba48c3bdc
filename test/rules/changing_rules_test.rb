# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/own_process"

# A class keeps the Rules that it goes by, its own or an ancestor's. One thread has read them and is
# about to keep them when another thread gives the class others: the old ones are not kept.
class ChangingRulesTest < ToJsonTest
  SCRIPT = <<~'RUBY'
    ToJson.eager_load!
    class Parent
      include ToJson::Serialize
    end
    class Child < Parent; end
    changed = ARGV[0] == "of the class" ? Child : Parent
    late = false
    point = TracePoint.new(:call, :c_call) do |trace|
      next if late || trace.method_id != :keep_effective_rules

      late = true
      Thread.new { changed.rules(time: :unix) }.join
    end
    document = -> { Child.new.then { |child| child.json! { child.put :at, Time.at(7).utc } } }
    point.enable(target_thread: Thread.current) { document.call }
    abort "not met" unless late
    print document.call, document.call
  RUBY

  ["of the class", "of its superclass"].each do |whose|
    test "Rules #{whose} that change while they are read count from the next document on" do
      assert_equal '{"at":7}' * 2, OwnProcess.run(SCRIPT, arguments: [whose])
    end
  end

  # At each event in turn, in a class of its own.
  test "a thread that is killed while it gives a class Rules leaves it with all of them or none" do
    assert_match(/\A\d\d+ true\z/, OwnProcess.run(<<~'RUBY'))
      ToJson.eager_load!
      WRITE = lambda do |type|
        type.new.then { |object| object.json! { object.put :at, Time.at(7).utc } }
      end
      def killed_at(number)
        parent = Class.new { include ToJson::Serialize }
        types, events = [parent, Class.new(parent)], 0
        types.each(&WRITE)
        point = TracePoint.new(:line, :call, :c_call, :return, :c_return) do
          Thread.current.kill if (events += 1) == number
        end
        thread = Thread.new do
          point.enable(target_thread: Thread.current) { parent.rules(time: :unix) }
        end
        thread.join
        given = parent.instance_variable_defined?(:@to_json_rules)
        right = types.map(&WRITE).uniq == [given ? '{"at":7}' : '{"at":"1970-01-01T00:00:07.000Z"}']
        [right, events < number]
      end
      number = 0
      all = true
      loop do
        right, over = killed_at(number += 1)
        all &&= right
        break if over
      end
      print number, " ", all
    RUBY
  end

  # How a module that has Rules reaches a class that has made documents.
  REACHING = {
    "is included" => ->(type, _between, rules) { type.include rules },
    "is prepended" => ->(type, _between, rules) { type.prepend rules },
    "is included in a module of the class" => ->(_type, between, rules) { between.include rules }
  }.freeze

  REACHING.each do |how, reach|
    test "Rules of a module that #{how} count from the next document on" do
      between = Module.new { include ToJson::Serialize }
      type = Class.new do
        include between

        def serialize = put(:at, Time.at(7).utc)
      end
      assert_equal('{"at":"1970-01-01T00:00:07.000Z"}', type.new.json!)
      reach.call(type, between, Module.new do
        include ToJson::Serialize

        rules time: :unix
      end)
      assert_equal(['{"at":7}'] * 2, [type.new.json!, type.json!])
    end
  end
end
