# frozen_string_literal: true

# A program, so that it has a heap of its own: ruby memory_program.rb NAME TIMES leaves that many
# documents half-way and prints what is left of them, as Ruby's Hash. See memory_test.rb.

require "to_json"
require_relative "user_code_points"

# What is repeated; each gets the number of its turn.
module Flat
  Boom = Class.new(StandardError)
  RAISE = -> { raise Boom }
  THROW = -> { throw :out }
  LINE = "x" * 90_000

  def self.leave(number)
    ToJson.json { |j| j.put(:a) { j.put(:b) { j.put :c, number; return :left } } }
  end

  # A Sink whose write number `at` does something else than to take all.
  class Faulty
    FAULTS = [-> { raise Errno::EPIPE }, -> { raise Errno::ENOSPC }, -> {
      raise IOError, "closed stream"
    }, -> { raise IO::EAGAINWaitWritable },
              -> { raise Errno::EINTR }, -> { -1 }, -> { 1_000_000 }, -> { 0 }, -> { 1 }, -> {},
              -> do
                throw :out
              end].freeze

    def initialize(at, fault)
      @at = at
      @fault = FAULTS[fault % FAULTS.size]
    end

    def write(text) = (@at -= 1).negative? ? @fault.call : text.bytesize
  end

  ROWS = Array.new(8) { |n| { id: n, name: "name #{n}" } }.freeze

  def self.fault(number)
    catch(:out) { ToJson.generate(ROWS, into: Faulty.new(number % 9, number / 9), chunk: 24) }
  rescue ToJson::SinkError, SystemCallError, IOError
    nil
  end

  def self.points = @points ||= Points::ALL.reject { |name, _| name.include?("Sink") }.values

  LEAVES = {
    "raise and throw at every point" => lambda { |i|
      point = points[i / 2 % points.size]
      if i.odd? then catch(:out) { point.call(THROW) }
      else
        begin
          point.call(RAISE)
        rescue Boom
          nil
        end
      end
    },
    "return out of blocks" => ->(i) { leave(i) },
    "errors rescued inside" => lambda { |i|
      ToJson.json do |j|
        [-> { j.put(:a) { j.put :b, i; raise Boom } }, -> { j.put :c, Object.new },
         -> { j.close }].each do |call|
          call.call
        rescue Boom, ToJson::Error
          nil
        end
      end
    },
    "faults at each write" => ->(i) { Flat.fault(i) },
    "documents into a Buffer" => lambda { |i|
      @buffer ||= ToJson::Buffer.new
      begin
        ToJson.json(into: @buffer.clear) do |j|
          j.put :a, [i, LINE[0, i % 5000]]; raise Boom if i.odd?
        end
      rescue Boom
        nil
      end
    },
    "killed threads" =>
      ->(i) { Thread.new { points[i % points.size].call(-> { Thread.current.kill }) }.join },
    "abandoned Fibers" => lambda { |i|
      Fiber.new { Points::ALL.values[i % Points::ALL.size].call(-> { Fiber.yield }) }.resume
      # a Fiber's stack is a mapping, which Ruby's collector does not count
      GC.start if (i % 500).zero?
    },
    "long documents" => lambda { |_|
      begin
        ToJson.json { |j| j.put(:a, LINE); raise Boom }
      rescue Boom
        nil
      end
    },
    "documents that end well" => ->(i) { points[i % points.size].call(-> { i }) }
  }.freeze

  def self.rss = Integer(File.read("/proc/self/status")[/^VmRSS:\s+(\d+)/, 1])

  def self.counts
    3.times { GC.start }
    { rss: rss, writers: ObjectSpace.each_object(ToJson::Writer).count,
      serializers: ObjectSpace.each_object(ToJson::Serializer).count,
      slots: GC.stat(:heap_live_slots) }
  end

  ROUNDS = 3

  # A third of `times` as warm-up, then three such rounds. What leaks grows in every one of them,
  # what only settles (caches, malloc, the heap) does not: the least growth counts, over all rounds.
  def self.run(name, times)
    leave = LEAVES.fetch(name)
    found = Array.new(ROUNDS + 1) do |round|
      (times / ROUNDS).times { |i| instance_exec(round + i, &leave) }
      counts
    end
    growth = found.each_cons(2).map do |before, after|
      after.to_h { |what, count| [what, count - before[what]] }
    end
    { times: times / ROUNDS * ROUNDS, sound: Points.sound?,
      **growth.first.keys.to_h { |what| [what, growth.map { |round| round[what] }.min * ROUNDS] } }
  end
end

puts Flat.run(ARGV.fetch(0), Integer(ARGV.fetch(1))).inspect if $PROGRAM_NAME == __FILE__
