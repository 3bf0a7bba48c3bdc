# frozen_string_literal: true

require_relative "declaration_case"

# What each word declares: the Field with all its parts, and its inspect, which reads like the
# declaration.
class DeclaredFieldsTest < DeclarationCase
  MONEY = Class.new { def self.encode(value) = value.to_s }
  CALLABLE = ->(value) { value }
  OTHER = Class.new(ToJson::Serializer)
  OTHER.define_singleton_method(:inspect) { "OtherSerializer" }
  MONEY.define_singleton_method(:inspect) { "Money" }

  # The declaration => how its fields read, where that is not the declaration itself.
  READS = {
    "attributes :id" => ["attribute :id"],
    "attributes :id, :title" => ["attribute :id", "attribute :title"],
    'attributes "id"' => ["attribute :id"],
    "attributes :id, body: :text" => ["attribute :id", "attribute :text, :body"],
    "attributes body: 'text', \"a-b\" => :c" => ["attribute :text, :body", 'attribute :c, :"a-b"'],
    "attributes :a, :b, if: :shown?" => ["attribute :a, if: :shown?", "attribute :b, if: :shown?"],
    "attributes :a, b: :c, as: :string, skip_nil: true" =>
      ["attribute :a, as: :string, skip_nil: true",
       "attribute :c, :b, as: :string, skip_nil: true"],
    "attributes :a, as: :time, format: :unix" => ["attribute :a, as: :time, format: :unix"],
    "attributes" => [],
    "attributes(*[], if: :shown?)" => [],
    "attribute :title" => nil,
    "attribute :text, :body" => nil,
    "attribute :text, 'body'" => ["attribute :text, :body"],
    "attribute :text, source: :body" => ["attribute :text, :body"],
    "attribute :body, name: :text" => ["attribute :text, :body"],
    "attribute :full, ->(o) { o }" => ["attribute :full, ->(…) { … }"],
    "attribute :full, lambda { 1 }" => ["attribute :full, ->(…) { … }"],
    "attribute :full, 1.method(:+)" => ["attribute :full, ->(…) { … }"],
    "attribute(:excerpt) { |post| post }" => ["attribute(:excerpt) { … }"],
    "attribute(:excerpt, if: :long?) { object }" => ["attribute(:excerpt, if: :long?) { … }"],
    "attribute :price, as: :string" => nil,
    "attribute :at, as: :time, format: :unix_ms" => nil,
    'attribute :at, as: :time, format: "%H"' => nil,
    "attribute :at, as: DeclaredFieldsTest::MONEY" => ["attribute :at, as: Money"],
    "attribute :at, as: DeclaredFieldsTest::CALLABLE" => ["attribute :at, as: ->(…) { … }"],
    "attribute :at, as: DeclaredFieldsTest::OTHER" => ["attribute :at, as: OtherSerializer"],
    "attribute :at, as: 1.method(:+)" => ["attribute :at, as: #<Method>"],
    "attribute :draft, if: ->(o) { o }, unless: :public?" =>
      ["attribute :draft, if: ->(…) { … }, unless: :public?"],
    "attribute :draft, if: %i[a b]" => ["attribute :draft, if: [:a, :b]"],
    "attribute :draft, if: []" => ["attribute :draft"],
    "attribute :note, skip_nil: true" => nil,
    "attribute :note, skip_blank: true" => nil,
    "attribute :note, skip_nil: true, skip_blank: true" => ["attribute :note, skip_blank: true"],
    "attribute :note, skip_nil: false" => ["attribute :note"],
    'attribute :note, default: "none"' => nil,
    "attribute :note, default: ->(o) { o }" => ["attribute :note, default: ->(…) { … }"],
    "nested(:address) { attributes :street, :city }" => nil,
    "nested(:address, if: :known?) { attributes :street }" => nil,
    "attribute(:tags, preload: :tags) { |post| post }" =>
      ["attribute(:tags, preload: :tags) { … }"],
    "attributes :a, :b, preload: ['tags', :author]" =>
      ["attribute :a, preload: [:tags, :author]", "attribute :b, preload: [:tags, :author]"],
    "has_many :comments, preload: false" => nil,
    "has_many :comments, preload: { author: :avatar }" =>
      ["has_many :comments, preload: {:author => :avatar}"],
    "has_many :comments, preload: [:author, { author: %i[avatar name] }, { tags: [] }]" =>
      ["has_many :comments, preload: [:tags, {:author => [:avatar, :name]}]"],
    "flatten :profile, preload: :avatar" => nil,
    "has_one :author" => nil,
    "belongs_to :author" => ["has_one :author"],
    "has_many :comments" => nil,
    "association :things" => nil,
    "has_one :author, serializer: DeclaredFieldsTest::OTHER" =>
      ["has_one :author, serializer: OtherSerializer"],
    'has_one :author, serializer: "Api::AuthorSerializer"' => nil,
    "has_one :author, serializer: ->(value) { value }" =>
      ["has_one :author, serializer: ->(…) { … }"],
    "has_one :author, serializer: { String => DeclaredFieldsTest::OTHER, Integer => " \
    "'XSerializer' }" =>
      ['has_one :author, serializer: {String => OtherSerializer, Integer => "XSerializer"}'],
    "has_one :author, view: :short" => nil,
    "has_one :author, view: %w[short long]" => ["has_one :author, view: [:short, :long]"],
    "has_one :author, only: [:id, { posts: [:id] }]" => ['has_one :author, only: "id,posts(id)"'],
    'has_one :author, except: "id"' => nil,
    "has_one :author, context: { a: 1 }" => ["has_one :author, context: {:a => 1}"],
    "has_one :author, context: Object.new" => ["has_one :author, context: #<Object>"],
    "has_one :author, source: :writer" => nil,
    "has_one :writer, name: :author" => ["has_one :author, source: :writer"],
    "has_one :author, skip_nil: true, if: :a, unless: :b" =>
      ["has_one :author, if: :a, unless: :b, skip_nil: true"],
    "has_many :comments, default: []" => ["has_many :comments, default: []"],
    "has_many(:comments, if: :comments?) { attributes :id, :body }" => nil,
    "has_many(:comments) { has_one(:author) { attributes :name } }" => nil,
    "has_many(:comments) { }" => ["has_many(:comments) {  }"],
    "has_many(:recent, serializer: DeclaredFieldsTest::OTHER) { |post| post }" =>
      ["has_many(:recent, serializer: OtherSerializer) { … }"],
    'has_many(:recent, serializer: "X") { object }' => ['has_many(:recent, serializer: "X") { … }'],
    "flatten :profile" => nil,
    'flatten :profile, serializer: "ProfileSerializer", if: :profile?' => nil,
    "flatten(:profile) { attributes :bio }" => nil
  }.freeze

  READS.each do |source, expected|
    test "#{source} reads so" do
      assert_equal expected || [source], (declared { class_eval(source, __FILE__, __LINE__) })
    end
  end

  # Declaration => the parts of its Field that are not the defaults.
  DEFAULTS = { source: nil, reader: nil, as: nil, format: nil, conditions: [], skip: nil,
               default: ToJson::Field::NONE, definition: nil,
               serializer: nil, view: nil, only: nil, except: nil,
               context: ToJson::Field::NONE }.freeze
  PARTS = {
    "attribute :id" => { kind: :attribute, name: :id, source: :id },
    "attribute :text, :body, as: :string" =>
      { kind: :attribute, name: :text, source: :body, as: :string },
    "attribute :a, if: :x, unless: %i[y z]" =>
      { kind: :attribute, name: :a, source: :a,
        conditions: [%i[if x], %i[unless y], %i[unless z]] },
    "attribute :a, skip_nil: true" => { kind: :attribute, name: :a, source: :a, skip: :nil },
    "attribute :a, skip_blank: true" => { kind: :attribute, name: :a, source: :a, skip: :blank },
    "attribute :a, default: nil" => { kind: :attribute, name: :a, source: :a, default: nil },
    "attribute :a, as: :time, format: '%Y'" =>
      { kind: :attribute, name: :a, source: :a, as: :time, format: "%Y" },
    "has_one :a, view: 'x'" => { kind: :one, name: :a, source: :a, view: [:x] },
    "has_one :a, view: []" => { kind: :one, name: :a, source: :a, view: [] },
    "has_one :a, context: nil" => { kind: :one, name: :a, source: :a, context: nil },
    "has_many :a, only: :id" =>
      { kind: :many, name: :a, source: :a, only: ToJson::Selection.parse("id") },
    "has_many :a, except: { b: 'c' }" =>
      { kind: :many, name: :a, source: :a, except: ToJson::Selection.parse("b(c)") },
    "association :a, name: 'b', skip_blank: true" =>
      { kind: :any, name: :b, source: :a, skip: :blank },
    "flatten :a, serializer: 'B'" => { kind: :flatten, name: :a, source: :a, serializer: "B" }
  }.freeze

  PARTS.each do |source, parts|
    test "#{source} has these parts" do
      field = serializer { class_eval(source, __FILE__, __LINE__) }.definition.fields.fetch(0)
      assert_equal({ **DEFAULTS, **parts },
                   { kind: field.kind, name: field.name,
                     **DEFAULTS.to_h { |part, _| [part, field.public_send(part)] } })
    end
  end

  test "a field of nested reads nothing itself, and has the Definition of its block" do
    field = serializer { nested(:address) { attributes :city } }.definition.fields.first
    assert_equal [:nested, nil, [:city]], [field.kind, field.source, field.definition.names]
  end

  test "Fields, their lists and Strings, and Definitions are frozen, inline ones too" do
    text = +"%H"
    given = [+"x", { a: +"y" }]
    type = serializer do
      attribute :at, as: :time, format: text
      attribute :note, default: given, if: [:a]
      has_many(:comments) { attributes :id }
      has_one :author, serializer: +"X", view: [:short]
      view(:full) { attributes :more }
      meta version: 1
    end
    definition = type.definition
    at, note, comments, author = definition.fields
    [definition, definition.fields, definition.fields([:full]), definition.entries,
     definition.names, definition.view_names, definition.default_views, definition.meta,
     at, at.format, note.default, note.default[0], note.default[1], note.default[1][:a],
     note.conditions, note.conditions[0], comments.definition,
     comments.definition.fields, author.serializer, author.view].each do |part|
       assert part.frozen?, part.inspect
     end
    refute text.frozen?
    refute given.frozen?
    refute given[0].frozen?
  end

  test "each option has a reader, a check of that name, and a way to count in cache keys" do
    ToJson::Field::OPTIONS.each do |name, option|
      assert_includes ToJson::Field.public_instance_methods(false), option.keeps, name
      if option.words.any? # else only Fields that we derive have it
        assert ToJson::AssociationOptions.private_method_defined?(option.keeps), name
      end
      # followed by Signature, and without effect
      next if %i[serializer preload writable given].include?(name)


      counts = ToJson::Compiler::Signature.instance_method(option.counts)
      assert_equal 1, counts.arity, name
    end
  end

  test "a Field keeps what was given, and nothing else" do
    given = { if: :a?, as: :string, skip_nil: true, preload: :b }
    field = serializer { attribute :id, **given }.definition.fields.first
    assert_equal({ conditions: [%i[if a?]], as: :string, skip: :nil, preload: { b: {} } },
                 field.options)
    field = serializer { attribute :id, default: nil }.definition.fields.first
    assert_equal({ default: nil }, field.options)
    assert_empty serializer { attribute :id, :b }.definition.fields.first.options
  end

  test "a Definition of fields without blocks can be shared between Ractors" do
    type = serializer do
      root :a
      attributes :id, b: :c, if: :d
      has_many(:e, only: "f")
      view(:g, from: []) { remove :id }
    end
    assert Ractor.shareable?(type.definition.fields.first)
    assert Ractor.make_shareable(type.definition)
  end

  test "what &:name makes is called with the object" do
    field = serializer { attribute(:size, &:length) }.definition.fields.first
    assert_equal 3, Object.new.instance_exec("abc", &field.reader)
    condition =
      serializer { attribute :a, if: :empty?.to_proc }.definition.fields.first.conditions.dig(0, 1)
    assert_equal true, Object.new.instance_exec("", &condition)
  end

  test "a Method gives the value, or decides" do
    field = serializer { attribute :size, 1.method(:+), if: 2.method(:==) }.definition.fields.first
    assert_equal [3, true],
                 [Object.new.instance_exec(2, &field.reader),
                  Object.new.instance_exec(2, &field.conditions.dig(0, 1))]
  end

  test "blocks of attributes in inline blocks are kept as they are" do
    block = proc { |author| author.name }
    field = serializer { has_one(:author) { attribute(:name, &block) } }.definition.fields.first
    assert_same block, field.definition.fields.first.reader
  end

  # Names that are no identifiers, or words of Ruby or of the DSL.
  [:class, :end, :object_id, :"a-b", :"a\"b", :"a\nb", :"#{"\#{x}"}", :"", :"é", :put, :value, :if,
   :attributes, *ToJson::DSL::WORDS].uniq.each do |name|
    test "a field may be named #{name.inspect}" do
      fields = serializer { attribute name; has_one :"#{name}1", source: name }.definition.fields
      assert_equal [name, name], fields.map(&:source)
    end
  end

  test "names in other encodings are UTF-8 Symbols" do
    assert_equal [:"é"], serializer { attributes "é".encode("ISO-8859-1") }.definition.names
  end

  test "the words are the same in class bodies, views and inline blocks" do
    body = proc do
      attributes :a, b: :c
      attribute(:d) { 1 }
      nested(:e) { attributes :f }
      has_one :g
      belongs_to :h
      has_many(:i) { attributes :j }
      association :k
      flatten :l
    end
    expected = declared(&body)
    assert_equal expected,
      (serializer { view(:v, &body) }.definition.fields([:v]).map { |field| worded(field) })
    assert_equal expected,
                 (serializer { has_one(:v, &body) }.definition
                    .fields[0]
                    .definition
                    .fields
                    .map do |field|
                    worded(field)
                  end)
  end

  test "the words answer nil" do
    answers = []
    serializer do
      answers << attributes(:a) << attribute(:b) << nested(:c) { answers << attributes(:x) } <<
        has_one(:d) << belongs_to(:e) << has_many(:f) << association(:g)
      answers << flatten(:h) << view(:i) { answers << remove(:a) } << default_view(:i) <<
        remove(:a) << root(:j) << root(false) << transform_keys(:camel)
      answers << meta(x: 1)
    end
    assert_equal [nil], answers.uniq
  end
end
