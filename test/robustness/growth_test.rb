# frozen_string_literal: true

# How the work of a call grows with the number of serializers.

require_relative "../test_helper"
require_relative "../support/own_process"

class GrowthTest < ToJsonTest
  # Counts the calls of Ruby methods. Each serializer names all others, so five serializers have 20
  # associations, and seven have 42. But there are 65 paths without a repetition, and 1,957.
  PROGRAM = <<~'RUBY'
    require "json"
    ToJson.eager_load!
    NONE = Class.new { def read(*, **) = nil; def write(*, **) = nil }.new

    def dense(size, name, &more)
      all = Array.new(size) { |i| Object.const_set("#{name}#{i}", Class.new(ToJson::Serializer)) }
      all.each_with_index do |one, i|
        one.class_eval { type "t#{i}"; attributes :id; attribute :name }
        one.class_exec(&more) if more
        ((0...size).to_a - [i]).each do |j|
          one.has_one :"k#{j}", serializer: "#{name}#{j}", writable: true
        end
      end
      all.first
    end

    def calls
      count = 0
      TracePoint.new(:call) { count += 1 }.enable { yield }
      count
    end

    ROW = { id: 1, name: "a", k1: { id: 2, name: "b" } }
    cached = -> { cache key: :id, store: NONE }
    writable = -> { remove :name; attribute :name, writable: true }
    CALLS = {
      "json!" => [nil, ->(one) { one.json!([ROW]) }],
      "json! of a cached part" => [cached, ->(one) { one.json!([ROW]) }],
      "json_api!" => [nil, ->(one) { one.json_api!(ROW, include: "k1.k2") }],
      "hal!" => [nil, ->(one) { one.hal!(ROW) }],
      "digest" => [nil, ->(one) { one.digest }],
      "explain" => [nil, ->(one) { one.explain }],
      "json_schema" => [nil, ->(one) { one.json_schema }],
      "compile!" => [nil, ->(one) { one.compile! }],
      "parse" => [writable, ->(one) { one.parse({ name: "a", k1: { name: "b" } }) }],
      "parse without a writable attribute" =>
        [nil, ->(one) { one.parse({}) rescue ToJson::DefinitionError }]
    }
    CALLS.each_with_index do |(what, (more, call)), n|
      counts = [5, 7].map do |size|
        one = dense(size, "N#{n}S#{size}x", &more)
        calls { call.call(one) }
      end
      puts "#{what}\t#{counts.join("\t")}"
    end
  RUBY

  test "no call follows serializers that name each other on every path" do
    counted = OwnProcess.run(PROGRAM).lines.map { |line| line.chomp.split("\t") }
    assert_equal 10, counted.size
    counted.each do |what, *calls|
      five, seven = calls.map(&:to_i)
      assert_operator five, :>, 0, what
      assert_operator seven, :<, five * 5, "#{what}: #{five} calls became #{seven}"
    end
  end
end
