# frozen_string_literal: true

# A program, so that it has a heap of its own: ruby memory_program.rb TIMES writes that many cached
# documents, each with a key of its own, and prints what is left of them, as Ruby's Hash. See
# hostile_stores_test.rb.

require "to_json"

# The ways to a store, and one that keeps its newest entries.
module FlatCaches
  Post = Struct.new(:id, :title, :itself_too)

  class Inner < ToJson::Serializer
    attributes :id, :title
    cache key: :id
  end

  class Outer < ToJson::Serializer
    has_one :post, serializer: Inner
  end

  class Kept < ToJson::Serializer
    has_one(:itself_too, cache: { key: :id }) { attributes :id, :title }
  end

  class Small
    def initialize = @all = {}
    def [](key) = @all[key]

    def []=(key, text)
      @all.shift if @all.size > 50
      @all[key] = text
    end
  end

  def self.write(post, count)
    post.itself_too = post
    count.times do |index|
      post.id += 1
      case index % 4
      when 0 then Inner.json!(post)
      when 1 then Inner.json!([post])
      when 2 then Outer.json!([{ post: post }])
      else Kept.ndjson([post])
      end
    end
  end

  def self.resident = File.read("/proc/self/status")[/VmRSS:\s+(\d+)/, 1].to_i # KiB

  def self.run(times)
    ToJson.cache_store = Small.new
    post = Post.new(0, "title")
    write(post, times / 10) # a heap grows before it settles
    GC.start
    slots, memory = GC.stat(:heap_live_slots), resident
    write(post, times)
    GC.start
    { slots: GC.stat(:heap_live_slots) - slots, rss: resident - memory }
  end
end

p FlatCaches.run(Integer(ARGV.fetch(0)))
