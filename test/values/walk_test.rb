# frozen_string_literal: true

# Trees: what is walked without a level of the grammar (ext/to_json/values/tree.c), where that walk
# stops, and how the general way goes on from there.

require_relative "value_case"
require "open3"
require "set"

class WalkTest < ValueCase
  TINY = [1, 2, 3, 7, 16, 64, 300, 500, 4096].freeze

  # A value that the walk refuses: it is asked for its text.
  def speaking(text = "said", &act)
    object_with { define_method(:to_s) { act&.call; text } }
  end

  # Runs the block with Writers that begin with so many bytes and deliver chunks as small.
  def with_sizes(bytes, chunk = 64 * 1024)
    ToJson::Writer.sizes(bytes, chunk)
    yield
  ensure
    ToJson::Writer.sizes(4096, 64 * 1024)
  end

  # An object whose write collects what it is given.
  def collector
    sink = Object.new
    all = +""
    sink.define_singleton_method(:write) { |bytes| all << bytes; bytes.bytesize }
    sink.define_singleton_method(:all) { all }
    sink
  end

  # Each value is written as `text` has it, to a String and to a Sink, by Writers of every size in
  # TINY; then the block runs there.
  def assert_at_every_edge(values, text)
    TINY.each do |bytes|
      with_sizes(bytes, bytes) do
        values.each { |value| assert_equal(text.(value), ToJson.generate(value), bytes) }
        values.each do |value|
          assert_equal(text.(value),
                       collector.tap { |sink| ToJson.generate(value, into: sink) }.all, bytes)
        end
        yield if block_given?
      end
    end
  end

  # [[path of the last element], tree] of so many containers in each other, of the kinds in turn,
  # each with two elements before.
  def nested(kinds, depth, last)
    (0...depth).reverse_each.inject(["", last]) do |(path, inner), level|
      if kinds[level % kinds.size] == :array then ["[2]#{path}", [1, "x", inner]]
      else [".in#{path}", { "a" => 1, b: nil, "in" => inner }]
      end
    end
  end

  test "Strings in a row are written as each is alone, whatever stands among them, at every edge " \
       "of the buffer" do
    latin, unknown, broken = "h\u00e9".encode("ISO-8859-1"),
                             (+"\u00e9\"x").force_encoding("BINARY").force_encoding("UTF-8"),
                             "a\xFFb"
    own = Class.new(String)
    strings = [0, 1, 3, 4, 7, 8, 15, 16, 17, 31, 32, 33, 36, 47, 48, 63, 64, 65,
               200].flat_map do |size|
      plain = "x" * size
      [plain,
       *[0, size / 2, size - 1].uniq.flat_map do |at|
         ["\"", "\\", "\u001f", "\n"].map do |c|
           at.negative? || size.zero? ? c : plain.dup.tap { |text| text[at] = c }
         end
       end]
    end
    rows = [strings, strings.reverse, strings.flat_map { |text| [text, unknown.dup, 1, text] },
            ["a", latin, "b", own.new("own"), :sym, "c", nil, "d", ["e"], "f"]]
    text = lambda do |v|
      case v
      when Array then "[#{v.map(&text).join(",")}]"
      when String then JSON.generate(v.encode("UTF-8"))
      else JSON.generate(v)
      end
    end
    assert_at_every_edge(rows, text) do
      assert_equal("$[2]",
                   assert_raises(ToJson::EncodingError) do
                     ToJson.generate(["a", "b", broken, "c"])
                   end.path)
      assert_equal('["a","b","a\ufffdb","c"]'.gsub("\\ufffd", "\u{fffd}"),
                   ToJson.generate(["a", "b", broken, "c"], rules: { invalid: :replace }))
    end
  end

  test "short lists of Floats are written as their elements are, whatever else stands around " \
       "them, at every edge of the buffer" do
    some = [0.0, -0.0, 1.0, -65.613616999999977, 43.420273, 1e300, 5e-324, 1e15]
    lists = (0..6).flat_map do |size|
      [Array.new(size) { |i| some[i % 8] }, Array.new(size) { |i| some[-1 - i] },
       Array.new(size) { |i| i == size - 1 ? nil : 1.5 }]
    end
    trees = [lists, lists.map { |list| { "at" => list, "k" * 90 => list } },
             [[lists] * 3, some, lists.first(9)]]
    text = lambda do |v|
      case v
      when Array then "[#{v.map(&text).join(",")}]"
      when Hash then "{#{v.map { |key, value| "#{key.inspect}:#{text.(value)}" }.join(",")}}"
      else v.nil? ? "null" : v.to_s
      end
    end
    assert_at_every_edge(trees, text)
    assert_raises(ToJson::NestingError) { ToJson.generate([[[1.5, 2.5]]], max_depth: 2) }
  end

  test "Hashes of every size and past are written as Ruby walks them" do
    [0, 1, 2, 7, 8, 9, 16, 17, 100, 3000].each do |size|
      pasts = [->(h) { h }, ->(h) { h.shift }, ->(h) { h.delete(h.keys.last) }, ->(h) {
        h.delete(h.keys[h.size / 2])
      }, ->(h) { h.shift; h["new"] = 1 },
               ->(h) { h.keys.each_slice(3) { |key, *| h.delete(key) } },
               ->(h) { h.keys.drop(2).each { |key| h.delete(key) } }, ->(h) { h.clear; h["k"] = 1 },
               ->(h) { h.freeze }, ->(h) { h.default = 3 }, ->(h) { h.rehash }]
      pasts.each_with_index do |past, number|
        hash = size.times.to_h { |i| ["key #{i}", i] }
        past.call(hash)
        expected = "{#{hash.map { |key, value| "\"#{key}\":#{value}" }.join(",")}}"
        assert_equal(expected, ToJson.generate(hash), "#{size} pairs, past #{number}")
        assert_equal("[#{expected},#{expected}]", ToJson.generate([hash, hash]))
      end
    end
  end

  [%i[array], %i[hash], %i[array hash], %i[hash hash array]].each do |kinds|
    test "what takes Ruby #{kinds.join(" in ")} deep is written in its place, and what stands " \
         "around it too" do
      (1..99).each do |depth|
        _, tree = nested(kinds, depth, speaking)
        _, plain = nested(kinds, depth, "said")
        twice = [plain, { "first" => tree, "second" => [tree, plain] }]
        [tree, [tree, 1], twice].each do |value|
          text = ToJson.generate(value, max_depth: 110)
          assert_equal(JSON.generate(value == tree ? plain : JSON.parse(text, max_nesting: false),
                                     max_nesting: false), text)
          assert_equal(text,
                       collector.tap do |sink|
                         ToJson.generate(value, max_depth: 110, into: sink)
                       end.all)
        end
      end
    end

    test "an error #{kinds.join(" in ")} deep has its path" do
      [1, 2, 5, 47, 48, 49, 50, 96, 97].each do |depth|
        path, tree = nested(kinds, depth, Float::NAN)
        error = assert_raises(ToJson::NumberError) { ToJson.generate(tree) }
        long = path.scan(/\[2\]|\.in/)
        assert_equal("$#{path}", error.path) if long.size <= 12
        assert(error.path.end_with?(long.last), error.path)
      end
    end
  end

  test "several values that take Ruby, in every place of a row" do
    row = { "a" => 1, "b" => [1, { "c" => 2.5 }], "d" => "text", "e" => { "f" => nil, "g" => [] } }
    places = [%w[a], %w[d], ["b", 0], ["b", 1, "c"], %w[e f], %w[e g]]
    (0..places.size).each do |count|
      places.combination(count) do |chosen|
        tree, plain = [speaking, "said"].map do |value|
          Marshal.load(Marshal.dump(row)).tap do |copy|
            chosen.each { |*way, last| (way.empty? ? copy : copy.dig(*way))[last] = value }
          end
        end
        assert_equal(JSON.generate([plain] * 3), ToJson.generate([tree] * 3))
      end
    end
  end

  test "the Hashes around a value that runs Ruby are guarded as rb_hash_foreach guards them" do
    inner = { "x" => 1 }
    outer = { "first" => 1, "inner" => inner, "last" => 2 }
    [inner, outer].each do |changed|
      inner["y"] = speaking { changed["new"] = 1 }
      assert_failure(RuntimeError, path: "$[0].inner.y",
                     message: "can't add a new key into hash during iteration") do |**out|
        ToJson.generate([outer], **out)
      end
      refute(changed.key?("new"))
    end
    inner["y"] = 3
    outer["new"] = 1
    assert_equal('{"first":1,"inner":{"x":1,"y":3},"last":2,"new":1}', ToJson.generate(outer))
  end

  test "a container that a value changes further down goes on with what is there" do
    list = [1, [2, nil, 3], 4]
    list[1][1] = speaking { list.clear; list.compact; GC.start }
    assert_equal('[1,[2,"said",3]]', ToJson.generate(list))
  end

  test "keys met again are written alike, whatever they hold" do
    keys = ["a", "é", "", "quote\"", "line\n", "<&>", "\u2028", "k" * 31, "k" * 32, "k" * 33,
            "k" * 95, "k" * 96, "k" * 500, :sym, :"sy\"m", 1, nil, 2.5]
    keys.concat(Array.new(400) { |i| "many #{i}" })
    rows = Array.new(3) { |i| keys.to_h { |key| [key, i] } }
    [{}, { html_safe: true }].each do |options|
      expected = rows.map do |row|
        "{#{row.map { |key, value| "#{ToJson.generate(key.to_s, **options)}:#{value}" }.join(",")}}"
      end
      assert_equal("[#{expected.join(",")}]", ToJson.generate(rows, **options))
    end
  end

  test "a key that may change is read anew" do
    key = +"a"
    row = {}.compare_by_identity
    row[key] = 1
    row[:next] = speaking { key.replace("changed") }
    assert_equal('[{"a":1,"next":"said"},{"changed":1,"next":"said"}]', ToJson.generate([row, row]))
  end

  test "a key that was taken back is written anew" do
    serializer = Class.new(ToJson::Serializer) do
      def serialize(bad)
        put :kept, { "early" => 1 }
        begin
          put :gone, [{ "early" => 1, "late" => 2 }, bad]
        rescue ToJson::Error
          put :sorry, "it was not to be, it was not to be"
        end
        put :next, [{ "late" => 3, "early" => 4 }, { "late" => 5 }]
      end
    end
    assert_equal('{"kept":{"early":1},"sorry":"it was not to be, it was not to ' \
                 'be","next":[{"late":3,"early":4},{"late":5}]}',
                 serializer.json!(Float::NAN))
  end

  test "Integers of few digits, of either sign" do
    numbers = (-1100..11_000).to_a
    assert_equal("[#{numbers.join(",")}]", ToJson.generate(numbers))
    assert_equal("{#{numbers.map { |number| "\"#{number}\":#{number}" }.join(",")}}",
                 ToJson.generate(numbers.to_h { |number| [number.to_s, number] }))
  end

  test "of keys that come once few are kept" do
    alive = lambda do
      GC.start
      ObjectSpace.each_object(String).count do |text|
        text.encoding == Encoding::UTF_8 && text.valid_encoding? && text.start_with?("once only ")
      end
    end
    20_000.times { |i| ToJson.generate({ "once only #{i}".freeze => i }) }
    assert_operator(alive.call, :<=, 256 + 20)
  end

  test "a key is written as the Rules of its document have it" do
    row = { "a<b" => 1 }
    assert_equal(['{"a<b":1}', '{"a\\u003cb":1}', '{"a<b":1}'],
                 [{}, { html_safe: true }, {}].map { |options| ToJson.generate(row, **options) })
  end

  test "keys live as long as the document knows them" do
    rows = Array.new(50) do |i|
      {
        "own #{i}" => speaking("r#{i}") do
          rows[i - 1].clear if i > 0; GC.start if i % 10 == 0; 50.times { |n| "own #{n + i}".dup }
        end
      }
    end
    assert_equal(Array.new(50) { |i| { "own #{i}" => "r#{i}" } }, JSON.parse(ToJson.generate(rows)))
  end

  test "brackets that close after a String at the end of the room" do
    (0..130).each do |size|
      tree = 45.times.inject("s" * size) { |inner, i| i.even? ? [inner] : { "k" => inner } }
      expected = JSON.generate(tree)
      [300, 320, 340, 400, 600].each do |bytes|
        with_sizes(bytes) { assert_equal(expected, ToJson.generate(tree)) }
      end
    end
  end

  test "any buffer and any chunk gives the same document" do
    tree = { "rows" =>
               Array
                 .new(30) do |i|
                   { "id" => i, :name => "n" * i, "é#{i}" => [i * 0.5, nil, "\n" * i],
                     "at" => Time.at(i).utc, "k" * (i * 4) => {} }
                 end,
             "said" => [speaking, { "deep" => [[[[speaking]]]] }], "ints" => (0..99).to_a }
    expected = ToJson.generate(tree)
    assert_equal(30, JSON.parse(expected)["rows"].size)
    TINY.each do |bytes|
      TINY.each do |chunk|
        with_sizes(bytes, chunk) do
          assert_equal(expected, ToJson.generate(tree), "#{bytes} bytes")
          assert_equal(expected, collector.tap { |sink| ToJson.generate(tree, into: sink) }.all,
                       "#{bytes} bytes, chunks of #{chunk}")
        end
      end
    end
  end

  test "an Array that ends where the room does" do
    (0..700).step(3) do |size|
      tree = [["s" * size], { "k" => 1, "s" * size => [] }, ["s" * size, nil, {}]]
      expected = JSON.generate(tree)
      [[16, 16], [500, 500]].each do |bytes, chunk|
        with_sizes(bytes, chunk) do
          assert_equal(expected, collector.tap { |sink| ToJson.generate(tree, into: sink) }.all)
        end
      end
    end
  end

  test "an Array that its Sink shortens ends there or with null" do
    with_sizes(64, 64) do
      list = Array.new(200) { |i| "text #{i}" }
      all = +""
      sink = Object.new
      sink.define_singleton_method(:write) { |bytes| list.pop(40); all << bytes; bytes.bytesize }
      ToJson.generate(list, into: sink)
      texts = JSON.parse(all)
      assert_operator(texts.size, :<, 200)
      assert_equal(Array.new(texts.compact.size) { |i| "text #{i}" }, texts.compact)
      assert_operator(texts.count(nil), :<=, 1)
    end
  end

  test "long containers, flat and deep, are interrupted and go on" do
    flat = (0...50_000).to_h { |i| [i.to_s, i] }
    rows = Array.new(5_000) { |i| { "id" => i, "tags" => ["a", "b", { "x" => i }] } }
    tree = { "flat" => flat, "rows" => rows, "list" => (0...100_000).to_a }
    ticks = 0
    ticker = Thread.new { loop { ticks += 1; sleep 0.0005 } }
    before = ticks
    documents = 0
    while documents < 20 || (ticks == before && documents < 500) # the machine may be busy
      assert_equal(JSON.generate(tree).hash, ToJson.generate(tree).hash)
      documents += 1
    end
    assert_operator(ticks, :>, before)
  ensure
    ticker&.kill
  end

  # Ruby's own Rational is asked for the nanoseconds of such a Time.
  test "a Time with a fraction of a nanosecond may change the list that it stands in" do
    script = <<~'RUBY'
      $list = nil
      shrinks = Module.new do
        %i[* / + - <=> == quo div divmod modulo floor truncate to_i to_int].each do |name|
          define_method(name) do |*others|
            $list&.clear.tap { GC.start }
            super(*others)
          end
        end
      end
      Rational.prepend(shrinks)
      list = [Time.at(Rational(1, 3)).utc] + Array.new(3_000) { |i| "text #{i}" }
      $list = list
      puts ToJson.generate(list)
      hash = { at: Time.at(Rational(1, 3)).utc, **(0...3_000).to_h { |i| [:"k#{i}", "text"] } }
      $list = nil
      puts ToJson.generate(hash).bytesize
    RUBY
    out,
    status = Open3.capture2e(*PlainRuby.start, "-I#{Project::ROOT}/lib", "-rto_json", "-e", script)
    assert status.success?, out
    assert_equal '["1970-01-01T00:00:00.333Z"]', out.lines(chomp: true).first
  end

  test "a Time too far away is told with its place, in UTC and elsewhere" do
    [Time.at(2**70).utc, Time.at(2**70)].each do |time|
      error = assert_raises(ArgumentError, RangeError) { ToJson.generate({ a: [1, { b: time }] }) }
      assert_equal "$.a[1].b", ToJson.location(error)
    end
  end
end
