# frozen_string_literal: true

require_relative "caching_case"
require_relative "../support/own_process"
require "date"
require "bigdecimal"
require "set"

# Callables and defaults with state: their state is part of the key, or the cache is refused.
class CachingKeyStateTest < CachingCase
  Email = Struct.new(:text)
  FRED = { id: 1, email: Email.new("f@example.com") }.freeze

  class EmailFor
    attr_writer :admin

    def initialize(admin) = @admin = admin
    def call(email) = @admin ? email.text : "hidden"
    def method_for(email) = call(email)
    def by_self = ->(email) { call(email) }
    def by_variable = ->(email) { @admin ? email.text : "hidden" }
  end

  # Names itself: what else it holds does not count.
  class Named < EmailFor
    def initialize(admin)
      super
      @io = $stdout
    end

    def cache_key = @admin.to_s
  end

  Chosen = Struct.new(:admin) do
    def call(email) = admin ? email.text : "hidden"
    def inner(email) = admin.call(email)
  end

  module Ask
    class << self
      attr_accessor :admin

      def call(email) = @admin ? email.text : "hidden"
    end
  end

  def self.closing_over(admin) = ->(email) { admin ? email.text : "hidden" }

  def self.by_block(&admin) = ->(email) { admin.call ? email.text : "hidden" }

  def self.deep(admin)
    lists = { in: [Set[admin]] }
    ->(email) { [1].map { lists[:in].first.include?(true) ? email.text : "hidden" }.first }
  end

  # Each gives a callable that tells the address to admins only.
  CALLABLES = {
    "an object" => ->(admin) { EmailFor.new(admin) },
    "a frozen object" => ->(admin) { EmailFor.new(admin).freeze },
    "a Struct" => ->(admin) { Chosen.new(admin) },
    "an object that names itself" => ->(admin) { Named.new(admin) },
    "a module with variables" => ->(admin) { Ask.tap { |ask| ask.admin = admin } },
    "a lambda that closes over a variable" => ->(admin) { closing_over(admin) },
    "a lambda over a block" => ->(admin) { admin ? by_block { true } : by_block { false } },
    "a lambda that closes over containers, in a block of its own" => ->(admin) { deep(admin) },
    "a lambda that calls methods of its self" => ->(admin) { EmailFor.new(admin).by_self },
    "a lambda that reads variables of its self" => ->(admin) { EmailFor.new(admin).by_variable },
    "a Method" => ->(admin) { EmailFor.new(admin).method(:method_for) },
    "a Symbol as a Proc" => ->(admin) { (admin ? :text : :size).to_proc },
    "an object within one" => ->(admin) { Chosen.new(EmailFor.new(admin)).method(:inner) }
  }.freeze

  CALLABLES.each do |what, make|
    # Two calls whose Rules differed only in that shared an entry: an address went to everybody.
    test "rules: convert: #{what}: one entry for each state" do
      type = Class.new(ToJson::Serializer) { attributes :id, :email; cache key: :id }
      plain = Class.new(ToJson::Serializer) { attributes :id, :email }
      rules = ->(admin) { { convert: { Email => make.call(admin) } } }
      due = [true, false].to_h { |admin| [admin, plain.json!(FRED, rules: rules.call(admin))] }
      assert_equal 2, due.values.uniq.size
      [true, false, false, true].each do |admin|
        assert_equal due[admin], type.json!(FRED, rules: rules.call(admin))
      end
      assert_equal 2, @store.entries.size
      assert_equal "[#{due[false]}]", type.json!([FRED], rules: rules.call(false))
      assert_equal 2, @store.entries.size
    end
  end

  test "Rules that are kept and whose callable changes are asked anew for each document" do
    mask = EmailFor.new(true)
    admin = true
    by_variable = ->(email) { admin ? email.text : "hidden" }
    changes = { mask => ->(now) { mask.admin = now }, by_variable => ->(now) { admin = now } }
    changes.each do |callable, change|
      rules = ToJson::Rules.new(convert: { Email => callable })
      type = Class.new(ToJson::Serializer) { attributes :id, :email; cache key: :id }
      [true, false, true].each do |now|
        change.call(now)
        email = now ? "f@example.com" : "hidden"
        assert_equal %({"id":1,"email":"#{email}"}), type.json!(FRED, rules: rules)
      end
    end
  end

  test "rules of a class count as those of a call" do
    types = [true, false].map do |admin|
      Class.new(ToJson::Serializer) do
        rules convert: { Email => EmailFor.new(admin) }
        attributes :id, :email
        cache key: :id
      end
    end
    2.times do
      emails = types.map { |type| JSON.parse(type.json!(FRED))["email"] }
      assert_equal ["f@example.com", "hidden"], emails
    end
  end

  OPAQUE = {
    "a Method of C whose receiver is an IO" => -> { $stdout.method(:printf) },
    "a Proc made of a Method" => -> { EmailFor.new(true).method(:method_for).to_proc },
    "what curry makes" => -> { ->(_, email) { email.text }.curry[1] },
    "what >> makes" => -> { :text.to_proc >> :size.to_proc },
    "a lambda over a Mutex" => lambda do
      lock = Mutex.new
      ->(email) { lock.synchronize { email.text } }
    end,
    "a lambda that calls the block of its method" => -> { Yielding.new.callable { 1 } },
    "a lambda that asks for the block of its method" => -> { Yielding.new.asking { 1 } },
    "a lambda that asks block_given?" => -> { Yielding.new.calling { 1 } },
    "an object with a method of its own" => lambda do
      Object.new.tap { |one| def one.call(email) = email.text }
    end,
    "an object that extends a module" => -> { Object.new.extend(Shown) },
    "a Method of such an object" => -> { Object.new.extend(Shown).method(:call) },
    "a method that define_method made of a block with variables" => lambda do
      n = 1
      Class.new { define_method(:call) { |_| n } }.new
    end,
    "a singleton method with variables" => lambda do
      n = 1
      Object.new.tap { |one| one.define_singleton_method(:call) { |_| n } }
    end,
    "a singleton method made of what >> makes" => lambda do
      show = :text.to_proc >> :size.to_proc
      Object.new.tap { |one| one.define_singleton_method(:call, &show) }
    end,
    "a singleton method made of a Symbol" => lambda do
      Object.new.tap { |one| one.define_singleton_method(:call, &:text) }
    end,
    "a module whose call is made of what curry makes" => lambda do
      show = ->(_, email) { email.text }.curry[1]
      Module.new.tap { |one| one.define_singleton_method(:call, &show) }
    end,
    "an object that holds an exception" => -> { Chosen.new(StandardError.new("x")) },
    "an object of many objects" => -> { Chosen.new(Array.new(200) { EmailFor.new(1) }) }
  }.freeze

  class Yielding
    def callable = ->(_) { yield }
    def asking = ->(_) { defined?(yield) ? 1 : 2 }
    def calling(&) = ->(_) { block_given? ? 1 : 2 }
  end

  # Only its private method differs.
  module Shown
    def call(email) = shown(email)

    private

    def shown(email) = email.text
  end

  OPAQUE.each do |what, make|
    test "rules: convert: #{what}: the cache is refused, and the message tells what to do" do
      type = Class.new(ToJson::Serializer) { attributes :id, :email; cache key: :id }
      rules = { convert: { Email => make.call } }
      error = assert_raises(ToJson::CacheError) { type.json!(FRED, rules: rules) }
      opaque = /holds an instance of \S+, whose contents a key cannot see/
      assert_match(/cache: rules: convert: of #{Email} #{opaque}/, error.message)
      assert_match(/Give the callable a method cache_key/, error.message)
      assert_empty @store.entries
    end
  end

  # A Proc has no method cache_key, and who wrote method(:name).to_proc or &method(:name) looks for
  # what to write instead.
  test "the message for a Proc that shows nothing says what to give instead, and that works" do
    type = Class.new(ToJson::Serializer) { attributes :id, :email; cache key: :id }
    method = EmailFor.new(true).method(:method_for)
    error = assert_raises(ToJson::CacheError) do
      type.json!(FRED, rules: { convert: { Email => method.to_proc } })
    end
    assert_match(/made of a Method, give the Method itself \(method\(:name\)\)/, error.message)
    assert_equal(type.json!(FRED, rules: { convert: { Email => method } }),
                 type.json!(FRED, rules: { convert: { Email => method } }))
    assert_equal 1, @store.entries.size
  end

  module One
    WORD = 1
    CALL = ->(_) { WORD }
    SHARED = Ractor.make_shareable(->(_) { WORD })
  end

  module Two
    WORD = 2
    CALL = ->(_) { WORD }
    SHARED = Ractor.make_shareable(->(_) { WORD })
  end

  module CallOne
    WORD = 1

    def self.asking = ->(_) { defined?(@asked) ? 2 : 1 }
    def named(_) = WORD
  end

  module CallTwo
    WORD = 2
    @asked = true

    def self.asking = ->(_) { defined?(@asked) ? 2 : 1 }
    def named(_) = WORD
  end

  module In
    Module = Class.new
    WORD = 1
    CALL = ->(_) { WORD }

    module Two
      WORD = 2
      CALL = ->(_) { WORD }
    end
  end

  class LiarOne
    def class = String
    def call(_) = 1
  end

  class LiarTwo
    def class = String
    def call(_) = 2
  end

  Pair = Struct.new(:text, :size)

  # What is alike but for something that nobody looks at first.
  ALIKE = {
    "lambdas of one text that name other constants" => [One::CALL, Two::CALL],
    "the same, made shareable" => [One::SHARED, Two::SHARED],
    "objects that lie about their class" => [LiarOne.new, LiarTwo.new],
    "a lambda and a block of one text" => [->(one) { one }, proc { |one| one }],
    "Symbols as Procs" => [:text.to_proc, :size.to_proc],
    "Methods of one object" => %i[upcase downcase].map { |name| "aB".method(name) },
    "Methods of one name" => %w[a b].map { |text| text.method(:+) },
    "Methods of one text that name other constants" =>
      [CallOne, CallTwo].map { |owner| owner.instance_method(:named).bind(Object.new) },
    "lambdas that ask for the variables of their self" => [CallOne, CallTwo].map(&:asking),
    "lambdas in a namespace with a class Module of its own" => [In::CALL, In::Two::CALL],
    "containers with other defaults" => [1, 2].map do |n|
      hash = Hash.new(n).freeze
      ->(_) { hash[:a] }
    end
  }.freeze

  ALIKE.each do |what, callables|
    test "rules: convert: #{what} have entries of their own" do
      type = Class.new(ToJson::Serializer) { attributes :id; cache key: :id }
      rules = callables.map { |callable| { convert: { Pair => callable } } }
      2.times { rules.each { |one| type.json!({ id: 1 }, rules: one) } }
      assert_equal 2, @store.entries.size
    end
  end

  # Each makes options of Rules that hide the address from all but admins.
  OTHER_OPTIONS = {
    "as_json: of a lambda" => lambda do |admin|
      { dialect: :json, strict: true, as_json: ->(email, _) { admin ? email.text : "hidden" } }
    end,
    "as_json: of a Method" => lambda do |admin|
      { dialect: :json, strict: true, as_json: AsJson.new(admin).method(:of) }
    end,
    "sort_keys: of a lambda" => lambda do |admin|
      { dialect: :json, sort_keys: ->(hash) { admin ? hash : hash.except(:text) } }
    end
  }.freeze

  AsJson = Struct.new(:admin) { def of(email, _key) = admin ? email.text : "hidden" }

  OTHER_OPTIONS.each do |what, make|
    test "rules: #{what} counts with its state" do
      type = Class.new(ToJson::Serializer) { attributes :id, :email; cache key: :id }
      email = what.start_with?("sort") ? { text: "f@example.com" } : Email.new("f@example.com")
      row = { id: 1, email: email }
      2.times do
        texts = [true, false].map { |admin| type.json!(row, rules: make.call(admin)) }
        assert_equal [true, false], texts.map { |text| text.include?("f@example.com") }
      end
      assert_equal 2, @store.entries.size
    end
  end

  NOW = Time.at(0).utc
  Point = Struct.new(:x)
  Day = Struct.new(:x, keyword_init: true)

  # Each list: values of default: that all are another's.
  DEFAULTS = {
    "times" => [NOW, Time.at(9).utc, Time.at(0, 1, :nsec).utc, Time.at(0, in: "+02:00"),
                Time.at(0, in: "+00:00")],
    "dates" => [Date.new(2026, 1, 1), Date.new(2026, 1, 2), DateTime.new(2026, 1, 1),
                DateTime.new(2026, 1, 1, 0, 0, 1/3r)],
    "numbers" => [1, 1.0, "1", BigDecimal("1"), BigDecimal("2"), 0.0, -0.0, 1r],
    "objects" => [EmailFor.new(1), EmailFor.new(2), Chosen.new(1), Point.new(1), Point.new(2),
                  Day.new(x: 1)],
    "containers" => [[1], [2], [[1]], [], {}, { a: 1 }, { "a" => 1 }, { a: 1, b: 2 },
                     { b: 2, a: 1 }, [Point.new(1)], [Point.new(3)], Set[1], Set[2], 1..2, 1...2],
    "texts" => ["a", :a, "é", "é".b, "\xE9".dup.force_encoding("ISO-8859-1"), "", :"", "e\u0301"],
    "blocks" => [1, 2].map { |n| -> { n } } + [-> { 1 }, -> { 2 }]
  }.freeze

  # A class of one name whose Definition changes, as Rails reloads it.
  def reloaded
    self.class.__send__(:remove_const, :Reloaded) if self.class.const_defined?(:Reloaded, false)
    self.class.const_set(:Reloaded, Class.new(ToJson::Serializer)).tap { |type| yield type }
  end

  # What Ruby finds no class for is not written here, only its key is looked at.
  def key_of_reloaded
    @store.entries.clear
    reloaded { |type| yield type }.json!({ id: 1, at: "there" })
    @store.entries.keys.first
  end

  DEFAULTS.each do |what, values|
    test "default: #{what}: each has a key of its own, also after a class is reloaded" do
      keys = Array.new(2) do
        values.map do |value|
          key_of_reloaded do |type|
            type.class_eval { attribute :at, default: value; cache key: :id }
          end
        end
      end
      assert_equal values.size, keys[0].uniq.size
      assert_equal keys[0], keys[1]
    end
  end

  test "default: Time.at(0) and Time.at(9) of a class that is reloaded" do
    texts = [0, 9].map do |seconds|
      type = reloaded do |made|
        made.class_eval { attribute :at, default: Time.at(seconds).utc; cache key: :id }
      end
      type.json!({ id: 1, at: nil })
    end
    assert_equal %w[{"at":"1970-01-01T00:00:00.000Z"} {"at":"1970-01-01T00:00:09.000Z"}], texts
  end

  test "threads that sign a part at the same time use one signature, also if a class is reloaded" do
    type = reloaded { |made| made.class_eval { attribute :id; cache key: :id } }
    made, part, later = 0, nil, nil
    part = ToJson::Compiler::PartCache.new(type, type.definition.cache, "Part") do
      if (made += 1) == 1
        later = Thread.new do
          ToJson::PlanCache.next_epoch
          part.__send__(:signed)
        end.value
      end
      ["tree", made]
    end
    part.over(nil, ToJson::PlanCache.epoch, nil)

    assert_same part.__send__(:signed), later
    assert_predicate later, :outdated
  end

  Size = Class.new(ToJson::Serializer) { attributes :size }

  class Adder
    def initialize(number) = @number = number
    def call(text) = text.size + @number
    def of(row) = row[:id] + @number
  end

  # What a class of one name, reloaded with another value around it, declares.
  DECLARATIONS = {
    "a block" => ->(n) { attribute(:at) { n } },
    "a block of a block" => ->(n) { attribute(:at) { |_| [1].sum { n } } },
    "an if:" => ->(n) { attribute :at, if: -> { n > 1 } },
    "an Array of conditions" => ->(n) { attribute :at, unless: [-> { false }, -> { n > 1 }] },
    "an as: of a lambda" => ->(n) { attribute :at, as: ->(_) { n } },
    "an as: of an object" => ->(n) { attribute :at, as: Adder.new(n) },
    "an as: of a Method" => ->(n) { attribute :at, as: Adder.new(n).method(:call) },
    "a default: of a block" => ->(n) { attribute :at, default: -> { n } },
    "&:name" => ->(n) { attribute(:at, &(n > 1 ? :size : :itself)) },
    "a Method as a source" => ->(n) { attribute :at, Adder.new(n).method(:of) },
    "a serializer: of a lambda" => ->(n) { has_one :at, serializer: ->(_) { n > 1 ? Size : Size } },
    "a context:" => ->(n) { has_one(:at, serializer: Size, context: { n: n }) },
    "a method of define_method" => ->(n) { attribute :at; define_method(:at) { |_| n } },
    "a version: of an Array" => ->(n) { attribute :at; cache key: :id, version: [n, Point.new(n)] },
    "what no key can tell" => ->(n) { lock = [n, Mutex.new]; attribute(:at) { lock.first } }
  }.freeze

  # In a store of several processes these are entries of one of them.
  ONLY_HERE = ["a Method as a source", "a method of define_method", "what no key can tell"].freeze

  DECLARATIONS.each do |what, declare|
    test "#{what}: values around it are part of the key when the class is reloaded" do
      keys = [1, 2, 1, 2].map do |n|
        key_of_reloaded { |type| type.class_eval { cache key: :id }; type.class_exec(n, &declare) }
      end
      assert_equal ONLY_HERE.include?(what) ? 4 : 2, keys.uniq.size
      assert_equal [keys[0], keys[1]], [keys[2], keys[3]] unless ONLY_HERE.include?(what)
    end
  end

  # What `call` does in a module or class, in one under a module that an agent prepends, and in one
  # above; the class that has it is defined anew by each of the two programs.
  CALLED = {
    "a module" => ["module Called; def self.call(_) = %d; end", "Called"],
    "a class" => ["class Called; def self.call(_) = %d; end", "Called"],
    "an object under a prepended module" =>
      ["module Agent; def call(_) = super; end; class Called; def call(_) = %d; prepend Agent; end",
       "Called.new"],
    "an object of a subclass" =>
      ["class Above; def call(_) = %d; end; class Called < Above; def call(_) = super; end",
       "Called.new"],
    "a Method with super" =>
      ["class Above; def call(_) = %d; end; class Called < Above; def call(_) = super; end",
       "Called.new.method(:call)"]
  }.freeze

  CALLED.each do |what, (code, given)|
    places = { "as:" => [", as: #{given}", ""],
               "Rules" => ["", "convert: { Symbol => #{given} }"] }
    places.each do |place, (as, rules)|
      test "the code of #{what} in #{place} is part of the key, with what super calls" do
        keys = [1, 2, 1].map do |n|
          OwnProcess.run(<<~RUBY)
            #{format(code, n)}
            class Reloaded < ToJson::Serializer
              attribute :at#{as}
              cache key: :id
            end
            ToJson.cache_store = {}
            Reloaded.json!({ id: 1, at: :there }, rules: { #{rules} })
            puts ToJson.cache_store.keys
          RUBY
        end
        assert_equal [2, keys[2]], [keys.uniq.size, keys[0]]
      end
    end
  end

  test "variables that a block does not use are not part of the key, whatever has their name" do
    keys = [1, 2].map do |n|
      row = n
      reading = lambda do |_|
        attribute(:at) { |row| [1].map { |n| [row, n] } }
        cache key: ->(row) { row[:id] }
      end
      [row, key_of_reloaded { |type| type.class_eval(&reading) }].last
    end
    assert_equal 1, keys.uniq.size
  end

  test "classes with a temporary name, or inside a class without one, are told apart" do
    types = Array.new(2) do |n|
      Class.new(ToJson::Serializer) do
        set_temporary_name("made up") if respond_to?(:set_temporary_name) # Ruby >= 3.3
        lock = [n, Mutex.new]
        attribute(:n) { lock.first }
        cache key: :id
      end
    end
    homes = types.map { |type| Class.new.tap { |home| home.const_set(:Inner, Class.new(type)) } }
    types += homes.map { |home| home::Inner }
    2.times do
      assert_equal [0, 1, 0, 1], types.map { |type| JSON.parse(type.json!({ id: 1 }))["n"] }
    end
    assert_equal 4, @store.entries.size
  end

  test "a process that was forked has identities of its own" do
    skip "no fork here" unless Process.respond_to?(:fork)
    ToJson::Compiler::Identity.of(Object.new)
    told = Array.new(2) do
      IO.popen("-") do |pipe|
        next pipe.read if pipe

        print ToJson::Compiler::Identity.of(Object.new).inspect
        $stdout.flush
        Process.exit!(true)
      end
    end
    told << ToJson::Compiler::Identity.of(Object.new).inspect
    assert_equal 3, told.map { |text| text[/\h{32}/] }.uniq.size
  end

  test "a value that contains itself has an end" do
    endless = []
    endless << endless
    looped = Chosen.new
    looped.admin = [looped]
    type = Class.new(ToJson::Serializer) { attributes :id, :email; cache key: :id }
    around = ->(held) { ->(email) { held ? email.text : 1 } }
    rules = [endless, looped].map { |held| { convert: { Email => around.call(held) } } }
    2.times { rules.each { |one| type.json!(FRED, rules: one) } }
    assert_equal 2, @store.entries.size
  end
end
