# frozen_string_literal: true

# How the work of a call grows with the number of serializers, and the stack that it takes.

require_relative "../test_helper"
require_relative "../support/own_process"

class GrowthTest < ToJsonTest
  HEAD = <<~'RUBY'
    require "json"
    ToJson.eager_load!
    NONE = Class.new { def read(*, **) = nil; def write(*, **) = nil }.new

    # The block returns the numbers of the serializers that the serializer with a number names.
    # `more` is run in all of them, or in the last one only.
    def serializers(size, name, (more, last))
      all = Array.new(size) { |i| Object.const_set("#{name}#{i}", Class.new(ToJson::Serializer)) }
      all.last.class_exec(&last) if last
      all.each_with_index do |one, i|
        one.class_eval { type "t#{i}"; attributes :id; attribute :name }
        one.class_exec(&more) if more
        yield(i).each { |j| one.has_one :"k#{j}", serializer: "#{name}#{j}", writable: true }
      end
      all.first
    end

    ROW = { id: 1, name: "a", k1: { id: 2, name: "b" } }
    cached = -> { cache key: :id, store: NONE }
    writable = -> { remove :name; attribute :name, writable: true }
    local = -> { attribute(:own) { ROW && cached && 1 } } # sees variables: in the main Ractor only
    CALLS = {
      "json!" => [nil, ->(one) { one.json!([ROW]) }],
      "json! of cached parts" => [cached, ->(one) { one.json!([ROW]) }],
      "json! with one cached part" => [[nil, cached], ->(one) { one.json!([ROW]) }],
      "json! with one block that others cannot run" => [[nil, local], ->(one) { one.json!([ROW]) }],
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
  RUBY

  # Counts the calls of Ruby methods. Each serializer names all others, so five serializers have 20
  # associations, and seven have 42. But there are 65 paths without a repetition, and 1,957.
  DENSE = HEAD + <<~'RUBY'
    def calls
      count = 0
      TracePoint.new(:call) { count += 1 }.enable { yield }
      count
    end

    CALLS.each_with_index do |(what, (more, call)), n|
      counts = [5, 7].map do |size|
        one = serializers(size, "N#{n}S#{size}x", more) { |i| (0...size).to_a - [i] }
        calls { call.call(one) }
      end
      puts "#{what}\t#{counts.join("\t")}"
    end
  RUBY

  # Each serializer names the next one, and the last one the first, as a way through a large
  # application may do. A Fiber has the least stack.
  RING = HEAD + <<~'RUBY'
    CALLS.each_with_index do |(what, (more, call)), n|
      one = serializers(250, "N#{n}x", more) { |i| [(i + 1) % 250] }
      Fiber.new { call.call(one) }.resume
      puts what
    end
  RUBY

  test "no call follows every path through serializers that name each other" do
    counted = OwnProcess.run(DENSE).lines.map { |line| line.chomp.split("\t") }
    assert_equal 12, counted.size
    counted.each do |what, *calls|
      five, seven = calls.map(&:to_i)
      assert_operator five, :>, 0, what
      assert_operator seven, :<, five * 3, "#{what}: #{five} calls became #{seven}"
    end
  end

  # Each had code of its own for all of them: 400 modules for 20 serializers.
  test "serializers with each other inside share the code that reads" do
    made = OwnProcess.run(HEAD + <<~'RUBY')
      all = 20.times.map { |i| "Read#{i}" }
      serializers(20, "Read", writable) { |i| [(i + 1) % 20] }
      all.each { |name| Object.const_get(name).parse({ name: "a" }) }
      puts ObjectSpace.each_object(Module).count { |one| one.instance_variable_get(:@to_json_code) }
    RUBY
    assert_equal 20, made.to_i
  end

  # With 101 serializers, none of them could be compiled; for HAL, with 51. With fewer, the stack of
  # a Fiber overflowed.
  test "hundreds of serializers may lead to each other" do
    assert_equal 12, OwnProcess.run(RING).lines.size
  end
end
