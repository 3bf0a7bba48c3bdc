# frozen_string_literal: true

# A class is compiled for its first object: what that one is, raises or changes meanwhile makes no
# difference to those that follow.

require_relative "../test_helper"

class DeclaredFirstUseTest < ToJsonTest
  Person = Struct.new(:id, :name, :other)

  def serializer(&) = Class.new(ToJson::Serializer, &)
  def plan(klass) = ToJson::PlanCache.plan_of(klass)

  # The documents of the block's serializers, of each value in turn: each by a class of its own, and
  # all by one.
  def both(values, body, **options)
    again = serializer(&body)
    [values.map { |value| serializer(&body).json!(value, **options) },
     Array.new(2) { values.map { |value| again.json!(value, **options) } }.last]
  end

  VALUES = [0, -1, 2**70, 1.5, true, false, nil, "text", "\"<é\u2028>\\", "", :symbol,
            Time.at(0, in: "+02:00"), [1, [nil, "x"]], { "a" => { b: 1 } }, 1r,
            "x" * 70_000, [{ "k" => Time.at(1).utc }]].freeze

  {
    "fields" => proc { attributes :id, :name, :other },
    "one field" => proc { attributes :name },
    "renamed fields" => proc { attributes id: :number, name: :"a name" },
    "a root" => proc { root :person, :people; attributes :id, :name },
    "48 fields" => proc { 48.times { |i| attribute :"f#{i}", :name } }
  }.each do |name, body|
    test "#{name}: the first document of a class is as those that follow" do
      people = VALUES.map { |value| Person.new(1, value, value) }
      one, other = both(people, body)
      assert_equal(other, one)
      simple = people.reject do |person|
        [Rational, Time, Array].any? { |type| type === person.name }
      end
      %i[strict json rails oj].each do |dialect|
        assert_equal(*both(simple, body, rules: { dialect: dialect }))
      end
      assert_equal(*both(people, body, rules: { html_safe: true, time: :unix }))
      assert_equal(*both(people.first(3).map(&:to_h), body))
      assert_equal(*both([nil], body))
      assert_equal(*both([Person.new(1, 2, 3)], body, root: :other))
    end
  end

  test "compile! and explain find what is compiled, and a new epoch compiles it anew" do
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
    refute_nil(plan(klass).code)
  end

  {
    "a method of the serializer" =>
      proc { attributes :id, :shout; def shout(person) = person.name.upcase },
    "a private method of the serializer" => proc { attributes :id; private def id = 1 },
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
    "a protected method of the serializer" => proc { attributes :id; protected def id = 1 }
  }.each do |name, body|
    test "#{name} is written for the first object as for the third" do
      klass = serializer(&body)
      documents = Array.new(3) { klass.json!(Person.new(1, "Ann", Person.new(2))) }
      assert_equal(1, documents.uniq.size)
      refute_nil(plan(klass).code)
    end
  end

  test "what inherits declarations and what inherits none" do
    empty = Class.new(ToJson::Serializer)
    klass = Class.new(Class.new(empty)) { attributes :id }
    heirs = [Class.new(klass), Class.new(klass) { attributes :name },
             Class.new(serializer { root :person }) { attributes :id },
             Class.new(serializer { def serialize(person) = put(:mine, person.id) }) do
               attributes :id
             end]
    assert_equal('{"id":1}', klass.json!(Person.new(1)))
    assert_equal(['{"id":1}', '{"id":1,"name":"a"}', '{"person":{"id":1}}', '{"mine":1}'],
                 heirs.map { |heir| heir.json!(Person.new(1, "a")) })
    assert_raises(ToJson::DefinitionError) { empty.json!(Person.new(1)) }
  end

  test "a getter that raises, is private or is missing is told with its field, and nothing else " \
       "is changed" do
    type = Class.new do
      def id = 1; def name = raise(ArgumentError, "no name"); private def secret = 1
    end
    { name: ArgumentError, secret: NoMethodError, absent: NoMethodError }.each do |field, error|
      klass = serializer { attributes :id, field }
      messages = Array.new(2) do
        raised = assert_raises(error) { klass.json!(type.new) }
        assert_equal("$.#{field}", ToJson.location(raised))
        nested = assert_raises(error) do
          ToJson.json { |j| j.put(:people) { j.array([1]) { j.value(klass.new(type.new)) } } }
        end
        assert_equal("$.people[0].#{field}", ToJson.location(nested))
        assert_equal('{"id":1}', serializer { attributes :id }.json!(type.new))
        # without the line that error_highlight finds
        raised.message.lines.first.chomp.gsub(/0x\h+/, "")
      end
      assert_equal(1, messages.uniq.size, messages.inspect)
    end
  end

  test "a value without a JSON form is told with its path" do
    klass = serializer { attributes :id, :name }
    both = Array.new(2) do
      assert_raises(ToJson::UnsupportedTypeError) { klass.json!(Person.new(1, [Object.new])) }
        .message
        .gsub(/0x\h+/, "")
    end
    assert_match(/\A\$\.name\[0\]: /, both.first)
    assert_equal(*both)
  end

  test "what raises behind a field that was read is not told as that field" do
    klass = serializer { attributes :id, :name }
    broken = Class.new { def id = 1; def name = raise("broken") }.new
    list = Enumerator.new do |yielder|
      begin yielder << broken rescue nil end # rubocop:disable Style/RescueStandardError
      raise "later"
    end
    error = assert_raises(RuntimeError) { klass.json!(list) }
    assert_equal(["later", "$[0]"], [error.message, ToJson.location(error)])
  end

  # docs/compiling.md
  test "a method that comes to a module which was included before is not noticed until the class " \
       "is compiled anew" do
    shouting = Module.new
    klass = serializer { include shouting; attributes :name }
    person = Person.new(1, "ann")
    documents = [klass.json!(person)]
    shouting.define_method(:name) { |one| one.name.upcase }
    documents << klass.json!(person)
    ToJson::PlanCache.next_epoch
    documents << klass.json!(person)
    assert_equal(['{"name":"ann"}', '{"name":"ann"}', '{"name":"ANN"}'], documents)
  end

  test "a module form whose new gives a declared serializer writes what that one declares" do
    declared = serializer do
      root :person, :people; attributes :id; view(:full) { attributes :name }
    end
    facade = Class.new { include ToJson::Serialize }
    facade.define_singleton_method(:new) { |*| declared.new }
    3.times do
      assert_equal('{"people":[{"id":1}]}', facade.json!([Person.new(1, "a")]))
      assert_equal('{"person":{"id":1}}', facade.json!(Person.new(1, "a")))
    end
  end

  test "a protected getter of a BasicObject is told, or goes to its method_missing, each time" do
    type = Class.new(BasicObject) do
      def id = 1; def respond_to?(*) = false; protected def secret = 2
    end
    proxy = Class.new(type) do
      def method_missing(name) = "missing #{name}"; def respond_to_missing?(*) = false
    end
    klass = serializer { attributes :id, :secret }
    both = Array.new(2) do
      [assert_raises(NoMethodError) { klass.json!(type.new) }.message[/\A\w+ method .\w+/],
       klass.json!(proxy.new)]
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
    2.times do
      error = assert_raises(NoMethodError) { type.new.json! }
      assert_match(/protected method/, error.message)
      assert_equal("$.inside.secret", ToJson.location(error))
    end
  end

  test "a getter that serializes, throws or ends its Thread leaves no trace" do
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

  test "a Fiber that comes back into a getter when its document has ended does not write into " \
       "another" do
    klass = serializer { attributes :id, :name }
    waiting = Class.new { def id = 1; def name = Fiber.yield }.new
    fiber = Fiber.new { klass.json!(waiting) }
    fiber.resume
    assert_equal('{"id":3,"name":"b"}', klass.json!(Person.new(3, "b")))
    assert_equal('{"id":1,"name":"late"}', fiber.resume("late"))
  end

  test "a class that declares more, or gets a method, begins anew" do
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
    klass = serializer { attributes :id }
    people = Enumerator.new do |yielder|
      yielder << Person.new(1, "a") << Person.new(2, "b")
      klass.attributes :name
      yielder << Person.new(3, "c")
    end
    outer = serializer do
      define_method(:serialize) { |list| array(list) { |person| value klass.new(person) } }
    end
    assert_equal('[{"id":1},{"id":2},{"id":3,"name":"c"}]', outer.json!(people))
  end

  test "a frozen class is compiled, anew too" do
    klass = serializer { attributes :id }.freeze
    assert_equal('{"id":1}', klass.json!(Person.new(1)))
    ToJson::PlanCache.next_epoch
    2.times { assert_equal('{"id":1}', klass.json!(Person.new(1))) }
  end

  test "another Ractor reads what the main one has compiled, and compiles nothing" do
    klass = serializer { attributes :id, :name }
    klass.json!(Person.new(0, "main"))
    $VERBOSE, verbose = nil, $VERBOSE
    ractor = Ractor.new(klass) do |serializer|
      person = DeclaredFirstUseTest::Person
      error =
        begin serializer.json!(Class.new { def id = 1; def name = raise("no") }.new) rescue ToJson
                .location($!) end
      [Array.new(30) { |id| serializer.json!(person.new(id, "r")) }.last,
       serializer.json!([person.new(1, "a"), nil]), error]
    end
    found = ractor.value
    $VERBOSE = verbose
    assert_equal(['{"id":29,"name":"r"}', '[{"id":1,"name":"a"},null]', "$.name"], found)
    assert_equal(['{"id":1,"name":"x"}'], Array.new(4) { klass.json!(Person.new(1, "x")) }.uniq)
  end

  test "threads that meet at the first object write the same" do
    20.times do
      klass = serializer { attributes :id, :name }
      gate = Queue.new
      threads = Array.new(4) do
        Thread.new { gate.pop; Array.new(3) { klass.json!(Person.new(1, "a")) } }
      end
      threads.size.times { gate << true }
      assert_equal(['{"id":1,"name":"a"}'], threads.flat_map(&:value).uniq)
    end
  end

  test "Plans and Parts of classes that are gone are gone, and others stay" do
    kept = serializer { attributes :id, :name }
    kept.json!(Person.new(1, "a"))
    left = lambda do |classes|
      classes.times { serializer { attributes :id, :name }.json!(Person.new(1, "a")) }
      2.times { GC.start }
      [ToJson::Plan, ToJson::Part].sum { |type| ObjectSpace.each_object(type).count }
    end
    # Ruby itself keeps some hundred of the last ones for a while, in caches of constants
    few = left.call(1_000)
    assert_operator(left.call(1_000), :<, few + 500)
    assert_equal('{"id":1,"name":"b"}', kept.json!(Person.new(1, "b")))
  end

  test "copies of a class are compiled for themselves, and let go" do
    klass = serializer { attributes :id; attribute(:twice) { |person| person.id * 2 } }
    klass.json!(Person.new(1))
    left = lambda do |copies|
      copies.times do |id|
        copy = klass.public_send(%i[dup clone][id % 2])
        copy.attribute(:more) { |person| person.id + id }
        assert_equal(%({"id":1,"twice":2,"more":#{1 + id}}), copy.json!(Person.new(1)))
      end
      2.times { GC.start }
      ObjectSpace.each_object(ToJson::Plan).count
    end
    few = left.call(500)
    assert_operator(left.call(500), :<, few + 250)
    assert_equal('{"id":3,"twice":6}', klass.json!(Person.new(3)))
    assert_equal('{"id":3,"twice":6}', klass.freeze.clone.json!(Person.new(3)))
  end

  test "an object makes no more objects than its document and its serializer" do
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
