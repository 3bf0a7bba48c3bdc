# frozen_string_literal: true

require_relative "declaration_case"
require "tmpdir"
require "weakref"

# Which serializer a value has where none is named. Constants stand in a world of their own, which
# each test makes anew.
class LookupTest < DeclarationCase
  def setup
    super
    Object.const_set(:LookupWorld, Module.new)
  end

  def teardown
    Object.send(:remove_const, :LookupWorld)
    super
  end

  # LookupWorld::Api::V1::PostSerializer and what it stands in; a Class, unless a value is given.
  def make(name, value = nil, inherits: ToJson::Serializer)
    *within, last = name.split("::").map(&:to_sym)
    scope = within.reduce(LookupWorld) do |outer, inner|
      if outer.const_defined?(inner, false)
        outer.const_get(inner)
      else
        outer.const_set(inner, Module.new)
      end
    end
    scope.const_set(last, value || Class.new(inherits))
  end

  # A class that has had a name at the top: named in the world, it would be looked for by the
  # world's name too.
  def named_top(name, inherits = Object)
    *within, last = name.to_s.split("::").map(&:to_sym)
    outer = within.empty? ? Object : Object.const_set(within[0], Module.new)
    Class.new(inherits).tap { |type| outer.const_set(last, type) }
  ensure
    Object.send(:remove_const, within[0] || last)
  end

  def remove(name)
    *within, last = name.split("::").map(&:to_sym)
    within.reduce(LookupWorld) { |outer, inner| outer.const_get(inner) }.send(:remove_const, last)
  end

  def find(serializer, type) = ToJson::Lookup.find(serializer, type.allocate)

  def found(serializer, type) = find(serializer, type).name.delete_prefix("LookupWorld::")

  # What is there besides Api::V1::PostSerializer => which is found there for a LookupUser and a
  # LookupChat::User.
  PLACES = {
    %w[LookupUser] => ["LookupUser", nil],
    %w[Api::LookupUser LookupUser] => ["Api::LookupUser", nil],
    %w[Api::V1::LookupUser Api::LookupUser LookupUser] => ["Api::V1::LookupUser", nil],
    %w[Api::V1::PostSerializer::LookupUser Api::V1::LookupUser] =>
      ["Api::V1::PostSerializer::LookupUser", nil],
    %w[Api::V2::LookupUser Other::LookupUser] => [nil, nil],
    %w[LookupChat::User] => [nil, "LookupChat::User"],
    %w[Api::LookupChat::User LookupChat::User] => [nil, "Api::LookupChat::User"],
    %w[Api::V1::LookupChat::User Api::LookupChat::User] => [nil, "Api::V1::LookupChat::User"],
    %w[User Api::V1::User Api::V1::PostSerializer::User LookupChat::User] =>
      [nil, "LookupChat::User"],
    %w[User Api::V1::User] => [nil, nil],
    %w[Api::V1::LookupChat::Other LookupChat::User] => [nil, "LookupChat::User"]
  }.freeze

  PLACES.each do |there, expected|
    test "with serializers #{there.join(", ")} there" do
      post = make("Api::V1::PostSerializer")
      there.each { |name| make("#{name}Serializer") }
      %w[LookupUser LookupChat::User].zip(expected) do |name, serializer|
        type = named_top(name)
        serializer ? assert_equal("#{serializer}Serializer", found(post, type)) :
          assert_raises(ToJson::SerializerNotFound) do
          find(post, type)
        end
      end
    end
  end

  test "a name that leads through the namespace of the serializer itself is found there" do
    post = make("Api::V1::PostSerializer")
    make("Api::V1::CommentSerializer")
    assert_equal "Api::V1::CommentSerializer",
                 found(post, make("Api::V1::Comment", inherits: Object))
  end

  test "UserSerializer is not for Chat::User: nobody said so" do
    post = make("Api::PostSerializer")
    make("UserSerializer")
    make("Api::UserSerializer")
    error = assert_raises(ToJson::SerializerNotFound) do
      find(post, make("Chat::User", inherits: Object))
    end
    assert_includes error.message,
                    "no serializer for LookupWorld::Chat::User: tried " \
                    "LookupWorld::Api::PostSerializer::LookupWorld::Chat::UserSerializer"
  end

  test "what is not found is told with all names that were tried, and what to do" do
    post = make("Api::PostSerializer")
    admin = named_top(:LookupAdmin, named_top(:LookupUser))
    assert_refused("no serializer for LookupAdmin: tried " \
                   "LookupWorld::Api::PostSerializer::LookupAdminSerializer, " \
                   "LookupWorld::Api::LookupAdminSerializer, " \
                   "LookupWorld::LookupAdminSerializer, LookupAdminSerializer, " \
                   "LookupWorld::Api::PostSerializer::LookupUserSerializer, " \
                   "LookupWorld::Api::LookupUserSerializer, LookupWorld::LookupUserSerializer, " \
                   "LookupUserSerializer. Define one of these, or " \
                   "pass serializer: (a serializer, or a Hash from classes to serializers), or a " \
                   "block with the fields.", ToJson::SerializerNotFound) do
      find(post, admin)
    end
    assert_operator ToJson::SerializerNotFound, :<, ToJson::UnsupportedTypeError
  end

  test "a class without a name has no serializer, and neither has one below Struct.new" do
    post = make("PostSerializer")
    said = "has no name, so no serializer can be found for it: pass serializer: (a serializer, " \
           "or a Hash from classes to serializers), or a block with the fields."
    message = /\A(#<Class:0x\h+>|Plain) #{Regexp.escape(said)}\z/
    assert_refused(message, ToJson::SerializerNotFound) { find(post, Class.new) }
    assert_refused(message, ToJson::SerializerNotFound) do
      find(post, Class.new(named_top(:LookupUser)))
    end
    assert_refused(message, ToJson::SerializerNotFound) do
      ToJson::Lookup.find(post, Class.new(BasicObject).allocate)
    end
    inner = Class.new.const_set(:Inner, Class.new)
    assert_refused(/ has no name, so no serializer can be found for it/,
                   ToJson::SerializerNotFound) do
      find(post, inner)
    end
    make("PointSerializer")
    assert_equal "PointSerializer", found(post, named_top(:Point, Struct.new(:x)))
  end

  test "a value that says it is of another class is looked up as that" do
    post = make("PostSerializer")
    make("LookupUserSerializer")
    user = named_top(:LookupUser)
    assert_equal "LookupUserSerializer",
                 ToJson::Lookup.find(post,
                                     Class.new do
                                       define_method(:class) { user }
                                     end.new).name.delete_prefix("LookupWorld::")
    assert_raises(ToJson::SerializerNotFound) do
      ToJson::Lookup.find(post, Class.new { define_method(:class) { "LookupUser" } }.new)
    end
  end

  test "a class that calls itself otherwise is looked up by its constant" do
    post = make("PostSerializer")
    make("LookupUserSerializer")
    type = named_top(:LookupUser)
    type.define_singleton_method(:name) { "Other" }
    assert_equal "LookupUserSerializer", found(post, type)
  end

  test "superclasses are tried after the class itself, in all namespaces" do
    post = make("Api::PostSerializer")
    user = named_top(:LookupUser)
    admin = named_top(:LookupAdmin, user)
    root = named_top(:LookupRoot, admin)
    make("Api::LookupUserSerializer")
    assert_equal %w[Api::LookupUserSerializer] * 3, [user, admin, root].map { |type|
      found(post, type)
    }
    make("LookupAdminSerializer")
    assert_equal %w[Api::LookupUserSerializer LookupAdminSerializer LookupAdminSerializer],
                 [user, admin, root].map { |type|
      found(post, type)
    }
  end

  test "an abstract class, a class without a name and ActiveRecord::Base end the search" do
    post = make("PostSerializer")
    %w[LookupRecord LookupUser].each { |name| make("#{name}Serializer") }
    abstract = named_top(:LookupRecord)
    abstract.define_singleton_method(:abstract_class?) { equal?(abstract) }
    assert_raises(ToJson::SerializerNotFound) { find(post, named_top(:LookupAdmin, abstract)) }
    assert_raises(ToJson::SerializerNotFound) do
      find(post, named_top(:LookupAdmin, Class.new(named_top(:LookupUser))))
    end
    make("ActiveRecord::BaseSerializer")
    make("ObjectSerializer")
    make("BasicObjectSerializer")
    assert_raises(ToJson::SerializerNotFound) { find(post, named_top(:LookupAdmin)) }
  end

  test "what is no serializer is passed over, on the way and at the end" do
    post = make("Api::V1::PostSerializer")
    make("Api::V1::LookupUserSerializer", inherits: Object)
    make("Api::LookupUserSerializer", :constant)
    make("LookupUserSerializer")
    assert_equal "LookupUserSerializer", found(post, named_top(:LookupUser))

    chat = Module.new
    Object.const_set(:LookupChat, chat)
    user = chat.const_set(:User, Class.new)
    make("Api::V1::LookupChat", 42)
    make("Api::LookupChat::UserSerializer")
    assert_equal "Api::LookupChat::UserSerializer", found(post, user)
  ensure
    Object.send(:remove_const, :LookupChat)
  end

  test "constants of Object are not found within other modules" do
    post = make("Api::PostSerializer")
    assert_raises(ToJson::SerializerNotFound) { ToJson::Lookup.resolve(post, "Api::LookupTest") }
    Object.const_set(:LookupStringSerializer, Class.new(ToJson::Serializer))
    assert_raises(ToJson::SerializerNotFound) do
      ToJson::Lookup.resolve(post, "Api::LookupStringSerializer")
    end
    assert_equal ::LookupStringSerializer, ToJson::Lookup.resolve(post, "LookupStringSerializer")
  ensure
    Object.send(:remove_const, :LookupStringSerializer)
  end

  test "a serializer without a name looks from its superclass's place, or from the top" do
    make("Api::LookupUserSerializer")
    user = named_top(:LookupUser)
    assert_equal "Api::LookupUserSerializer", found(Class.new(make("Api::PostSerializer")), user)
    assert_raises(ToJson::SerializerNotFound) { find(Class.new(ToJson::Serializer), user) }
    ToJson.const_set(:LookupUserSerializer, Class.new(ToJson::Serializer))
    assert_raises(ToJson::SerializerNotFound) { find(Class.new(ToJson::Serializer), user) }
  ensure
    ToJson.send(:remove_const, :LookupUserSerializer)
  end

  # -- names ---------------------------------------------------------------------------------------

  test "a String is resolved inside out, or from the top" do
    post = make("Api::V1::PostSerializer")
    make("UserSerializer")
    make("Api::Chat::UserSerializer")
    assert_equal LookupWorld::UserSerializer, ToJson::Lookup.resolve(post, "UserSerializer")
    assert_equal LookupWorld::Api::Chat::UserSerializer,
                 ToJson::Lookup.resolve(post, "Chat::UserSerializer")
    make("Api::V1::UserSerializer")
    assert_equal LookupWorld::Api::V1::UserSerializer,
                 ToJson::Lookup.resolve(post, "UserSerializer")
    assert_equal LookupWorld::UserSerializer,
                 ToJson::Lookup.resolve(post, "::LookupWorld::UserSerializer")
    assert_equal LookupWorld::UserSerializer,
                 ToJson::Lookup.resolve(post, "LookupWorld::UserSerializer")
  end

  test "a String that leads nowhere is told with what was tried" do
    post = make("Api::PostSerializer")
    assert_refused("no serializer XSerializer: tried " \
                   "LookupWorld::Api::PostSerializer::XSerializer, " \
                   "LookupWorld::Api::XSerializer, LookupWorld::XSerializer, " \
                   "XSerializer. Define one of these as a subclass of ToJson::Serializer.",
                   ToJson::SerializerNotFound) do
                     ToJson::Lookup.resolve(post, "XSerializer")
                   end
    assert_refused("no serializer ::LookupWorld::Api: tried LookupWorld::Api. Define one of " \
                   "these as a subclass of ToJson::Serializer.", ToJson::SerializerNotFound) do
      ToJson::Lookup.resolve(post, "::LookupWorld::Api")
    end
  end

  test "what an association's serializer: is, by the value" do
    post = make("PostSerializer")
    other = make("OtherSerializer")
    more = make("MoreSerializer")
    make("LookupUserSerializer")
    user = named_top(:LookupUser)
    map = { Comparable => "MoreSerializer", Numeric => other, Integer => more }
    { [other, 1] =>
        other, ["MoreSerializer", 1] => more, [map, 1] => more, [map, 1.5] => other,
        [map, "a"] => more,
      [nil, user.new] => LookupWorld::LookupUserSerializer }.each do |(given, value), expected|
      assert_equal expected, ToJson::Lookup.serializer_for(post, given, value)
    end
    { [{ Integer => other, Float => more }, "a"] =>
        "the Hash of serializer: has no serializer for String. Known: Integer, Float.",
      [:a, 1] =>
        "serializer: returned an instance of Symbol. It must return a subclass of " \
        "ToJson::Serializer, or its name.",
      [String, 1] =>
        "serializer: returned String. It must return a subclass of ToJson::Serializer, or its " \
        "name.",
      [other.new, 1] =>
        "serializer: returned an instance of LookupWorld::OtherSerializer. It must return a " \
        "subclass of ToJson::Serializer, or its name." }
      .each do |(given, value), message|
        assert_refused(message, ToJson::SerializerNotFound) do
          ToJson::Lookup.serializer_for(post, given, value)
        end
      end
  end

  # -- constants that come and go ------------------------------------------------------------------

  test "a nearer one defined later wins, however it comes" do
    post = make("Api::V1::PostSerializer")
    user = named_top(:LookupUser)
    far = make("LookupUserSerializer")
    assert_equal far, find(post, user)
    LookupWorld::Api.module_eval("class LookupUserSerializer < ToJson::Serializer; end", __FILE__,
                                 __LINE__)
    assert_equal LookupWorld::Api::LookupUserSerializer, find(post, user)

    nearest = Class.new(ToJson::Serializer)
    # made, and has no name yet
    assert_equal LookupWorld::Api::LookupUserSerializer, find(post, user)
    LookupWorld::Api::V1.const_set(:LookupUserSerializer, nearest)
    assert_equal nearest, find(post, user)
  end

  # What a class of values leads to is kept for one document.
  test "a nearer one defined while a document is written counts from the next document on" do
    post = make("Api::PostSerializer")
    post.has_many(:all)
    user, tag = %i[LookupUser LookupTag].map { |name| named_top(name, Struct.new(:id)) }
    make("LookupUserSerializer").attributes(:id)
    test = self
    make("LookupTagSerializer").attribute(:tag) do |_|
      unless LookupWorld::Api.const_defined?(:LookupUserSerializer, false)
        test.make("Api::LookupUserSerializer").attribute(:near) { |one| one.id }
      end
      nil
    end
    holder = Struct.new(:all).new([user.new(1), tag.new(2), user.new(3)])
    [%w[id id], %w[near near]].each do |first, last|
      assert_equal(%({"all":[{"#{first}":1},{"tag":null},{"#{last}":3}]}),
                   post.json!(holder, collection: false))
    end
  end

  test "values of one class with a serialize of its own are written by it, in every document" do
    post = make("Api::PostSerializer")
    post.has_many(:all)
    user = named_top(:LookupUser, Struct.new(:id))
    make("LookupUserSerializer").define_method(:serialize) { |one| put :own, one.id }
    holder = Struct.new(:all).new([user.new(1), user.new(2)])
    2.times do
      assert_equal('{"all":[{"own":1},{"own":2}]}', post.json!(holder, collection: false))
    end
  end

  test "a class that is asked about while it is being made is not yet found, and then is" do
    post = make("Api::PostSerializer")
    user = named_top(:LookupUser)
    far = make("LookupUserSerializer")
    seen = nil
    base = Class.new(ToJson::Serializer)
    base.define_singleton_method(:inherited) do |type|
      super(type); seen = ToJson::Lookup.find(post, user.new)
    end
    near = Class.new(base)
    assert_equal far, seen
    LookupWorld::Api.const_set(:LookupUserSerializer, near)
    assert_equal near, find(post, user)
  end

  test "one that is removed is found no more; one that replaces it is" do
    post = make("Api::PostSerializer")
    user = named_top(:LookupUser)
    make("LookupUserSerializer")
    make("Api::LookupUserSerializer")
    assert_equal "Api::LookupUserSerializer", found(post, user)
    remove("Api::LookupUserSerializer")
    assert_equal "LookupUserSerializer", found(post, user)
    remove("LookupUserSerializer")
    assert_raises(ToJson::SerializerNotFound) { find(post, user) }
    again = make("Api::LookupUserSerializer")
    assert_equal again, find(post, user)
  end

  test "a serializer whose namespace was made anew looks in the new one" do
    post = make("Api::PostSerializer")
    user = named_top(:LookupUser)
    old = make("Api::LookupUserSerializer")
    assert_equal old, find(post, user)
    remove("Api")
    assert_raises(ToJson::SerializerNotFound) { find(post, user) }
    new = make("Api::LookupUserSerializer")
    assert_equal [new, false], [find(post, user), new == old]
  end

  test "what Ruby loads at first use is loaded" do
    Dir.mktmpdir do |directory|
      File.write(File.join(directory, "lookup_user_serializer.rb"),
                 "class LookupWorld::Api::LookupUserSerializer < ToJson::Serializer; end")
      File.write(File.join(directory, "lookup_chat.rb"),
                 "module LookupWorld::LookupChat; class ASerializer < ToJson::Serializer; end; end")
      post = make("Api::PostSerializer")
      LookupWorld::Api.autoload(:LookupUserSerializer,
                                File.join(directory, "lookup_user_serializer.rb"))
      LookupWorld.autoload(:LookupChat, File.join(directory, "lookup_chat.rb"))
      make("LookupUserSerializer")
      assert_equal "Api::LookupUserSerializer", found(post, named_top(:LookupUser))
      assert_equal "LookupWorld::LookupChat::ASerializer",
                   ToJson::Lookup.resolve(post, "LookupChat::ASerializer").name
    end
  end

  test "what fails while it is loaded passes through" do
    Dir.mktmpdir do |directory|
      File.write(File.join(directory, "broken.rb"), "raise IOError, 'broken'")
      post = make("PostSerializer")
      LookupWorld.autoload(:LookupUserSerializer, File.join(directory, "broken.rb"))
      assert_raises(IOError) { find(post, named_top(:LookupUser)) }
    end
  end

  RELOADS = Figures.of("serializers reloaded")

  test "#{RELOADS} reloads keep no class alive" do
    post = make("Api::PostSerializer")
    count = lambda do
      4.times { GC.start }
      ObjectSpace.each_object(Class).count
    end
    before = nil
    RELOADS.times do |i|
      serializer, user = make("LookupUserSerializer"), named_top(:LookupUser)
      assert_same serializer, ToJson::Lookup.resolve(post, "LookupUserSerializer")
      assert_same serializer, find(post, user)
      remove("LookupUserSerializer")
      before = count.call if i == 100
    end
    assert_operator count.call, :<=, before + 20
    Figures.reached("serializers reloaded", RELOADS)
  end

  test "a removed serializer and a removed model are collected, also after they were found last" do
    post = make("Api::PostSerializer")
    gone = (1..20).flat_map do
      make("LookupUserSerializer")
      user = named_top(:LookupUser)
      found = find(post, user)
      remove("LookupUserSerializer")
      [found, user].map { |type| WeakRef.new(type) }
    end
    4.times { GC.start }
    alive = gone.count(&:weakref_alive?)
    assert_operator alive, :<=, 10, "the stack, and code of YJIT, may hold the last ones"
  end

  test "names without end do not fill memory" do
    post = make("PostSerializer")
    3_000.times do |i|
      assert_raises(ToJson::SerializerNotFound) { find(post, named_top(:"LookupUser#{i}")) }
    end
    assert_includes 1..1_000, ToJson::Lookup.kept
    make("LookupUser2999Serializer")
    assert_equal "LookupUser2999Serializer", found(post, named_top(:LookupUser2999))
  end

  test "threads find while others define" do
    post = make("Api::PostSerializer")
    user = named_top(:LookupUser)
    far = make("LookupUserSerializer")
    near = Class.new(ToJson::Serializer)
    finders = Array.new(3) { Thread.new { Array.new(2_000) { find(post, user) } } }
    50.times do
      LookupWorld::Api.const_set(:LookupUserSerializer, near)
      Thread.pass
      remove("Api::LookupUserSerializer")
    end
    finders.each { |thread| assert_empty thread.value - [far, near] }
  rescue NameError => error
    # Between const_defined? and const_get another thread may remove the constant, as in any Ruby.
    assert_includes error.message, "LookupUserSerializer"
  end

  test "a Ractor finds too" do
    make("Api::PostSerializer")
    make("LookupStringSerializer")
    Object.const_set(:LookupString, Class.new)
    found = silently do
      Ractor.new do
        ToJson::Lookup.find(LookupWorld::Api::PostSerializer, LookupString.new).name
      end.value
    end
    assert_equal "LookupWorld::LookupStringSerializer", found
  ensure
    Object.send(:remove_const, :LookupString)
  end

  # -- what a document has found -------------------------------------------------------------------

  # Values of these classes have serializers, which write the class's own letter.
  def lettered(*letters, inherits: Object)
    letters.map do |letter|
      type = named_top(:"Lookup#{letter}", inherits)
      type.attr_writer(:letter)
      type.define_method(:letter) { defined?(@letter) ? @letter.call : letter }
      make("Lookup#{letter}Serializer").attributes(:letter)
      type
    end
  end

  def all_of(*values, field: :has_many)
    holder = Struct.new(:all)
    post = make("Api#{LookupWorld.constants.size}::PostSerializer")
    post.__send__(field, :all)
    documents = values.map { |value| post.json!(holder.new(value), collection: false) }
    documents.map { |document| document.delete_prefix('{"all":').delete_suffix("}") }
  end

  def letters(*letters) = "[#{letters.map { |letter| %({"letter":"#{letter}"}) }.join(",")}]"

  test "each value of a collection is written by its class's serializer" do
    a, b, c = lettered("A", "B", "C")
    values = [a.new, b.new, nil, c.new, a.new, b.new]
    expected = letters("A", "B", "nil", "C", "A", "B").sub('{"letter":"nil"}', "null")
    assert_equal expected, all_of(values).first
    assert_equal [letters("A", "A"), letters("B"), "[]", letters("A", "A")],
                 all_of([a.new, a.new], [b.new], [], [a.new, a.new].each)
    assert_equal [letters("B", "A"), '{"letter":"C"}'],
                 all_of([b.new, a.new], c.new, field: :association)
  end

  test "what a getter puts into the Array changes nothing of those that are written" do
    a, b = lettered("A", "B")
    values = [a.new, a.new, a.new]
    values[0].define_singleton_method(:letter) { values[1] = b.new; values << b.new; "A" }
    assert_equal letters("A", "B", "A", "B"), all_of(values).first
    values = Array.new(3) { a.new }
    changes = 0
    letter = -> { changes += 1; values[2] = b.new if changes == 1; "A" }
    values.each { |value| value.letter = letter }
    assert_equal letters("A", "A", "A"), all_of(values).first
  end

  test "a proxy is written as the class that it names, each value by its own word" do
    a, b = lettered("A", "B")
    proxy = named_top(:LookupProxy, Struct.new(:class, :letter))
    values = [proxy.new(a, "a"), proxy.new(b, "b"), a.new, proxy.new(a, "c"), proxy.new(a, "d")]
    assert_equal letters("a", "b", "A", "c", "d"), all_of(values).first
    assert_equal letters("a", "c"), all_of([values[0], values[3]]).first
    assert_equal %w[a b c].map { |letter| letters(letter)[1..-2] },
                 all_of(values[0], values[1], values[3], field: :has_one)
    silent = BasicObject.new
    assert_raises(ToJson::SerializerNotFound) { all_of(silent, field: :has_one) }
    assert_raises(ToJson::SerializerNotFound) { all_of([silent]) }
  end

  test "a superclass's serializer writes what has none of its own, up to an abstract class" do
    base = lettered("Base").first
    plain = Class.new(base)
    assert_raises(ToJson::SerializerNotFound) { all_of(plain.new, field: :has_one) } # no name
    named = named_top(:LookupNamed, base)
    assert_equal letters("Base", "Base"), all_of([named.new, base.new]).first
    named.define_singleton_method(:abstract_class?) { equal?(named) }
    below = named_top(:LookupBelow, named)
    assert_raises(ToJson::SerializerNotFound) { all_of(below.new, field: :has_one) }
    assert_raises(ToJson::SerializerNotFound) { all_of(Struct.new(:a).new(1), field: :has_one) }
  end

  test "a document of a hundred classes has each of them, and the next one asks anew" do
    types = lettered(*Array.new(100) { |index| "T#{index}" })
    values = types.map(&:new) * 3
    expected = letters(*Array.new(100) { |index| "T#{index}" } * 3)
    assert_equal [expected, expected], all_of(values, values)
    remove("LookupT7Serializer")
    make("LookupT7Serializer").attribute(:letter) { "new" }
    assert_includes all_of([types[7].new, types[8].new]).first, '{"letter":"new"}'
    GC.start
    GC.compact if GC.respond_to?(:compact)
    assert_equal letters("T1", "T2"), all_of([types[1].new, types[2].new]).first
  end

  test "after a value that was looked up, errors and models have their places again" do
    inner = lettered("Inner").first
    post = make("PostSerializer")
    post.has_one(:one)
    post.attributes(:after)
    post.has_one(:other)
    after = -> { raise "no" }
    holder = Struct.new(:one, :other) { define_method(:after) { after.call } }
    error = assert_raises(RuntimeError) { post.json!(holder.new(inner.new, nil)) }
    assert_equal "$.after", ToJson.location(error)
    broken = inner.new.tap { |one| one.define_singleton_method(:letter) { raise "no" } }
    after = -> { 1 }
    error = assert_raises(RuntimeError) { post.json!(holder.new(broken, nil)) }
    assert_equal "$.one.letter", ToJson.location(error)
    2.times do
      error = assert_raises(RuntimeError) { post.json!([holder.new(inner.new, broken)]) }
      assert_equal "$[0].other.letter", ToJson.location(error)
    end
    assert_equal %({"one":{"letter":"Inner"},"after":1,"other":null}),
                 post.json!(holder.new(inner.new, nil))
  end
end
