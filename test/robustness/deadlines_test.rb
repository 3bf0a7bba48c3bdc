# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/own_process"
require "json"

# `Timeout.timeout(1, Late)` raises its StandardError anywhere. Where code of ours rescues errors,
# it must not take that one for its own.
class DeadlinesTest < ToJsonTest
  # Timeout::Error is a RuntimeError, too.
  class Late < RuntimeError; end

  Row = Struct.new(:id, :kid)
  ROWS = [Row.new(1, Row.new(3)), Row.new(2, Row.new(4))].freeze

  def serializer(&) = Class.new(ToJson::Serializer, &)

  # Counts its looks.
  class Store < Hash
    attr_accessor :looks

    def read_multi(*keys)
      @looks = @looks.to_i + 1
      slice(*keys)
    end

    alias read []
    alias write store
  end

  def cached(store = {})
    serializer do
      attributes :id
      cache key: :id, store: store
    end
  end

  def reader
    serializer { attributes :a, writable: true }
  end

  # Raises a Late, or an error of another class, from another thread at the n-th event in the files,
  # for every n, and yields what came of each call.
  def each_stop(*files, call:, fresh: false, with: Late)
    made = call.call
    stopped(nil, files, with, &made) unless fresh
    at = 0
    while (at += 1)
      made = call.call if fresh
      found, late = stopped(at, files, with, &made)
      break unless late

      yield found, late
    end
    assert_operator at, :>, 10
  end

  def stopped(at, files, with)
    thread, count, late = Thread.current, 0, nil
    trace = TracePoint.new(:line, :call, :return, :c_return) do |event|
      next if Thread.current != thread || late || !event.path.end_with?(*files)
      next if event.method_id == :backtrace || # "exception reentered"
               (count += 1) != at

      Thread.new { thread.raise(late = with.new) }.join
    end
    [trace.enable { yield }, late]
  rescue StandardError => error
    [error, late]
  end

  if OwnProcess.yjit?
    test "the tests of this file pass without YJIT" do
      assert_match(/\b9 runs, \d+ assertions, 0 failures, 0 errors/,
                   OwnProcess.test_file(__FILE__))
    end
  else
    test "the keys of a cached list" do
      type = cached
      each_stop("part_cache.rb", call: -> { -> { type.json!(ROWS) } }) do |found, late|
        assert_same late, found
      end
    end

    # The Writer kept the Prefetch if it came in the `ensure` that puts it back, and then looked
    # nothing up together any more.
    test "parts that are looked up ahead, and those of the next document" do
      inner = cached(store = Store.new)
      type = serializer { has_one :kid, serializer: inner }
      each_stop("prefetch.rb", call: -> { -> { type.json!(ROWS) } }) do |found, late|
        assert_same late, found
        store.looks = 0
        assert_equal '[{"kid":{"id":3}},{"kid":{"id":4}}]', type.json!(ROWS)
        assert_equal 1, store.looks
      end
    end

    test "records that are looked up ahead, with an on_error: that raises" do
      inner = cached
      type = serializer { has_one :kid, serializer: inner }
      strict = ->(error, *) { raise error }
      call = -> { -> { type.ndjson(ROWS, on_error: strict) } }
      each_stop("prefetch.rb", call: call) do |found, late|
        assert_same late, found
      end
    end

    test "a class with blocks that is compiled" do
      call = lambda do
        type = serializer { attribute(:id) { |row| row.id } }
        -> { type.json!(ROWS) }
      end
      each_stop("compiling/blocks.rb", call: call, fresh: true) do |found, late|
        assert_same late, found
      end
    end

    # A `loop` would have taken it for the end of the names: "id,kid" became "id".
    test "names of fields, stopped by a StopIteration" do
      call = -> { -> { ToJson::Selection.parse("id,kid(id),other") } }
      each_stop("selection.rb", call: call, with: StopIteration) do |found, late|
        assert_same late, found
      end
    end

    ['{"a":1}', '{"a":', '{"a":1,"a":2}', '{"a":"\\ud800"}'].each do |text|
      test "the parser, given #{text}" do
        type = reader
        call = -> { -> { type.parse(text) } }
        each_stop("reading/parser.rb", "values/fragment.rb", call: call) do |found, late|
          assert_same late, found
        end
      end
    end
  end
end
