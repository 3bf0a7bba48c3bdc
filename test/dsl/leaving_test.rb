# frozen_string_literal: true

require "test_helper"
require "support/ways_out"

# break, next, return, throw and raise out of every kind of block: what is written then.
class LeavingTest < ToJsonTest
  # A jump that ends a block in good order keeps what was written and closes it.
  CLOSES = {
    "next in the block of put" =>
      ['{"k":{"a":1},"z":2}', ->(j) { j.put(:k) { j.put :a, 1; next; }; j.put :z, 2 }],
    "next in the block of put before anything is written" =>
      ['{"z":2}', ->(j) { j.put(:k) { next }; j.put :z, 2 }],
    "next in the block of an item" =>
      ["[1,3]", ->(j) { j.array([1, 2, 3]) { |x| next if x == 2; j.value x } }],
    "next in the block of an item after it wrote" =>
      ['[{"a":1,"b":1},{"a":2}]',
       ->(j) { j.array([1, 2]) { |x| j.put :a, x; next if x == 2; j.put :b, x } }],
    "break in the block of put" =>
      ['{"k":{"a":1},"z":2}', ->(j) { j.put(:k) { j.put :a, 1; break }; j.put :z, 2 }],
    "break in the block of put before anything is written" =>
      ['{"z":2}', ->(j) { j.put(:k) { break }; j.put :z, 2 }],
    "break in the block of put with a value" =>
      ['{"k":{"a":1},"z":2}', ->(j) { j.put(:k, 1) { |x| j.put :a, x; break }; j.put :z, 2 }],
    "break in the block of an item of put" =>
      ['{"k":[{"a":1},{"a":2}],"z":3}',
       ->(j) { j.put(:k, [1, 2, 3]) { |x| j.put :a, x; break if x == 2 }; j.put :z, 3 }],
    "break in the block of an item before it wrote" =>
      ['{"k":[1],"z":3}',
       ->(j) { j.put(:k, [1, 2, 3]) { |x| break if x == 2; j.value x }; j.put :z, 3 }],
    "break in the block of an Enumerable's item" =>
      ['{"k":[1,2]}',
       ->(j) { j.put(:k, (1..Float::INFINITY).lazy) { |x| j.value x; break if x == 2 } }],
    "break in the block of array" => ["[1]", ->(j) { j.array { j.value 1; break } }],
    "break in the block of array at an open object" =>
      ['[{"a":1}]', ->(j) { j.array { j.put :a, 1; break } }],
    "break in the block of value" =>
      ['[{"a":1},2]', ->(j) { j.array { j.value { j.put :a, 1; break }; j.value 2 } }],
    "break in the block of put_field" =>
      ['{"k":{"a":1},"z":2}',
       ->(j) { j.put_field({ k: 1 }, :k) { |x| j.put :a, x; break }; j.put :z, 2 }],
    "break out of a loop around put" =>
      ['{"k0":0,"k1":1}', ->(j) { 5.times { |n| break if n == 2; j.put :"k#{n}", n } }],
    "break of a loop inside the block of put" =>
      ['{"k":{"k0":0,"z":1}}',
       ->(j) { j.put(:k) { 5.times { |n| break if n == 1; j.put :"k#{n}", n }; j.put :z, 1 } }],
    "break closes what open began in the block" =>
      ['{"k":{"a":{"b":1}},"z":2}',
       ->(j) { j.put(:k) { j.open :a; j.put :b, 1; break }; j.put :z, 2 }],
    "break closes what open_array began in the block" =>
      ['{"k":[[1]],"z":2}',
       ->(j) { j.put(:k) { j.open_array; j.open_array; j.value 1; break }; j.put :z, 2 }],
    "break takes back what open began and nothing was written in" =>
      ['{"z":2}', ->(j) { j.put(:k) { j.open :a; j.open :b; break }; j.put :z, 2 }],
    "return of a lambda that is the block ends it like next" =>
      ['{"k":{"a":1},"z":2}', ->(j) { j.put(:k, &-> { j.put :a, 1; return }); j.put :z, 2 }],
    "break in a lambda that is the block ends it like next" =>
      ["[1,2,3]", ->(j) { j.array([1, 2, 3], &->(x) { j.value x; break }) }],
    "throw that is caught in the same block takes nothing back" =>
      ['{"k":{"a":1,"b":2}}',
       ->(j) { j.put(:k) { catch(:t) { j.put :a, 1; throw :t }; j.put :b, 2 } }],
    "raise that is rescued in the same block takes nothing back" =>
      ['{"k":{"a":1,"b":2}}',
       ->(j) do
         j.put(:k) { begin; j.put :a, 1; raise "x"; rescue StandardError; j.put :b, 2; end }
       end],
    "retry in a block writes what the block writes again" =>
      ['{"k":{"t1":1,"t2":2}}',
       ->(j) do
         n = 0; j.put(:k) do
           begin; j.put :"t#{n += 1}", n; raise "x" if n < 2; rescue StandardError; retry; end
         end
       end],
    "what ensure writes after break is kept" =>
      ['{"k":{"a":1,"e":2},"z":3}',
       ->(j) { j.put(:k) { begin; j.put :a, 1; break; ensure; j.put :e, 2; end }; j.put :z, 3 }]
  }.freeze

  CLOSES.each { |sentence, (expected, words)| test(sentence) { assert_writes(expected, &words) } }

  # An exception or throw that is caught within the document takes back the call that it left. Not
  # into an IO with tiny chunks, whose bytes are gone.
  TAKES_BACK = {
    "the block of put" => ['{"a":1,"z":2}', ->(j, leave) { j.put(:k) { j.put :b, 1; leave.call } }],
    "the block of put before anything is written" =>
      ['{"a":1,"z":2}', ->(j, leave) { j.put(:k) { leave.call } }],
    "the block of put with a value" =>
      ['{"a":1,"z":2}', ->(j, leave) { j.put(:k, 5) { |x| j.put :b, x; leave.call } }],
    "the block of an item" =>
      ['{"a":1,"z":2}',
       ->(j, leave) { j.put(:k, [1, 2, 3]) { |x| j.put :b, x; leave.call if x == 2 } }],
    "the block of put_field" =>
      ['{"a":1,"z":2}',
       ->(j, leave) { j.put_field({ k: [1, 2] }, :k) { |x| j.value x; leave.call if x == 2 } }],
    "the innermost of many blocks" =>
      ['{"a":1,"z":2}',
       ->(j, leave) do
         j.put(:k) do
           j.put(:l) { j.array([1]) { j.array { j.value { j.put :m, 1; leave.call } } } }
         end
       end],
    "a block with levels that open began" =>
      ['{"a":1,"z":2}',
       ->(j, leave) { j.put(:k) { j.open :l; j.open_array; j.value 1; leave.call } }],
    "the as_json of a value" =>
      ['{"a":1,"z":2}',
       ->(j, leave) do
         j.put :k, [1, { x: Class.new { define_method(:as_json) { |*| leave.call } }.new }]
       end],
    "the to_s of a key" =>
      ['{"a":1,"z":2}',
       ->(j, leave) { j.put :k, { Class.new { define_method(:to_s) { leave.call } }.new => 1 } }],
    "the each of a value" =>
      ['{"a":1,"z":2}', ->(j, leave) { j.put :k, Enumerator.new { |y| y << 1; leave.call } }],
    "the each of many with a block" =>
      ['{"a":1,"z":2}',
       ->(j, leave) { j.put(:k, Enumerator.new { |y| y << 1; leave.call }) { |x| j.value x } }],
    "a getter of put_fields" =>
      ['{"a":1,"z":2}',
       ->(j, leave) do
         j.put_fields Struct.new(:x) { define_method(:y) { leave.call } }.new(1), :x, :y
       end],
    "a condition" =>
      ['{"a":1,"z":2}',
       ->(j, leave) do
         n = 0; j.put_fields_if ->(_) { (n += 1) == 2 ? leave.call : true }, { x: 1, y: 2 }, :x, :y
       end],
    "a serializer in place" =>
      ['{"a":1,"z":2}',
       ->(j, leave) {
         j.put :k, Class.new(ToJson::Serializer) {
           define_method(:serialize) { put :x, 1; leave.call }
         }.new
       }],
    "a serializer in place within a serializer in place" => [
      '{"a":1,"z":2}',
      lambda do |j, leave|
        inner = Class.new(ToJson::Serializer) do
          define_method(:serialize) { put :x, 1; leave.call }
        end
        j.put :k, Class.new(ToJson::Serializer) {
          define_method(:serialize) { put :y, [inner.new] }
        }.new
      end
    ]
  }.freeze

  TAKES_BACK.each do |where, (expected, words)|
    test "raise out of #{where}, rescued in the document, takes the call back" do
      assert_writes(expected, sinks: false) do |j|
        j.put :a, 1
        assert_raises(IndexError) { words.call(j, -> { raise IndexError }) }
        j.put :z, 2
      end
    end

    test "throw out of #{where}, caught in the document, takes the call back" do
      assert_writes(expected, sinks: false) do |j|
        j.put :a, 1
        assert_equal :gift, catch(:t) { words.call(j, -> { throw :t, :gift }) }
        j.put :z, 2
      end
    end

    test "a rescue in the document works as well into an IO of usual chunks after #{where}" do
      io = StringIO.new
      ToJson.json(into: io) do |j|
        j.put :a, 1
        assert_raises(IndexError) { words.call(j, -> { raise IndexError }) }
        j.put :z, 2
      end
      assert_equal expected, io.string
    end

    test "raise out of #{where} that leaves the document passes through with its class and path" do
      assert_failure(IndexError) do |**out|
        ToJson.json(**out) { |j| j.put(:a, 1); words.call(j, -> { raise IndexError, "mine" }) }
      end
    end

    test "throw out of #{where} past json! gives no document" do
      [{}, { into: +"before" }].each do |out|
        assert_equal(:gone,
                     catch(:t) do
                       ToJson.json(**out) { |j| j.put :a, 1; words.call(j, -> { throw :t, :gone }) }
                     end)
        assert_equal "before", out[:into] if out[:into]
        assert_equal "[1]", ToJson.generate([1])
      end
    end
  end

  test "a call that was taken back leaves its slot free" do
    assert_writes('["none"]', sinks: false) do |j|
      j.array([1, 2]) { |x| j.value x; raise "no" if x == 2 }
    rescue RuntimeError
      j.array "none"
    end
    assert_writes('{"k":7}', sinks: false) do |j|
      j.put(:k) do
        j.value { j.put :a, 1; raise "no" }
      rescue RuntimeError
        j.value 7
      end
    end
  end

  test "an element that was taken back is not counted" do
    assert_writes('[{"a":1},{"a":3}]', sinks: false) do |j|
      j.array([1, 2, 3]) do |x|
        j.value { j.put :a, x; raise "no" if x == 2 }
      rescue RuntimeError
        nil
      end
    end
  end

  test "the first pair that was taken back takes its brace along" do
    assert_writes("{}", sinks: false) do |j|
      assert_raises(RuntimeError) { j.put(:k) { j.put :a, 1; raise "no" } }
    end
    assert_writes('[{"b":1}]', sinks: false) do |j|
      j.array([1]) do
        assert_raises(RuntimeError) { j.put(:a) { j.value 1; raise "no" } }; j.put :b, 1
      end
    end
  end

  test "StopIteration out of a block of put ends a loop around it and takes the call back" do
    assert_writes('{"k0":0,"z":1}', sinks: false) do |j|
      n = -1
      loop { n += 1; j.put(:"k#{n}") { j.value n; raise StopIteration if n == 1 } }
      j.put :z, 1
    end
  end

  test "what ensure writes while an exception leaves is taken back with the call" do
    assert_writes('{"z":1}', sinks: false) do |j|
      assert_raises(RuntimeError) { j.put(:k) { begin; raise "no"; ensure; j.put :e, 1; end } }
      j.put :z, 1
    end
  end

  test "break out of a block of a word gives its value to the call" do
    answers = []
    ToJson.json do |j|
      answers << j.put(:a) { break :put }
      answers << j.put(:b, [1]) { break :items }
      j.put(:c) { answers << j.array { break :array } }
      j.put(:d) { answers << j.value { break :value } }
    end
    assert_equal %i[put items array value], answers
  end
end
