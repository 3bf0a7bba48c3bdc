# frozen_string_literal: true

require "test_helper"
require "support/ways_out"

# `ToJson::Serializer.json! { … }`: what a block sees of its caller, and what comes back.
class BlockFormTest < ToJsonTest
  LIMIT = 3

  # A controller, say: private helpers, names that Kernel has too, instance variables, class-level
  # things.
  class Caller
    NAME = "constant of the caller"
    attr_accessor :count

    def initialize(**ivars) = ivars.each { |name, value| instance_variable_set(:"@#{name}", value) }
    def run(*arguments, **keywords, &block) = instance_exec(*arguments, **keywords, &block)
    def helper = "public"
    def visible?(what) = what != :secret
    def ==(other) = other.class == self.class

    def constant = ToJson::Serializer.json! { put :name, NAME; put :limit, LIMIT }
    def with_yield = ToJson::Serializer.json! { put :given, yield }
    def with_super = ToJson::Serializer.json! { put :text, to_s }
    def returning
      (ToJson::Serializer.json! { put :a, 1; @returned = true; return :from_the_block }
       :not_reached)
    end
    def write_author = put(:author, helper)
    def format = "json"
    def p = "paragraph"
    def test = "trial"
    def select = "chosen"
    def system = "solar"
    def display = "shown"
    def method_missing(name, *arguments) = name.start_with?("find_") ? [name, *arguments] : super
    def respond_to_missing?(name, all = false) = name.start_with?("find_") || super

    private

    def secret = "private"
    def secret=(value)
      @secret = value
    end

    protected

    def guarded = "protected"
  end

  # Runs the block with self a Caller, so that the block given to json! is the Caller's.
  def as_caller(**ivars, &block) = Caller.new(**ivars).run(&block)

  SEES = {
    "public methods" => ['{"a":"public"}', -> { put :a, helper }],
    "private methods" => ['{"a":"private"}', -> { put :a, secret }],
    "protected methods" => ['{"a":"protected"}', -> { put :a, guarded }],
    "methods through self" =>
      ['{"a":"public","b":"private"}', -> { put :a, self.helper; put :b, self.secret }],
    "methods with arguments" =>
      ['{"a":[true,false]}', -> { put :a, [visible?(:x), visible?(:secret)] }],
    "methods named like those of Kernel" => [
      '{"format":"json","p":"paragraph","test":"trial","select":"chosen","system":"solar",' \
      '"display":"shown"}',
      -> { put format: format, p: p, test: test, select: select, system: system, display: display }
    ],
    "Kernel's own where the caller has none" => ['{"a":[1]}', -> { put :a, Array(1) }],
    "what only method_missing knows" => ['{"a":["find_x",1]}', -> { put :a, find_x(1) }],
    "instance variables" => ['{"a":1,"b":null,"c":[2]}', -> { put a: @a, b: @b, c: @c }],
    "instance variables through accessors" => ['{"a":5}', -> { put :a, count }],
    "the caller itself" => ['{"a":true}', -> { put :a, BlockFormTest::Caller === itself }],
    "the caller's class" =>
      ['{"a":"BlockFormTest::Caller","b":true,"c":true}',
       -> { put :a, self.class; put :b, is_a?(Caller); put :c, self.class == Caller }],
    "the caller through respond_to?" =>
      ['{"a":[true,true,false]}',
       -> { put :a, [respond_to?(:helper), respond_to?(:find_x), respond_to?(:secret)] }],
    "constants of where the block stands" => ['{"a":3}', -> { put :a, LIMIT }],
    "the DSL's words rather than methods of theirs" =>
      ['{"value":1}', -> { put(:value) { value 1 } }],
    "send and method of private ones" =>
      ['{"a":"private","b":"private"}', -> { put :a, send(:secret); put :b, method(:secret).call }]
  }.freeze

  SEES.each do |what, (expected, words)|
    test "the block sees #{what}" do
      assert_document(expected) do |**out|
        as_caller(a: 1, c: [2], count: 5) do
          ToJson::Serializer.json!(**out, &instance_exec { proc { instance_exec(&words) } })
        end
      end
    end
  end

  test "the block sees constants of the caller's class where it stands there" do
    assert_equal '{"name":"constant of the caller","limit":3}', Caller.new.constant
  end

  test "the block sees local variables and assigns them" do
    local = 1
    assert_equal '{"a":1}', ToJson::Serializer.json! { put :a, local; local += 1 }
    assert_equal 2, local
  end

  test "the block may yield to the block of the method it stands in" do
    assert_equal '{"given":7}', Caller.new.with_yield { 7 }
  end

  test "no method_missing turns names into keys" do
    error = assert_raises(NameError) { ToJson::Serializer.json! { put :a, 1; naem 1 } }
    assert_equal :naem, error.name
  end

  test "the caller gets neither the words nor anything else" do
    caller = Caller.new(a: 1)
    before = [caller.methods, caller.private_methods, caller.instance_variables,
              caller.singleton_methods]
    caller.run { ToJson::Serializer.json! { put :a, @a } }
    assert_equal before,
                 [caller.methods, caller.private_methods, caller.instance_variables,
                  caller.singleton_methods]
    assert_raises(NoMethodError) { caller.put :a, 1 }
    refute_includes Caller.ancestors, ToJson::DSL
  end

  test "no inherited hook runs" do
    hooked = Class.new do
      class <<
        self; attr_accessor :heirs; def inherited(heir) = (self.heirs = [*heirs, heir]; super) end
    end
    2.times do
      assert_equal '{"a":1}', hooked.new.instance_eval { ToJson::Serializer.json! { put :a, 1 } }
    end
    assert_nil hooked.heirs
  end

  test "no initialize, allocate or clone hook of the caller's class runs" do
    log = []
    type = Class.new do
      define_singleton_method(:new) { |*arguments| log << :new; super(*arguments) }
      define_singleton_method(:allocate) { log << :allocate; super() }
      define_method(:initialize) { log << :initialize; @a, @b, @c, @d, @e = 1, 2, 3, 4, 5 }
      define_method(:initialize_copy) { |_| log << :copy }
      define_method(:initialize_dup) { |_| log << :dup }
    end
    object = type.new
    log.clear
    5.times do
      assert_equal '{"sum":15}', object.instance_eval {
        ToJson::Serializer.json! { put :sum, @a + @b + @c + @d + @e }
      }
    end
    assert_empty log
  end

  test "an instance variable that the block assigns comes back" do
    caller = Caller.new(a: 1, b: 2)
    caller.run { ToJson::Serializer.json! { @a += 10; @new = :fresh; self.count = 7 } }
    assert_equal [11, 2, :fresh, 7], %i[@a @b @new @count].map { |name|
      caller.instance_variable_get(name)
    }
  end

  test "an instance variable that a helper assigns comes back" do
    caller = Caller.new
    caller.run { ToJson::Serializer.json! { self.secret = 5 } }
    assert_equal 5, caller.instance_variable_get(:@secret)
  end

  test "an instance variable assigned nil comes back" do
    caller = Caller.new(a: 1)
    caller.run { ToJson::Serializer.json! { @a = nil; @b = nil } }
    assert_equal %i[@a @b], caller.instance_variables
    assert_nil caller.instance_variable_get(:@a)
  end

  test "instance variables come back when the block raises, throws, breaks or returns" do
    { raise: -> { raise "no" }, throw: -> { throw :t } }.each do |how, leave|
      caller = Caller.new(a: 1)
      catch(:t) do
        caller
          .run { ToJson::Serializer.json! { put :x, 1; @a = how; leave.call } } rescue RuntimeError
      end
      assert_equal how, caller.instance_variable_get(:@a)
    end
    caller = Caller.new(a: 1)
    assert_equal :gift, caller.run { ToJson::Serializer.json! { @a = :break; break :gift } }
    assert_equal :break, caller.instance_variable_get(:@a)
    assert_equal :from_the_block, caller.returning
    assert_equal true, caller.instance_variable_get(:@returned)
  end

  # 3.1 keeps three in the object and the rest outside, later Rubies by shape: both ways, and back.
  [0, 1, 2, 3, 4, 5, 8, 16, 17, 31, 32, 33, 64, 65, 100].each do |size|
    test "#{size} instance variables go in and come back" do
      type = Class.new(Caller)
      names = (0...size).map { |n| :"v#{n}" }
      4.times do |round|
        caller = type.new(**names.to_h { |name| [name, "#{name}-#{round}"] })
        expected = ToJson.generate(names.to_h { |name| [name, "#{name}-#{round}"] })
        assert_equal(expected,
                     caller.run do
                       ToJson::Serializer.json! do
                         names.each { |name| put name, instance_variable_get(:"@#{name}") }
                       end
                     end)
        caller.run do
          ToJson::Serializer.json! do
            @late = round
            names.each_with_index { |name, i| instance_variable_set(:"@#{name}", i) if i.odd? }
          end
        end
        assert_equal round, caller.instance_variable_get(:@late)
        assert_equal names.map.with_index { |name, i| i.odd? ? i : "#{name}-#{round}" },
                     names.map { |name|
          caller.instance_variable_get(:"@#{name}")
        }
        assert_equal size + 1, caller.instance_variables.size
      end
    end
  end

  test "objects of one class with other instance variables, in other orders and partly unset" do
    type = Class.new(Caller)
    sets = [%i[a b c d e], %i[e d c b a], %i[a c e], %i[f], [], %i[a b c d e f g h], %i[h a],
            %i[c d]]
    (sets * 3).shuffle(random: Random.new(7)).each do |names|
      caller = type.new(**names.to_h { |name| [name, name.to_s] })
      seen = caller.run do
        ToJson::Serializer.json! do
          ("a".."h").each { |name| put name, instance_variable_get(:"@#{name}") }
        end
      end
      assert_equal ToJson.generate(
                     ("a".."h").to_h { |name| [name, names.include?(name.to_sym) ? name : nil] }
                   ), seen
      caller.run { ToJson::Serializer.json! { @c = "changed"; @z = 1 } }
      assert_equal [*names, *(:c unless names.include?(:c)), :z].sort,
                   caller.instance_variables.map { |name|
        name[1..].to_sym
      }.sort
      assert_equal "changed", caller.instance_variable_get(:@c)
    end
  end

  test "an instance variable that is unset in the caller is unset in the block" do
    type = Class.new(Caller)
    3.times { type.new(a: 1, b: 2, c: 3, d: 4, e: 5).run { ToJson::Serializer.json! {} } }
    partial = type.new(a: 1, e: 5)
    document = partial.run do
      ToJson::Serializer.json! do
        put :set, %i[@a @b @c @d @e].map { |name| instance_variable_defined?(name) }
      end
    end
    assert_equal '{"set":[true,false,false,false,true]}', document
    assert_equal %i[@a @e], partial.instance_variables.sort
  end

  test "what the caller's own code assigns meanwhile stays, unless the block assigned it too" do
    caller = Caller.new(a: 1, b: 2)
    from_outside = -> do
      caller.instance_variable_set(:@a, :outside); caller.instance_variable_set(:@b, :outside)
    end
    caller.run { ToJson::Serializer.json! { from_outside.call; @b = :block } }
    assert_equal %i[outside block],
                 [caller.instance_variable_get(:@a), caller.instance_variable_get(:@b)]
  end

  class Counter
    attr_accessor :count, :extra

    def initialize = (@count, @extra = 1, 2)
    def add = @count += 1
    def load = @late = "loaded"
    def each_twice = 2.times { yield }
    def drop = remove_instance_variable(:@extra)
    def helpers = @helpers ||= [self]

    def document = ToJson::Serializer.json! { yield_self { put :n, [@count, add, @count, @late] } }
    def later = ToJson::Serializer.json! { load; put :late, @late }
    def assigned = ToJson::Serializer.json! { @count = 7; put :n, add; put :m, @count }
    def with(count) = (@count = count; yield)
    def sum = (@sum = 0; yield; @sum)
    def build(&) = Struct.new(:n).new(7).instance_exec(1, &)
    def given(list, **more, &) = yield(list, **more)
    def yielding
      ToJson::Serializer.json! { with(9) { put :n, @count }; put :s, sum { @sum += 5 } }
    end
    def left = ToJson::Serializer.json! { with(3) { break }; put :n, @count }

    def rows
      Enumerator.new do |rows|
        3.times do |index|
          before, @page = @page, index
          rows << [index, before]
        end
      end
    end

    def lazily = ToJson::Serializer.json! { put(:r, rows) { |row| value [row, @page]; @page = 9 } }
    def lines = ToJson::Serializer.ndjson(rows) { |row| put :r, [row, @page]; @page = 9 }

    def passed
      ToJson::Serializer.json! do
        put :b, build { |one| [one, n] }
        given([1, 2], k: 3) { |a, b, k:| put :g, [a, b, k] }
        put :l, given([4], &->(list) { list })
      end
    end

    def mapped(hash, &) = hash.map(&)
    def with_block = yield
    def endless = Enumerator.new { |given| loop { given << 1 } }
    def three = @count = 3
    def failing_field = (@count = 3; raise IOError)
    def ended
      Enumerator.new do |given|
        3.times { given << 1 }
      ensure
        @count += 100
      end
    end

    def failing_rows = Enumerator.new { |given| given << (@count = 3); raise IOError }
    def noted(number) = (@noted = [@count, number]; @count += 100; nil)
    def counts(many) = Enumerator.new { |given| many.times { given << @count; @count += 1 } }
    def built(&block) = block.arity.zero? ? [7].instance_exec(&block) : block.call("x")
    def asked(&block) = [block.arity, block.parameters, block.source_location[1], block.lambda?]

    def iterated = ToJson::Serializer.json! { each_twice { @count += 10 }; put :n, @count }
    def dropped = ToJson::Serializer.json! { drop; put :e, [@extra, defined?(@extra)] }
    def kept = ToJson::Serializer.json! { put :n, helpers.size }
    def same(one) = ToJson::Serializer.json! { put :s, [self == one, eql?(self), self == 1] }

    def written(words) = ToJson::Serializer.json! { instance_exec(&words) }
    def abstract = raise(NoMethodError, "must implement")

    def outer
      ToJson::Serializer.json! do
        put :inner, ToJson::Serializer.json! { @count = 5; put :n, add }
        put :n, @count
      end
    end

    def frames(&)
      ToJson::Serializer.json! do
        local = lambda { |x| return x + 1 } # rubocop:disable Style/Lambda
        there = binding.local_variable_get(:local) == local
        put :f, [local.call(1), block_given?, there, __method__]
      end
    end

    def called(callback)
      ToJson::Serializer.json! { callback.call(itself); @extra = 5; put :n, [count, @count, extra] }
    end

    def killed
      ToJson::Serializer.json! { @count = 3; itself.freeze; throw :out, 5 }
    end

    def failing
      ToJson::Serializer.json! { @count = 3; itself.freeze; raise IOError, "mine" }
    end
  end

  test "the caller's own code and the block have the same instance variables" do
    assert_equal '{"n":[1,2,2,null]}', Counter.new.document
    assert_equal '{"late":"loaded"}', Counter.new.later
    counter = Counter.new
    assert_equal ['{"n":8,"m":8}', 8], [counter.assigned, counter.count]
    assert_equal ['{"n":28}', 28], [counter.iterated, counter.count]
    assert_equal ['{"e":[null,null]}', [:@count]], [counter.dropped, counter.instance_variables]
    assert_equal '{"n":9,"s":5}', Counter.new.yielding
    assert_equal '{"n":3}', Counter.new.left
    assert_equal '{"r":[[[0,null],0],[[1,9],1],[[2,9],2]]}', Counter.new.lazily
    assert_equal %({"r":[[0,null],0]}\n{"r":[[1,9],1]}\n{"r":[[2,9],2]}\n), Counter.new.lines
    assert_equal '{"b":[1,7],"g":[[1,2],null,3],"l":[4]}', Counter.new.passed
    callback = ->(caller) { caller.count = 9; caller.extra = 9 }
    assert_equal ['{"n":[9,9,5]}', 5, 9], [counter.called(callback), counter.extra, counter.count]
  end

  # The Writer still had the variables of the block, for each later document.
  test "a block that cannot give its variables back leaves later documents alone" do
    [-> { @count = 9 }, -> { itself.freeze; @count = 9 },
     -> { itself.freeze; @count = 9; raise IOError }].each_with_index do |words, index|
      counter = Counter.new
      counter.freeze if index.zero?
      assert_raises(FrozenError, IOError) { counter.written(words) }
      assert_equal '{"l":[{"x":1},{"x":2}]}',
                   ToJson.json { |j| j.put(:l, [1, 2]) { |one| j.put :x, one } }
      assert_equal '{"n":1}', Counter.new.written(-> { put :n, @count })
    end
  end

  WORDS = {
    "put" => -> { put :l, counts(2) },
    "put with a block" => -> { put(:l, counts(2)) { |one| value one } },
    "array" => -> { put(:l) { array counts(2) } },
    "array with a block" => -> { put(:l) { array(counts(2)) { |one| value one } } },
    "value" => -> { put(:l) { value counts(2) } },
    "pairs" => -> { put({ l: counts(2) }) },
    "a serializer" => lambda do
      put :l, Class.new(ToJson::Serializer) { attributes :three }.new(itself)
    end,
    "put_fields" => -> { put_fields itself, :three },
    "put_field" => -> { put_field itself, :three },
    "put_fields_unless_nil" => -> { put_fields_unless_nil itself, :three }
  }.freeze
  private_constant :WORDS

  # What such a value ran was not seen, and the next assignment of the block overwrote it.
  WORDS.each do |name, word|
    test "what the caller's code assigns while #{name} writes a value is seen after the word" do
      [[Counter.new, 1], [Counter.new, 2]].each do |counter, depth|
        words = -> { instance_exec(&word); put :n, @count; @count += 1 }
        words = outer(words) if depth == 2
        document = counter.written(words)
        assert_match(depth == 2 ? /"n\\":3}","n":4}\z/ : /"n":3}\z/, document)
        assert_equal 4, counter.count
      end
    end
  end

  def outer(words)
    lambda do
      put :in, ToJson::Serializer.json! { instance_exec(&words) }
      put :n, @count
    end
  end

  # The FrozenError of the caller replaced it, also a kill.
  test "what leaves a block of a frozen caller goes on, also through nested and passed blocks" do
    blocks = [->(leave) { @count = 5; leave.call },
              ->(leave) { ToJson::Serializer.json! { @count = 5; leave.call } },
              ->(leave) { with_block { @count = 5; leave.call } },
              ->(leave) { put(:l, endless) { @count = 5; leave.call } }]
    blocks.each do |words|
      counter = Counter.new.freeze
      run = ->(leave) { counter.written(-> { instance_exec(leave, &words) }) }
      assert_raises(IOError) { run.call(-> { raise IOError }) }
      assert_equal 5, catch(:out) { run.call(-> { throw :out, 5 }) }
      rescued = nil
      Thread.new { run.call(-> { Thread.current.kill }) rescue rescued = $! }.join
      assert_nil rescued
    end
    assert_raises(FrozenError) { Counter.new.freeze.written(-> { @count = 5 }) }
  end

  # After an exception, the block did not have what the word's code had assigned.
  { "put" => -> { put :l, failing_rows },
    "put with a block" => -> { put(:l, failing_rows) { |one| value one } },
    "array" => -> { put(:l) { array failing_rows } },
    "value" => -> { put(:l) { value failing_rows } },
    "put_field" => -> { put_field itself, :failing_field },
    "put_fields" => -> { put_fields itself, :failing_field },
    "put_fields_unless_nil" => -> { put_fields_unless_nil itself, :failing_field } }
    .each do |name, word|
    test "what the caller's code assigns is seen in the block if an exception leaves #{name}" do
      counter = Counter.new
      document = counter.written(-> do
        begin
          instance_exec(&word)
        rescue IOError
          @count += 1
        end
        put :n, @count
      end)
      assert_equal ['{"n":4}', 4], [document, counter.count]
    end
  end

  test "what the block and an Enumerator assign while break or an exception leaves an element" do
    [-> { put(:l, ended) { @count += 5; break } },
     -> { catch(:out) { put(:l, ended) { @count += 5; throw :out } } },
     -> { put(:l, ended) { @count += 5; raise IOError } rescue nil },
     -> { put(:l) { array(ended) { @count += 5; break } } }].each do |word|
      counter = Counter.new
      document = counter.written(-> { instance_exec(&word); put :n, @count; @count += 1 })
      assert_match(/"n":106}\z/, document)
      assert_equal 107, counter.count
    end
  end

  test "on_error: of the block form has what the block assigned in the record that failed" do
    type = Class.new(Counter) do
      def lines
        ToJson::Serializer.ndjson([1, 2, 3], on_error: ->(*, index) { noted(index) }) do |one|
          @count += 1
          raise IOError if one == 2

          put :n, [@count, @noted]
        end
      end
    end
    counter = type.new
    assert_equal %({"n":[2,null]}\n{"n":[104,[3,1]]}\n), counter.lines
    assert_equal 104, counter.count
  end

  test "an Enumerator of the caller sees what the block has assigned" do
    counter = Counter.new
    assert_equal '{"l":[5,6,7],"n":8}',
                 counter.written(-> { @count = 5; put :l, counts(3); put :n, @count })
    assert_equal '{"l":[[8,8],[9,9]]}',
                 counter.written(-> { put(:l, counts(2)) { |one| value [one, @count] } })
  end

  # Some builders ask how their block is to be called.
  test "a method of the caller gets a block that answers as the block does" do
    assert_equal '{"a":["x",null],"b":[1]}', Counter.new.written(-> {
      put :a, built { |one| [one, nil] }
      put :b, built { [length] }
    })
    answers = nil
    Counter.new.written(-> { answers = asked { |a, b = 1, *c, k: 2| [a, b, c, k] } })
    block = proc { |a, b = 1, *c, k: 2| [a, b, c, k] }
    assert_equal [block.arity, block.parameters, __LINE__ - 2, false], answers
  end

  # The stand-in passes calls on to private methods, so they were called.
  test "put_fields self reads the public methods of the caller" do
    type = Class.new(Counter) do
      def value = 7

      private

      def password = "secret"
    end
    assert_equal '{"count":1,"value":7,"extra":2}',
                 type.new.written(-> { put_fields self, :count, :value; put_field self, :extra })
    [-> { put_fields self, :password }, -> { put_field self, :password },
     -> { put_fields_unless_nil self, :password }, -> { put_fields self, :exit },
     -> { me = self; put :a, ToJson::Serializer.json! { put_fields me, :password } }]
      .each { |words| assert_raises(NoMethodError) { type.new.written(words) } }
  end

  # A lambda stayed as it is, so it did not see what the method assigned.
  test "a lambda that is passed as a block shares the variables, too" do
    assert_equal '{"l":[10,20],"s":5,"m":["1","2"]}', Counter.new.written(-> {
      row = ->(_) { @count *= 10; @count }
      put :l, [with(1) { given([1], &row) }, with(2) { given([1], &row) }]
      put :s, sum(&-> { @sum += 5 })
      put :m, [given(1, &:to_s), given(2, &:to_s)]
    })
    pairs = -> { value given({ 1 => 2 }, &->(hash) { hash }).map(&->(k, v) { k + v }) }
    assert_equal "[3]", Counter.new.written(pairs)
    assert_equal "[3]", Counter.new.written(-> { value mapped({ 1 => 2 }, &->(k, v) { k + v }) })
    error = assert_raises(ArgumentError) { Counter.new.written(-> { given(1, &->(a, b) {}) }) }
    assert_match(/given 1, expected 2/, error.message)
  end

  test "the caller's own method, send and public_send are called by their names" do
    type = Struct.new(:method, :send, :public_send) do
      def document = ToJson::Serializer.json! { put :a, [method, send, public_send] }
    end
    assert_equal '{"a":["GET",2,3]}', type.new("GET", 2, 3).document
  end

  # Binding it to the document forgot the object that `new` had given it.
  test "a serializer with an object keeps it, if one of its methods uses the block form" do
    type = Class.new(ToJson::Serializer) do
      attributes :count
      def summary = ToJson::Serializer.json! { put :a, 1 }
    end
    [[], [{ context: { a: 1 } }]].each do |keywords|
      serializer = type.new(Counter.new, **keywords.first.to_h)
      assert_equal '{"a":1}', serializer.summary
      assert_equal ['{"count":1}', '[{"count":1}]'],
                   [serializer.json!, ToJson.generate([serializer])]
    end
  end

  # They were ignored.
  test "the block form refuses options of declared fields" do
    words = { view: :a, only: [:a], except: [:a], root: :a, meta: {}, collection: true }
    words.each do |name, given|
      error = assert_raises(ArgumentError) { ToJson::Serializer.json!(name => given) { put :a, 1 } }
      assert_match(/\A#{name}: needs declared fields/, error.message)
    end
  end

  test "methods that ask what calls them answer as outside of the block" do
    assert_equal '{"f":[2,true,true,"frames"]}', Counter.new.frames { 1 }
    assert_equal '{"s":[true,true,false]}', Counter.new.then { |one| one.same(one) }
  end

  # The copy stayed in what the helper kept.
  test "what a method keeps of its self is the caller" do
    counter = Counter.new
    2.times { assert_equal '{"n":1}', counter.kept }
    assert_same counter, counter.helpers.first
  end

  # A hidden subclass of the class stood among these, and had none of its methods.
  test "the block makes no subclass of the caller's class" do
    type = Class.new(Caller)
    type.new(a: 1).run { ToJson::Serializer.json! { put :a, @a } }
    assert_empty type.subclasses if type.respond_to?(:subclasses)
    assert_equal [type], ObjectSpace.each_object(type.singleton_class).to_a
  end

  test "a method of the caller that uses the words says what to do" do
    error = assert_raises(ToJson::Error) do
      Caller.new.run { ToJson::Serializer.json! { write_author } }
    end
    assert_equal "$: a method of BlockFormTest::Caller called put, which the block has, and the " \
                 "object has not. Include ToJson::Serialize in the class.", error.message
    type = Class.new(Caller) { include ToJson::Serialize }
    assert_equal '{"author":"public"}', type.new.instance_exec { json! { write_author } }
    assert_equal '{"author":"public"}',
                 type.new.instance_exec { ToJson::Serializer.json! { write_author } }
    type.define_method(:serialize) { put :in, ToJson::Serializer.json! { write_author } }
    assert_equal '{"in":"{\\"author\\":\\"public\\"}"}', type.new.json!
  end

  # The class of the receiver has no Rules.
  test "each form has the Rules of the caller's class, also with methods of its own" do
    type = Class.new do
      include ToJson::Serialize
      rules time: :unix
      def line = ToJson::Serializer.ndjson([Time.at(5)]) { |at| put :t, at }
      def stream = ToJson::Serializer.stream([Time.at(5)]) { |at| put :t, at }.each.to_a.join
      def kept = ToJson::Serializer.encode! { put :t, Time.at(5) }.to_json
      def text = ToJson::Serializer.json! { put :t, Time.at(5) }
    end
    [type.new, type.new.tap { |one| def one.own = 1 }].each do |one|
      assert_equal %w[{"t":5} {"t":[5]} {"t":5} {"t":5}],
                   [one.line.chomp, one.stream, one.kept, one.text]
    end
  end

  test "the words are reached by send and method, too" do
    assert_equal '{"a":1,"b":2,"l":[3],"r":[true,true,false],"s":"private"}',
                 as_caller(a: 1) {
                   ToJson::Serializer.json! do
                     send(:put, :a, @a)
                     [[:b, 2]].each { |pair| method(:put).call(*pair) }
                     put(:l) { array([3]) { |one| public_send(:value, one) } }
                     put :r, [respond_to?(:put), respond_to?(:helper), respond_to?(:secret)]
                     put :s, send(:secret)
                   end
                 }
  end

  test "self as a value is refused, and itself is the caller" do
    [-> { put :a, self }, -> { put :a, [self] }, -> { put(:a, self) { 1 } },
     -> { put :a, Class.new(ToJson::Serializer) { attributes :count }.new(self) }].each do |words|
      error = assert_raises(ToJson::Error) { Counter.new.written(words) }
      assert_match(/\A(\$\S*: )?self in the block form stands for your object, and is no value\./,
                   error.message)
    end
    type = Class.new(ToJson::Serializer) { attributes :count }
    assert_equal '{"a":{"count":1}}', Counter.new.written(-> { put :a, type.new(itself) })
    struct = Struct.new(:lambda, :binding) do
      def document = ToJson::Serializer.json! { put :a, [lambda, binding] }
    end
    assert_equal '{"a":[1,2]}', struct.new(1, 2).document
  end

  test "what a block inside a block assigns, and gives by a call, is seen outside of both" do
    counter = Counter.new
    assert_equal '{"inner":"{\"n\":6}","n":6}', counter.outer
    assert_equal 6, counter.count
  end

  test "a NoMethodError without a name is the caller's" do
    error = assert_raises(NoMethodError) { Counter.new.written(-> { abstract }) }
    assert_equal "must implement", error.message.lines.first.chomp
  end

  test "an exception is not replaced by that of a caller that is frozen" do
    assert_equal "mine", assert_raises(IOError) { Counter.new.failing }.message
    assert_equal 5, catch(:out) { Counter.new.killed }
  end

  test "instance_variables in the block lists the caller's" do
    assert_equal '{"names":["@a","@b"]}', as_caller(a: 1, b: 2) {
      ToJson::Serializer.json! { put :names, instance_variables.sort }
    }
  end

  test "a method added to the caller's class later is seen" do
    type = Class.new(Caller)
    caller = type.new
    block = -> { ToJson::Serializer.json! { put :late, respond_to?(:late) && late } }
    assert_equal '{"late":false}', caller.run(&block)
    type.define_method(:late) { "now" }
    assert_equal '{"late":"now"}', caller.run(&block)
  end

  test "arguments go to the block, keywords too" do
    assert_equal '{"a":1,"b":2,"rest":[3]}', ToJson::Serializer.json!(1, 3, b: 2) { |a, *rest, b:|
      put a: a, b: b, rest: rest
    }
    assert_equal '{"a":[1,2]}', ToJson::Serializer.json!([1, 2]) { |a| put :a, a }
  end

  test "scope is the first argument, or the block's self" do
    assert_equal '{"scope":5}', ToJson::Serializer.json!(5, 6) { |_, _| put :scope, scope }
    seen = nil
    caller = Caller.new
    caller.run { ToJson::Serializer.json! { seen = scope } }
    assert_same caller, seen
  end

  test "a block form in a block form, three deep, brings instance variables all the way back" do
    caller = Caller.new(a: 1)
    expected = '{"outer":1,"inner":"{\"a\":2,\"deepest\":\"{\\\\\"a\\\\\":3}\"}","after":4}'
    document = caller.run do
      ToJson::Serializer.json! do
        put :outer, @a
        inner = ToJson::Serializer.json! do
          put :a, @a += 1
          put :deepest, ToJson::Serializer.json! { put :a, @a += 1 }
        end
        put :inner, inner
        put :after, @a += 1
      end
    end
    assert_equal expected, document
    assert_equal 4, caller.instance_variable_get(:@a)
  end

  test "encode! with a block keeps the document" do
    encoded = as_caller(a: 1) { ToJson::Serializer.encode! { put :a, @a } }
    assert_equal '{"a":1}', encoded.to_json
    assert_equal '{"a":1}', encoded.to_s
    assert_equal '{"x":{"a":1}}', ToJson.generate({ x: encoded })
  end

  test "json! without a block on the base class says where the block went" do
    [-> { ToJson::Serializer.json! }, -> { ToJson::Serializer.encode! },
     -> { ToJson::Serializer.json!(1) }].each do |call|
      error = assert_raises(ToJson::Error, &call)
      assert_match(/render json: .*gives its block to render/, error.message)
      assert_includes error.message, "braces"
    end
  end

  test "callers of classes that come and go leave nothing behind" do
    # Ruby 3.1 keeps what was called last from C, of some thousand classes, for a while.
    counts = Array.new(2) do
      1_500.times do
        Class.new(Caller).new(a: 1, b: 2, c: 3, d: 4).run do
          ToJson::Serializer.json! { put :a, @a }
        end
      end
      GC.start
      ObjectSpace.count_objects[:T_CLASS]
    end
    assert_operator counts[1] - counts[0], :<, 1_000
  end

  # Instance variables in an order that the caller says: objects of one class whose slots differ.
  class Ordered
    attr_reader :a, :b

    def initialize(*order)
      order.each_with_index { |name, value| instance_variable_set(name, value + 1) }
    end
    def change = @b = "changed"
    def inner = ToJson::Serializer.json! { put :inner, @a }

    def swap(other)
      ToJson::Serializer.json! do
        @a, @b = @b, @a
        put :inner, other&.inner
      end
    end

    def keep(other)
      kept = nil
      ToJson::Serializer.json! do
        kept = self
        remove_instance_variable(:@b)
        3.times { other.inner }
      end
      kept
    end
  end

  test "assignments come back although blocks of the same class with other slots ran meanwhile" do
    10.times do
      one, other = Ordered.new(:@a, :@b), Ordered.new(:@b, :@a)
      one.swap(nil)
      assert_equal [2, 1], [one.a, one.b]
      one.swap(other)
      assert_equal [1, 2], [one.a, one.b]
      other.swap(one)
      assert_equal [1, 2], [other.a, other.b]
    end
  end

  test "a block's self that was kept writes into no later document" do
    5.times do
      kept = Ordered.new(:@a, :@b).keep(Ordered.new(:@b, :@a))
      error = assert_raises(ToJson::GrammarError) do
        ToJson.json { |j| j.put(:a) { kept.put(:foreign, 1) } }
      end
      assert_match(/is not writing a document now/, error.message)
    end
  end

  test "a copy of a class has blocks of its own" do
    original = Class.new do
      def who = "original"
      def text = ToJson::Serializer.json! { put :who, who }
    end
    3.times { assert_equal '{"who":"original"}', original.new.text }
    copy = original.clone
    copy.remove_method(:who)
    copy.define_method(:who) { "copy" }
    3.times do
      assert_equal ['{"who":"copy"}', '{"who":"original"}'], [copy.new.text, original.new.text]
    end
  end
end
