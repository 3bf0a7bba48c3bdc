# frozen_string_literal: true

# A program, so that it has a heap of its own: ruby memory_program.rb NAME TIMES does that many of
# one kind and prints what is left of them and what was held at most, as Ruby's Hash. See
# memory_test.rb.

require "to_json"

# What is repeated, and what is done once with so many records.
module FlatStreams
  Boom = Class.new(StandardError)
  Row = Struct.new(:id, :text)

  class RowSerializer < ToJson::Serializer
    attributes :id, :text
    attribute(:again) { |row| row.text || raise(Boom) }
  end

  ROWS = Array.new(40) { |n| Row.new(n, "é" * 20) }.freeze

  # One reused: what is held is then ours.
  def self.rows(count)
    row = Row.new(0, "0123456789" * 10)
    Enumerator.new { |y| count.times { |n| row.id = n; y << row } }
  end

  # {name => what is done with the number of its turn}, at chunks of 512 bytes
  ABANDONED = {
    "bodies that are left" => ->(i) { RowSerializer.stream(ROWS).each { |_| break } if i },
    "bodies whose client hangs up" => lambda do |i|
      RowSerializer.stream(i.odd? ? ROWS : ROWS.each,
                           format: i % 3 == 0 ? :ndjson : :json).each do |_|
        raise Errno::EPIPE
      end
    rescue Errno::EPIPE
      nil
    end,
    "bodies that nobody reads" =>
      ->(i) { i.odd? ? RowSerializer.stream(ROWS) : RowSerializer.stream(ROWS).close },
    "bodies left in a Fiber" => lambda do |i|
      RowSerializer.stream(ROWS).each.next
      # a Fiber's stack is a mapping, which Ruby's collector does not count
      GC.start if (i % 500).zero?
    end,
    "killed threads" =>
      ->(_) { Thread.new { RowSerializer.stream(ROWS).each { Thread.current.kill } }.join },
    "records that abort" => lambda do |_|
      RowSerializer.ndjson([*ROWS.first(3), Row.new(1, nil)], into: [])
    rescue Boom
      nil
    end,
    "records that are skipped" => ->(_) do
      RowSerializer.ndjson([Row.new(1, nil), *ROWS.first(2), Row.new(2, nil)], on_error: :skip)
    end
  }.freeze

  # {name => what writes so many records}
  WHOLE = {
    "records of a lazy Enumerator as NDJSON" =>
      ->(count) {
        File.open(File::NULL, "w") { |null| RowSerializer.ndjson(rows(count), into: null) }
      },
    "records that are skipped or noted" => lambda do |count|
      policy = ->(_, _, index) { index.odd? ? { index: index } : nil }
      File.open(File::NULL, "w") do |null|
        ToJson.ndjson(Enumerator.new { |y| count.times { |n| y << (n % 3 == 0 ? 0.0 / 0 : n) } },
                      on_error: policy, into: null)
      end
    end,
    "records as a body" =>
      ->(count) { RowSerializer.stream(rows(count), format: :ndjson).each(&:clear) },
    "one document as a body" => ->(count) { RowSerializer.stream(rows(count)).each(&:clear) },
    "one document of the words, as a body" =>
      ->(count) do
        ToJson.stream do |j|
          j.put(:rows, rows(count)) { |row| j.put :id, row.id; j.put :text, row.text }
        end.each(&:clear)
      end
  }.freeze

  def self.rss = Integer(File.read("/proc/self/status")[/^VmRSS:\s+(\d+)/, 1])

  def self.counts
    3.times { GC.start }
    { rss: rss, writers: ObjectSpace.each_object(ToJson::Writer).count,
      bodies: ObjectSpace.each_object(ToJson::Stream).count,
      serializers: ObjectSpace.each_object(ToJson::Serializer).count,
      slots: GC.stat(:heap_live_slots) }
  end

  ROUNDS = 3

  # A third as warm-up, then three such rounds: what leaks grows in each.
  def self.abandon(name, times)
    ToJson::Writer.sizes(512, 512)
    leave = ABANDONED.fetch(name)
    found = Array.new(ROUNDS + 1) do
      (times / ROUNDS).times { |i| instance_exec(i, &leave) }
      counts
    end
    growth = found.each_cons(2).map do |before, after|
      after.to_h { |what, count| [what, count - before[what]] }
    end
    growth.first.keys.to_h { |what| [what, growth.map { |round| round[what] }.min * ROUNDS] }
  end

  # What is held at most, beyond what a tenth of it held before.
  def self.write(name, count)
    write = WHOLE.fetch(name)
    instance_exec(count / 10, &write)
    GC.start
    before = most = rss
    sampler = Thread.new { loop { most = [most, rss].max; sleep 0.01 } }
    instance_exec(count, &write)
    sampler.kill
    { rss: most - before }
  end

  def self.run(name, times)
    kept = ABANDONED.key?(name) ? abandon(name, times) : write(name, times)
    { **kept, sound: RowSerializer.json!(Row.new(1, "a")) == '{"id":1,"text":"a","again":"a"}' }
  end
end

puts FlatStreams.run(ARGV.fetch(0), Integer(ARGV.fetch(1))).inspect if $PROGRAM_NAME == __FILE__
