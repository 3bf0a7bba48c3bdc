# frozen_string_literal: true

# Layer: none below it. The data of scenario 7: the small document of 132 bytes and the large one of 4,839, as Struct, as Data and
# as plain objects. The first of each is the one that BENCHMARKS asks for; all are of the same length.

module Bench
  # Members are named as the documents' keys.
  module Payloads
    MEMBERS = {"Small" => %i[st sid tt gr uuid ip ua tz v], "User" => %i[username], "Topic" => %i[ID slug], "Topics" => %i[topics more_topics_URL],
               "Large" => %i[users topics]}.freeze
    COUNT = 8
    ITEMS = 100

    class << self
      # Eight small payloads of a kind: :struct, :data or :plain.
      def small(kind)
        small = classes(kind).fetch("Small")
        Array.new(COUNT) do |i|
          uuid = "8f9a65eb-4807-4d57-b6e0-bda5d62f142#{(9 + i) % 10}"
          small.new(1 + i, 2 + (i % 7), "TestStrin#{"ghijklmn"[i]}", (4 + i) % 10, uuid, "127.0.0.#{1 + i}", "Mozill#{"abcdefgh"[i]}", 8 - i, (6 + i) % 10)
        end
      end

      # Small ones that differ as a client's would, from a seed: what a compressor finds in them is not their period.
      def varied(kind, count = 4096)
        small, random = classes(kind).fetch("Small"), Random.new(13)
        Array.new(count) do |i|
          uuid = random.bytes(16).unpack("H8H4H4H4H12").join("-")
          ip = Array.new(4) { random.rand(10..99) }.join(".")
          small.new(1 + (i % 9), random.rand(10), "TestStrin#{("a".."z").to_a[random.rand(26)]}", random.rand(10), uuid, ip,
                    "Mozill#{"abcdefgh"[i % 8]}", random.rand(10), i % 10)
        end
      end

      # Eight large payloads: the same items, begun elsewhere.
      def large(kind)
        classes = classes(kind)
        Array.new(COUNT) do |i|
          numbers = (0...ITEMS).to_a.rotate(i * 11)
          users = numbers.map { |number| classes.fetch("User").new("test#{number}") }
          topics = numbers.map { |number| classes.fetch("Topic").new(number, "test#{number}") }
          classes.fetch("Large").new(users, classes.fetch("Topics").new(topics, "http://test.com"))
        end
      end

      private

      # {name => class}, made once a process.
      def classes(kind) = (@classes ||= {})[kind] ||= MEMBERS.to_h { |name, members| [name, const_set("#{name}#{kind.capitalize}", make(kind, members))] }

      def make(kind, members)
        case kind
        when :struct then Struct.new(*members)
        when :data then Data.define(*members)
        when :plain then plain(members)
        end
      end

      # A class of the same members, as one would write it.
      def plain(members)
        assign = members.map { |member| "@#{member} = value_of_#{member}" }.join("; ")
        Class.new do
          attr_reader(*members)

          class_eval("def initialize(#{members.map { |member| "value_of_#{member}" }.join(", ")}) = (#{assign})", __FILE__, __LINE__)
        end
      end
    end
  end
end
