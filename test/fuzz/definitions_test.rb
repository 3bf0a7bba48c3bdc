# frozen_string_literal: true

require "test_helper"
require "fuzz/kit/runner"
require "fuzz/definitions/target"

# A part of the CI's run inside the suite, with a seed that stays; and the tools themselves: the
# oracle, the model of declarations on paper, the printing and the shrinking.
class DefinitionsFuzzTest < ToJsonTest
  COUNT = Figures.of("random Definitions")

  D = Fuzz::Definitions

  # Declared once; each line of TOLD is one of its calls.
  class Person < ToJson::Serializer
    root :person, :people
    transform_keys :camel_lower
    attributes :id, first_name: :given_name
    attribute(:twice) { |person| [person[:id]] * 2 }
    attribute(:who, if: :id) { context[:who] }
    attribute :price, as: :string, skip_nil: true
    nested(:home_address) { attributes :street }
    has_one(:friend, source: :best_friend) { attributes :id }
    has_many :children, serializer: self, view: :short
    flatten(:profile) { attributes :bio }
    view(:short) { remove :twice, :who, :friend, :children, :home_address, :profile }
    view(:full, from: :short) { attributes :note }
    def first_name(person) = "#{person[:first_name]}!"
  end

  ANN = { id: 1, first_name: "Ann", price: 2.5, street: "Elm", best_friend: { "id" => 7 },
          children: [{ id: 2 }, nil], profile: { bio: "b" }, note: nil }.freeze
  SHORT = '{"id":2,"givenName":"!"}'
  WHOLE =
    '{"id":1,"givenName":"Ann!","twice":[1,1],"who":"me","price":"2.5","homeAddress":{"street":' \
    '"Elm"},"friend":{"id":7},' \
          "\"children\":[#{SHORT},null],\"bio\":\"b\"}".freeze
  TOLD = {
    { context: { who: "me" }, root: false } => WHOLE,
    { context: { who: "me" } } => "{\"person\":#{WHOLE}}",
    { view: :short, root: "it", meta: { n: 1 } } =>
      '{"it":{"id":1,"givenName":"Ann!","price":"2.5"},"meta":{"n":1}}',
    { view: "full", root: false } => '{"id":1,"givenName":"Ann!","price":"2.5","note":null}',
    { only: { "id" => nil, "friend" => {}, "bio" => nil }, root: false } =>
      '{"id":1,"friend":{},"bio":"b"}',
    { only: { "children" => { "id" => nil } }, except: { "bio" => nil }, root: false } =>
      '{"children":[{"id":2},null]}',
    { except: { "friend" => { "id" => nil }, "children" => nil, "twice" => nil, "who" => nil,
                "bio" => nil }, view: [], root: false } =>
      '{"id":1,"givenName":"Ann!","price":"2.5","homeAddress":{"street":"Elm"},"friend":{}}'
  }.freeze

  TOLD.each do |options, due|
    test "the oracle and the imperative writer tell of #{options.inspect}" do
      assert_equal due, D::Tree.new.text(Person, ANN, **options)
      assert_equal due, D::Imperative.new.text(Person, ANN, **options)
    end
  end

  test "the oracle tells nil, none and many with their roots" do
    told = ->(given, **options) { D::Tree.new.text(Person, given, view: :short, **options) }
    assert_equal '{"person":null}', told.call(nil)
    assert_equal "null", told.call(nil, root: false)
    assert_equal '{"people":[]}', told.call([])
    assert_equal "{\"people\":[#{SHORT},null]}", told.call([{ id: 2 }, nil].each)
    assert_equal '{"person":{"id":null,"givenName":"!"}}', told.call({}, collection: false)
  end

  test "the oracle refuses views and fields that nobody declares" do
    tell = ->(children: ANN[:children], **options) do
      D::Tree.new.text(Person, { **ANN, children: children }, **options)
    end
    assert_raises(ToJson::UnknownViewError) { tell.call(view: :fall) }
    assert_raises(ToJson::UnknownFieldError) { tell.call(only: { "nope" => nil }) }
    assert_raises(ToJson::UnknownFieldError) do
      tell.call(except: { "friend" => { "nope" => nil } })
    end
    assert_raises(ToJson::UnknownFieldError) do
      tell.call(only: { "children" => { "nope" => nil } }, children: [])
    end
    # another view has it
    assert_equal '{"person":{}}', tell.call(view: :short, only: { "friend" => nil })
  end

  test "the oracle converts and names" do
    convert = D::Conversions
    assert_equal ["12", 7, 0.25, true, "2026-11-20", nil, [[1, 1], { "boxed" => 1 }]],
                 [convert.as(:string, 12, nil), convert.as(:integer, "7", nil),
                  convert.as(:float, "0.25", nil), convert.as(:boolean, 0, nil),
                  convert.as(:date, Time.utc(2026, 11, 20, 23), nil),
                  convert.as(:fragment, "", nil),
                  [convert.as(Fuzz::Doubled, 1, nil), convert.as(Fuzz::Boxed, 1, nil)]]
    assert_equal "77", convert.as(:time, Time.at(77), :unix).text
    names = { nil => "a_b_2", camel: "AB2", camel_lower: "aB2", dash: "a-b-2", snake: "a_b_2",
              lambda(&:upcase) => "A_B_2" }
    assert_equal names.values, names.keys.map { |key_case| convert.key("a_b_2", key_case) }
    assert_equal "first_name", convert.key("firstName", :snake)
  end

  test "a block with an optional parameter gets the object, one without sees it, and a nested " \
       "call puts it back" do
    inner = Class.new(ToJson::Serializer) { attribute(:i) { object[:i] } }
    outer = Class.new(ToJson::Serializer) do
      attribute(:a) { |o = nil| o[:a] }
      attribute(:b) { [object[:a], object[:inner][:i]] }
      has_one :inner, serializer: inner
      attribute(:c, -> { object[:a] })
    end
    assert_equal '{"a":1,"b":[1,2],"inner":{"i":2},"c":1}',
                 D::Tree.new.text(outer, { a: 1, inner: { i: 2 } })
  end

  test "lookups go from the namespace outwards" do
    made = D::Case.new(types: [type(:A, :outer, "FuzzRowSerializer", [field(:id)]),
                               type(:B, :inner, "FuzzB", [looking])],
                       change: D::Change.new(
                         :nearer, :C, nil, type(:C, :inner, "FuzzRowSerializer", [field(:title)])
                       ), calls: [])
    world = D::Build.new(made).begin
    row = { commenter: world.things.make(:row, { id: 1, title: "t" }) }
    assert_equal '{"commenter":{"id":1}}', D::Tree.new.text(world[:B], row)
    world.change
    assert_equal '{"commenter":{"title":"t"}}', D::Tree.new.text(world[:B], row)
    assert_raises(ToJson::SerializerNotFound) do
      D::Tree.new.text(world[:B], { commenter: world.things.make(:page, { id: 1 }) })
    end
  ensure
    world&.dismantle
    assert_empty FuzzScratch::Inner.constants - [:FuzzBook]
  end

  test "the model on paper: views in the order of declaration, the last named one's field, " \
       "removals, what a subclass changes" do
    model = D::Model.new(D::Case.new(types: [
      type(:A, nil, nil,
           [field(:a), field(:b), D::View.new(:x, nil, [field(:c), field(:b, key: :bx)]),
            D::View.new(:y, :x, [D::Removal.new([:a]), field(:b, key: :by)])]),
      type(:B, nil, nil, [D::Removal.new([:b]), field(:z), field(:a, key: :za)], parent: :A)
    ]), false)
    keys = ->(id, *views) { model.fields(id, views).map(&:key) }
    assert_equal [%i[a b], %i[a bx c], %i[by c], %i[bx c]],
                 [keys.call(:A), keys.call(:A, :x), keys.call(:A, :y), keys.call(:A, :y, :x)]
    assert_equal [%i[za z], %i[za z c], %i[z c]],
                 [keys.call(:B), keys.call(:B, :x), keys.call(:B, :y)]
  end

  # Notes how many serializers there are after so many cases.
  class Watched < Fuzz::DefinitionsTarget
    attr_reader :counts

    def initialize(*after)
      super()
      @after = after
      @checked = 0
      @counts = []
    end

    def check(*)
      super.tap { @counts << serializers if @after.include?(@checked += 1) }
    end

    private

    def serializers
      3.times { GC.start }
      ObjectSpace.each_object(Class).count { |klass| klass < ToJson::Serializer }
    end
  end

  # One run for two tests: its Runner, which says whether all was well, and its target.
  def self.random_run
    @random_run ||= begin
      target = Watched.new(COUNT / 2, COUNT)
      run = Fuzz::Runner.new(target, seed: 20_261_121, count: COUNT)
      [run, run.call, target]
    end
  end

  test "random Definitions: Plan = oracle = to_h = the imperative DSL's text, by every way out" do
    run, well, = self.class.random_run
    assert well, -> { [*run.reports, "never reached: #{run.missed}", run.summary].join("\n") }
    Figures.reached("random Definitions", run.done)
  end

  test "every row of the contract that stands on paper is reached by the generator" do
    rows = Fuzz::Rows.new(D::ROWS)
    target = Fuzz::DefinitionsTarget.new
    run_time =
      /error:|if:|unless:|condition\ of|skip_|key\ case|as:\ \w+\z|format:|one|many|any:|nested:|
       flatten:|serializer|lookup|nil|empty|without|root\ for|meta\ of\ the\ class|absent|method|
       change|serialize\ that|cached/x
    missed = -> { rows.missed.grep_v(run_time) }
    600.times do |index|
      found = target.generate(Fuzz::Dice.new(7, index))
      D::Reach.count(found, rows)
      D::Build.new(found, rows).tap(&:begin).dismantle
      break if missed.call.empty?
    end
    assert_empty missed.call
  end

  test "a document that differs from the oracle's is noticed, by whichever way it goes" do
    target = Class.new(Fuzz::DefinitionsTarget) do
      def ways(*)
        super.map { |way, result| [way, way == "appended" ? Fuzz::Result.new("{}x") : result] }
      end
    end.new
    found = simple_case(field(:a))
    assert_nil Fuzz::DefinitionsTarget.new.check(found)
    assert_match(/call 0: appended: due "\{\\"a\\":1\}", got "\{\}x"/, target.check(found))
  end

  test "an error where a document is due is noticed, and a Definition that is not that of the " \
       "paper" do
    target = Class.new(Fuzz::DefinitionsTarget) do
      def ways(*) = super.map { |way, _| [way, Fuzz::Result.new(nil, ToJson::Error.new("no"))] }
    end.new
    assert_match(/json!: due .*got ToJson::Error: no/, target.check(simple_case(field(:a))))
    other = Class.new(Fuzz::DefinitionsTarget) do
      def declared(klass, *rest) = super(Class.new(klass) { attributes :b }, *rest)
    end.new
    assert_includes(other.check(simple_case(field(:a))),
                    "the Definition has [[:attribute, :a], [:attribute, :b]], " \
                    "due is [[:attribute, :a]]")
  end

  test "lines that are lost, doubled or cut are noticed, and an error that is lost" do
    changes = { "as it is" => nil, "lost" => ->(text) { text.replace(text.lines[1..].join) },
                "doubled" => ->(text) { text << text }, "cut" => ->(text) { text.chop! } }
    [[nil, false], [nil, true], [:raises, false]].each do |fault, fails|
      changes.each do |name, change|
        said = checked_lines(fault, fails) { |sink| change&.call(sink.taken) }
        change ? assert_match(/Lines.* into .*(due|says)/, said, name) : assert_nil(said)
      end
    end
    assert_match(/Boom: struck.* is due, got nil/, checked_lines(nil, true, lost: true) { nil })
  end

  # Of cases with a has_many somewhere, whatever else is in them.
  test "a failing case is made small, stays sound and prints as Ruby that gives the same " \
       "documents" do
    target = Fuzz::DefinitionsTarget.new
    wrong = ->(found) do
      D::Paper.all_fields(found.types.flat_map(&:items)).any? do |field|
        field.kind == :has_many && field.inline
      end
    end
    cases =
      Enumerator.produce(0, &:succ)
        .lazy
        .map { |index| target.generate(Fuzz::Dice.new(5, index)) }
        .select(&wrong)
        .first(12)
    cases.each do |found|
      small = Fuzz::Shrinker.new(simpler: target.method(:simpler), fails: wrong).shrink(found)
      assert_nil target.check(small)
      assert_operator small.types.size, :<=, 2
      assert_operator D::Paper.all_fields(small.types.flat_map(&:items)).size, :<=, 3
      assert_nil small.change
    end
  end

  test "a printed case is the case that ran" do
    target = Fuzz::DefinitionsTarget.new
    40.times do |index|
      found = target.generate(Fuzz::Dice.new(6, index))
      assert_equal direct(found), printed(target.source(found), found), -> { target.source(found) }
    end
  end

  test "nothing of a case is left: no constant, no class" do
    half, all = self.class.random_run.last.counts
    # some may stand on a stack; code of YJIT keeps those that it was compiled for
    most = defined?(RubyVM::YJIT) && RubyVM::YJIT.enabled? ? 200 : 60
    assert_operator all - half, :<, most
    assert_equal [[:FuzzBook, :Inner], [:FuzzBook]], [FuzzScratch, FuzzScratch::Inner].map { |space|
      space.constants.sort
    }
  end

  private

  def type(id, space, constant, items, parent: nil)
    D::Type.new(id: id, space: space, constant: constant, items: items, parent: parent)
  end
  def field(name, key: name)
    D::Field.new(kind: :attribute, name: name, key: key, style: name == key ? :plain : :source)
  end
  def looking
    D::Field.new(kind: :has_one, name: :commenter, key: :commenter,
                 target: D::Reference.new(:lookup, []))
  end

  def simple_case(*fields)
    row = D::Row.new(:plain, fields.to_h { |field| [field.key, Fuzz::Plain.new(1)] })
    D::Case.new(types: [type(:A, nil, nil, fields)], calls: [D::Call.new(id: :A, given: row)])
  end

  # Three records, one of which may fail, into a Sink which may fail. Yields the Sink behind it.
  def checked_lines(fault, fails, lost: false)
    target = Class.new(Fuzz::DefinitionsTarget) do
      define_method(:run_lines) do |*arguments|
        error = super(*arguments)
        yield arguments.last
        error unless lost
      end
    end
    row = D::Row.new(:plain, { a: D::Struck.new(:raise, Fuzz::Plain.new(1)) })
    target.new.check(simple_case(field(:a)).with(
      calls: [D::Call.new(id: :A, given: row)],
      delivery: Fuzz::Delivery.new(kind: :takes_all, chunk: 1, fault: fault, at: 2),
      lines: Fuzz::Lines.new(struck: [false, false, fails])
    ))
  end

  # What the calls of a case give, before and after its change.
  def direct(found)
    world = D::Build.new(found).begin
    rows = found.calls.map { |call| world.row(call.given) }
    texts = [texts(found.calls, rows, world)]
    return texts.flatten unless found.change

    world.change
    [*texts,
     texts(found.calls.map { |call| call.with(only: nil, except: nil) }, rows, world)].flatten
  ensure
    world&.dismantle
  end

  def texts(calls, rows, world)
    calls.zip(rows).map do |call, row|
      said { world[call.id].json!(row, **call.options, **{ collection: call.collection }.compact) }
    end
  end

  def printed(source, found)
    space = Module.new
    source = source.gsub(/^puts (.*)$/) { "TEXTS << SAID.call { #{$1} }" }.gsub(/^p\(/, "(")
    space.const_set(:TEXTS, [])
    space.const_set(:SAID, ->(&code) { said(&code) })
    space.module_eval(source) # rubocop:disable Security/Eval
    space::TEXTS
  ensure
    D::Build.new(found).dismantle
  end

  def said
    yield
  rescue StandardError => error
    error.class.name
  end
end
