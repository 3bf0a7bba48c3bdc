# frozen_string_literal: true

# Preloading in a process that compacts its memory, as servers do before they fork.

require_relative "../test_helper"
require_relative "../support/own_process"
require "open3"
require "rbconfig"

if Without.library?("active_record") && Without.library?("sqlite3")
  class PreloadCompactionTest < ToJsonTest
    SCRIPT = <<~'RUBY'
      require "active_record"
      require "to_json/active_record"
      ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: ":memory:")
      models = 30
      models.times do |i|
        ActiveRecord::Base.connection.create_table("m#{i}s") do |t|
          t.string :title
          t.belongs_to :other
        end
      end
      junk = []
      models.times do |i|
        junk << Array.new(3000) { |k| +"junk #{k}" }
        Object.class_eval <<~CLASSES
          class M#{i} < ActiveRecord::Base
            belongs_to :other, class_name: "M#{(i + 1) % models}", optional: true
            has_many :subs, class_name: "M#{(i + 1) % models}", foreign_key: :other_id
          end
          class S#{i} < ToJson::Serializer
            attributes :id
            has_one(:other) { attributes :title }
            has_many(:subs) { attributes :title }
          end
        CLASSES
      end
      models.times { |i| Object.const_get("M#{i}").create!(title: "a") }
      work = lambda do |count|
        count.times do |i|
          ToJson.preload(Object.const_get("M#{i}").all.to_a, Object.const_get("S#{i}"))
        end
      end
      work.(models / 2)
      junk = nil
      4.times do |k|
        GC.compact
        work.((models / 2) + (k * models / 8))
        GC.start
      end
      GC.compact
      work.(models)
      GC.start
      puts "fine"
    RUBY

    # Ruby 3.1 crashed: an ObjectSpace::WeakMap had the answers about associations.
    test "GC.compact between calls" do
      skip "needs GC.compact" unless GC.respond_to?(:compact)
      out, status = Open3.capture2e(*PlainRuby.start(rubygems: true), "-W0", "-e", SCRIPT)
      assert_equal(["fine\n", true], [out[0, 300], status.success?])
    end
  end
end
