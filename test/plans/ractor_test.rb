# frozen_string_literal: true

require "test_helper"
require_relative "../support/other_ractor"

# After ToJson.compile! other Ractors write with the Plans of the main one; what they cannot do is
# told with class and field.
class DeclaredRactorTest < ToJsonTest
  User = Struct.new(:id, :name)

  class UserSerializer < ToJson::Serializer
    attributes :id
    attribute(:shout) { |user| user.name.upcase }
    view(:full) { attributes :name }
  end

  class OwnSerializer < ToJson::Serializer
    attributes :id
    view(:full) { attributes :name }
    def serialize(user)
      super
      put :own, true
    end
  end

  class BareSerializer < ToJson::Serializer
    def serialize(user) = put(:bare, user.id)
  end

  class AllSerializer < ToJson::Serializer
    root :all
    meta { { by: context[:by] } }
    has_one :one, serializer: UserSerializer
    has_one :looked, source: :one
    has_many :lambda, source: :list, serializer: ->(_) { UserSerializer }
    has_many :map, source: :list, serializer: { User => "UserSerializer" }
    association :any, source: :list, serializer: UserSerializer
    has_one :own, source: :one, serializer: ->(_) { OwnSerializer }
    has_one :bare, source: :one, serializer: ->(_) { BareSerializer }
    has_many :relation, source: :each, serializer: ->(_) { UserSerializer }
    attribute(:said) { [object[:one].id, context[:by]] }
  end

  class NarrowSerializer < ToJson::Serializer
    has_one :view, serializer: ->(_) { UserSerializer }, view: :full
    has_one :only, serializer: ->(_) { UserSerializer }, only: :id
    has_one :context, serializer: UserSerializer, context: 1
    association(:inline) { attributes :id }
    flatten :told, serializer: ->(_) { UserSerializer }
  end

  SERIALIZERS = [UserSerializer, OwnSerializer, BareSerializer, AllSerializer,
                 NarrowSerializer].freeze

  def self.ann = User.new(7, "Ann")
  def self.all = { one: ann, list: [ann, nil], each: [ann].each_entry }

  # Where an Enumerator cannot go to, the other Ractor makes it.
  def self.write(klass, given, options)
    klass.json!(given == :all ? all : given, **options)
  rescue StandardError => error
    "#{error.class}: #{error.message}"
  end

  def elsewhere(klass, given, **options)
    # the suite has others, which refer to nothing
    [*SERIALIZERS, klass].each { |made| made.compile! }
    taken = OtherRactor.run { self.class.write(klass, given, options) }
    ractor = silently do
      Ractor.new(klass, given, options) { |*arguments| DeclaredRactorTest.write(*arguments) }
    end
    # what the native core refuses, it does not ask Ractor.current for
    ractor.value.tap do |told|
      unless told.match?(/can run it|no Plan of view :\w+ can be used|work only in the main Ractor/)
        assert_equal told, taken
      end
    end
  end

  test "lookups, lambdas, maps and what is one or many are written as in the main Ractor" do
    here = AllSerializer.json!(self.class.all, context: { by: 1 })
    assert_includes here, '"relation":[{"id":7,"shout":"ANN"}]'
    assert_equal here, elsewhere(AllSerializer, :all, context: { by: 1 })
  end

  test "declared views are there, of a serialize of its own too" do
    assert_equal '{"id":7,"shout":"ANN","name":"Ann"}',
                 elsewhere(UserSerializer, self.class.ann, view: :full)
    assert_equal '{"id":7,"shout":"ANN","name":"Ann"}',
                 elsewhere(UserSerializer, self.class.ann, view: ["full"])
    assert_equal '{"id":7,"name":"Ann","own":true}',
                 elsewhere(OwnSerializer, self.class.ann, view: "full")
    assert_equal '{"id":7,"own":true}', elsewhere(OwnSerializer, self.class.ann)
    assert_equal '{"bare":7}', elsewhere(BareSerializer, self.class.ann)
  end

  {
    [:UserSerializer, { only: :id }] =>
      "only: and except: work only in the main Ractor. Declare a view or another class instead.",
    [:OwnSerializer, { except: "id" }] =>
      "only: and except: work only in the main Ractor. Declare a view or another class instead.",
    [:UserSerializer, { view: :none }] =>
      "no Plan of view :none can be used in this Ractor. Call ToJson.compile! in the main Ractor " \
      "first.",
    [:UserSerializer, { view: [] }] =>
      "no Plan of view [] can be used in this Ractor. Call ToJson.compile! in the main Ractor " \
      "first."
  }.each do |(name, options), message|
    test "of a call #{options} of #{name} is told: #{message}" do
      klass = self.class.const_get(name)
      assert_operator elsewhere(klass, self.class.ann, **options), :start_with?,
                      "ToJson::Error: #{klass}: #{message}"
    end
  end

  { view: "$.view: ", only: "$.only: ", context: "$.context: ", inline: "$.inline: ",
    told: "" }.each do |name, path|
    test "an association that takes the Definition is told with its field: #{name}" do
      said = elsewhere(NarrowSerializer, { name => self.class.ann })
      word = { inline: "association", told: "flatten" }.fetch(name, "has_one")
      field = "#{NarrowSerializer}: #{word} :#{name}"
      place = Regexp.escape(path)
      assert_match(/\AToJson::Error: #{place}(?:\$: )?#{field}: works only in the main Ractor\. /,
                   said)
    end
  end

  # It asked for the subclasses of Serializer by bind_call, which once crashed Ruby 3.1.2 in three
  # Ractors.
  test "ToJson.compile! is refused elsewhere" do
    ractor = silently do
      Ractor.new do
        ToJson.compile!
      rescue StandardError => error
        "#{error.class}: #{error.message}"
      end
    end
    assert_equal "ToJson::Error: ToJson.compile! works only in the main Ractor. Call it there " \
                 "first.", ractor.value
  end

  # Also a compile! of such a class raised Ractor::IsolationError.
  test "a class whose Rules hold a Proc that cannot be shared is compiled, its views refused " \
       "elsewhere" do
    more = "!"
    shout = ->(text) { text.upcase + more }
    loud = Class.new(UserSerializer) { rules convert: { String => shout } }
    klass = self.class.const_set(:LoudSerializer, loud)
    klass.compile!
    assert_equal '{"id":7,"shout":"ANN!"}', klass.json!(self.class.ann)
    refute_predicate shout, :frozen?
    said = elsewhere(klass, self.class.ann, view: :full)
    assert_operator said, :start_with?,
                    "ToJson::Error: #{klass}: no Plan of view :full can be used in this Ractor."
  end

  test "a class that changed since is told" do
    klass = self.class.const_set(:ChangedSerializer,
                                 Class.new(ToJson::Serializer) { attributes :id })
    assert_equal '{"id":7}', elsewhere(klass, self.class.ann)
    klass.attributes :name
    ractor = silently do
      Ractor.new(klass, self.class.ann) { |*arguments| DeclaredRactorTest.write(*arguments, {}) }
    end
    assert_match(/\AToJson::Error: .*ChangedSerializer: no Plan can be used in this Ractor\./,
                 ractor.value)
  end

  # What is frozen after its declarations, by compile! or not, and copies of it.
  FROZEN = { "frozen" => lambda(&:freeze), "compiled and frozen" => ->(klass) {
    klass.tap(&:compile!).freeze
  },
             "a clone" => ->(klass) { klass.freeze.clone }, "clone(freeze: true)" => ->(klass) do
               klass.clone(freeze: true)
             end }.freeze

  [UserSerializer, OwnSerializer, BareSerializer].product(FROZEN.keys).each do |type, how|
    test "a class that was frozen is compiled for other Ractors in a new epoch: #{type} #{how}" do
      klass = FROZEN.fetch(how).call(Class.new(type))
      assert_predicate klass, :frozen?
      expected = klass.json!(self.class.ann)
      3.times do
        ToJson::PlanCache.next_epoch
        assert_equal expected, elsewhere(klass, self.class.ann)
        unless type == BareSerializer
          assert_equal type.json!(self.class.ann, view: :full),
                       elsewhere(klass, self.class.ann, view: :full)
        end
      end
    end
  end

  test "a frozen class that only the main Ractor can run is refused elsewhere, anew too" do
    more = "!"
    klass = Class.new(UserSerializer) { attribute(:more) { more } }.freeze
    2.times do
      assert_match(/its block sees local variables/, elsewhere(klass, self.class.ann))
      ToJson::PlanCache.next_epoch
    end
    klass.compile!
    assert_equal '{"id":7,"shout":"ANN","more":"!"}', klass.json!(self.class.ann)
  end
end
