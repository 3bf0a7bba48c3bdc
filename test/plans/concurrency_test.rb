# frozen_string_literal: true

require "test_helper"
require "json"
require "minitest/mock"

# One Plan for many threads, Fibers and documents at once: each gets what it would get alone.
class DeclaredConcurrencyTest < ToJsonTest
  CALLS = Figures.of("calls of one Plan") # of each of four threads

  Row = Struct.new(:id, :name, :tags, :parent)
  Tag = Class.new(ToJson::Serializer) do
    attribute(:tag) { object }; attribute(:of) { context[:of] }
  end

  # Fields of every kind; recursive, with blocks that see `object` and the context.
  class RowSerializer < ToJson::Serializer
    root :row, :rows
    attributes :id, :name
    attribute(:twice) { [object.id, object.id] }
    nested(:n, if: ->(row) { row.id.odd? }) { attribute(:id, as: :string) }
    has_many :tags, serializer: Tag, context: ->(row) { { of: row.id } }
    has_one :parent, serializer: self
    view(:short) { remove :tags, :n }
    def name(row) = "#{row.name}!"
  end

  def self.row(number, parents = number % 3)
    Row.new(number, "n#{number}", %w[a b].first(number % 3),
            (row(number + 1, parents - 1) if parents.positive?))
  end

  # Without to_json.
  def self.due(row, short: false)
    inner = row.parent ? due(row.parent) : "null"
    tags = row.tags.map { |tag| %({"tag":"#{tag}","of":#{row.id}}) }
    n = %("n":{"id":"#{row.id}"},) if row.id.odd?
    rest = %(#{n}"tags":[#{tags.join(",")}],) unless short
    %({"id":#{row.id},"name":"#{row.name}!","twice":[#{row.id},#{row.id}],) +
      %(#{rest}"parent":#{inner}})
  end

  # Calls of every kind; counts those that differ.
  def self.mixed(calls, from)
    (from...from + calls).count do |number|
      row = row(number % 40)
      made, due = case number % 6
                  when 0 then [RowSerializer.json!(row, root: false), due(row)]
                  when 1
                    [RowSerializer.json!([row, row]), %({"rows":[#{due(row)},#{due(row)}]})]
                  when 2
                    [RowSerializer.json!(row, view: :short, root: "r"),
                     %({"r":#{due(row, short: true)}})]
                  when 3
                    [RowSerializer.json!(row, only: %w[id twice], root: false),
                     %({"id":#{row.id},"twice":[#{row.id},#{row.id}]})]
                  when 4 then [RowSerializer.new(row, root: false).to_json, due(row)]
                  else [Fiber.new { RowSerializer.json!(row, root: false) }.resume, due(row)]
                  end
      Thread.pass if (number % 50).zero?
      made != due
    end
  end

  test "the Plan that a class keeps is the one that is published, also if two threads compile it" do
    started, go = Queue.new, Queue.new
    second = nil
    klass = Class.new(ToJson::Serializer) do
      transform_keys(lambda do |name| # is called by the compiler
        if Thread.current == second && !started.closed?
          started << true
          started.close
          go.pop
        end
        name
      end)
      attribute(:by) { |row| row.fetch(:nothing) }
    end
    second = Thread.new { ToJson::PlanCache.plan_of(klass) if go.pop }
    go << true
    started.pop # the second thread is within the compiler
    keep = ToJson::PlanCache.method(:keep)
    last = lambda do |serializer_class, plan|
      if Thread.current != second && second.alive?
        go << true
        second.join # it publishes and keeps before the first thread keeps
      end
      keep.call(serializer_class, plan)
    end
    ToJson::PlanCache.stub(:keep, last) { ToJson::PlanCache.plan_of(klass) }
    published = ToJson::PlanCache.published(klass, ToJson::PlanCache.epoch).values.map(&:plan)
    assert_includes published, ToJson::PlanCache.plan_of(klass)
    error = assert_raises(KeyError) { klass.json!([{}]) }
    assert_equal "$[0].by", ToJson.location(error)
    assert_match(/#{File.basename(__FILE__)}:\d+/, ToJson.declaration(error))
  end

  test "four threads, #{CALLS} calls each, on one Plan" do
    assert_equal [0] * 4, Array.new(4) { |i|
      Thread.new { self.class.mixed(CALLS, i * CALLS) }
    }.map(&:value)
    Figures.reached("calls of one Plan", CALLS)
  end

  test "threads that switch within getters, blocks and methods" do
    serializer = Class.new(ToJson::Serializer) do
      attribute(:a) { Thread.pass; object.id }
      attribute(:b) { |row| Thread.pass; row.id }
      has_one(:parent) { attribute(:c) { Thread.pass; object.id } }
      attributes :name
      define_method(:name) { Thread.pass; [object.id, context[:t]] }
    end
    wrong = Array.new(4) do |t|
      Thread.new do
        (0...CALLS / 100).count do |n|
          row = Row.new(n, nil, nil, Row.new(-n))
          serializer.json!(
            row, context: { t: t }
          ) != %({"a":#{n},"b":#{n},"parent":{"c":#{-n}},"name":[#{n},#{t}]})
        end
      end
    end
    assert_equal [0] * 4, wrong.map(&:value)
  end

  test "threads that meet at the first use of a class" do
    100.times do
      inner = Class.new(ToJson::Serializer) { attributes :id }
      serializer = Class.new(ToJson::Serializer) do
        attributes :id; has_one :parent, serializer: inner; view(:v) { attribute(:x) { object.id } }
      end
      row = Row.new(1, nil, nil, Row.new(2))
      start = Queue.new
      threads = Array.new(4) do |t|
        Thread.new { start.pop; serializer.json!(row, view: t.even? ? :v : nil) }
      end
      4.times { start << true }
      due = ['{"id":1,"parent":{"id":2},"x":1}', '{"id":1,"parent":{"id":2}}']
      assert_equal due * 2, threads.map(&:value)
    end
  end

  test "a class that is reopened while others use it: each document is the old one or the new " \
       "one" do
    serializer = Class.new(ToJson::Serializer) { attributes :id }
    due = ['{"id":1}', '{"id":1,"name":"n"}', '{"id":1,"name":"n","f":1}']
    stop = false
    threads = Array.new(3) do
      Thread.new do
        found = []; (found |= [serializer.json!(Row.new(1, "n"))]; Thread.pass) until stop; found
      end
    end
    sleep 0.01
    serializer.attributes :name
    sleep 0.01
    serializer.attribute(:f) { 1 }
    sleep 0.01
    stop = true
    assert_empty threads.flat_map(&:value).uniq - due
    assert_equal due.last, serializer.json!(Row.new(1, "n"))
  end

  # -- recursion and Fibers

  # Getters that write documents of their own, of the class that reads them too.
  class Busy
    def initialize(depth) = @depth = depth
    def id = @depth
    def name = @depth.zero? ? nil : RowSerializer.json!(Row.new(@depth, nil, [], nil), root: false)
    def below = @depth.zero? ? nil : BusySerializer.json!(Busy.new(@depth - 1))
  end

  class BusySerializer < ToJson::Serializer
    attributes :id, :below, :name
    attribute(:again) { object.id }
    attribute(:seen) do |busy|
      busy.id.zero? ? 0 : BusySerializer.json!([Busy.new(0)], only: :again)
    end
  end

  test "documents of the same class from within its getters, blocks and conditions" do
    due = lambda do |depth|
      { "id" => depth, "below" => depth.zero? ? nil : JSON.generate(due.call(depth - 1)),
        "name" => depth.zero? ? nil : self.class.due(Row.new(depth, nil, [], nil)),
        "again" => depth, "seen" => depth.zero? ? 0 : '[{"again":0}]' }
    end
    3.times { assert_equal due.call(3), JSON.parse(BusySerializer.json!(Busy.new(3))) }
  end

  test "two documents of one class in two Fibers, step by step" do
    serializer = Class.new(ToJson::Serializer) do
      attribute(:a) { Fiber.yield; object.id }
      has_many(:tags, if: -> { Fiber.yield || true }) { attribute(:t) { Fiber.yield; object } }
      attribute(:z) { Fiber.yield; [object.id, context[:of]] }
    end
    fibers = [1, 2].map do |k|
      Fiber.new { serializer.json!(Row.new(k, nil, %w[x y].first(k)), context: { of: k }) }
    end
    texts = Array.new(8) do
      fibers.map { |fiber| fiber.alive? ? fiber.resume : nil }
    end.flat_map do |pair|
      pair.grep(String)
    end
    assert_equal ['{"a":1,"tags":[{"t":"x"}],"z":[1,1]}',
                  '{"a":2,"tags":[{"t":"x"},{"t":"y"}],"z":[2,2]}'], texts.sort
  end

  test "a collection whose each begins a Fiber, and writes documents between its elements" do
    rows = Enumerator.new do |y|
      3.times do |n|
        RowSerializer.json!(Row.new(9, "", [])); y << Row.new(n, "r", []); RowSerializer.json!([])
      end
    end
    outside = rows.lazy.map { |row| row }
    due = [0, 1, 2].map { |n| self.class.due(Row.new(n, "r", [])) }.join(",")
    assert_equal "[#{due}]", RowSerializer.json!(rows, root: false)
    assert_equal "[#{due}]", RowSerializer.json!(outside, root: false)
    rows.next
    assert_equal "[#{due}]", RowSerializer.json!(rows, root: false)
  end

  test "a declared document in the middle of an imperative one, and the other way round" do
    row = self.class.row(1)
    text = ToJson.json do |j|
      j.put(:one) { j.value RowSerializer.new(row, root: false) }
      j.put :other, RowSerializer.to_h(row, only: [:id], root: false)
      j.put(:list, [row]) { |r| j.value RowSerializer.new(r, root: false) }
    end
    due = self.class.due(row)
    assert_equal %({"one":#{due},"other":{"id":1},"list":[#{due}]}), text
  end
end
