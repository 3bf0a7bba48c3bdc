# frozen_string_literal: true

require "test_helper"
require "support/ways_out"

# `ToJson.json { |j| … }`, and documents that a jump leaves altogether.
class ReceiverTest < ToJsonTest
  def helper = "of the test"

  test "the block keeps its self: methods, instance variables and constants" do
    @ivar = 1
    assert_document('{"h":"of the test","i":1,"c":"ReceiverTest"}') do |**out|
      ToJson.json(**out) { |j| j.put h: helper, i: @ivar, c: self.class.name }
    end
    ToJson.json { |_| @ivar = 2 }
    assert_equal 2, @ivar
  end

  test "the receiver may be handed to methods that write" do
    write = ->(j, n) { j.put :n, n; write.call(j, n - 1) if n > 1 }
    assert_document('{"n":3,"n":2,"n":1}') { |**out| ToJson.json(**out) { |j| write.call(j, 3) } }
  end

  test "two receivers write two documents, one within the other" do
    assert_document('{"a":1,"inner":"{\"b\":2}","c":3}') do |**out|
      ToJson.json(**out) do |j|
        j.put :a, 1; j.put :inner, ToJson.json { |k| k.put :b, 2 }; j.put :c, 3
      end
    end
  end

  test "the outer receiver is at its own place while an inner document is written" do
    outer = nil
    text = ToJson.json do |j|
      outer = ToJson.json { |k| k.put(:k) { j.put :j, 1; k.value 2 } }
    end
    assert_equal ['{"j":1}', '{"k":2}'], [text, outer]
  end

  test "the receiver answers to all words and is a serializer" do
    ToJson.json do |j|
      ToJson::DSL::WORDS.each { |word| assert_respond_to j, word }
      assert_kind_of ToJson::Serializer, j
    end
  end

  test "words return nil, json the document or the Sink" do
    io = StringIO.new
    assert_same io, ToJson.json(into: io) { |j| j.put :a, 1 }
    assert_nil(ToJson.json { |j| break j.put(:a, 1) })
  end

  test "break out of the whole document gives break's value and no document" do
    into = +"before"
    assert_equal(:gone, ToJson.json(into: into) { |j| j.put :a, 1; break :gone })
    assert_equal(:gone, ToJson::Serializer.json!(into: into) { put :a, 1; break :gone })
    assert_equal "before", into
    assert_equal "[1]", ToJson.generate([1])
  end

  test "next out of the whole document ends it in good order" do
    assert_document('{"a":1}') do |**out|
      ToJson.json(**out) { |j| j.put :a, 1; next :ignored if j; j.put :b, 2 }
    end
    assert_document('{"a":1}') do |**out|
      ToJson::Serializer.json!(**out) { put :a, 1; next if scope; put :b, 2 }
    end
  end

  def returning(**out)
    ToJson.json(**out) { |j| j.put(:a) { j.put :b, 1; return :returned } }
    :not_reached
  end

  test "return from a method past the document gives no document" do
    into, io = +"before", StringIO.new
    assert_equal :returned, returning
    assert_equal :returned, returning(into: into)
    assert_equal :returned, returning(into: io)
    assert_equal ["before", ""], [into, io.string]
    with_each_size([[1, 1]]) do
      returning(into: io)
      assert_raises(ToJson::FragmentError) { ToJson::Fragment.new(io.string) }
    end
    assert_equal '{"b":[1]}', ToJson.json { |j| j.put :b, [1] }
  end

  test "a receiver kept beyond its document is dead" do
    kept = nil
    ToJson.json { |j| kept = j }
    ToJson::DSL::WORDS.each do |word|
      arguments = word.start_with?("put_field") ? [:zero?, { a: 1 }, :a] : []
      error = assert_raises(ToJson::GrammarError, word.to_s) { kept.public_send(word, *arguments) }
      assert_includes error.message, "is not writing a document now"
    end
  end

  test "a receiver whose document failed is dead" do
    kept = nil
    assert_raises(IndexError) { ToJson.json { |j| kept = j; j.put(:a) { raise IndexError } } }
    assert_raises(ToJson::GrammarError) { kept.put :a, 1 }
  end

  test "a pretty document is the same value" do
    part = Class.new(ToJson::Serializer) do
      def serialize
        (put :a, 1; put(:none) {}; put :b, []; put(:c) { array { value 1; value { put :d, {} } } })
      end
    end
    assert_equal <<~JSON.chomp, ToJson.pretty_generate([part.new, {}, []])
      [
        {
          "a": 1,
          "b": [],
          "c": [
            1,
            {
              "d": {}
            }
          ]
        },
        {},
        []
      ]
    JSON
  end
end
