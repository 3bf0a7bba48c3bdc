# frozen_string_literal: true

require_relative "caching_case"

# What a serializer instance has of its own stands in no key: its parts are neither looked up nor
# kept, unless the code of `key:` looks at the instance. Guests got what an admin's instance wrote.
class CachingInstanceStateTest < CachingCase
  ANN = Struct.new(:id, :email).new(1, "ann@example.com")

  class ByInitialize < ToJson::Serializer
    cache key: :id
    attribute(:email) { |user| user.email if @viewer == :admin }

    def initialize(user, viewer = nil, **options)
      super(user, **options)
      @viewer = viewer
    end
  end

  class BySetter < ToJson::Serializer
    attr_accessor :viewer

    cache key: :id
    attributes :email
    def email(user) = viewer == :admin ? user.email : nil
  end

  class ByModule < ToJson::Serializer
    cache key: :id
    attributes :email
    def email(_) = nil
  end

  module ForAdmins
    def email(user) = user.email
  end

  class OfAssociation < ToJson::Serializer
    has_one :itself, cache: { key: :id } do
      attribute(:email) { |user| user.email if @viewer == :admin }
    end
    attr_writer :viewer
  end

  MAKE = {
    "initialize" => ->(user, admin) { ByInitialize.new(user, admin ? :admin : :guest) },
    "a setter" => ->(user, admin) { BySetter.new(user).tap { |s| s.viewer = :admin if admin } },
    "a module" => ->(user, admin) { ByModule.new(user).tap { |s| s.extend(ForAdmins) if admin } },
    "a setter, for an association" =>
      ->(user, admin) { OfAssociation.new(user).tap { |s| s.viewer = :admin if admin } }
  }.freeze

  class Around < ToJson::Serializer
    cache key: ->(held) { held[:id] }
    attributes :id, :user
  end

  WRITE = {
    "a document" => ->(serializer) { serializer.json! },
    "a value" => ->(serializer) { ToJson.generate([serializer]) },
    "a value of a cached serializer" => ->(serializer) { Around.json!({ id: 1, user: serializer }) }
  }.freeze

  MAKE.each do |word, make|
    WRITE.each do |place, write|
      [ANN, [ANN]].each do |object|
        test "state by #{word}, in #{place}, of #{object.class}" do
          [[true, false], [false, true]].each do |admins|
            @store.entries.clear
            (admins * 2).each do |admin|
              text = write.call(make.call(object, admin))
              assert_equal admin, text.include?("ann@example.com"), text
            end
          end
        end
      end
    end
  end

  test "instances without state use the store, also if they were used with a selection" do
    kept = BySetter.new(ANN)
    2.times { kept.json!(only: :email) }
    2.times { kept.json! }
    assert_equal 2, @store.entries.size
    assert_equal({ read: 4, write: 2 }, @store.calls.map(&:first).tally)
  end

  # A helper keeps what it memoized for one document. It began without state.
  test "what methods memoize in a document does not count" do
    type = Class.new(ToJson::Serializer) do
      cache key: :id, batch: 1
      attributes :email
      def email(user) = (@known ||= {})[user.id] ||= user.email
    end
    2.times { type.json!([ANN, ANN.dup.tap { |other| other.id = 2 }]) }
    assert_equal 2, @store.entries.size
  end

  # The frame begins before `serialize` gets the viewer.
  class ByArgument < ToJson::Serializer
    has_one :itself, cache: { key: :id } do
      attribute(:email) { |user| user.email if @viewer == :admin }
    end

    def serialize(user, viewer = nil)
      @viewer = viewer
      put_attributes(user)
    end
  end

  test "state by an argument of serialize" do
    [[true, false], [false, true]].each do |admins|
      @store.entries.clear
      (admins * 2).each do |admin|
        [ANN, [ANN]].each do |object|
          text = ByArgument.json!(object, admin ? :admin : :guest)
          assert_equal admin, text.include?("ann@example.com"), text
        end
      end
    end
  end

  Visit = Struct.new(:user, :viewer) do
    def itself = user
    def visit = self
  end

  class OfVisit < ByArgument
    def serialize(visit)
      @viewer = visit.viewer
      put_attributes(visit)
    end
  end

  test "state that serialize gives where the class is flattened" do
    name = OfVisit.name
    [OfVisit, name, ->(_) { OfVisit }].each do |inner|
      flat = Class.new(ToJson::Serializer) { flatten :visit, serializer: inner }
      twice = Class.new(ToJson::Serializer) { flatten :visit, serializer: flat }
      [flat, twice].product([[:admin, nil], [nil, :admin]]).each do |type, viewers|
        @store.entries.clear
        (viewers * 2).each do |viewer|
          text = type.json!(Visit.new(ANN, viewer))
          assert_equal !viewer.nil?, text.include?("ann@example.com"), text
        end
      end
    end
  end

  class ByBlock < ToJson::Serializer
    has_one :itself, cache: { key: :id } do
      attribute(:email) { |user| user.email if @viewer == :admin }
    end

    def show(user, viewer) = json! { give(user, viewer) }
    def inside(user, viewer) = ToJson::Serializer.json! { put(:user) { give(user, viewer) } }
    def lines(user, viewer) = ToJson::Serializer.ndjson([user]) { |one| give(one, viewer) }

    def give(user, viewer)
      @viewer = viewer
      put_attributes(user)
    end
  end

  test "state that a block gives" do
    %i[show inside lines].each do |way|
      [[:admin, nil], [nil, :admin]].each do |viewers|
        @store.entries.clear
        (viewers * 2).each do |viewer|
          text = ByBlock.new.public_send(way, ANN, viewer)
          assert_equal !viewer.nil?, text.include?("ann@example.com"), "#{way}: #{text}"
        end
      end
    end
  end

  test "a key that looks at the instance tells its state" do
    type = Class.new(ByInitialize) do
      cache key: ->(user) { [user.id, @viewer] }
    end
    2.times do
      %i[admin guest].each do |viewer|
        assert_equal viewer == :admin, type.new(ANN, viewer).json!.include?("ann@")
      end
    end
    assert_equal 2, @store.entries.size
  end
end
