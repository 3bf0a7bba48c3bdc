# frozen_string_literal: true

# The first objects of a class of plain attributes, before it is compiled (ext/to_json/glue/early.c): the same documents, calls and errors.

require_relative "../test_helper"

class DeclaredEarlyTest < ToJsonTest
  Person = Struct.new(:id, :name, :other)

  def setup = (@before = ToJson::PlanCache.early_objects)
  def teardown = (ToJson::PlanCache.early_objects = @before)

  def early(count) = (ToJson::PlanCache.early_objects = count)
  def serializer(&) = Class.new(ToJson::Serializer, &)
  def plan(klass) = ToJson::PlanCache.plan_of(klass)

  # The documents of the block's serializer, of each value in turn: early, then compiled.
  def both(values, body, **options)
    [1_000, 0].map do |count|
      early(count)
      klass = serializer(&body)
      found = values.map { |value| klass.json!(value, **options) }
      assert_equal(count.positive?, plan(klass).early?)
      found
    end
  end

  VALUES = [0, -1, 2**70, 1.5, true, false, nil, "text", "\"<é\u2028>\\", "", :symbol, Time.at(0, in: "+02:00"), [1, [nil, "x"]], { "a" => { b: 1 } }, 1r,
            "x" * 70_000, [{ "k" => Time.at(1).utc }]].freeze

  {
    "fields" => proc { attributes :id, :name, :other },
    "one field" => proc { attributes :name },
    "renamed fields" => proc { attributes id: :number, name: :"a name" },
    "a root" => proc { root :person, :people; attributes :id, :name },
    "48 fields" => proc { 48.times { |i| attribute :"f#{i}", :name } }
  }.each do |name, body|
    test "#{name}: the same documents as compiled" do
      people = VALUES.map { |value| Person.new(1, value, value) }
      one, other = both(people, body)
      assert_equal(other, one)
      simple = people.reject { |person| [Rational, Time, Array].any? { |type| type === person.name } }
      %i[strict json rails oj].each { |dialect| assert_equal(*both(simple, body, rules: { dialect: dialect })) }
      assert_equal(*both(people, body, rules: { html_safe: true, time: :unix }))
      assert_equal(*both(people.first(3).map(&:to_h), body))
      assert_equal(*both([nil], body))
      assert_equal(*both([Person.new(1, 2, 3)], body, root: :other))
    end
  end

  test "so many objects are early, then the class is compiled" do
    early(2)
    klass = serializer { attributes :id }
    documents = Array.new(4) { |id| [klass.json!(Person.new(id)), plan(klass).early?, plan(klass).code.nil?] }
    assert_equal([['{"id":0}', true, true], ['{"id":1}', true, true], ['{"id":2}', false, false], ['{"id":3}', false, false]], documents)
  end

  test "rows and nil are written without code for ever, a list is worth it at once" do
    early(1)
    klass = serializer { attributes :id }
    5.times { |id| assert_equal("{\"id\":#{id}}", klass.json!({ id: id })) }
    assert_equal("null", klass.json!(nil))
    assert_predicate(plan(klass), :early?)
    assert_equal('[{"id":1},null,{"id":2}]', klass.json!([{ id: 1 }, nil, { "id" => 2 }]))
    assert_predicate(plan(klass), :early?)
    assert_equal('[{"id":1},{"id":2}]', klass.json!([Person.new(1), Person.new(2)]))
    refute_predicate(plan(klass), :early?)
  end

  test "compile! and explain compile what has begun" do
    early(1_000)
    %i[compile! explain].each do |word|
      klass = serializer { attributes :id }
      klass.json!(Person.new(1))
      klass.public_send(word)
      assert_equal('{"id":1}', klass.json!(Person.new(1)))
      ToJson::PlanCache.next_epoch
      assert_equal('{"id":1}', klass.json!(Person.new(1)))
    end
    klass = serializer { attributes :id }
    klass.json!(Person.new(1))
    assert_equal(1, klass.compile!)
    refute_predicate(plan(klass), :early?)
  end

  # What is more than names is compiled for its first object.
  {
    "a method of the serializer" => proc { attributes :id, :shout; def shout(person) = person.name.upcase },
    "a private method of the serializer" => proc { attributes :id; private def id = 1 }, # rubocop:disable Style/AccessModifierDeclarations
    "a name that Ruby's own method has" => proc { attributes :id, :hash },
    "a block" => proc { attribute(:id) { |person| person.id } },
    "an option" => proc { attribute :id, as: :string },
    "a condition" => proc { attribute :id, if: :name },
    "a default" => proc { attribute :id, default: 0 },
    "a view" => proc { attributes :id; view(:full) { attributes :name } },
    "keys in another case" => proc { transform_keys :camel; attributes :id },
    "a name with an escape" => proc { attributes id: :"a\"b" },
    "an association" => proc { attributes :id; has_one(:other) { attributes :id } },
    "49 fields" => proc { attributes :id; 48.times { |i| attribute :"f#{i}", :id } },
    "meta" => proc { root :person; meta(a: 1); attributes :id },
    "no field" => proc { view(:full) { attributes :id } },
    "a field that is removed" => proc { attributes :id, :name; remove :name },
    "a protected method of the serializer" => proc { attributes :id; protected def id = 1 } # rubocop:disable Style/AccessModifierDeclarations
  }.each do |name, body|
    test "#{name} is compiled at once" do
      early(1_000)
      klass = serializer(&body)
      klass.json!(Person.new(1, "Ann", Person.new(2)))
      refute_predicate(plan(klass), :early?)
    end
  end

  test "what inherits declarations is compiled at once, and what inherits none begins early" do
    early(1_000)
    empty = Class.new(ToJson::Serializer)
    klass = Class.new(Class.new(empty)) { attributes :id }
    heirs = [Class.new(klass), Class.new(klass) { attributes :name }, Class.new(serializer { root :person }) { attributes :id },
             Class.new(serializer { def serialize(person) = put(:mine, person.id) }) { attributes :id }]
    assert_equal('{"id":1}', klass.json!(Person.new(1)))
    assert_predicate(plan(klass), :early?)
    assert_equal(['{"id":1}', '{"id":1,"name":"a"}', '{"person":{"id":1}}', '{"mine":1}'], heirs.map { |heir| heir.json!(Person.new(1, "a")) })
    assert_empty(heirs.select { |heir| plan(heir).early? })
    assert_raises(ToJson::DefinitionError) { empty.json!(Person.new(1)) }
  end

  test "a getter that raises, is private or is missing is told with its field, and nothing else is changed" do
    type = Class.new { def id = 1; def name = raise(ArgumentError, "no name"); private def secret = 1 } # rubocop:disable Style/AccessModifierDeclarations
    { name: ArgumentError, secret: NoMethodError, absent: NoMethodError }.each do |field, error|
      messages = [1_000, 0].map do |count|
        early(count)
        klass = serializer { attributes :id, field }
        raised = assert_raises(error) { klass.json!(type.new) }
        assert_equal("$.#{field}", ToJson.location(raised))
        nested = assert_raises(error) { ToJson.json { |j| j.put(:people) { j.array([1]) { j.value(klass.new(type.new)) } } } }
        assert_equal("$.people[0].#{field}", ToJson.location(nested))
        assert_equal('{"id":1}', serializer { attributes :id }.json!(type.new))
        raised.message.lines.first.chomp.gsub(/0x\h+/, "") # without the line that error_highlight finds
      end
      assert_equal(1, messages.uniq.size, messages.inspect)
    end
  end

  test "a value without a JSON form is told with its path" do
    both = [1_000, 0].map do |count|
      early(count)
      assert_raises(ToJson::UnsupportedTypeError) { serializer { attributes :id, :name }.json!(Person.new(1, [Object.new])) }.message.gsub(/0x\h+/, "")
    end
    assert_match(/\A\$\.name\[0\]: /, both.first)
    assert_equal(*both)
  end

  test "what raises behind a field that was read is not told as that field" do
    early(1_000)
    klass = serializer { attributes :id, :name }
    broken = Class.new { def id = 1; def name = raise("broken") }.new
    list = Enumerator.new do |yielder|
      begin yielder << broken rescue nil end # rubocop:disable Style/RescueStandardError
      raise "later"
    end
    error = assert_raises(RuntimeError) { klass.json!(list) }
    assert_equal(["later", "$[0]"], [error.message, ToJson.location(error)])
  end

  # docs/compiling.md: what changes inside a module that was included before is not noticed, until the class is compiled.
  [1, 2].each do |count|
    test "a module that gets a method after #{count} objects serves the documents after the one that compiles" do
      [[Person.new(1, "ann")], Person.new(1, "ann")].each do |value|
        early(count)
        shouting = Module.new
        klass = serializer { include shouting; attributes :name }
        documents = Array.new(count) { klass.json!(Person.new(1, "ann")) }
        shouting.define_method(:name) { |person| person.name.upcase }
        documents << klass.json!(value)
        assert_equal(['{"name":"ann"}'], documents.map { |document| document.delete("[]") }.uniq)
        refute_predicate(plan(klass), :early?)
        2.times { assert_equal('{"name":"ANN"}', klass.json!(Person.new(1, "ann"))) }
      end
    end
  end

  test "a module form whose new gives a declared serializer writes what that one declares" do
    declared = serializer { root :person, :people; attributes :id; view(:full) { attributes :name } }
    facade = Class.new { include ToJson::Serialize }
    facade.define_singleton_method(:new) { |*| declared.new }
    3.times do
      assert_equal('{"people":[{"id":1}]}', facade.json!([Person.new(1, "a")]))
      assert_equal('{"person":{"id":1}}', facade.json!(Person.new(1, "a")))
    end
  end

  test "a protected getter of a BasicObject is told, or goes to its method_missing, as compiled" do
    type = Class.new(BasicObject) { def id = 1; def respond_to?(*) = false; protected def secret = 2 } # rubocop:disable Style/AccessModifierDeclarations
    proxy = Class.new(type) { def method_missing(name) = "missing #{name}"; def respond_to_missing?(*) = false } # rubocop:disable Style/MissingRespondToMissing
    both = [1_000, 0].map do |objects|
      early(objects)
      klass = serializer { attributes :id, :secret }
      [assert_raises(NoMethodError) { klass.json!(type.new) }.message[/\A\w+ method .\w+/], klass.json!(proxy.new)]
    end
    assert_equal(both.last, both.first)
  end

  test "a protected getter is refused wherever it is called" do
    klass = serializer { attributes :id, :secret }
    type = Class.new do
      include ToJson::Serialize
      define_method(:serialize) { put(:inside, klass.new(self)) }
      def id = 1
      protected def secret = 2 # rubocop:disable Style/AccessModifierDeclarations
    end
    [1_000, 0].each do |objects|
      early(objects)
      ToJson::PlanCache.next_epoch
      error = assert_raises(NoMethodError) { type.new.json! }
      assert_match(/protected method/, error.message)
      assert_equal("$.inside.secret", ToJson.location(error))
    end
  end

  test "a getter that serializes, throws or ends its Thread leaves no trace" do
    early(1_000)
    klass = serializer { attributes :id, :name }
    acting = Class.new { define_method(:id) { 1 }; attr_accessor :act; def name = act.call }.new
    acting.act = -> { klass.json!(Person.new(2, "inner")) }
    assert_equal('{"id":1,"name":"{\"id\":2,\"name\":\"inner\"}"}', klass.json!(acting))
    acting.act = -> { throw :out, 7 }
    assert_equal(7, catch(:out) { klass.json!(acting) })
    acting.act = -> { Thread.current.kill }
    assert_nil(Thread.new { klass.json!(acting) }.value)
    acting.act = -> { "x" }
    assert_equal('{"id":1,"name":"x"}', klass.json!(acting))
  end

  test "a Fiber that comes back into a getter when its document has ended does not write into another" do
    early(1_000)
    klass = serializer { attributes :id, :name }
    waiting = Class.new { def id = 1; def name = Fiber.yield }.new
    fiber = Fiber.new { klass.json!(waiting) }
    fiber.resume
    assert_equal('{"id":3,"name":"b"}', klass.json!(Person.new(3, "b")))
    assert_equal('{"id":1,"name":"late"}', fiber.resume("late"))
  end

  test "a class that declares more, or gets a method, begins anew" do
    early(1_000)
    klass = serializer { attributes :id }
    assert_equal('{"id":1}', klass.json!(Person.new(1, "Ann")))
    klass.attributes :name
    assert_equal('{"id":1,"name":"Ann"}', klass.json!(Person.new(1, "Ann")))
    klass.define_method(:name) { |person| person.name.upcase }
    assert_equal('{"id":1,"name":"ANN"}', klass.json!(Person.new(1, "Ann")))
    parent = serializer { attributes :id }
    child = Class.new(parent)
    assert_equal('{"id":1}', child.json!(Person.new(1, "Ann")))
    parent.attributes :name
    assert_equal('{"id":1,"name":"Ann"}', child.json!(Person.new(1, "Ann")))
    child.rules time: :unix
    assert_equal('{"id":1,"name":2}', child.json!(Person.new(1, Time.at(2))))
  end

  test "a class that changes between two elements stays for those that follow as it was" do
    early(1)
    klass = serializer { attributes :id }
    people = Enumerator.new do |yielder|
      yielder << Person.new(1, "a") << Person.new(2, "b")
      klass.attributes :name
      yielder << Person.new(3, "c")
    end
    outer = serializer { define_method(:serialize) { |list| array(list) { |person| value klass.new(person) } } }
    assert_equal('[{"id":1},{"id":2},{"id":3,"name":"c"}]', outer.json!(people))
  end

  test "a frozen class is compiled" do
    early(1_000)
    klass = serializer { attributes :id }.freeze
    assert_equal('{"id":1}', klass.json!(Person.new(1)))
    refute_predicate(plan(klass), :early?)
    ToJson::PlanCache.next_epoch
    assert_equal('{"id":1}', klass.json!(Person.new(1)))
    refute_predicate(plan(klass), :early?)
  end

  test "another Ractor reads what the main one has begun, and compiles nothing" do
    early(2)
    klass = serializer { attributes :id, :name }
    klass.json!(Person.new(0, "main"))
    $VERBOSE, verbose = nil, $VERBOSE
    ractor = Ractor.new(klass) do |serializer|
      person = DeclaredEarlyTest::Person
      error = begin serializer.json!(Class.new { def id = 1; def name = raise("no") }.new) rescue ToJson.location($!) end
      [Array.new(30) { |id| serializer.json!(person.new(id, "r")) }.last, serializer.json!([person.new(1, "a"), nil]), error]
    end
    found = ractor.respond_to?(:value) ? ractor.value : ractor.take
    $VERBOSE = verbose
    assert_equal(['{"id":29,"name":"r"}', '[{"id":1,"name":"a"},null]', "$.name"], found)
    assert_predicate(plan(klass), :early?)
    assert_equal(['{"id":1,"name":"x"}'], Array.new(4) { klass.json!(Person.new(1, "x")) }.uniq)
    refute_predicate(plan(klass), :early?)
  end

  test "threads that meet the last early object write the same" do
    20.times do
      early(2)
      klass = serializer { attributes :id, :name }
      gate = Queue.new
      threads = Array.new(4) { Thread.new { gate.pop; Array.new(3) { klass.json!(Person.new(1, "a")) } } }
      threads.size.times { gate << true }
      assert_equal(['{"id":1,"name":"a"}'], threads.flat_map(&:value).uniq)
    end
  end

  test "Plans and Parts of classes that are gone are gone, and others stay" do
    early(1_000)
    kept = serializer { attributes :id, :name }
    kept.json!(Person.new(1, "a"))
    GC.start
    count = -> { [ToJson::Plan, ToJson::Part].sum { |type| ObjectSpace.each_object(type).count } }
    before = count.call
    200.times { serializer { attributes :id, :name }.json!(Person.new(1, "a")) }
    assert_operator(count.call, :>=, before + 20)
    GC.start
    assert_operator(count.call, :<, before + 40)
    assert_equal('{"id":1,"name":"b"}', kept.json!(Person.new(1, "b")))
  end

  test "an early object makes no more objects than its document and its serializer" do
    early(1_000)
    klass = serializer { attributes :id, :name }
    person = Person.new(1, "a")
    klass.json!(person)
    made = Array.new(5) do
      before = GC.stat(:total_allocated_objects)
      klass.json!(person)
      GC.stat(:total_allocated_objects) - before
    end
    assert_operator(made.min, :<=, 2)
  end
end
