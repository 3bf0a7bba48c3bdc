# frozen_string_literal: true

require "test_helper"
require_relative "../support/own_process"

# Which methods of a serializer give values: of which parameters, of which objects, and what changes
# of them are noticed.
class DeclaredMethodsTest < ToJsonTest
  User = Struct.new(:id, :email, :name) do
    def full(first = "Ms", *rest, last: "") = [first, *rest, name, last].join(" ")
  end
  USER = User.new(1, "a@b.c", "Ann")

  def serializer(parent = ToJson::Serializer, &body) = Class.new(parent, &body)

  # -- parameters

  # A method `m` of the serializer => what it gives of USER.
  PARAMETERS = {
    "def m = [object.id]" => "[1]",
    "def m(user) = [user.id, object]" => "[1,null]",
    "def m(user = nil) = [user&.id, object]" => "[1,null]",
    "def m(user, other = 2) = [user.id, other]" => "[1,2]",
    "def m(user = nil, *rest) = [user&.id, rest]" => "[1,[]]",
    "def m(user, *rest) = [user.id, rest]" => "[1,[]]",
    "def m(*rest, user) = [user.id, rest]" => "[1,[]]",
    "def m(user, by: 3) = [user.id, by]" => "[1,3]",
    "def m(by: 3) = [object.id, by]" => "[1,3]",
    "def m(*all) = [object.id, all]" => "[1,[]]",
    "def m(*) = [object.id]" => "[1]",
    "def m(**all) = [object.id, all]" => "[1,{}]",
    "def m(&block) = [object.id, block]" => "[1,null]",
    "def m(...) = object.full(...)" => '"Ms Ann "',
    "define_method(:m) { |*all| [object.id, all] }" => "[1,[]]",
    "define_method(:m) { |user| [user.id] }" => "[1]",
    "define_method(:m, &:id)" => "1"
  }.freeze

  PARAMETERS.each do |definition, due|
    test "a method that takes nothing but what there is no end of sees object, others get it: " \
         "#{definition}" do
      made = serializer { attributes :m; class_eval(definition, __FILE__, __LINE__) }
      assert_equal %({"m":#{due}}), made.json!(USER)
      assert_equal %({"u":{"m":#{due}}}), serializer {
        has_one :u, serializer: made
      }.json!({ u: USER })
      conditional = serializer { attribute :id, if: :m; class_eval(definition, __FILE__, __LINE__) }
      assert_equal '{"id":1}', conditional.json!(USER)
    end
  end

  # -- modules

  # Beside the modules that json and ActiveSupport include into all objects. Modules may have a
  # method `name` of their own.
  module JSON
    module Api
      def label = "json's"
      def self.name(form) = form
    end
  end

  module ActiveSupport
    module Labels
      def label = "support's"
      def self.name = 5
    end
  end

  test "methods of a module count, whatever the module is called" do
    { JSON::Api => "json's", ActiveSupport::Labels => "support's" }.each do |given, label|
      assert_equal %({"label":"#{label}"}), serializer {
        include given
        attributes :label
      }.json!(USER)
    end
    ::JSON.const_set(:Labels, Module.new { def label = "top" })
    assert_equal '{"label":"top"}', serializer {
      include ::JSON::Labels
      attributes :label
    }.json!(USER)
  ensure
    ::JSON.send(:remove_const, :Labels)
  end

  test "methods that all objects have do not count" do
    OwnProcess.run(<<~RUBY)
      module Everybodys; def label = "everybody's"; end
      Object.include(Everybodys)
      S = Class.new(ToJson::Serializer) { attributes :label }
      p S.json!(Struct.new(:label).new(1)) == '{"label":1}'
    RUBY
      .then { |printed| assert_equal "true", printed.strip }
  end

  ["def m(user, other) = 1", "def m(user, by:) = 1", "def m(by:) = 1",
   "def m(*, user, other) = 1"].each do |definition|
    test "a method that needs more than the object is refused when compiled: #{definition}" do
      made = serializer { attributes :m; class_eval(definition, __FILE__, __LINE__) }
      error = assert_raises(ToJson::DefinitionError) { made.json!(USER) }
      assert_operator error.message, :end_with?,
                      "#m gives the value of a declared field, but requires more arguments than " \
                      "the object. Give it one parameter, or none."
    end
  end

  if Without.library?("active_support")
    test "ActiveSupport's delegate to object serves fields and conditions" do
      require "active_support"
      require "active_support/core_ext/module/delegation"
      made = serializer do
        attributes :email, :mail_id, shown: :s
        attribute :name, if: :shown
        delegate :email, to: :object
        delegate :id, to: :object, prefix: :mail
        delegate :id, to: :object, private: true
        def shown(...) = mail_id(...)
      end
      assert_equal '{"email":"a@b.c","mail_id":1,"s":1,"name":"Ann"}', made.json!(USER)
      assert_equal '{"user":{"email":"a@b.c","mail_id":1,"s":1,"name":"Ann"}}', serializer {
        has_one :user, serializer: made
      }.json!({ user: USER })
      assert_equal '[{"email":"a@b.c","mail_id":1,"s":1,"name":"Ann"}]', made.json!([USER])
    end
  end

  # -- inline blocks

  POST = { id: 1, name: "post", author: { id: 7, name: "Ann", posts: [{ id: 1, name: "p" }] },
           list: [{ id: 8, name: "x" }] }.freeze

  test "methods serve the fields of their own object, in nested too, and none of an inline " \
       "block's" do
    made = serializer do
      attributes :name
      nested(:same) { attributes :name; nested(:still) { attributes :name } }
      has_one(:author) { attributes :id, :name }
      has_many(:list) { attributes :name; nested(:not_mine) { attributes :name } }
      association(:any) { attributes :name }
      flatten(:merged) { attribute :flat, :name }
      def name(post) = "#{post[:name]}'s"
      def any(post) = post[:author]
      def merged(post) = post[:author]
    end
    assert_equal '{"name":"post\'s","same":{"name":"post\'s","still":{"name":"post\'s"}},' \
                 '"author":{"id":7,"name":"Ann"},' \
                 '"list":[{"name":"x","not_mine":{"name":"x"}}],"any":{"name":"Ann"},"flat":"Ann"}',
                 made.json!(POST)
  end

  test "it is so under a Mask, in a view, for objects and however deep" do
    made = serializer do
      view(:v) do
        has_one(:author) do
          attributes :name
          has_many(:posts) { attributes :id, :name }
          nested(:n) { attributes :name }
        end
      end
      def name = "mine"
      def posts = "mine"
    end
    due = '{"author":{"name":"Ann","posts":[{"name":"p"}],"n":{"name":"Ann"}}}'
    assert_equal due.sub('{"name":"p"}', '{"id":1,"name":"p"}'), made.json!(POST, view: :v)
    assert_equal due, made.json!(POST, view: :v, except: "author(posts(id))")
    author = Struct.new(:name, :posts).new("Ann", [Struct.new(:id, :name).new(1, "p")])
    assert_equal due,
                 made.json!(Struct.new(:author).new(author), view: :v, except: "author(posts(id))")
  end

  test "blocks, lambdas and conditions of an inline block run on the serializer, with the inner " \
       "object" do
    made = serializer do
      has_one(:author) do
        attribute(:a) { helper(object[:name]) }
        attribute :b, ->(author) { [author[:id], context[:by]] }
        attribute :id, if: :admin?
        attribute :name, unless: :nobody?
      end
      private def helper(text) = "#{text}!"
      def admin? = context[:by] == "Eve"
      def nobody?(author) = author[:id].nil?
    end
    assert_equal '{"author":{"a":"Ann!","b":[7,"Eve"],"id":7,"name":"Ann"}}',
                 made.json!(POST, context: { by: "Eve" })
    assert_equal '{"author":{"a":"Ann!","b":[7,null],"name":"Ann"}}', made.json!(POST)
  end

  # The object's method was asked where that of the serializer is protected.
  test "a Symbol of a condition names a method of the serializer, whatever its visibility" do
    user = Struct.new(:id, :email) { def admin? = true }.new(1, "a@x")
    %i[public private protected].each do |visibility|
      above = serializer { define_method(:admin?) { context[:admin] }; send(visibility, :admin?) }
      made = serializer(above) do
        attributes :id
        attribute :email, if: :admin?
        nested(:more, if: :admin?) { attributes :email }
      end
      assert_equal '{"id":1}', made.json!(user, context: { admin: false }), visibility
      assert_equal '{"id":1,"email":"a@x","more":{"email":"a@x"}}',
                   made.json!(user, context: { admin: true }), visibility
    end
  end

  # -- changes

  test "private, protected and public of a method are noticed, by name, in a list and by a " \
       "definition" do
    made = serializer { attributes :id, :name; def id(_) = "mine"; def name(_) = "mine" }
    mine, theirs = '{"id":"mine","name":"mine"}', '{"id":1,"name":"Ann"}'
    [[:private, :id, :name], [:protected, %i[id name]]].each do |change|
      assert_equal mine, made.json!(USER)
      assert_equal change[1..].size == 1 ? change[1] : change[1..], made.class_eval {
        send(*change)
      }
      assert_equal theirs, made.json!(USER)
      made.class_eval { public :id, :name }
    end
    assert_equal mine, made.json!(USER)
    heir = serializer(made) { private :id }
    assert_equal ['{"id":1,"name":"mine"}', mine], [heir.json!(USER), made.json!(USER)]
    made.class_eval { remove_method :id; private def id(_) = "hidden" }
    assert_equal '{"id":1,"name":"mine"}', made.json!(USER)
  end

  test "private without a name is of the class body, as everywhere" do
    made = serializer do
      attributes :id, :email
      private

      def id(_) = "hidden"
      public

      def email(_) = "shown"
      protected

      def name = 1
    end
    assert_equal '{"id":1,"email":"shown"}', made.json!(USER)
    assert_equal [[:id], [:name]],
                 [made.private_instance_methods(false).reject { |name| name.start_with?("__") },
                  made.protected_instance_methods(false)]
    made.class_eval("remove_method :email\nprivate\ndef email(_) = 1", __FILE__, __LINE__)
    assert_equal '{"id":1,"email":"a@b.c"}', made.json!(USER)
    assert_raises(NameError) { made.class_eval { private :nope } }
  end
end
