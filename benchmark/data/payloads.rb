# frozen_string_literal: true

require_relative "../contenders/shape"
require_relative "plain"

module Bench
  # The data of scenarios 7 and 13: a small document of 132 bytes and a large one of 4,839, as
  # Struct, Data and plain objects. The first of each is the one that the figures are set for; all
  # are of the same length.
  module Payloads
    SMALL = Shape.new(st: nil, sid: nil, tt: nil, gr: nil, uuid: nil, ip: nil, ua: nil, tz: nil,
                      v: nil)
    LARGE = Shape.new(users: [{username: nil}],
                      topics: {topics: [{ID: nil, slug: nil}], more_topics_URL: nil})
    MEMBERS = {"Small" => SMALL.fields.keys, "User" => %i[username], "Topic" => %i[ID slug],
               "Topics" => %i[topics more_topics_URL], "Large" => %i[users topics]}.freeze
    KINDS = {struct: ->(names) { Struct.new(*names) }, data: ->(names) { Data.define(*names) },
             plain: ->(names) { Plain.new(*names) }}.freeze
    COUNT, ITEMS = 8, 100

    class << self
      # Eight small payloads of a kind: :struct, :data or :plain.
      def small(kind)
        Array.new(COUNT) do |i|
          uuid = "8f9a65eb-4807-4d57-b6e0-bda5d62f142#{(9 + i) % 10}"
          make(kind, "Small", 1 + i, 2 + (i % 7), "TestStrin#{"ghijklmn"[i]}", (4 + i) % 10, uuid,
               "127.0.0.#{1 + i}", "Mozill#{"abcdefgh"[i]}", 8 - i, (6 + i) % 10)
        end
      end

      # Small ones that differ as a client's would, from a seed: what a compressor finds in them is
      # not their period.
      def varied(kind, count = 4096)
        random = Random.new(13)
        Array.new(count) do |i|
          make(kind, "Small", 1 + (i % 9), random.rand(10),
               "TestStrin#{(97 + random.rand(26)).chr}", random.rand(10),
               random.bytes(16).unpack("H8H4H4H4H12").join("-"),
               Array.new(4) { random.rand(10..99) }.join("."), "Mozill#{"abcdefgh"[i % 8]}",
               random.rand(10), i % 10)
        end
      end

      # Eight large payloads: the same items, begun elsewhere.
      def large(kind)
        Array.new(COUNT) do |i|
          numbers = (0...ITEMS).to_a.rotate(i * 11)
          users = numbers.map { |number| make(kind, "User", "test#{number}") }
          topics = numbers.map { |number| make(kind, "Topic", number, "test#{number}") }
          make(kind, "Large", users, make(kind, "Topics", topics, "http://test.com"))
        end
      end

      private

      def make(kind, name, *values)
        constant = "#{name}#{kind.capitalize}"
        unless const_defined?(constant, false)
          const_set(constant, KINDS.fetch(kind).call(MEMBERS[name]))
        end
        const_get(constant).new(*values)
      end
    end
  end
end
