# frozen_string_literal: true

# What bounds the figures of rows that are missed (flat × 100 of scenario 18): the driver, and the
# least that a correct writer of rows must do beside it. Run it with
# `bundle exec ruby benchmark/sketches/flat_rows.rb`.

$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
require "to_json"
require "panko_serializer"
require_relative "../data/queries"
require "to_json/active_record"

NAMES = %i[id title author_name sent_at price draft kind].freeze
FLAT = Bench::Queries::Flat
RANGES = Bench::Queries.flat("sqlite3")

class FlatSerializer < ToJson::Serializer
  attributes(*NAMES)
end

class PankoFlat < Panko::Serializer
  attributes(*NAMES)
end

ROWS = ToJson::Rows
UNIT = ROWS.send(:unit, FlatSerializer, nil, nil)
LEVEL = ROWS.level(FLAT.all, UNIT)
QUERY = ROWS.const_get(:Query).new(LEVEL)

# Writes relations of one class for one serializer. It asks what docs/internals/rows.md says must be
# asked and nothing else, each question in the cheapest form that is known: methods of a kept
# record, which Ruby finds in its cache. What follows from declarations is known beforehand, and
# Cells are kept.
class Least
  CLASS_METHODS = %i[instantiate find_by_sql allocate].freeze

  def initialize(model, relation)
    @model, @record, @zone = model, model.allocate, Time.zone
    @making = CLASS_METHODS.to_h { |name| [name, model.method(name)] }
    @made = @record.method(:init_with_attributes)
    @getters = NAMES.to_h { |name| [name, @record.public_method(name)] }
    @columns = result(relation).columns
    @types = @columns.map { |name| model.type_for_attribute(name) }
    @list = ROWS.const_get(:List).new(LEVEL.shape(@columns).row)
  end

  # @return [String]
  def write(relation)
    raise "models are needed" if refused?(relation)

    result = result(relation)
    raise "other columns, or another zone" unless good?(result)

    FlatSerializer.json!(@list.fill(result.rows))
  end

  # Conditions 1 to 4. There is no `all?` here, which makes two objects.
  def refused?(relation)
    return true if relation.loaded? || relation.scheduled? || relation.eager_loading? ||
                   relation.null_relation? || !relation.extending_values.empty?
    return true unless @model._find_callbacks.empty? && @model._initialize_callbacks.empty?
    return true if @model.column_names.include?(@model.inheritance_column)

    @making.each { |name, method| return true unless method == @model.method(name) }
    @getters.each { |name, method| return true unless method == @record.public_method(name) }
    @made != @record.method(:init_with_attributes)
  end

  private

  # Condition 5, and what its values are written by.
  def good?(result)
    return false unless result.columns == @columns && Time.zone.equal?(@zone)

    i = -1
    while (i += 1) < @columns.size
      return false unless @types[i].equal?(@model.type_for_attribute(@columns[i]))
    end
    true
  end

  def result(relation) = @model.with_connection { |connection| connection.select_all(relation) }
end

LEAST = Least.new(FLAT, Bench::Queries.flats(RANGES.first))

CALLS = {
  "the driver alone" => ->(ids) { Bench::Queries.driven(Bench::Queries.flats(ids)) },
  "the driver, and the questions" => lambda do |ids|
    relation = Bench::Queries.flats(ids)
    LEAST.refused?(relation) || Bench::Queries.driven(relation)
  end,
  "the least" => ->(ids) { LEAST.write(Bench::Queries.flats(ids)) },
  "rows, nothing asked" => ->(ids) { FlatSerializer.json!(QUERY.list(Bench::Queries.flats(ids))) },
  "to_json, json!" => ->(ids) { FlatSerializer.json!(Bench::Queries.flats(ids)) },
  "Panko" => lambda do |ids|
    Panko::ArraySerializer.new(Bench::Queries.flats(ids), each_serializer: PankoFlat).to_json
  end
}.freeze

RANGES.each do |ids|
  least, ours = CALLS.values_at("the least", "to_json, json!").map { |call| call.call(ids) }
  raise "the least is another document" unless least == ours
end

def clock = Process.clock_gettime(Process::CLOCK_MONOTONIC, :float_microsecond)

def time(call)
  started = clock
  8.times { |i| call.call(RANGES[i % RANGES.size]) }
  (clock - started) / 8
end

# The least of five calls, because the first one may make objects that are kept.
def objects(call)
  GC.disable
  counts = Array.new(5) do
    before = GC.stat(:total_allocated_objects)
    call.call(RANGES.first)
    GC.stat(:total_allocated_objects) - before
  end
  counts.min
ensure
  GC.enable
end

CALLS.each_value { |call| 100.times { time(call) } }
times = Array.new(400) { CALLS.transform_values { |call| time(call) } }
driver = times.map { |one| one["the driver alone"] }.min
puts format("%-32s %8s %8s %8s %8s", "", "least µs", "driver ×", "median", "objects")
CALLS.each do |name, call|
  sorted = times.map { |one| one[name] }.sort
  puts format("%-32s %8.1f %8.2f %8.1f %8d", name, sorted.first, sorted.first / driver, sorted[200],
              objects(call))
end
