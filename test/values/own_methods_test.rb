# frozen_string_literal: true

# Objects with methods of their own: which counts, in which order, how it is called, what it may
# give.

require_relative "value_case"

class OwnMethodsTest < ValueCase
  # In the order of docs/values.md: [method, what it gives here, the JSON].
  OWN = [
    [:as_json, { from: "as_json" }, '{"from":"as_json"}'],
    [:to_json, '{"from": "to_json"}', '{"from": "to_json"}'],
    [:to_hash, { from: "to_hash" }, '{"from":"to_hash"}'],
    [:to_h, { from: "to_h" }, '{"from":"to_h"}'], [:to_s, "to_s", '"to_s"']
  ].freeze

  OWN.each do |name, result, json|
    writes("an object with its own #{name} is that", "[#{json}]") { [object_with(name => result)] }
  end

  OWN.combination(2) do |(first, result, json), (second, other, _)|
    writes("#{first} goes before #{second}", json) { object_with(first => result, second => other) }
    writes("an inherited #{first} goes before an own #{second}", json) do
      Class.new(object_with(first => result).class) { define_method(second) { |*| other } }.new
    end
    writes("#{first} of a singleton goes before #{second} of the class", json) do
      object_with(second => other).tap do |object|
        object.define_singleton_method(first) { |*| result }
      end
    end
  end

  writes("all six at once: to_ary makes it many, which goes before", "[1]") do
    object_with(**OWN.to_h { |name, result, _| [name, result] }, to_ary: [1])
  end

  OWN.each do |name, result, json|
    writes("#{name} from a module counts", json) do
      object_with { include Module.new { define_method(name) { |*| result } } }
    end
    writes("#{name} of a singleton counts", json) do
      Object.new.tap { |object| object.define_singleton_method(name) { |*| result } }
    end
    writes("#{name} of an extended module counts", json) do
      Object.new.extend(Module.new { define_method(name) { |*| result } })
    end
    writes("#{name} of a prepended module counts", json) do
      object_with { prepend Module.new { define_method(name) { |*| result } } }
    end
    writes("#{name} by method_missing counts", json) do
      object_with do
        define_method(:method_missing) { |called, *| called == name ? result : super() }
        define_method(:respond_to_missing?) do |called, all = false|
          called == name || super(called, all)
        end
      # Object's own to_s, json's to_json
      end.tap { |object| object.class.undef_method(name) if object.class.method_defined?(name) }
    end
    refuses("a private #{name} does not count", ToJson::UnsupportedTypeError, path: "$.a") do
      { a: object_with(name => result) { private name } }
    end
    refuses("a protected #{name} does not count", ToJson::UnsupportedTypeError, path: "$.a") do
      { a: object_with(name => result) { protected name } }
    end
    writes("#{name} that requires an argument gets an empty Hash", json) do
      object_with do
        define_method(name) { |given| given == {} ? result : raise("got #{given.inspect}") }
      end
    end
    writes("#{name} that requires one of several arguments gets an empty Hash", json) do
      object_with do
        define_method(name) do |given, *rest|
          given == {} && rest.empty? ? result : raise("got #{given.inspect}")
        end
      end
    end
    writes("#{name} that takes arguments gets none", json) do
      object_with do
        define_method(name) do |*given, **keywords|
          given.empty? && keywords.empty? ? result : raise("got #{given.inspect}")
        end
      end
    end
    writes("#{name} with a default argument gets none", json) do
      object_with { define_method(name) { |given = :none| given == :none ? result : raise } }
    end
    writes("#{name} with an optional keyword gets none", json) do
      object_with { define_method(name) { |given: :none| given == :none ? result : raise } }
    end
  end

  writes("as_json may give anything",
         '[null,1,"s",[],{"a":"1970-01-01T00:00:00.000Z"},"nested"]') do
    [nil, 1, "s", [], { a: Time.at(0).utc }, object_with(to_s: "nested")].map do |result|
      object_with(as_json: result)
    end
  end
  writes("method_missing that answers nil to everything says nothing", '"text"') do
    object_with(to_s: "text") { def method_missing(*) = nil; def respond_to_missing?(*) = true }
  end
  writes("as_json that gives itself says nothing, the next one counts", '"text"') do
    object_with(to_s: "text") { def as_json(*) = self }
  end
  refuses("as_json that gives itself, and nothing else, raises", ToJson::UnsupportedTypeError) do
    object_with { def as_json(*) = self }
  end
  refuses("as_json that gives another of its kind for ever ends", ToJson::NestingError) do
    object_with { def as_json(*) = self.class.new }
  end
  writes("to_s of a Symbol-like object is a string", '"a\"b"') { object_with(to_s: "a\"b") }
  writes("to_h that gives a subclass of Hash", '{"a":1}') do
    object_with(to_h: Class.new(Hash)[a: 1])
  end
  writes("to_json that gives white space around its text is kept as it is", "[ 1\n]") do
    [object_with(to_json: " 1\n")]
  end

  # [method, what it gives instead, words of the error]
  [[:to_json, nil, "NilClass instead of a String of JSON"],
   [:to_json, { a: 1 }, "Hash instead of a String of JSON"],
   [:to_hash, [1], "Array instead of a Hash"], [:to_h, nil, "NilClass instead of a Hash"],
   [:to_s, nil, "NilClass instead of a String"],
   [:to_s, :symbol, "Symbol instead of a String"]].each do |name, result, words|
    refuses("#{name} that gives #{result.inspect} raises", ToJson::UnsupportedTypeError,
            path: "$.a[1]", message: words) do
      { a: [1, object_with(name => result)] }
    end
  end

  ["", " ", "{", "[1,]", "nul", "01", "'a'", "1 2", "\"\xff\"", "{\"a\":1}}", "NaN"].each do |text|
    refuses("a to_json that gives #{text.inspect} raises with path and offset",
            ToJson::FragmentError, path: "$.a",
            message: /what to_json gave for .* is not valid JSON: .* at offset \d+/) do
              { a: object_with(to_json: text) }
            end
  end

  test "an as_json that needs two arguments raises Ruby's own error, with the path" do
    error = assert_raises(ArgumentError) do
      ToJson.generate([object_with { def as_json(one, two) = [one, two] }])
    end
    assert_equal "$[0]", ToJson.location(error)
  end

  test "an exception of an own method passes with its class, and the path where it happened" do
    OWN.each do |name, _, _|
      object = object_with { define_method(name) { |*| raise IOError, "disk" } }
      error = assert_failure(IOError, path: "$.users[1].name", message: "disk") do |**out|
        ToJson.generate({ users: [0, { name: object }] }, **out)
      end
      # Ruby >= 3.2
      if error.respond_to?(:detailed_message)
        assert_includes error.detailed_message, "$.users[1].name"
      end
    end
  end

  test "a throw out of an own method leaves, and the next document is right" do
    object = object_with { def as_json(*) = throw(:done, 7) }
    assert_equal 7, catch(:done) { ToJson.generate([1, { a: object }]) }
    assert_equal "[1]", ToJson.generate([1])
  end

  test "an own method may write another document" do
    inner = object_with { def as_json(*) = { inner: ToJson.generate([1, { a: "b" }]) } }
    assert_document('[{"inner":"[1,{\"a\":\"b\"}]"}]') { |**out| ToJson.generate([inner], **out) }
  end

  test "what an own method allocates may be collected while it is written" do
    object = object_with { def as_json(*) = Array.new(50) { |n| "text number #{n}" * 3 } }
    expected = ToJson.generate(Array.new(50) { |n| "text number #{n}" * 3 })
    churn = object_with { def to_s = (GC.start; "after") }
    assert_equal "[#{expected},\"after\",#{expected}]", ToJson.generate([object, churn, object])
  end

  test "methods added to Object by somebody else count for nobody" do
    with_patched([Object], :to_h, { everybodys: 1 }) do
      assert_raises(ToJson::UnsupportedTypeError) { ToJson.generate(Object.new) }
      assert_equal '"mine"', ToJson.generate(object_with(to_s: "mine"))
      assert_equal '{"mine":1}', ToJson.generate(object_with(to_h: { mine: 1 }))
    end
  end

  test "methods added to Kernel and to modules of json count for nobody" do
    require "json"
    [Kernel, Object.instance_method(:to_json).owner].each do |owner|
      with_patched([owner], :to_hash, { everybodys: 1 }) do
        assert_raises(ToJson::UnsupportedTypeError, owner.name) { ToJson.generate(Object.new) }
        assert_equal '{"mine":1}', ToJson.generate(object_with(to_hash: { mine: 1 }))
      end
    end
  end

  test "methods patched into Array, Hash, String and other core classes count for no exact one" do
    with_patched([Array, Hash, String, Symbol, Integer, Float, NilClass], :as_json, "patched") do
      assert_equal '[{"a":"b"},1,1.5,null,"c"]', ToJson.generate([{ a: "b" }, 1, 1.5, nil, :c])
    end
  end
end
