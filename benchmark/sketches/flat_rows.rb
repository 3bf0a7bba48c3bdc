# frozen_string_literal: true

# What bounds the figures of rows that are missed (flat × 100 of scenario 18): the time of rows of
# which nothing is asked, and the ways to ask who defined a method. Run it with
# `bundle exec ruby benchmark/sketches/flat_rows.rb`.

$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
require "to_json"
require_relative "../data/queries"
require "to_json/active_record"

NAMES = %i[id title author_name sent_at price draft kind].freeze
FLAT = Bench::Queries::Flat
RANGES = Bench::Queries.flat("sqlite3")

class FlatSerializer < ToJson::Serializer
  attributes(*NAMES)
end

ROWS = ToJson::Rows
UNIT = ROWS.send(:unit, FlatSerializer, nil, nil)
LEVEL = ROWS.level(FLAT.all, UNIT)
QUERY = ROWS.const_get(:Query).new(LEVEL)
CONDITIONS = ROWS.const_get(:Conditions)
CLASS_METHODS = CONDITIONS.const_get(:MAKING).select { |name| FLAT.respond_to?(name, true) }.freeze

# Tells without Method objects whether the first module that defines a method is the same as before:
# the ancestors are, and none of those before that module defines it. ActiveRecord's own modules are
# not even asked.
class Before
  def initialize(type, names)
    @type, @ancestors = type, type.ancestors
    @pairs = names.flat_map do |name|
      before = @ancestors.take(@ancestors.index(type.instance_method(name).owner))
      before.reject! { |one| !one.is_a?(Class) && one.name.to_s.start_with?("Active") }
      before.map { |one| [one, name] }
    end
  end

  def same?
    @type.ancestors == @ancestors && @pairs.none? do |one, name|
      one.method_defined?(name, false) || one.private_method_defined?(name, false)
    end
  end
end

BEFORE = Before.new(FLAT.singleton_class, CLASS_METHODS)

CALLS = {
  "the driver alone" => ->(ids) { Bench::Queries.driven(Bench::Queries.flats(ids)) },
  "rows, nothing asked" => ->(ids) { FlatSerializer.json!(QUERY.list(Bench::Queries.flats(ids))) },
  "to_json, json!" => ->(ids) { FlatSerializer.json!(Bench::Queries.flats(ids)) },
  "who defined #{CLASS_METHODS.size} class methods, by Methods" =>
    ->(_) { CLASS_METHODS.each { |name| FLAT.method(name).owner } },
  "the same by ancestors" => ->(_) { BEFORE.same? }
}.freeze

def clock = Process.clock_gettime(Process::CLOCK_MONOTONIC, :float_microsecond)

def time(call)
  started = clock
  8.times { |i| call.call(RANGES[i % RANGES.size]) }
  (clock - started) / 8
end

def objects(call)
  GC.disable
  before = GC.stat(:total_allocated_objects)
  call.call(RANGES.first)
  GC.stat(:total_allocated_objects) - before
ensure
  GC.enable
end

CALLS.each_value { |call| 100.times { time(call) } }
times = Array.new(300) { CALLS.transform_values { |call| time(call) } }
puts format("%-44s %8s %8s %8s", "", "least µs", "median", "objects")
CALLS.each do |name, call|
  sorted = times.map { |one| one[name] }.sort
  puts format("%-44s %8.1f %8.1f %8d", name, sorted.first, sorted[150], objects(call))
end
