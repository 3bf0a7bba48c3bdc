# frozen_string_literal: true

require "test_helper"
require "support/ways_out"

# ToJson::Serialize, included: in plain objects, Structs, concerns that compose.
class ModuleFormTest < ToJsonTest
  class Person
    include ToJson::Serialize
    attr_reader :name, :friends

    def initialize(name, friends = []) = (@name, @friends = name, friends)

    def serialize(greeting = "Hi", loud: false)
      put :name, name
      put :greeting, loud ? greeting.upcase : greeting
      put :friends, friends do |friend|
        put :name, friend.name
      end
    end
  end
  FRED = Person.new("Fred", [Person.new("Ann")])
  JSON_OF_FRED = '{"name":"Fred","greeting":"Hi","friends":[{"name":"Ann"}]}'

  test "an object that includes Serialize writes itself" do
    assert_document(JSON_OF_FRED) { |**out| FRED.json!(**out) }
    assert_document("[#{JSON_OF_FRED}]") { |**out| ToJson.generate([FRED], **out) }
    assert_equal JSON_OF_FRED, FRED.to_json
    assert_equal FRED.to_h, FRED.as_json
    assert_equal [{ "name" => "Ann" }], FRED.to_h["friends"]
  end

  test "json! gives its arguments and keywords to serialize" do
    assert_document('{"name":"Ann","greeting":"YO","friends":[]}') do |**out|
      Person.new("Ann").json!("yo", loud: true, **out)
    end
  end

  test "initialize stays the object's own; the class's json! makes the object without arguments" do
    type = Class.new do
      include ToJson::Serialize; def initialize = @made = true; def serialize(x = 0) = put(
        made: @made, x: x
      )
    end
    assert_equal '{"made":true,"x":5}', type.json!(5)
    assert_equal '{"made":true,"x":5}', type.encode!(5).to_json
    assert_raises(ArgumentError) { Person.json! }
  end

  test "the state is one hidden instance variable, gone from what is listed" do
    person = Person.new("Fred")
    before = [person.instance_variables, person.inspect]
    person.json!
    person.encode!
    assert_equal before.first, person.instance_variables
    refute_match(/to_json/, person.inspect)
  end

  test "encode! keeps the document" do
    person = Person.new("Fred")
    assert_same person, person.encode!
    kept = person.to_json
    person.instance_variable_set(:@name, "Ann")
    assert_equal kept, person.to_json
    assert_includes person.json!, "Ann"
  end

  test "a frozen object raises an error that tells the ways round" do
    error = assert_failure(ToJson::Error,
                           message:
                             "Use dup.json!, a ToJson::Serializer, or ToJson.json { |j| ... " \
                             "}.") do |**out|
      Person.new("Fred").freeze.json!(**out)
    end
    assert_includes error.message, "a frozen ModuleFormTest::Person cannot serialize"
    assert_failure(ToJson::Error, message: "frozen") do |**out|
      ToJson.generate([1, Person.new("Fred").freeze], **out)
    end
    assert_equal JSON_OF_FRED, FRED.dup.freeze.dup.json!
  end

  test "a frozen object with encode! raises the same" do
    assert_raises(ToJson::Error) { Person.new("Fred").freeze.encode! }
  end

  test "a dup of an object that is written is independent" do
    person = Person.new("Fred")
    person.encode!
    copy = person.dup
    copy.instance_variable_set(:@name, "Ann")
    assert_includes copy.json!, "Ann"
    assert_includes person.json!, "Fred"
  end

  Point = Struct.new(:x, :y) do
    include ToJson::Serialize
    def serialize = put_fields(self, :x, :y, [:sum, :total])
    def sum = x + y
  end

  test "a Struct that includes Serialize is a serializer, also as a value" do
    assert_document('{"x":1,"y":2,"total":3}') { |**out| Point.new(1, 2).json!(**out) }
    assert_document('{"p":[{"x":1,"y":2,"total":3}]}') do |**out|
      ToJson.json(**out) { |j| j.put :p, [Point.new(1, 2)] }
    end
  end

  test "an Array, a Hash and a String that include Serialize are serializers, also as values" do
    [Array, Hash, String].each do |parent|
      type = Class.new(parent) { include ToJson::Serialize; def serialize = put(:size, size) }
      assert_document('{"size":0}') { |**out| type.new.json!(**out) }
      assert_document('[{"size":0}]') { |**out| ToJson.generate([type.new], **out) }
    end
  end

  module Timestamps
    include ToJson::Serialize

    def serialize(*)
      super
      put :created, created
    end
  end

  module Identified
    include ToJson::Serialize

    def serialize(*)
      put :id, id
      super
    end
  end

  module Both
    include Timestamps
    include Identified
  end

  class Base
    include ToJson::Serialize
    attr_reader :id, :created

    def initialize(id, created) = (@id, @created = id, created)
    def serialize(*) = put(:base, true)
  end

  test "concerns that include Serialize compose by super" do
    document = '{"id":1,"base":true,"created":"now"}'
    one_by_one = Class.new(Base) { include Timestamps; include Identified }
    at_once = Class.new(Base) { include Both }
    [one_by_one, at_once].each do |type|
      assert_document(document) { |**out| type.new(1, "now").json!(**out) }
    end
  end

  test "a class that includes a concern has the class methods" do
    type = Class.new { include Both; def serialize = put(:x, 1) }
    assert_equal '{"x":1}', type.json!
    assert_equal :unix, Class.new { include Both; rules(time: :unix) }.rules.to_h[:time]
  end

  test "Serialize, or a concern that includes it, may be prepended" do
    plain = Class.new { prepend ToJson::Serialize; def serialize = put(:x, 1) }
    assert_equal ['{"x":1}'] * 2, [plain.json!, plain.new.json!]
    concern = Module.new { include ToJson::Serialize }
    type = Class.new { prepend concern; def serialize = put(:x, 2) }
    assert_equal ['{"x":2}'] * 2, [type.json!, type.new.json!]
  end

  test "a concern with helpers that write" do
    concern = Module.new { include ToJson::Serialize; def name_pair = put(:name, name) }
    type = Class.new(Struct.new(:name)) do
      include concern; def serialize = (name_pair; put(:more) { name_pair })
    end
    assert_document('{"name":"F","more":{"name":"F"}}') { |**out| type.new("F").json!(**out) }
  end

  test "one object extended with Serialize" do
    object = Struct.new(:x).new(1)
    object.extend(Module.new { include ToJson::Serialize; def serialize = put(:x, x) })
    assert_document('{"x":1}') { |**out| object.json!(**out) }
    assert_document('[{"x":1}]') { |**out| ToJson.generate([object], **out) }
  end

  test "json! with a block writes what the block writes, self unchanged" do
    person = Person.new("Fred")
    assert_document('{"only":"Fred"}') do |**out|
      person.instance_eval { json!(**out) { put :only, name } }
    end
    assert_document('{"a":[1,2]}') do |**out|
      person.json!(1, k: 2, **out) { |a, k:| person.put :a, [a, k] }
    end
  end

  class Nested
    include ToJson::Serialize

    def document = json! { put :a, 1; put :inner, summary; put :z, 9 }
    def summary = json! { put :s, 2 }
    def waiting(n, queue) = json! { put :n, n; queue.pop; put :again, n }
  end

  # The words of the inner block reached the outer document.
  test "a block of json! inside another one of the same object" do
    serializer = Class.new(ToJson::Serializer) do
      def document = json! { put :a, 1; put :inner, summary; put :z, 9 }
      def summary = json! { put :s, 2 }
    end
    [Nested, serializer].each do |type|
      object = type.new
      2.times { assert_equal '{"a":1,"inner":"{\"s\":2}","z":9}', object.document }
      inner = -> { object.json! { object.put :y, 1 } }
      assert_equal '{"x":"{\"y\":1}"}', object.json! { object.put :x, inner.call }
    end
  end

  # Both blocks wrote into one of the documents, and the other one was empty.
  test "a block of json! of an object that writes in another thread raises an error" do
    object, queue = Nested.new, Queue.new
    thread = Thread.new { object.waiting(1, queue) }
    Thread.pass until queue.num_waiting == 1
    error = assert_raises(ToJson::Error) { object.summary }
    assert_equal "ModuleFormTest::Nested is writing a document in another thread, and cannot " \
                 "write two. Give each thread an object of its own.", error.message
    queue << 1
    assert_equal ['{"n":1,"again":1}', '{"s":2}'], [thread.value, object.summary]
  end

  # The other document has no object of its own, so its thread was not known.
  test "a block of json! of an object that is written in another thread as a value" do
    queue = Queue.new
    type = Class.new do
      include ToJson::Serialize
      define_method(:serialize) { put :a, 1; queue.pop; put :b, 2 }
      def block = json! { put :c, 3 }
    end
    object = type.new
    thread = Thread.new { ToJson.generate([object]) }
    Thread.pass until queue.num_waiting == 1
    assert_raises(ToJson::Error) { object.block }
    queue << 1
    assert_equal ['[{"a":1,"b":2}]', '{"c":3}'], [thread.value, object.block]
  end

  test "a block of json! after a document of a dead thread, or of a Fiber that was left" do
    object = Nested.new
    Fiber.new { object.json! { object.put :a, 1; Fiber.yield } }.resume
    2.times { assert_equal '{"s":2}', object.summary }
    queue = Queue.new
    other = Nested.new
    thread = Thread.new { other.waiting(1, queue) }
    Thread.pass until queue.num_waiting == 1
    if Process.respond_to?(:fork)
      reader, writer = IO.pipe
      child = fork { writer.write(other.summary, other.summary); writer.close; exit! }
      writer.close
      Process.wait(child)
      assert_equal '{"s":2}{"s":2}', reader.read
    end
    queue << 1
    assert_equal '{"n":1,"again":1}', thread.value
  end

  test "a busy object is cloned: it keeps its own methods, and what a dup would lose" do
    type = Class.new do
      include ToJson::Serialize
      attr_accessor :id
      def initialize_dup(_other) = @id = nil
      def serialize(depth = 0) = put(id: id, own: own, inner: depth < 1 ? json!(depth + 1) : nil)
    end
    object = type.new.tap { |one| one.id = 1 }
    def object.own = "own"
    assert_equal '{"id":1,"own":"own","inner":"{\"id\":1,\"own\":\"own\",\"inner\":null}"}',
                 object.json!
  end

  test "an object can be marshalled while it writes, and after" do
    type = Class.new do
      include ToJson::Serialize
      def initialize = @a = 1
      def serialize = put(:copy, Marshal.load(Marshal.dump(self)).instance_variables)
    end
    self.class.const_set(:Marshalled, type)
    object = type.new
    2.times { assert_equal '{"copy":["@a"]}', object.json! }
    assert_equal [:@a], Marshal.load(Marshal.dump(object)).instance_variables
  end

  test "json! inside serialize is a document of its own on a copy" do
    type = Class.new(Person) do
      def serialize(depth = 0)
        put :depth, depth
        put :inner, json!(depth + 1) if depth < 2
        put :name, name
      end
    end
    expected =
      '{"depth":0,"inner":"{\"depth\":1,\"inner\":\"{\\\\\"depth\\\\\":' \
      '2,\\\\\"name\\\\\":\\\\\"F\\\\\"}\",\"name\":\"F\"}","name":"F"}'
    assert_document(expected) { |**out| type.new("F").json!(**out) }
  end

  test "words outside of a document raise GrammarError that says where they may stand" do
    person = Person.new("Fred")
    calls = [-> { person.put :a, 1 }, -> { person.value 1 }, -> { person.array }, -> {
      person.open
    }, -> { person.open_array },
             -> { person.close }, -> { person.put_field person, :name }, -> do
               person.put_fields person, :name
             end]
    [person, Person.new("Ann").tap(&:json!)].each do |_|
      calls.each do |call|
        error = assert_raises(ToJson::GrammarError, &call)
        assert_equal "ModuleFormTest::Person is not writing a document now. Call the DSL inside " \
                     "serialize, or inside the block of json!.", error.message
        assert_nil error.path
      end
    end
  end

  test "an object that froze itself in its serialize writes no more when that has ended" do
    frozen = Class.new { include ToJson::Serialize; def serialize = (put :a, 1; freeze) }.new
    outer = Class.new { include ToJson::Serialize; attr_accessor :test, :frozen }
    outer.define_method(:serialize) do
      put :x, frozen
      test.assert_raises(ToJson::GrammarError) { frozen.put :b, 1 }
    end
    writing = outer.new.tap { |made| made.test, made.frozen = self, frozen }
    assert_equal '{"x":{"a":1}}', writing.json!
  end

  # A helper that writes reached the outer document.
  test "each block form of an object with the words keeps its self" do
    forms = Module.new do
      def helper(one) = put(:x, one)
      def serialize(form) = (put :a, 1; put :in, __send__(form); put :z, 9)
      def encoded = ToJson::Serializer.encode! { helper(1) }.to_json
      def lines = ToJson::Serializer.ndjson([1, 2]) { |one, k: 3| helper([one, k, scope]) }
      def sequence = ToJson::Serializer.json_seq([1]) { |one| helper(one) }
      def streamed
        ToJson::Serializer.stream([1], format: :ndjson) { |one| helper(one) }.each.first
      end
      def left = ToJson::Serializer.ndjson([1, 2]) { |one| break 7 if one == 2; helper(one) }
      def returned = ToJson::Serializer.ndjson([1]) { return 8 }
    end
    texts = { encoded: '{"x":1}', lines: %({"x":[1,3,1]}\n{"x":[2,3,2]}\n),
              sequence: %(\u001E{"x":1}\n), streamed: %({"x":1}\n), left: 7, returned: 8 }
    [Class.new(ToJson::Serializer) { include forms },
     Class.new { include ToJson::Serialize, forms }].each do |type|
      object = type.new
      texts.each do |form, text|
        2.times { assert_equal text, object.__send__(form) }
        assert_equal({ "a" => 1, "in" => text, "z" => 9 }, JSON.parse(object.json!(form)))
      end
    end
  end

  # Helpers saw an empty context: guests got what `unless guest?` keeps from them.
  test "helpers in a block of an object with the words have its scope and context" do
    forms = Module.new do
      def serialize(_) = (put :x, shown; put :in, __send__(context[:form]))
      def shown = [context[:user], scope]
      def own = ToJson::Fragment.new(json! { put :x, shown })
      def block = ToJson::Fragment.new(ToJson::Serializer.json! { put :x, shown })
      def encoded = ToJson::Serializer.encode! { put :x, shown }
      def line = ToJson::Fragment.new(ToJson::Serializer.ndjson([5]) { put :x, shown }.chomp)
      def given = ToJson::Fragment.new(json!(6, context: { user: 7 }) { put :x, shown })
    end
    types = [Class.new(ToJson::Serializer) { include forms },
             Class.new { include ToJson::Serialize, forms }]
    { own: [1, 5], block: [1, 5], encoded: [1, 5], line: [1, 5], given: [7, 6] }
      .each do |form, inner|
      types.each do |type|
        assert_equal({ "x" => [1, 5], "in" => { "x" => inner } },
                     JSON.parse(type.json!(5, context: { user: 1, form: form })), form.to_s)
      end
    end
    kept = types.first.new(5, context: { user: 1 })
    assert_equal [1, 5], JSON.parse(kept.block.to_json)["x"]
  end

  test "scope in a block form within a document without arguments is the object" do
    [ToJson::Serializer, Object].each do |superclass|
      type = Class.new(superclass) do
        include ToJson::Serialize
        def serialize = put(:in, ToJson::Serializer.json! { put :s, [scope.equal?(self), context] })
      end
      assert_equal '{"in":"{\"s\":[true,{\"u\":1}]}"}', type.new.json!(context: { u: 1 })
    end
  end

  # A guest's document had the context of an admin's, which was left half-way in a Fiber.
  test "a block has the context of the document around it, and of no other" do
    forms = Module.new do
      def serialize(_, stop) = (put :a, context[:user]; stop.call; put :b, context[:user])
      def shown = [context[:user], scope.equal?(self) ? 0 : scope]
      def own = json! { put :x, shown }
      def block = ToJson::Serializer.json! { put :x, shown }
      def line = ToJson::Serializer.ndjson([5]) { put :x, context[:user] }.chomp
    end
    [Class.new(ToJson::Serializer) { include forms },
     Class.new { include ToJson::Serialize, forms }].each do |type|
      kept = type.new
      fiber = Fiber.new { kept.json!(1, -> { Fiber.yield }, context: { user: "admin" }) }
      fiber.resume
      assert_equal ['{"x":[null,null]}', '{"x":[null,0]}', '{"x":null}'],
                   [kept.own, kept.block, kept.line]
      assert_equal '{"a":"admin","b":"admin"}', fiber.resume
    end
    held = Class.new(ToJson::Serializer) { include forms }.new(1, context: { user: "ann" })
    assert_equal ['{"x":["ann",1]}', '{"x":["ann",1]}', '{"x":"ann"}'],
                 [held.own, held.block, held.line]
  end

  # It counted as a record, which is not cloned: other threads got an error.
  test "a kept serializer that forwards to a record is cloned while it is busy" do
    queue = Queue.new
    type = Class.new(ToJson::Serializer) do
      def serialize(wait) = (put :a, 1; wait&.pop; put :b, 2)
      def method_missing(*) = nil # rubocop:disable Style/MissingRespondToMissing
      def respond_to_missing?(*) = true
    end
    one = type.new
    thread = Thread.new { one.json!(queue) }
    Thread.pass until queue.num_waiting == 1
    assert_equal '{"a":1,"b":2}', one.json!(nil)
    queue << 1
    assert_equal '{"a":1,"b":2}', thread.value
  end

  # The error of the freezing replaced what left the inner document, also a kill.
  test "an object that froze itself in an inner document keeps what left that document" do
    type = Class.new do
      include ToJson::Serialize
      def serialize(leave) = (put :a, 1; json! { put :b, 2; freeze; leave.call })
    end
    assert_raises(KeyError) { type.new.json!(-> { raise KeyError, "mine" }) }
    assert_equal 5, catch(:out) { type.new.json!(-> { throw :out, 5 }) }
    rescued = nil
    thread = Thread.new do
      type.new.json!(-> { Thread.current.kill })
    rescue StandardError => rescued
      nil
    end
    thread.join
    assert_nil rescued
    assert_equal '{"a":1}', type.new.json!(-> {}) rescue assert_kind_of(ToJson::Error, $!)
  end

  # The Writer of the parked Fiber was asked for its thread, and had none.
  test "a block of json! of a serializer in whose document a Fiber was left" do
    type = Class.new(ToJson::Serializer) do
      def serialize = (put :a, 1; Fiber.yield; put :b, 2)
      def block = json! { put :z, 1 }
    end
    one, fiber = type.new, nil
    assert_raises(IOError) do
      ToJson.json do |json|
        fiber = Fiber.new { json.put :x, one }
        fiber.resume
        raise IOError
      end
    end
    2.times { assert_equal '{"z":1}', one.block }
    assert_raises(ToJson::GrammarError) { fiber.resume }
    assert_equal '{"z":1}', one.block
  end

  # A dialect asks once more whether the object is idle, and did so for ever.
  test "a block of json! of such a serializer under a dialect" do
    %i[json oj rails].each do |dialect|
      type = Class.new(ToJson::Serializer) do
        rules dialect: dialect
        def serialize = (put :a, 1; Fiber.yield; put :b, 2)
        def block = json! { put :z, 1 }
      end
      one, fibers = type.new, []
      assert_raises(IOError) do
        ToJson.json do |json|
          fibers << Fiber.new { json.put :x, one }
          fibers.first.resume
          raise IOError
        end
      end
      2.times { assert_equal '{"z":1}', one.block }
    end
  end

  test "scope and context stand beside the object's own methods" do
    type = Class.new do
      include ToJson::Serialize; def serialize(x) = put(scope: scope, context: context)
    end
    assert_document('{"scope":1,"context":{"c":2}}') do |**out|
      type.new.json!(1, context: { c: 2 }, **out)
    end
  end
end
