# frozen_string_literal: true

require "test_helper"
require "support/own_process"
require "fuzz/scripts/target"

# Threads, Fibers and Ractors at once: every document is what it is alone.
class ConcurrentDocumentsTest < ToJsonTest
  CALLS = Integer(ENV.fetch("TO_JSON_CALLS", "1500")) # of each of four workers; 50,000 on demand

  Row = Struct.new(:id, :name, :tags)

  # Fields, a nested block, a serializer in place.
  class RowSerializer < ToJson::Serializer
    def serialize(row)
      put_fields row, :id, :name
      put(:tags, row.tags) { |tag, index| put :tag, tag; put :index, index }
      put :again, Small.new(row)
    end
  end

  # In place.
  class Small < ToJson::Serializer
    def serialize(row) = put_field(row, :name)
  end

  def self.row(number) = Row.new(number, "name #{number}", %w[a b].first(number % 3))

  def self.due(number)
    tags = %w[a b].first(number % 3).each_with_index.map do |tag, index|
      %({"tag":"#{tag}","index":#{index}})
    end
    %({"id":#{number},"name":"name #{number}","tags":[#{tags.join(",")}],) +
      %("again":{"name":"name #{number}"}})
  end

  # One document in each of the forms; counts those that differ. Without Fibers in Ractors: their
  # stacks come from one pool, over which Ractors of 3.1 and 3.4 race (a jump to 0 in a new Fiber).
  # Repro without this gem, one run in five: ruby --disable-gems -e 'r = Array.new(2) { Ractor.new {
  # 3000.times { Fiber.new {}.resume } } }; 3000.times { Fiber.new {}.resume }; r.map(&:take)'
  def self.mixed(calls, from, fibers: true)
    (from...from + calls).count do |number|
      made = case number % (fibers ? 5 : 3)
             when 0 then RowSerializer.json!(row(number))
             when 1 then ToJson.json { |j| j.value RowSerializer.new(row(number)) }
             when 2 then RowSerializer.new(row(number)).tap { Thread.pass }.to_json
             when 3 then Fiber.new { RowSerializer.json!(row(number)) }.resume
             else within_another(number)
             end
      made != due(number)
    end
  end

  # Begun in one Fiber while another is in the middle of its own.
  def self.within_another(number)
    outer = Fiber.new { ToJson.json { |j| j.put(:outer) { Fiber.yield; j.put :n, number } } }
    outer.resume
    made = RowSerializer.json!(row(number))
    outer.resume == %({"outer":{"n":#{number}}}) ? made : "the outer document differs"
  end

  test "four threads with Fibers in them write what each would write alone" do
    assert_equal [0] * 4, Array.new(4) { |i|
      Thread.new { self.class.mixed(CALLS, i * CALLS) }
    }.map(&:value)
  end

  test "threads that switch in the middle of documents" do
    wrong = Array.new(4) do |i|
      Thread.new do
        Array.new(CALLS / 5) do |n|
          [n,
           ToJson.json do |j|
             3.times { |k| Thread.pass; j.put(:"k#{k}") { Thread.pass; j.array([n, i]) } }
           end]
        end
             .count { |n, json| json != %({"k0":[#{n},#{i}],"k1":[#{n},#{i}],"k2":[#{n},#{i}]}) }
      end
    end
    assert_equal [0] * 4, wrong.map(&:value)
  end

  test "two Ractors beside the main one write what they would alone" do
    verbose, $VERBOSE = $VERBOSE, nil # Ractors are experimental, says Ruby
    workers = Array.new(2) do |i|
      Ractor.new(i) do |n|
        ConcurrentDocumentsTest.mixed(ConcurrentDocumentsTest::CALLS / 3, n * 10_000, fibers: false)
      end
    end
    here = self.class.mixed(CALLS / 3, 77, fibers: false)
    answers = workers.map(&:value)
    assert_equal [0, 0, 0], [here, *answers]
  ensure
    $VERBOSE = verbose
  end

  # Ruby looks for interrupts when the frame of a C function is popped. A TracePoint stands for one
  # that comes behind the call that ends a document, after another thread has run. In a process of
  # its own, which has compiled little: see OwnProcess.test_file.
  BEHIND_THE_END = <<~'RUBY'
    require "json"
    inside, go = Queue.new, Queue.new
    klass = Class.new(ToJson::Serializer) { attributes :id, :slow, :name }
    slow = Struct.new(:id, :name) { define_method(:slow) { inside << 1; go.pop } }
    fast = Struct.new(:id, :slow, :name).new(9, 1, "fast")
    klass.json!(fast)
    threads = []
    begin_one = lambda do |id|
      threads << Thread.new { klass.json!(slow.new(id, "n")) }
      inside.pop
    end
    point = TracePoint.new(:c_return) do |event|
      next unless event.method_id == :__to_json_last && threads.empty?

      begin_one.(1)
      raise IOError
    end
    left = (point.enable(target_thread: Thread.current) { klass.json!(fast) } rescue $!.class)
    begin_one.(2)
    2.times { |i| go << i }
    documents = threads.map(&:value).map { |json| JSON.parse(json) }
    p left, documents.map { |document| document.values_at("id", "name") }
  RUBY

  test "an exception behind the end of a document leaves another thread's document alone" do
    assert_equal %(IOError\n[[1, "n"], [2, "n"]]\n), OwnProcess.run(BEHIND_THE_END)
  end

  test "an exception behind the end of a document leaves another Fiber's document alone" do
    klass = Class.new(ToJson::Serializer) { attributes :id, :name }
    slow = Struct.new(:id) { define_method(:name) { Fiber.yield } }
    fast = Struct.new(:id, :name).new(9, "fast")
    klass.json!(fast)
    fiber = nil
    point = TracePoint.new(:c_return) do |event|
      next unless event.method_id == :__to_json_last && fiber.nil?

      fiber = Fiber.new { klass.json!(slow.new(1)) }
      fiber.resume
      raise IOError
    end
    assert_raises(IOError) do
      point.enable(target_thread: Thread.current) { klass.json!(fast) }
    end
    assert_equal '{"id":9,"name":"fast"}', klass.json!(fast)
    assert_equal '{"id":1,"name":"late"}', fiber.resume("late")
  end

  test "random scripts in four threads at once" do
    target = Fuzz::ScriptsTarget.new
    problems = Array.new(4) do |i|
      Thread.new do
        Array.new(CALLS / 15) do |n|
          target.check(target.generate(Fuzz::Dice.new(9 + i, n)))
        end.compact
      end
    end
    assert_empty problems.flat_map(&:value)
  end
end
