# frozen_string_literal: true

require_relative "declaration_case"

# Whatever is wrong fails where the class is defined, with what was meant and what exists.
class DeclarationMisuseTest < DeclarationCase
  # without a name it would have an address, which a compaction changes
  Named = Class.new(ToJson::Serializer)
  INSTANCE = Named.new
  ATTRIBUTE =
    "Known: if, unless, as, format, skip_nil, skip_blank, default, preload, writable, name, source."
  ASSOCIATION =
    "Known: serializer, view, only, except, context, cache, if, unless, skip_nil, skip_blank, " \
    "default, preload, linkage, writable, name, source."
  WORDS = "association, attribute, attributes, belongs_to, flatten, has_many, has_one, nested"
  OF_VALUES =
    "works only in blocks that give a value: those of attribute, and of associations with " \
    "serializer:. This block declares fields."
  KEY_CASE =
    "transform_keys: takes one argument, a key case or a callable: transform_keys ->(name) { " \
    "name.upcase }; got"

  # What is written in the class body => the message after "PostSerializer: ".
  MISUSES = {
    # options
    "attribute :a, fi: :b" => "attribute :a: unknown option :fi, did you mean :if? #{ATTRIBUTE}",
    "attribute :a, skipnil: true" =>
      "attribute :a: unknown option :skipnil, did you mean :skip_nil? #{ATTRIBUTE}",
    "attribute :a, serializer: 'B'" => "attribute :a: unknown option :serializer. #{ATTRIBUTE}",
    "attribute :a, key: :b" =>
      "attribute :a: unknown option :key, did you mean :name? #{ATTRIBUTE}",
    "has_many :a, each_serializer: 'B'" =>
      "has_many :a: unknown option :each_serializer, did you mean :serializer? #{ASSOCIATION}",
    "flatten :a, key: :b" =>
      "flatten :a: unknown option :key. Known: serializer, view, only, except, context, if, " \
      "unless, preload, writable.",
    "attributes :a, fi: ->(x) { x }" =>
      "attributes: unknown option :fi, did you mean :if? Known: if, unless, as, format, " \
      "skip_nil, skip_blank, default, preload, writable.",
    "attributes :a, 'b' => 1" => 'attributes: the name for "b" must be a Symbol or a String; got 1',
    "has_one :a, serialiser: 'B'" =>
      "has_one :a: unknown option :serialiser, did you mean :serializer? #{ASSOCIATION}",
    "has_many :a, as: :string" => "has_many :a: unknown option :as. #{ASSOCIATION}",
    "flatten :a, name: :b" =>
      "flatten :a: unknown option :name. Known: serializer, view, only, except, context, if, " \
      "unless, preload, writable.",
    "nested(:a, as: :b) { attributes :c }" => "nested :a: unknown option :as. Known: if, unless.",
    # names
    "attributes(:a) { 1 }" =>
      "attributes takes no block. Use attribute(:name) { |object| ... } for each field.",
    "attributes 1" => "attribute: a name must be a Symbol or a String; got 1",
    "attributes %i[a b]" =>
      "attributes takes names, not an Array. Write attributes(*[:a, :b]), or attributes :a, :b.",
    "pair = Object.new; def pair.to_ary = [:a, :b]; def pair.inspect = 'a pair'; attributes pair" =>
      "attribute: a name must be a Symbol or a String; got a pair",
    "attribute nil" => "attribute: a name must be a Symbol or a String; got nil",
    "has_one nil" => "has_one: a name must be a Symbol or a String; got nil",
    "attribute :a, name: 1" => "attribute :a: name: a name must be a Symbol or a String; got 1",
    "attribute \"a\\xFF\"" => 'attribute: "a\xFF" is not valid UTF-8 text.',
    "attribute \"a\\xFF\".b" => 'attribute: "a\xFF" is not valid ASCII-8BIT text.',
    "attributes :a, :a" => "two fields have the name :a. Rename one, or call remove :a first.",
    "attributes :a; attribute(:a) { 1 }" =>
      "two fields have the name :a. Rename one, or call remove :a first.",
    "attributes :a, b: :a" => "two fields have the name :a. Rename one, or call remove :a first.",
    "has_one :a; nested('a') { }" =>
      "two fields have the name :a. Rename one, or call remove :a first.",
    "view(:v) { attributes :a, :a }" =>
      "view :v: two fields have the name :a. Rename one, or call remove :a first.",
    "view(:v) { attributes :a }; view(:v) { attributes :a }" =>
      "view :v: two fields have the name :a. Rename one, or call remove :a first.",
    "has_many(:comments) { attributes :a; has_one :a }" =>
      "has_many :comments: two fields have the name :a. Rename one, or call remove :a first.",
    # sources and readers
    "attribute :a, 1" =>
      "attribute :a: the second argument must be a source (a Symbol or a String) or a lambda; " \
      "got 1",
    "attribute :a, source: nil" =>
      "attribute :a: the second argument must be a source (a Symbol or a String) or a lambda; " \
      "got nil",
    "attribute :a, :b, source: :c" => "attribute :a: two sources: :c and :b. Remove one.",
    "attribute :a, :b, name: :c" => "attribute :a: two sources: :a and :b. Remove one.",
    "attribute :a, name: :b, source: :c" =>
      "attribute :a: name: and source: cannot be combined. The first argument is one of them; " \
      "pass only the other.",
    "attribute(:a, ->(o) { o }) { 1 }" =>
      "attribute :a: both a block and a lambda would give the value. Remove one.",
    "attribute(:a, :b) { 1 }" =>
      "attribute :a: both a block and a source would give the value. Remove one.",
    "attribute(:a, source: :b) { 1 }" =>
      "attribute :a: both source: and a block would give the value. Remove one.",
    "attribute(:a) { |post, context| 1 }" =>
      "attribute :a: a block receives one argument, the object; context and helpers are methods " \
      "in it. This block requires 2.",
    "attribute :a, ->(post, context) { 1 }" =>
      "attribute :a: a block receives one argument, the object; context and helpers are methods " \
      "in it. This block requires 2.",
    # as and format
    "attribute :a, as: :strng" =>
      "attribute :a: as: unknown conversion :strng, did you mean :string? Known: string, " \
      "integer, float, boolean, date, time, fragment.",
    "attribute :a, as: 'string'" =>
      "attribute :a: as: takes :string, :integer, :float, :boolean, :date, :time, :fragment, an " \
      "object with call, " \
                                    'a class or module with encode, or a serializer; got "string"',
    "attribute :a, as: String" =>
      "attribute :a: as: String is not a serializer and has no method encode(value) or " \
      "call(value).",
    "attribute :a, as: ToJson::Serializer" =>
      "attribute :a: as: ToJson::Serializer is not a serializer and has no method encode(value) " \
      "or call(value).",
    "attribute :a, format: :unix" => "attribute :a: format: works only with as: :time.",
    "attribute :a, as: :date, format: '%Y'" => "attribute :a: format: works only with as: :time.",
    "attribute :a, as: :time, format: :unixms" =>
      "attribute :a: format: unknown format :unixms, did you mean :unix_ms? Known: iso8601, utc, " \
      "unix, unix_ms.",
    "attribute :a, as: :time, format: 1" =>
      "attribute :a: format: takes :iso8601, :utc, :unix, :unix_ms or a pattern for strftime; " \
      "got 1",
    # conditions, skips, defaults
    "attribute :a, if: 'x'" =>
      "attribute :a: if: takes a Symbol (a method of the serializer or the object), a lambda or " \
      "an Array of these; got \"x\"",
    "attribute :a, unless: nil" =>
      "attribute :a: unless: takes a Symbol (a method of the serializer or the object), a lambda " \
      "or an Array of these; got nil",
    "attribute :a, if: [:b, true]" =>
      "attribute :a: if: takes a Symbol (a method of the serializer or the object), a lambda or " \
      "an Array of these; got true",
    "attribute :a, skip_nil: 1" => "attribute :a: skip_nil: takes true or false; got 1",
    "attribute :a, skip_nil: true, default: 1" =>
      "attribute :a: skip_nil: and default: cannot be combined: both say what to do with nil.",
    "has_one :a, skip_blank: true, default: 1" =>
      "has_one :a: skip_blank: and default: cannot be combined: both say what to do with nil.",
    # preload
    "attribute :a, preload: true" =>
      "attribute :a: preload: takes false, or names of associations as in {author: :avatar}; got " \
      "true",
    "has_many :a, preload: { b: 1 }" =>
      "has_many :a: preload: takes false, or names of associations as in {author: :avatar}; got 1",
    "has_many :a, preload: { 1 => :b }" =>
      "has_many :a: preload: a name must be a Symbol or a String; got 1",
    "has_many :a, preload: []" =>
      "has_many :a: preload: names no association. Name one, or remove preload:.",
    "nested(:a, preload: :b) { attributes :c }" =>
      "nested :a: unknown option :preload. Known: if, unless.",
    # serializers of associations
    "has_one :a, serializer: DeclarationMisuseTest::INSTANCE" =>
      "has_one :a: serializer: takes a subclass of ToJson::Serializer, its name, a lambda that " \
      "returns one, or a Hash from classes to serializers; " \
      "got an instance of #{INSTANCE.class}, name the class",
    "has_one :a, serializer: :b" =>
      "has_one :a: serializer: takes a subclass of ToJson::Serializer, its name, a lambda that " \
      "returns one, or a Hash from classes to serializers; got :b",
    "has_one :a, serializer: nil" =>
      "has_one :a: serializer: takes a subclass of ToJson::Serializer, its name, a lambda that " \
      "returns one, or a Hash from classes to serializers; got nil",
    "has_one :a, serializer: String" =>
      "has_one :a: serializer: String does not inherit from ToJson::Serializer.",
    "has_one :a, serializer: ToJson::Serializer" =>
      "has_one :a: serializer: ToJson::Serializer does not inherit from ToJson::Serializer.",
    "has_one :a, serializer: 'a_serializer'" =>
      'has_one :a: serializer: "a_serializer" is not the name of a class.',
    "has_one :a, serializer: {}" =>
      "has_one :a: serializer: the Hash is empty. Add a serializer for each class of value.",
    "has_one :a, serializer: { 'A' => 'B' }" =>
      'has_one :a: serializer: the keys of the Hash must be classes or modules; got "A"',
    "has_one :a, serializer: { String => Integer }" =>
      "has_one :a: serializer: Integer does not inherit from ToJson::Serializer.",
    "has_one :a, view: 1" => "has_one :a: view: a name must be a Symbol or a String; got 1",
    "has_one :a, only: 'b('" => 'has_one :a: only: "b(", offset 2: expected a name.',
    "has_one :a, except: 1" =>
      "has_one :a: except: a selection of fields takes Symbols, Strings, and Arrays and Hashes " \
      "of these; got Integer.",
    # blocks
    "nested :a" => "nested :a: needs a block that declares its fields.",
    "nested(:a) { |post| attributes :b }" =>
      "nested :a: a block with a parameter gives the value and needs serializer:. Add " \
      "serializer:, or remove the parameter and declare fields in the block.",
    "has_many(:a) { |post| post.recent }" =>
      "has_many :a: a block with a parameter gives the value and needs serializer:. Add " \
      "serializer:, or remove the parameter and declare fields in the block.",
    "has_one(:a, view: :b) { attributes :c }" =>
      "has_one :a: view: works only with serializer:, not with a block that declares fields. Add " \
      "serializer:, or remove view:.",
    "has_one(:a, context: 1) { attributes :c }" =>
      "has_one :a: context: works only with serializer:, not with a block that declares fields. " \
      "Add serializer:, or remove context:.",
    "has_many(:comments) { atributes :a }" =>
      "has_many :comments: unknown word :atributes, did you mean :attributes? Known: #{WORDS}.",
    "has_many(:comments) { object.recent }" => "has_many :comments: object #{OF_VALUES}",
    "nested(:a) { attribute :b if context[:c] }" => "nested :a: context #{OF_VALUES}",
    "view(:full) { object }" => "view :full: object #{OF_VALUES}",
    "has_many(:comments) { def body = 1 }" =>
      "has_many :comments: def body is not possible in a block that declares fields. Define the " \
      "method in the class body.",
    "has_many(:comments) { view(:full) { } }" =>
      "has_many :comments: view belongs in the class body, not in this block.",
    "has_many(:comments) { root :a }" =>
      "has_many :comments: root belongs in the class body, not in this block.",
    "has_many(:comments) { remove :a }" =>
      "has_many :comments: remove belongs in the class body, not in this block.",
    "has_many(:comments) { nested(:a) { attribute :b, fi: 1 } }" =>
      "has_many :comments: nested :a: attribute :b: unknown option :fi, did you mean :if? " \
      "#{ATTRIBUTE}",
    "view(:full) { transform_keys :dash }" =>
      "view :full: transform_keys belongs in the class body, not in this block.",
    "view(:full) { view(:more) { } }" =>
      "view :full: view belongs in the class body, not in this block.",
    "view(:full) { has_one(:a) { remove :b } }" =>
      "view :full: has_one :a: remove belongs in the class body, not in this block.",
    "view(:full) { remve :a }" =>
      "view :full: unknown word :remve, did you mean :remove? Known: #{WORDS}, remove.",
    "view(:full) { def x = 1 }" =>
      "view :full: def x is not possible in a block that declares fields. Define the method in " \
      "the class body.",
    "view(:full) { remove 1 }" => "view :full: remove: a name must be a Symbol or a String; got 1",
    "view(:full) { |v| attributes :a }" =>
      "view :full: the block declares fields, so it takes no parameter.",
    "view :full" => "view :full: needs a block that declares its fields.",
    "view(1) { }" => "view: a name must be a Symbol or a String; got 1",
    "view(:a, from: 1) { }" => "view :a: from: a name must be a Symbol or a String; got 1",
    # what stands in the class body only
    "remove :a" => "remove: unknown field :a. Known: none.",
    "attributes :title; remove :titel" =>
      "remove: unknown field :titel, did you mean :title? Known: title.",
    "view(:v) { attributes :a }; remove :a" => "remove: unknown field :a. Known: none.",
    "default_view 1" => "default_view: a name must be a Symbol or a String; got 1",
    "root" => "root takes one name, two names (for one and for many), or false; got nothing",
    "root nil" => "root takes one name, two names (for one and for many), or false; got nil",
    "root true" => "root takes one name, two names (for one and for many), or false; got true",
    "root :a, :b, :c" =>
      "root takes one name, two names (for one and for many), or false; got :a, :b, :c",
    "root :a, false" =>
      "root takes one name, two names (for one and for many), or false; got :a, false",
    "transform_keys :camle" =>
      "transform_keys: unknown key case :camle, did you mean :camel? Known: camel, camel_lower, " \
      "dash, snake.",
    "transform_keys(&:upcase)" => "#{KEY_CASE} a block",
    "transform_keys" => "#{KEY_CASE} []",
    "transform_keys :dash, :snake" => "#{KEY_CASE} [:dash, :snake]",
    "transform_keys 'camel'" =>
      "transform_keys: takes :camel, :camel_lower, :dash, :snake, an object with call, or nil; " \
      'got "camel"',
    "meta" => "meta takes pairs, a block that returns a Hash, or false; got nothing",
    "meta 1" => "meta takes pairs, a block that returns a Hash, or false; got 1"
  }.freeze

  MISUSES.each do |source, message|
    test "#{source.inspect} is refused" do
      assert_refused("PostSerializer: #{message}") do
        serializer { class_eval(source, __FILE__, __LINE__) }
      end
    end
  end

  test "a block that has ended declares nothing more" do
    kept = nil
    made = serializer { has_one(:author) { kept = self; attributes :name } }
    assert_refused("PostSerializer: has_one :author: its block has ended. Declare all fields " \
                   "before it ends.") { kept.__send__(:attributes, :id) }
    assert_equal '{"author":{"name":"Ann"}}', made.json!({ author: { name: "Ann" } })
  end

  test "meta with pairs and a block is refused" do
    assert_refused(/\APostSerializer: meta takes pairs, .* or false; got .*1.* and #<Proc/) do
      serializer { meta(a: 1) { {} } }
    end
  end

  # References are checked when the Definition is asked for first: what they name may stand below.
  REFERENCES = {
    "view(:full, from: :compct) { }; view(:compact) { }" =>
      "view :full: from: unknown view :compct, did you mean :compact? Known: full, compact.",
    "view(:a, from: :a) { }" => "view :a is from :a. A view cannot be from: itself.",
    "view(:a, from: :b) { }; view(:b, from: :c) { }; view(:c, from: %i[a b]) { }" =>
      "view :a is from :b is from :c is from :a. A view cannot be from: itself.",
    "attributes :id; root :meta; meta a: 1" =>
      "root :meta: the pairs of meta are written under this key. Choose another root, or declare " \
      "meta false.",
    "attributes :id; meta { {} }; root :post, 'meta'" =>
      "root :meta: the pairs of meta are written under this key. Choose another root, or declare " \
      "meta false.",
    "default_view :ful; view(:full) { }" =>
      "default_view: unknown view :ful, did you mean :full? Known: full.",
    "attributes :title; view(:full) { remove :titel }" =>
      "view :full: remove: unknown field :titel, did you mean :title? Known: title.",
    "view(:a) { attributes :x }; view(:b) { remove :x }" =>
      "view :b: remove: unknown field :x. Known: none.",
    "view(:a) { remove :x; attributes :x }" => "view :a: remove: unknown field :x. Known: none."
  }.freeze

  REFERENCES.each do |source, message|
    test "#{source.inspect} is refused when the Definition is asked for, each time" do
      type = serializer { class_eval(source, __FILE__, __LINE__) }
      2.times { assert_refused("PostSerializer: #{message}") { type.definition } }
      assert_predicate type, :declared?
    end
  end

  test "what a superclass refers to wrongly is told of the superclass" do
    parent = serializer { default_view :x }
    assert_refused("PostSerializer: default_view: unknown view :x. Known: none.") do
      serializer(parent, "ChildSerializer").definition
    end
  end

  test "ToJson::Serializer itself declares nothing" do
    assert_refused("ToJson::Serializer cannot declare anything, because every serializer " \
                   "inherits from it. Declare fields in a subclass.") do
      ToJson::Serializer.attributes :a
    end
  end

  test "a root of a call is true, false or a name" do
    one = serializer { attributes :a }
    error = assert_raises(ArgumentError) { one.json!({ a: 1 }, root: 1) }
    assert_equal "root: takes true, false, a Symbol or a String; got Integer", error.message
  end

  test "a declaration that fails leaves nothing behind" do
    type = serializer { attributes :id }
    before = type.definition
    ["attributes :a, :b, 1", "attributes :a, :id", "view(:full) { attributes :a; remove 1 }",
     "has_one(:a) { attributes :b, :b }", "remove :id, :none"].each do |source|
      assert_raises(ToJson::DefinitionError) { type.class_eval(source, __FILE__, __LINE__) }
    end
    assert_same before, type.definition
  end

  test "an anonymous class is named as Ruby does" do
    type = Class.new(ToJson::Serializer)
    assert_refused("#{type.inspect}: attribute :a: unknown option :x. #{ATTRIBUTE}") do
      type.attribute(:a, x: 1)
    end
  end

  test "messages list at most a hundred names, and cut a client's text" do
    type = serializer { 150.times { |i| view(:"v#{i}") { attributes :a } } }
    error = assert_raises(ToJson::UnknownViewError) { type.definition.resolve_views("x" * 100_000) }
    assert_equal "PostSerializer: unknown view \"#{"x" * 60}\"…. Known: " \
                 "#{Array.new(100) { |i| "v#{i}" }.join(", ")} and 50 more.", error.message
  end

  # The DSL's words as methods (dsl.rb's WordCheck).
  test "a method named like a word is refused with the block form, where a field has that name" do
    advice = "Give the helper another name."
    block = "The attribute takes a block instead: attribute(:value) { |object| … }."
    plain = serializer
    assert_refused("PostSerializer#value would hide the DSL's method value. #{advice}") do
      plain.class_eval { def value(post) = post }
    end
    {
      "declared here" => -> { serializer { attributes :value } },
      "declared under another source" => -> { serializer { attributes text: :value } },
      "declared in a view" => -> { serializer { view(:full) { attributes :value } } },
      "inherited" => -> { serializer(serializer { attributes :value }) }
    }.each do |how, type|
      assert_refused("PostSerializer#value would hide the DSL's method value. #{advice} #{block}") {
        type.call.class_eval { def value(post) = post }
      }
      assert_refused("PostSerializer#put would hide the DSL's method put. #{advice}") do
        type.call.class_eval { def put(post) = post }
      end
      assert how
    end
  end

  test "a removed field's name is no reason for the block form" do
    type = serializer { attributes :value; remove :value }
    assert_refused("PostSerializer#value would hide the DSL's method value. Give the helper " \
                   "another name.") do
      type.class_eval { def value = 1 }
    end
  end
end
