# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/own_process"

# What a generated entry calls names the document that it means. Ruby looks for interrupts when the
# frame of a method of C is popped: the entry may then be left although its document has ended, and
# another thread may have opened one of the same instance. These tests call what the entry calls, in
# the order in which the threads would.
class EntryDocumentTest < ToJsonTest
  class Kept < ToJson::Serializer
    def serialize(id) = put(:id, id)
  end

  class KeptByModule
    include ToJson::Serialize
    def serialize(id) = put(:id, id)
  end

  KINDS = { "a Serializer" => Kept, "an object with Serialize" => KeptByModule }.freeze

  def in_thread(&) = Thread.new(&).value

  def opened(serializer) = serializer.send(:__open_document, nil)

  # The first document of a class makes its Plan, without which an entry opens none.
  def kept(type) = type.new.tap { |serializer| serializer.json!(1) }

  LEAVE = { "drops" => ->(serializer, opened) { serializer.send(:__drop_document, opened) },
            "leaves by an exception" => lambda do |serializer, opened|
              serializer.send(:__leave_document, opened, StopIteration.new)
            rescue StopIteration
              nil
            end }.freeze

  KINDS.each do |kind, type|
    LEAVE.each do |what, leave|
      test "an entry that #{what} what it closed leaves the next document of #{kind} alone" do
        serializer = kept(type)
        first = opened(serializer)
        serializer.serialize(1)
        assert_equal('{"id":1}', serializer.send(:__close_document, first))
        second = in_thread { opened(serializer) }
        leave.call(serializer, first)
        serializer.serialize(2)
        assert_equal('{"id":2}', serializer.send(:__close_document, second))
      end
    end

    test "an entry drops the document of #{kind} that it opened" do
      serializer = kept(type)
      serializer.send(:__drop_document, opened(serializer))
      assert_raises(ToJson::GrammarError) { serializer.serialize(1) }
      assert_equal('{"id":2}', serializer.json!(2))
    end

    test "an entry closes no other document of #{kind} than its own" do
      serializer = kept(type)
      first = opened(serializer)
      serializer.serialize(1)
      serializer.send(:__close_document, first)
      second = opened(serializer)
      assert_raises(ToJson::GrammarError) { serializer.send(:__close_document, first) }
      serializer.send(:__drop_document, second)
    end

    test "__opened_document tells a thread of its own document of #{kind} only" do
      serializer = kept(type)
      refute serializer.send(:__opened_document, 0)
      in_thread { opened(serializer) }
      refute serializer.send(:__opened_document, 0)
      assert_equal('{"id":2}', serializer.json!(2)) # by a copy: it is busy
    end

    test "a thread that is refused hides the document of #{kind} from nobody" do
      serializer = kept(type)
      first = opened(serializer)
      refute(in_thread { opened(serializer) })
      assert_equal first, serializer.send(:__opened_document, 0)
      serializer.send(:__drop_document, first)
    end

    test "__opened_document tells no document of #{kind} that was open before" do
      serializer = kept(type)
      assert_equal 0, serializer.send(:__document_number)
      first = opened(serializer)
      before = serializer.send(:__document_number)
      refute serializer.send(:__opened_document, before)
      refute opened(serializer)
      refute serializer.send(:__opened_document, before)
      serializer.send(:__drop_document, first)
      assert_equal 0, serializer.send(:__document_number)
      second = opened(serializer)
      assert_equal second, serializer.send(:__opened_document, before)
      serializer.send(:__drop_document, second)
    end
  end

  test "an entry of a class leaves later documents of its new serializer alone" do
    kept(Kept)
    fresh = Kept.send(:__open_document, nil)
    fresh.serialize(1)
    assert_equal('{"id":1}', Kept.send(:__close_document, fresh))
    second = in_thread { opened(fresh) }
    Kept.send(:__drop_document, fresh)
    fresh.serialize(2)
    assert_equal('{"id":2}', fresh.send(:__close_document, second))
  end

  # Instances are numbered from 1 on: the number of new serializers must be none of theirs.
  test "an entry of a class leaves the first document alone that an instance has in its process" do
    assert_equal '{"id":2}', OwnProcess.run(<<~RUBY)
      class Kept < ToJson::Serializer
        def serialize(id) = put(:id, id)
      end
      Kept.json!(1)
      fresh = Kept.send(:__open_document, nil)
      fresh.serialize(1)
      Kept.send(:__close_document, fresh)
      second = fresh.send(:__open_document, nil)
      Kept.send(:__drop_document, fresh)
      fresh.serialize(2)
      print fresh.send(:__close_document, second)
    RUBY
  end

  # Ruby >= 3.4 with YJIT: elsewhere json! makes no such calls, and nothing happens here. An entry
  # that is left before it opens a document, where its instance has one already.
  %i[c_call c_return].product(%i[__document_number __open_document]) do |event, method|
    test "a #{event} of #{method} that raises in a recursive json! leaves the outer document " \
         "alone" do
      options = defined?(RubyVM::YJIT) ? ["--yjit"] : []
      assert_equal '{"before":"late","after":2}', OwnProcess.run(<<~RUBY, *options)
        class Nested < ToJson::Serializer
          def serialize(deep)
            return put(:id, deep) unless deep
            put :before, inner
            put :after, 2
          end

          def inner
            raising = TracePoint.new(:#{event}) do |trace|
              raise "late" if trace.method_id == :#{method}
            end
            raising.enable { json!(false) }
            "late"
          rescue RuntimeError => error
            error.message
          end
        end
        2.times { Nested.new.json!(false) }
        print Nested.new.json!(true)
      RUBY
    end
  end

  # Ruby >= 3.4 with YJIT: elsewhere json! calls no __close_document, and nothing happens here.
  test "a document that another thread opens behind the return of __close_document is written" do
    options = defined?(RubyVM::YJIT) ? ["--yjit"] : []
    assert_equal '{"id":2}', OwnProcess.run(<<~RUBY, *options)
      class Kept < ToJson::Serializer
        def serialize(id)
          put :id, id
          Queue.new.tap { |queue| Thread.new { sleep 0.2; queue << 1 } }.pop if id == 2
        end
      end
      serializer = Kept.new
      2.times { serializer.json!(1) }
      stopped = Thread.current
      other = nil
      behind = TracePoint.new(:c_return) do |trace|
        next unless trace.method_id == :__close_document && Thread.current == stopped && other.nil?

        behind.disable
        other = Thread.new { serializer.json!(2) }
        Thread.pass until other.stop?
        raise "late"
      end
      behind.enable { serializer.json!(1) rescue nil }
      print((other || Thread.new { serializer.json!(2) }).value)
    RUBY
  end
end
