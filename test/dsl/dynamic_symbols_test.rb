# frozen_string_literal: true

require "objspace"
require "test_helper"
require "support/own_process"
require "support/ways_out"

# Symbols that no source text named first (`"id".to_sym`, and `%i[id]` on Ruby 3.1): objects on the
# heap, which may be collected and moved. Their encoded keys are kept as those of the others, up to
# 1,024 of them a Ractor.
class DynamicSymbolsTest < ToJsonTest
  # The text that a key has in JSON, by what its name has: of each, and of sizes around those that
  # are treated apart.
  NAMES = {
    "plain" => ["plain", "plain"],
    "quotes and a backslash" => ["a\"b\\c", 'a\"b\\\\c'],
    "a line break" => ["a\nb", 'a\nb'],
    "what HTML minds" => ["<a>&", "<a>&"],
    "characters beyond ASCII" => ["naïve €😀", "naïve €😀"],
    "another encoding" => ["é".encode("ISO-8859-1"), "é"],
    **[27, 28, 29, 32, 33, 60, 199, 200, 201, 300, 1500].to_h do |size|
      ["#{size} bytes", ["n" * size, "n" * size]]
    end
  }.freeze

  # No other test has met this Symbol: its name ends in a number of its own.
  def dynamic(text)
    name = "#{text}_#{rand(1 << 60)}".encode(text.encoding)
    [name.to_sym, name.encode("UTF-8").delete_prefix(text.encode("UTF-8"))]
  end

  # What another process prints, which loads the library first: what is kept of Symbols is never
  # given back.
  def printed(code)
    library = $LOADED_FEATURES.find { |path| path.end_with?("/lib/to_json.rb") }
    IO.popen([*PlainRuby.start, "-W0", "-r#{library}", "-r#{OwnProcess::RACTOR_VALUE}", "-e", code],
             err: %i[child out], &:read)
  end

  test "what these tests call dynamic is no Symbol of the source" do
    assert_includes ObjectSpace.dump(dynamic("x").first), '"address"'
  end

  NAMES.each do |what, (text, encoded)|
    test "put of a dynamic Symbol with #{what}" do
      symbol, number = dynamic(text)
      3.times do
        assert_writes(%({"#{encoded}#{number}":1,"z":{"#{encoded}#{number}":2}})) do |j|
          j.put symbol, 1; j.put :z, { symbol => 2 }
        end
      end
    end

    test "put_fields and put_field of dynamic Symbols with #{what}" do
      symbol, number = dynamic(text)
      other, = dynamic("other")
      key = "#{encoded}#{number}"
      object = Struct.new(symbol, other).new(1, [nil, { a: 2 }])
      rest = %("#{other}":[null,{"a":2}],"z":1)
      3.times do
        assert_writes(%({"#{key}":1,#{rest},"#{key}":1})) do |j|
          j.put_fields object, symbol, other, [symbol, :z]; j.put_field object, symbol
        end
      end
      hash = object.to_h
      3.times do
        assert_writes(%({"#{key}":1,#{rest}})) do |j|
          j.put_fields hash, symbol, other, { symbol => :z }
        end
      end
    end
  end

  test "a list of many dynamic Symbols is read and named right" do
    pairs = Array.new(30) { |i| [dynamic("from#{i}").first, dynamic("to#{i}").first] }
    object = Struct.new(*pairs.map(&:first)).new(*0...30)
    expected = "{#{pairs.map.with_index { |(_, name), i| "\"#{name}\":#{i}" }.join(",")}}"
    4.times { assert_writes(expected) { |j| j.put_fields object, *pairs } }
  end

  test "a dynamic Symbol that names no method, or a private one, raises NoMethodError" do
    unknown, = dynamic("unknown")
    hidden, = dynamic("hidden")
    object = Class.new { define_method(hidden) { 1 }; private hidden }.new
    [unknown, hidden].each do |symbol|
      4.times do
        assert_equal(symbol,
                     assert_raises(NoMethodError) do
                       ToJson.json { |j| j.put_field object, symbol }
                     end.name)
        assert_equal(symbol,
                     assert_raises(NoMethodError) do
                       ToJson.json { |j| j.put_fields object, :hash, symbol }
                     end.name)
      end
    end
  end

  test "an object's method_missing answers to a dynamic Symbol" do
    object = Class.new do
      def method_missing(name, *) = "missing #{name}"; def respond_to_missing?(*) = true
    end.new
    symbol, = dynamic("ghost")
    4.times do
      assert_equal %({"#{symbol}":"missing #{symbol}"}), ToJson.json { |j|
        j.put_field object, symbol
      }
    end
    4.times do
      assert_equal %({"#{symbol}":"missing #{symbol}","n":"missing #{symbol}"}), ToJson.json { |j|
        j.put_fields object, symbol, [symbol, :n]
      }
    end
  end

  test "the path of an error names a dynamic Symbol" do
    symbol, = dynamic("name")
    object = Struct.new(:a, symbol).new(1, Float::NAN)
    4.times do
      assert_includes assert_raises(
                        ToJson::NumberError
                      ) { ToJson.json { |j| j.put symbol, Float::NAN } }.message, "$.#{symbol}:"
      assert_includes assert_raises(
                        ToJson::NumberError
                      ) { ToJson.json { |j| j.put_fields object, :a, symbol } }.message,
                      "$.#{symbol}:"
    end
  end

  # Moving everything in a heap of the whole suite is known to end Ruby 3.1; a process of its own
  # has little to move.
  MOVE = <<~'RUBY'
    doubled = GC.method(:verify_compaction_references).parameters.include?(%i[key double_heap])
    room = doubled ? :double_heap : :expand_heap
    move = -> { GC.verify_compaction_references(toward: :empty, room => true) }
  RUBY

  # Everything that need not be stressed is made before.
  test "dynamic Symbols are written right whatever the collector does" do
    assert_equal "right", printed("#{MOVE}\n#{<<~'RUBY'}")
      names = Array.new(12) { |i| "collected_#{i}" }
      object = Struct.new(*names.map(&:to_sym)).new(*0...12)
      unnamed = Struct.new(:a, :b).new(1, { "x" => [2] })
      a, b = "mapped_0", "mapped_1"
      pairs = names.each_with_index.map { |name, i| "\"#{name}\":#{i}" }.join(",")
      expected = "{#{pairs},\"#{a}\":1,\"#{b}\":{\"x\":[2]}}"
      write = lambda do
        ToJson.json do |j|
          names.each_with_index { |name, i| j.put name.to_sym, i }
          j.put_fields unnamed, [:a, a.to_sym], [:b, b.to_sym]
        end
      end
      fields = lambda do
        ToJson.json do |j|
          j.put_fields object, *names.map(&:to_sym)
          j.put_fields unnamed, a: a.to_sym, b: b.to_sym
        end
      end
      wrong = []
      check = -> { [write, fields].each { |way| (text = way.call) == expected or wrong << text } }
      4.times { check.call; GC.start }
      2.times { move.call; 3.times { check.call } }
      GC.stress = true
      3.times { check.call }
      GC.stress = false
      print wrong.empty? ? "right" : wrong.first
    RUBY
  end

  # Lists are compared by their Symbols' addresses.
  test "a compiled list is found again when its Symbols could have moved" do
    assert_equal "right 1 1", printed("#{MOVE}\n#{<<~'RUBY'}")
      sources = Array.new(8) { |i| "source #{i + 1}".to_sym }
      object = Class.new do
        def method_missing(name, *) = name.name[/\d/].to_i
        def respond_to_missing?(*) = true
      end.new
      write = lambda do
        ToJson.json do |j|
          j.put_fields object, sources.map.with_index { |source, i|
            [source, [:a, :b, :c, :d, :e, :f, :g, :h][i]]
          }
        end
      end
      4.times { write.call }
      plans = -> { ObjectSpace.each_object(ToJson::Part).count }
      compiled = plans.call
      move.call
      right = 4.times.all? { write.call == '{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8}' }
      print right ? "right" : "wrong", " ", compiled, " ", plans.call
    RUBY
  end

  test "Ractors keep dynamic Symbols of their own, and go" do
    assert_equal "right " * 6, printed(<<~'RUBY')
      def work
        200.times.all? { |i|
          name = "shared_#{i % 50}"
          ToJson.json { |j| j.put name.to_sym, i } == "{\"#{name}\":#{i}}"
        }
      end
      3.times {
        ractors = Array.new(2) { Ractor.new { work } }
        GC.start
        ractors.each { |ractor| print ractor.value ? "right " : "wrong " }
      }
    RUBY
  end

  # Addresses are given out again: a key must never be found by one whose Symbol has gone.
  test "Symbols at the addresses of collected ones get their own keys" do
    assert_equal "right", printed(<<~'RUBY')
      Item = Struct.new(:a, :b)
      ITEM = Item.new(1, 2)
      wrong = []
      60.times do |round|
        names = Array.new(100) { |i| "reused_#{round}_#{i}" }
        names.each_slice(2) do |a, b|
          2.times do # lists met so seldom are not compiled, and not marked
            text = ToJson.json { |j| j.put a.to_sym, 1; j.put b.to_sym, 2 }
            wrong << text unless text == "{\"#{a}\":1,\"#{b}\":2}"
            text = ToJson.json { |j| j.put_fields ITEM, [:a, a.to_sym], [:b, b.to_sym] }
            wrong << text unless text == "{\"#{a}\":1,\"#{b}\":2}"
          end
        end
        round % 3 == 0 && GC.respond_to?(:compact) ? GC.compact : GC.start
      end
      print wrong.empty? ? "right" : wrong.first(3)
    RUBY
  end

  test "of 5,000 Symbols made at run time at most 1,024 are kept, and all are written right" do
    assert_equal "right kept 1024 right", printed(<<~'RUBY')
      def all?(from, rounds)
        (from...from + 5000).all? { |i|
          name = "zz_client_#{i}"
          (1..rounds).all? do |n|
            text = "{\"#{name}\":#{n}}"
            ToJson.json { |j| j.put name.to_sym, n } == text &&
              ToJson.generate({ name.to_sym => n }) == text
          end
        }
      end
      kept = -> {
        [].fill(0, 0, 100_000) # what lies on the stack goes
        GC.start
        Symbol.all_symbols.count { |s| s.name.b.start_with?("zz_client_") }
      }
      print all?(0, 2) ? "right" : "wrong"
      count = kept.call
      # One or the other may stand on the stack.
      print (1024..1030).cover?(count) ? " kept 1024" : " kept #{count}"
      print all?(0, 1) && all?(5000, 2) && (1024..1030).cover?(kept.call) ? " right" : " wrong"
    RUBY
  end

  test "more lists of dynamic Symbols than are compiled are read right" do
    assert_equal "right", printed(<<~'RUBY')
      names = Array.new(40) { |i| "field_#{i}" }
      object = Struct.new(*names.map(&:to_sym)).new(*0...40)
      wrong = 5.times.any? {
        200.times.any? { |n|
          chosen = names.rotate(n % 40).first(2 + n / 40)
          text = ToJson.json { |j| j.put_fields object, *chosen.map(&:to_sym) }
          text != "{#{chosen.map { |name| "\"#{name}\":#{name[/\d+/]}" }.join(",")}}"
        }
      }
      print wrong ? "wrong" : "right"
    RUBY
  end

  # The table of keys is full, so that nothing but the compiled lists holds their Symbols.
  test "what compiled lists are made of is neither collected nor confused with what comes after" do
    assert_equal "right", printed(<<~'RUBY')
      1100.times { |i| ToJson.generate({ "filling_#{i}".to_sym => 1 }) }
      wrong = []
      check = lambda do |a, b|
        object = Struct.new(a.to_sym, b.to_sym).new(1, 2)
        4.times do
          text = ToJson.json { |j| j.put_fields object, a.to_sym, b.to_sym }
          wrong << text unless text == "{\"#{a}\":1,\"#{b}\":2}"
          text = ToJson.json do |j|
            j.put_fields [1], [:first, "#{a}_name".to_sym], [:size, "#{b}_name".to_sym]
          end
          wrong << text unless text == "{\"#{a}_name\":1,\"#{b}_name\":1}"
        end
      end
      6.times do |round|
        [10, 300][round % 2].times { |i| check.call("a#{round}_#{i}", "b#{round}_#{i}") }
        2.times { GC.respond_to?(:compact) ? GC.compact : GC.start }
        10.times { |i| check.call("a0_#{i}", "b0_#{i}") }
      end
      print wrong.empty? ? "right" : wrong.first(3)
    RUBY
  end

  # The table of keys grows, and moves, while a key of it waits for room; what it left is
  # overwritten.
  test "an IO that meets many new Symbols while a key is delivered" do
    assert_equal "right", printed(<<~'RUBY')
      class Sink
        attr_reader :text
        def initialize = (@text = +""; @size = 256)
        def write(bytes)
          @text << bytes
          return if @size > 4096 || !bytes.end_with?(",", "{") # then it is a key that waits
          eval "ToJson.generate({#{(0..@size).map { |i| "sink_#{i}: 1" }.join(",")}})"
          @size *= 2
          @filled = Array.new(20) { |i| "z" * (@size * 48 - 40 * i) }
        end
      end
      ToJson::Writer.sizes(1, 1)
      names = Array.new(12) { |i| "long_#{i}" * 20 }
      hash = eval("{#{names.map.with_index { |name, i| "#{name}: #{i}" }.join(",")}}")
      sink = Sink.new
      2.times { ToJson.generate(hash, into: sink) }
      due = "{#{names.map.with_index { |name, i| "\"#{name}\":#{i}" }.join(",")}}" * 2
      print sink.text == due ? "right" : sink.text
    RUBY
  end

  test "names in other encodings are read by put_fields call after call" do
    { "ISO-8859-1" => "caf\xE9", "Shift_JIS" => "\x83\x65",
      "BINARY" => "b\xFF" }.each do |encoding, bytes|
      source = bytes.dup.force_encoding(encoding).to_sym
      object = Class.new { define_method(source) { 1 } and define_method(:a) { 2 } }.new
      assert_equal ['{"x":1,"a":2}'], Array.new(6) {
        ToJson.json { |j| j.put_fields(object, { source => :x }, :a) }
      }.uniq
    end
  end
end
