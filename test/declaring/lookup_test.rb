# frozen_string_literal: true

require_relative "lookup_case"

# Which serializer a value has where none is named.
class LookupTest < LookupCase
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

  test "names may be in any encoding that has upper case" do
    %w[UTF-8 ISO-8859-1 Windows-1252 ISO-8859-15].each do |encoding|
      code = <<~RUBY.encode(encoding)
        # encoding: #{encoding}
        module LookupÉ
          class Élan; end
          class ÉlanSerializer < ToJson::Serializer; end
          class Box < ToJson::Serializer; end
          [Box, Élan]
        end
      RUBY
      box, type = TOPLEVEL_BINDING.eval(code.b)
      assert_equal "ÉlanSerializer", found(box, type).encode("UTF-8")[/[[:word:]]+\z/], encoding
      Object.send(:remove_const, box.name[/\A[^:]+/].to_sym)
    end
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
end
