# frozen_string_literal: true

require "test_helper"
require "support/figures"
require "support/own_process"

# Ruby corrupts its heap where two Ractors make singleton classes, or use UnboundMethod#bind_call of
# a module's method, at once. The library does neither. A process that does crashes within seconds,
# so each script runs in a process of its own.
class RactorsTest < ToJsonTest
  SECONDS = Figures.of("tenths of a second in two Ractors") / 10.0

  # Two Ractors call `work(number)` all the time. Prints "done" if no exception ends them.
  LOOPS = <<~RUBY
    def busy(seconds)
      here = -> { Process.clock_gettime(Process::CLOCK_MONOTONIC) }
      ractors = Array.new(2) do |number|
        Ractor.new(number, seconds, here.call) do |at, limit, start|
          work(at) while Process.clock_gettime(Process::CLOCK_MONOTONIC) - start < limit
          true
        end
      end
      print ractors.map(&:value) == [true, true] ? "done" : "not done"
    end
  RUBY

  LOCATED = <<~RUBY
    Row = Struct.new(:id)
    class LostSerializer < ToJson::Serializer
      attributes :id, :lost
    end
    ToJson.compile!
    def work(number)
      LostSerializer.json!(Row.new(number))
    rescue NoMethodError => error
      ToJson.location(error) == "$.lost" or raise "located at \#{ToJson.location(error).inspect}"
    end
    busy(Float(ARGV[0]))
  RUBY

  MOVED = <<~RUBY
    class OneSerializer < ToJson::Serializer
      attributes :v
    end
    other = Ractor.new { 5.times { Ractor.receive } }
    ["abc", [1, 2], { a: 1 }, Struct.new(:a).new(1), Class.new(String).new("abc")].each do |value|
      other.send(value, move: true)
      [-> { OneSerializer.json!({ v: value }) }, -> { ToJson.generate([value]) },
       -> { ToJson.json { |json| json.put "v", value } },
       *%i[json json2 strict oj].map do |name|
         -> { ToJson.generate([value], rules: { dialect: name }) }
       end].each do |call|
        puts call.call
      rescue ToJson::UnsupportedTypeError => error
        print error.message[/: .* another Ractor/]
      end
    end
  RUBY

  test "what was moved to another Ractor is refused: it was written as if it were empty" do
    words = ": Ractor::MovedObject has no JSON form. It was moved to another Ractor"
    assert_equal words * 35, OwnProcess.run(MOVED)
  end

  MOVED_RECORDS = <<~RUBY
    class OneSerializer < ToJson::Serializer
      attributes :v
    end
    class ManySerializer < ToJson::Serializer
      has_many :ones, serializer: OneSerializer
    end
    class BlockSerializer < ToJson::Serializer
      def serialize(list) = array(list) { |one| put_fields one, :v }
    end
    other = Ractor.new { 2.times { Ractor.receive } }
    one, many = { v: 1 }, [{ v: 1 }]
    [one, many].each { |moved| other.send(moved, move: true) }
    [-> { OneSerializer.json!(one) }, -> { OneSerializer.json!([one]) },
     -> { OneSerializer.json!(many) }, -> { ManySerializer.json!({ ones: [one] }) },
     -> { ManySerializer.json!({ ones: many }) }, -> { BlockSerializer.json!([one]) },
     -> { BlockSerializer.json!(many) }].each do |call|
      puts call.call
    rescue Ractor::MovedError, NoMethodError, ToJson::UnsupportedTypeError
      print "refused "
    end
  RUBY

  # They were written as if they were empty.
  test "records that were moved to another Ractor are refused" do
    assert_equal "refused " * 7, OwnProcess.run(MOVED_RECORDS)
  end

  test "exceptions of user code are located in two Ractors at once" do
    assert_equal "done", OwnProcess.run(LOOPS + LOCATED, arguments: [SECONDS])
    Figures.reached("tenths of a second in two Ractors", (SECONDS * 10).round)
  end

  # What is written, and how.
  WRITTEN = {
    "an object with a to_json of its own under :json" => 'json([Own.new]) == "[[1]]"',
    "an object with a to_s of its own under :json" => 'json([Named.new]) == %(["named"])',
    "a key with a to_s of its own under :json" => 'json({ Named.new => 1 }) == %({"named":1})',
    "a Time under :json" => 'json([Time.at(0).utc]) == %(["1970-01-01 00:00:00 UTC"])',
    "an object with a to_s of its own, json loaded" =>
      'ToJson.generate([Named.new]) == %(["named"])',
    "an object that is refused, json loaded" => "refused { ToJson.generate([Object.new]) }",
    "a value that no conversion takes" => "refused { ToJson::Conversion.integer(Named.new) }"
  }.freeze

  OBJECTS = <<~RUBY
    begin
      require "json" # gives all objects a to_json
    rescue LoadError
      nil
    end
    class Own; def to_json(*) = "[1]"; end
    class Named; def to_s = "named"; end
    def json(value) = ToJson.generate(value, dialect: :json)
    def refused = yield && false rescue $!.is_a?(ToJson::UnsupportedTypeError)
  RUBY

  WRITTEN.each do |what, code|
    test "two Ractors at once write #{what}" do
      work = "def work(_) = (#{code}) || raise(%(wrong))\nbusy(Float(ARGV[0]))"
      assert_equal "done", OwnProcess.run(LOOPS + OBJECTS + work, arguments: [SECONDS])
    end
  end

  # Each module that a list of put_fields was compiled to had a singleton class.
  test "a list of put_fields is used often in a Ractor and becomes no module there" do
    assert_equal "0 done", OwnProcess.run(<<~RUBY)
      Row = Struct.new(*:a..:f)
      def write(row)
        ToJson.json do |json|
          json.put(:few) { json.put_fields row, :a, :b }
          json.put(:many) { json.put_fields row, :a, :b, :c, :d, :e, :f }
        end
      end
      few, many = %w[a b], %w[a b c d e f]
      pairs = ->(names) { names.map.with_index(1) { |name, at| %("\#{name}":\#{at}) }.join(",") }
      due = %({"few":{\#{pairs[few]}},"many":{\#{pairs[many]}}})
      written = lambda do |rows|
        Ractor.new(rows) { |mine| mine.map { |row| write(row) }.uniq }.value
      end
      written.call([Row.new(*1..6)])
      GC.disable
      modules = -> { ObjectSpace.count_objects.values_at(:T_CLASS, :T_MODULE).sum }
      before = modules.call
      documents = written.call([Row.new(*1..6)] * 9)
      print modules.call - before, " ", documents == [due] ? "done" : documents
    RUBY
  end

  test "the block form writes in a Ractor, whatever instance variables its callers had in the " \
       "main one" do
    assert_equal "done", OwnProcess.run(<<~'RUBY')
      class Page
        def initialize = @title = "T"

        def json
          ToJson::Serializer.json! do
            put :title, @title
            put :written, @written = @written.to_i + 1
          end
        end
      end
      class Unused < Page; end
      written = [1, 2].map { |count| %({"title":"T","written":#{count}}) }
      first = Page.new.json
      given = [Page.new, Unused.new].map do |page|
        Ractor.new(page) { |mine| [mine.json, mine.json] }.value
      end
      print first == written[0] && given == [written, written] ? "done" : given
    RUBY
  end

  test "a detailed message tells the place if no other Ractor exists, ToJson.location always" do
    said = OwnProcess.run(<<~'RUBY')
      class Broken; def to_h = raise("no"); end
      def told
        ToJson.generate([1, Broken.new])
      rescue => error
        detailed = error.respond_to?(:detailed_message)
        [ToJson.location(error), detailed ? error.detailed_message.include?("at $[1]") : :none]
      end
      alone = told
      waiting = Ractor.new { Ractor.receive }
      beside = told
      waiting.send(1)
      waiting.value
      p [alone, Ractor.new { told }.value, beside]
    RUBY
    detailed = Exception.method_defined?(:detailed_message)
    tells = detailed ? [true, false, false] : [:none] * 3
    assert_equal tells.map { |value| ["$[1]", value] }.inspect, said.strip
  end

  # A Ractor gives what its block returns away, uncopied: here objects whose document is half
  # written. Their Writers belong to the pool of a Ractor that is gone. Was "double free or
  # corruption".
  test "an object in mid-document outlives its Ractor" do
    assert_equal("done", OwnProcess.run(<<~'RUBY'))
      class Parked
        include ToJson::Serialize

        def serialize = (put(:a, 1); Fiber.yield; put(:b, 2))
      end
      parked = Array.new(50) do
        Ractor.new { Parked.new.tap { |object| Fiber.new { object.json! }.resume } }.value
      end
      3.times { GC.start }
      strings = Array.new(2000) { "q" * 330 }
      parked.each do |object|
        20.times do |i|
          object.put :"k#{i}", i
          object.put "s#{i}", { a: i }
          object.put_field({ z: 1 }, :z)
        end
      end
      print strings.all? { |text| text == "q" * 330 } ? "done" : "overwritten"
    RUBY
  end
end
