# frozen_string_literal: true

require_relative "../test_helper"

# Objects nested in objects, which one native call writes.
class NestedTest < ToJsonTest
  Row = Struct.new(:a, :b, :c, :one)

  def declared(&) = Class.new(ToJson::Serializer, &)

  # What an Array of objects and one of Hashes give.
  def both(serializer, *objects)
    hashes = objects.map { |object| object.to_h { |name, value| [name, hash(value)] } }
    found = [objects, hashes].map { |given| serializer.json!(given) }
    assert_equal(*found)
    singly = objects.map { |object| serializer.json!(object) }
    assert_equal found.first, "[#{singly.join(",")}]"
    pretty = serializer.json!(objects, rules: ToJson::Rules.new(indent: " ", object_nl: "\n"))
    assert_equal JSON.parse(found.first), JSON.parse(pretty)
    found.first
  end

  def hash(value) = value.is_a?(Struct) ? value.to_h : value

  def calls(serializer) = serializer.explain[/(\d+) native call/, 1].to_i

  test "nested in nested in nested is one native call, and what follows stands outside" do
    serializer = declared do
      attribute :a
      nested(:n) do
        nested(:m) { nested(:l) { attribute :b } }
        attribute :c
      end
      attribute :b
    end
    assert_equal 1, calls(serializer)
    assert_equal '[{"a":1,"n":{"m":{"l":{"b":2}},"c":3},"b":2}]', both(serializer, Row.new(1, 2, 3))
  end

  test "conditions at each level, none of which is asked where an outer one does not hold" do
    asked = []
    test = ->(name) { ->(row) { (asked << name) && !row[name].nil? } }
    serializer = declared do
      nested(:n, if: test[:a]) do
        nested(:m, if: test[:b]) do
          attribute :c, if: test[:c]
          attribute(:d) { |row| asked << :d && row[:b] }
        end
        attribute(:e) { |row| asked << :e && row[:a] }
        nested(:always) { attribute(:f) { |row| asked << :f && row[:a] } }
      end
    end
    assert_equal 1, calls(serializer)
    { [1, 1, 1] => ['{"n":{"m":{"c":1,"d":1},"e":1,"always":{"f":1}}}', %i[a b c d e f]],
      [1, 1, nil] => ['{"n":{"m":{"d":1},"e":1,"always":{"f":1}}}', %i[a b c d e f]],
      [1, nil, 1] => ['{"n":{"e":1,"always":{"f":1}}}', %i[a b e f]],
      [nil, 1, 1] => ["{}", %i[a]] }.each do |values, (document, expected)|
      [Row.new(*values), Row.new(*values).to_h].each do |given|
        asked.clear
        assert_equal document, serializer.json!(given)
        assert_equal expected, asked
      end
    end
  end

  test "a has_one in nested: nil, an object, a Hash" do
    serializer = declared do
      nested(:n) do
        has_one(:one) { attributes :a, :b }
        attribute :c
      end
      attribute :a
    end
    assert_equal 1, calls(serializer)
    assert_equal '[{"n":{"one":null,"c":3},"a":1},{"n":{"one":{"a":4,"b":[5]},"c":3},"a":1}]',
                 both(serializer, Row.new(1, 2, 3), Row.new(1, 2, 3, Row.new(4, [5])))
  end

  test "defaults, conversions and lambdas in nested" do
    serializer = declared do
      nested(:n) do
        attribute :a, default: -> { 7 }
        attribute :b, as: ->(value) { value.to_s * 2 }
        nested(:m) { attribute :c, default: 0 }
      end
    end
    assert_equal '[{"n":{"a":7,"b":"22","m":{"c":0}}},{"n":{"a":1,"b":null,"m":{"c":3}}}]',
                 both(serializer, Row.new(nil, 2, nil), Row.new(1, nil, 3))
  end

  [[3, 8], [3, 9], [6, 8], [7, 7], [10, 12], [2, 25]].each do |objects, fields|
    test "#{objects} nested objects of #{fields} fields each" do
      serializer = declared do
        nested(:n) do
          objects.times do |number|
            nested(:"o#{number}") { fields.times { |field| attribute(:"f#{field}", source: :a) } }
          end
        end
        attribute :b
      end
      inside = Array.new(fields) { |field| ["f#{field}", 1] }.to_h
      expected = { "n" => Array.new(objects) { |number| ["o#{number}", inside] }.to_h, "b" => 2 }
      assert_equal [expected], JSON.parse(both(serializer, Row.new(1, 2)))
    end
  end

  test "a getter that raises has its path" do
    serializer = declared do
      nested(:n) { nested(:m) { attribute(:boom) { |row| raise "no" if row } } }
    end
    error = assert_raises(RuntimeError) { serializer.json!([Row.new(1)]) }
    assert_equal "$[0].n.m.boom", ToJson.location(error)
  end
end
