# frozen_string_literal: true

require_relative "declaration_case"

# What is found when a class is compiled, or called: it is said whose declaration is meant, and what
# to do.
class DeclarationMessagesTest < DeclarationCase
  class AuthorSerializer < ToJson::Serializer
    attributes :id, :name
    view(:full) { attributes :mail }
  end

  AUTHOR = AuthorSerializer.name
  NOTHING = "is an attribute and has no fields inside. Name it without fields."

  # -- at compile, with the declaring class and the field

  # What PostSerializer declares => class of the error, message.
  REFERENCES = {
    "has_one :by, serializer: 'AutorSerializer'" =>
      [ToJson::SerializerNotFound,
       "PostSerializer: has_one :by: no serializer AutorSerializer: tried AutorSerializer. " \
       "Define one of these as a subclass of ToJson::Serializer."],
    "association :by, serializer: 'AutorSerializer'" =>
      [ToJson::SerializerNotFound,
       /\APostSerializer: association :by: no serializer AutorSerializer: /],
    "flatten :by, serializer: 'AutorSerializer'" =>
      [ToJson::SerializerNotFound,
       /\APostSerializer: flatten :by: no serializer AutorSerializer: /],
    "has_many(:posts) { has_one :by, serializer: 'AutorSerializer' }" =>
      [ToJson::SerializerNotFound,
       /\APostSerializer: has_many :posts: has_one :by: no serializer AutorSerializer: /],
    "has_one :by, serializer: AuthorSerializer, view: :fall" =>
      [ToJson::UnknownViewError,
       "PostSerializer: has_one :by: view: #{AUTHOR}: unknown view :fall, did you mean :full? " \
       "Known: full."],
    "has_many :by, serializer: AuthorSerializer, only: %i[id nme]" =>
      [ToJson::UnknownFieldError,
       "PostSerializer: has_many :by: #{AUTHOR}: unknown field \"nme\", did you mean \"name\"? " \
       "Known: id, name, mail."],
    "has_one :by, serializer: AuthorSerializer, except: 'x'" =>
      [ToJson::UnknownFieldError, /\APostSerializer: has_one :by: #{AUTHOR}: unknown field "x"/],
    "flatten :by, serializer: AuthorSerializer, only: :nme" =>
      [ToJson::UnknownFieldError, /\APostSerializer: flatten :by: #{AUTHOR}: unknown field "nme"/],
    "has_one :by, serializer: AuthorSerializer, only: 'id(zip)'" =>
      [ToJson::UnknownFieldError, "PostSerializer: has_one :by: #{AUTHOR}: \"id\" #{NOTHING}"],
    # a key twice
    "attributes :id; flatten :by, serializer: AuthorSerializer" =>
      [ToJson::DefinitionError,
       "PostSerializer: :id and :id of flatten :by would both be written as \"id\". Rename one, " \
       "or leave it out of the flatten with only: or except:."],
    "flatten(:by) { attributes :id }; flatten(:to) { attributes :id }" =>
      [ToJson::DefinitionError,
       "PostSerializer: :id of flatten :by and :id of flatten :to would both be written as " \
       "\"id\". Rename one, or leave it out of the flatten with only: or except:."],
    "flatten(:by) { attributes :id }; attributes :id" =>
      [ToJson::DefinitionError,
       /\APostSerializer: :id of flatten :by and :id would both be written as "id"\./],
    # also if code of its own writes the flatten, because it has an association or a flatten
    "attributes :id; flatten(:by) { attributes :id; has_many(:k) { attributes :z } }" =>
      [ToJson::DefinitionError,
       /\APostSerializer: :id and :id of flatten :by would both be written as "id"\./],
    "flatten(:by) { flatten(:a) { attributes :id } }; flatten(:to) { attributes :id }" =>
      [ToJson::DefinitionError,
       /\APostSerializer: :id of flatten :a of flatten :by and :id of flatten :to would both/],
    "flatten :by, serializer: AuthorSerializer, context: 1; attributes :id" =>
      [ToJson::DefinitionError,
       /\APostSerializer: :id of flatten :by and :id would both be written as "id"\./],
    "attributes :id; flatten :by, serializer: self" =>
      [ToJson::DefinitionError,
       /\APostSerializer: :id and :id of flatten :by would both be written as "id"\./],
    "transform_keys :camel; attributes :a_b, 'aB'" =>
      [ToJson::DefinitionError,
       "PostSerializer: :a_b and :aB would both be written as \"AB\". Rename one, or leave it " \
       "out with only: or except:."]
  }.freeze

  REFERENCES.each do |source, (type, message)|
    test "#{source.inspect} is refused when compiled, each time" do
      made = serializer { class_eval(source, __FILE__, __LINE__) }
      2.times { assert_refused(message, type) { made.compile! } }
    end
  end

  test "what an association of an association names wrongly is told of the one that declares it" do
    inner = serializer(ToJson::Serializer, "CommentSerializer") do
      has_one :by, serializer: AuthorSerializer, only: :nme
    end
    outer = serializer { has_many :comments, serializer: inner, except: "by(name)" }
    assert_refused(/\ACommentSerializer: has_one :by: /, ToJson::UnknownFieldError) do
      outer.compile!
    end
    good = serializer { has_one :by, serializer: AuthorSerializer }
    deep = serializer { has_many :comments, serializer: good, only: "by(nme)" }
    assert_refused(/\APostSerializer: has_many :comments: PostSerializer: by: unknown field "nme"/,
                   ToJson::UnknownFieldError) do
      deep.compile!
    end
  end

  test "where the value tells the serializer, the message has the path and the declaration" do
    author = { by: { id: 1 } }
    view = serializer { has_one :by, serializer: ->(_) { AuthorSerializer }, view: :fall }
    assert_refused("$.by: PostSerializer: has_one :by: view: #{AUTHOR}: unknown view :fall, did " \
                   "you mean :full? Known: full.", ToJson::UnknownViewError) do
      view.json!(author)
    end
    only = serializer { has_one :by, serializer: ->(_) { AuthorSerializer }, only: :nme }
    assert_refused(/\A\$\.by: PostSerializer: has_one :by: #{AUTHOR}: unknown field "nme"/,
                   ToJson::UnknownFieldError) do
      only.json!(author)
    end
  end

  # -- of a call

  test "names inside an attribute are an error that names it, in every form; of a field that has " \
       "fields in the views at hand they are not" do
    post = serializer do
      attributes :id
      has_one(:author) { attributes :name }
      view(:short) { attribute :author, as: :string }
    end
    row = { id: 1, author: { name: "Ann" } }
    [{ only: "id(zip)" }, { only: { id: [:zip] } }, { except: "id(zip)" },
     { only: "id()" }].each do |options|
      assert_refused("PostSerializer: \"id\" #{NOTHING}", ToJson::UnknownFieldError) do
        post.json!(row, **options)
      end
    end
    assert_refused("PostSerializer: author: \"name\" #{NOTHING}", ToJson::UnknownFieldError) do
      post.json!(row, only: "author(name(x))")
    end
    assert_refused("PostSerializer: \"author\" #{NOTHING}", ToJson::UnknownFieldError) do
      post.json!(row, view: :short, only: "author(name)")
    end
    assert_equal '{"author":{"name":"Ann"}}', post.json!(row, only: "author(name)")
    none = serializer { attributes :id; view(:full) { has_one(:author) { attributes :name } } }
    assert_equal '{"id":1}', none.json!(row, only: "id,author(name)")
  end

  test "json! takes one object" do
    declared = serializer { attributes :id }
    [-> { declared.json! }, -> { declared.json!(view: nil) },
     -> { declared.new.json! }].each do |call|
      assert_equal "PostSerializer: takes one argument, an object or a collection of objects: " \
                   "json!(object); got none", assert_raises(ArgumentError, &call).message
    end
    error = assert_raises(ArgumentError) { declared.json!(1, 2) }
    assert_equal "PostSerializer: takes one argument, an object or a collection of objects: " \
                 "json!(object); got 2", error.message
    own = serializer(declared) { root :post; def serialize(post, other) = put(:other, other) }
    assert_match(/\APostSerializer: takes one argument, .*got none\z/,
                 assert_raises(ArgumentError) { own.json! }.message)
    assert_equal '{"post":{"other":2}}', own.json!({ id: 1 }, 2)
  end

  # A class whose own serialize takes one object.
  class OwnSerializer < ToJson::Serializer
    rules time: :unix
    def serialize(row, more: nil)
      put :id, row[:id]
      put :more, [more, context[:who]] if more
    end
  end

  test "many calls the serialize of a class that declares nothing for each element" do
    rows = [{ id: Time.at(1) }, nil, { id: 2 }]
    assert_equal '[{"id":1},null,{"id":2}]', OwnSerializer.many(rows)
    assert_equal '[{"id":1},null,{"id":2}]', OwnSerializer.many(rows.each, into: +"")
    assert_equal '[{"id":2,"more":[3,"me"]}]',
                 OwnSerializer.many([{ id: 2 }], more: 3, context: { who: "me" })
    assert_equal ["[]", "null"], [OwnSerializer.many([]), OwnSerializer.many(nil)]
    assert_refused("DeclarationMessagesTest::OwnSerializer: many takes a collection; got Integer.",
                   ToJson::UnsupportedTypeError) { OwnSerializer.many(5) }
    assert_raises(ArgumentError) { OwnSerializer.many([{ id: 1 }], root: true) }
  end

  test "a serialize that gets many objects instead of one says to call many" do
    own = serializer { def serialize(post) = put(:id, post.id) }
    error = assert_raises(NoMethodError) { own.json!([1, 2]) }
    advice = " (to_json: at $; a collection was passed: if serialize takes one object, call " \
             "many(objects))"
    assert_equal advice, ToJson::Located.words(error)
    if error.respond_to?(:detailed_message)
      assert_includes error.detailed_message(highlight: false), advice
    end
    error = assert_raises(NoMethodError) { own.json!(5) }
    assert_equal " (to_json: at $)", ToJson::Located.words(error)
  end

  test "many of what is one says how to write one; has_many says has_one" do
    declared = serializer { attributes :id }
    due = "Integer where a collection is due. Give an Array, a relation or another Enumerable, or"
    assert_refused("$: #{due} call one, which takes a single object.",
                   ToJson::UnsupportedTypeError) do
      declared.many(5)
    end
    assert_refused("$: #{due} call one, which takes a single object.",
                   ToJson::UnsupportedTypeError) do
      declared.new(5, collection: true).json!
    end
    [serializer { has_many(:a) { attributes :id } },
                serializer { has_many :a, serializer: "DeclarationMessagesTest::AuthorSerializer" },
     serializer { has_many :a, serializer: ->(_) { declared } }].each do |inner|
      assert_refused("$.a: #{due} declare has_one.", ToJson::UnsupportedTypeError) do
        inner.json!({ a: 5 })
      end
    end
  end

  test "the block of meta gives a Hash, or nil for none" do
    given = nil
    post = serializer { root :post; attributes :id; meta { given } }
    assert_equal '{"post":{"id":1}}', post.json!({ id: 1 })
    given = { a: 1 }
    assert_equal '{"post":{"id":1},"meta":{"a":1}}', post.json!({ id: 1 })
    [5, "a", [1], false].each do |bad|
      given = bad
      assert_refused("$: meta: its block returned #{bad.class}. It must return a Hash, or nil.",
                     ToJson::UnsupportedTypeError) do
        post.json!({ id: 1 })
      end
    end
    [5, "a", [1], true].each do |bad|
      assert_equal "meta: takes a Hash; got #{bad.class}", assert_raises(ArgumentError) {
        post.json!({ id: 1 }, meta: bad)
      }.message
    end
  end

  test "a root named meta beside meta is refused, whoever gave either" do
    message =
      "root: meta is written under the key meta, too. Give the root another name, or pass meta: " \
      "false."
    bare = serializer { attributes :id }
    with_meta = serializer(bare) { root :post; meta a: 1 }
    with_root = serializer(bare) { root :meta }
    [-> { bare.json!({}, root: :meta, meta: {}) }, -> {
      bare.json!({}, root: "meta", meta: {})
    }, -> { with_meta.json!({}, root: :meta) },
     -> { with_root.json!({}, meta: { a: 1 }) }].each do |call|
       assert_equal message, assert_raises(ArgumentError, &call).message
     end
    assert_equal '{"meta":{"id":null}}', with_root.json!({})
    assert_equal '{"meta":{"id":null}}', with_meta.json!({}, root: :meta, meta: false)
    assert_refused(/\APostSerializer: root :meta: /) do
      serializer(with_meta) { root :meta }.json!({})
    end
  end

  # -- explain

  test "explain says how each association is written, and why not faster" do
    author = AuthorSerializer
    told = serializer { attributes :told }
    own = serializer(ToJson::Serializer, "OwnSerializer") do
      attributes :id; def serialize(one) = super
    end
    post = serializer do
      transform_keys :camel_lower
      has_one(:first_author) { attributes :id }
      nested(:some_place) { attributes :city }
      flatten :by, serializer: author
      flatten(:deep) { has_one(:zip_code) { attributes :x } }
      flatten :told, context: 1, serializer: told
      flatten :own, serializer: own
      has_one(:odd) { attribute :a, if: :b? }
      has_one(:typed) { attribute :a, as: ->(a) { a } }
      has_one(:big) { attributes(*Array.new(25) { |i| :"f#{i}" }) }
      has_one(:none) { }
      has_one :again, serializer: self
      has_one(:standing, default: {}) { attributes :a }
      has_one :writes, serializer: own
      has_one :seen, serializer: author, context: 1
      has_one :looked_up
      association :any, serializer: author
      has_many :list, serializer: author
    end
    ways = post.explain.scan(/^  ([a-z_]+): (.*)$/).to_h
    assert_equal({ "first_author" =>
                     "fused: part of this object's native call",
                     "some_place" => "fused: part of this object's native call",
                   "by" =>
                     "flatten: arguments of this object's native call",
                     "deep" => "flatten by code of its own: zip_code is no attribute",
                   "told" =>
                     "flatten by code of its own: a context of its own",
                     "own" => "flatten by code of its own: its own serialize writes",
                   "odd" =>
                     "by code of its own: a has a condition",
                     "typed" => "by code of its own: a takes Ruby for as: or default:",
                   "big" =>
                     "by code of its own: it has more than 24 fields",
                     "none" => "by code of its own: it has no fields",
                   "again" =>
                     "by code of its own: it is within itself",
                     "standing" => "a default in Ruby; by code of its own: it has a default:",
                   "writes" =>
                     "by code of its own: its own serialize writes",
                     "seen" => "a context of its own",
                   "looked_up" =>
                     "its serializer is told by the value",
                     "any" => "one or many is told by the value",
                   "list" =>
                     "a loop, one native call an element or more" },
                     ways.slice(*post.definition.names.map(&:name)))
  end
end
