# frozen_string_literal: true

# Nothing but the document holds its Writer. Each test runs a loop like a server's in a process of
# its own, since losing the Writer to the garbage collector is a segmentation fault. Before the fix
# the loop crashed within 26,000 requests on Ruby 3.1.2.

require_relative "../test_helper"
require_relative "../support/own_process"

class CollectedWriterTest < ToJsonTest
  # A small application as Rack would call it. The output between the requests is part of the repro.
  REQUESTS = <<~'RUBY'
    require "json"
    require "time"
    $stdout.sync = true
    User = Struct.new(:id, :name, :at)
    class UserSerializer < ToJson::Serializer
      attributes :id, :name
      attribute(:at) { |user| user.at.iso8601 }
    end
    class App
      def call(env)
        user = User.new(env["id"], "name #{env["id"]}", Time.now)
        body = UserSerializer.json!(user)
        [200, { "content-length" => body.bytesize.to_s }, [body]]
      end
    end
    def wrap(app, n)
      return app if n == 0
      outer = lambda do |env|
        env["d"] = n
        s, h, b = app.call(env)
        h["x-#{n}"] = s.to_s
        [s, h, b]
      end
      wrap(outer, n - 1)
    end
    app = wrap(App.new, 3)
    n = 0
    while n < 60_000
      500.times do
        n += 1
        _, _, body = app.call({ "id" => n, "q" => "a=#{n}".split("=") })
        JSON.parse(body[0])["id"] == n or abort "WRONG"
      end
      print "\r#{n} requests, #{GC.count} collections"
    end
    print "done"
  RUBY

  CALLS = <<~'RUBY'
    O = Struct.new(:id).new(1)
    class KS < ToJson::Serializer
      attributes :id
      attribute(:q) { |o| o.id.to_s }
    end
    class Two < ToJson::Serializer
      attributes :id
      has_one(:it, source: :itself, serializer: KS)
    end
    one, two = '{"id":1,"q":"1"}', '{"id":1,"it":{"id":1,"q":"1"}}'
    random = Random.new(1)
    shapes = [->(f) { f.call }, ->(f) { catch(:x) { f.call } }, ->(f) { [1].map { f.call }.first },
              ->(f) { [1, 2].inject { f.call } }, ->(f) { format("%s", f.call) },
              ->(f) { Fiber.new { f.call }.resume }, ->(f) { "abc".gsub("b") { f.call }[1..-2] }]
    4_000.times do |i|
      shape = shapes[i % shapes.size]
      [[one, -> { KS.json!(O) }], [two, -> { Two.json!(O) }],
       [one, -> { KS.json!(O, into: +"") }]].each do |expected, call|
        got = shape.call(call)
        abort "#{got}\n#{expected}" unless got == expected
      end
      random.rand(20).times { Object.new }
    end
    print "done"
  RUBY

  # The hidden instance variable of the module form holds the Writer of a document that a Fiber will
  # never end.
  MOVED = <<~'RUBY'
    class Declared < ToJson::Serializer
      attributes :id
      attribute(:x) { object.id.to_s * 2 }
    end
    Row = Struct.new(:id)
    class Host
      include ToJson::Serialize
      def serialize(_) = put(:a, 1).then { Fiber.yield }
    end
    def deep(depth, hosts)
      return deep(depth - 1, hosts) unless depth.zero?
      hosts.each { |host| Fiber.new { host.json!(1) }.resume }
    end
    hosts = Array.new(200) { Host.new }
    deep(30, hosts)
    def clear(depth) =
      depth.zero? ? 0 : (texts = Array.new(50, &:to_s)) && clear(depth - 1) + texts.size
    clear(100)
    gaps = Array.new(20_000) { Object.new }
    3.times { GC.start }
    gaps = nil
    GC.start
    doubled = GC.method(:verify_compaction_references).parameters.include?(%i[key double_heap])
    room = doubled ? :double_heap : :expand_heap
    GC.verify_compaction_references(toward: :empty, room => true)
    hosts.each_with_index do |host, i|
      host.put :b, Declared.new(Row.new(5))
      host.put(:c) { host.put :d, [1, 2, 3] }
      GC.start if i % 20 == 0
    end
    print "done"
  RUBY

  # Ruby makes the object of a thread's Fiber when a document first asks for it.
  THREADS = <<~'RUBY'
    Row = Struct.new(:id)
    class Plain < ToJson::Serializer
      attributes :id
    end
    class Code < ToJson::Serializer
      def serialize(row) = put(:id, row.id)
    end
    class Page < ToJson::Serializer
      attribute(:id) { |row| row.id.to_s }
    end
    row = Row.new(1)
    calls = [-> { Plain.json!(row) }, -> { Plain.json!([row]) }, -> { Code.json!(row) },
             -> { Page.json!(row) }, -> { Plain.to_h(row) }, -> { Plain.json!(row, into: +"") },
             -> { ToJson.generate([1]) }, -> { ToJson.json { |j| j.put :id, 1 } },
             -> { ToJson::Serializer.json! { put :id, row.id } }, -> { Plain.ndjson([row, row]) },
             -> { ToJson.generate([1.5], dialect: :rails) }]
    due = calls.map(&:call)
    4.times do
      calls.zip(due) do |call, text|
        first = Thread.new do
          GC.stress = true
          call.call
        ensure
          GC.stress = false
        end
        first.value == text or abort "WRONG"
      end
    end
    print "done"
  RUBY

  test "the first document of a thread keeps its Writer" do
    assert_equal "done", OwnProcess.run(THREADS)
  end

  test "a document that was left in a Fiber goes on where its Writer was moved to" do
    assert_equal "done", OwnProcess.run(MOVED, seconds: 60)
  end

  test "a document by a block keeps its Writer in a server's loop" do
    assert OwnProcess.run(REQUESTS).end_with?("done")
  end

  test "a document keeps its Writer whatever calls it" do
    assert_equal "done", OwnProcess.run(CALLS)
  end
end
