# frozen_string_literal: true

# A thread is killed while the hooks of a change in a class run: the change stands, and the class's
# Plan must know.
# Before the fix the old Plan stayed for ever and called the method that was gone.

require_relative "declaration_case"
require_relative "../support/own_process"

class StoppedHooksTest < DeclarationCase
  Row = Struct.new(:id, :title)

  # Change => the document after it.
  CHANGES = {
    method_removed: [->(klass) { klass.class_eval { remove_method :title } },
                     '{"id":1,"title":"row"}'],
    method_undefined: [->(klass) { klass.class_eval { undef_method :title } },
                       '{"id":1,"title":"row"}'],
    method_added: [->(klass) { klass.class_eval { def title(_) = "own" } },
                   '{"id":1,"title":"own"}']
  }.freeze

  def made(own)
    Class.new(ToJson::Serializer) do
      attributes :id, :title
      class_eval { def title(_) = "own" } if own
    end
  end

  if OwnProcess.yjit?
    test "the tests of this file pass without YJIT" do
      assert_match(/\b3 runs, \d+ assertions, 0 failures, 0 errors/, OwnProcess.test_file(__FILE__))
    end
  end

  OwnProcess.yjit? || CHANGES.each do |hook, (change, expected)|
    test "a thread that is killed in #{hook} leaves no Plan of before" do
      klass = made(hook != :method_added)
      before = hook == :method_added ? "row" : "own"
      3.times { assert_equal %({"id":1,"title":"#{before}"}), klass.json!(Row.new(1, "row")) }
      stop_in(hook) { Thread.new { change.call(klass) }.join }
      2.times { assert_equal expected, klass.json!(Row.new(1, "row")) }
    end
  end

  # Ruby's own hook is behind ours in the chain of `super`.
  def stop_in(hook, &)
    TracePoint.new(:c_call) do |event|
      Thread.current.kill if event.method_id == hook
    end.enable(target_thread: nil, &)
  end
end
