# frozen_string_literal: true

require_relative "declaration_case"

# What a subclass has of its superclass, settings, and when a Definition is made anew.
class DeclarationInheritanceTest < DeclarationCase
  # Superclass, subclass => the fields of the subclass.
  FIELDS = {
    ["attributes :a, :b", ""] => "attributes :a, :b",
    ["attributes :a, :b", "attributes :c"] => "attributes :a, :b, :c",
    ["attributes :a, :b", "attribute :a, as: :string"] =>
      "attribute :a, as: :string; attributes :b",
    ["attributes :a, :b", "has_one :a"] => "has_one :a; attributes :b",
    ["attributes :a, :b", "remove :a"] => "attributes :b",
    ["attributes :a, :b", "remove :a, 'b'"] => "",
    ["attributes :a, :b", "remove :a; attributes :a"] => "attributes :b, :a",
    ["attributes :a, :b", "attribute :b, :x; remove :a"] => "attributes x: :b",
    ["", "attributes :a; remove :a"] => "",
    ["", "attributes :a, :b; remove :a; attribute :a, :x"] => "attributes :b, x: :a"
  }.freeze

  FIELDS.each do |(parent, child), expected|
    test "#{child.inspect} below #{parent.inspect}" do
      above = serializer { class_eval(parent, __FILE__, __LINE__) }
      before = above.definition
      below = serializer(above, "ChildSerializer") { class_eval(child, __FILE__, __LINE__) }
      assert_equal expected, worded_definition(below)
      assert_same before, above.definition
    end
  end

  test "fields pass through classes that declare nothing, any number of generations" do
    last = 10.times.reduce(serializer { attributes :a0 }) do |type, i|
      serializer(serializer(type)) { attributes :"a#{i + 1}" }
    end
    assert_equal Array.new(11) { |i| :"a#{i}" }, last.definition.names
  end

  # Superclass, subclass => the settings of the subclass: root, key_case, meta.
  SETTINGS = {
    ["root :post, :posts", ""] => [%i[post posts], nil, nil],
    ["root :post, :posts", "root 'article'"] => [%i[article article], nil, nil],
    ["root :post", "root false"] => [nil, nil, nil],
    ["transform_keys :dash", ""] => [nil, :dash, nil],
    ["transform_keys :dash", "transform_keys :lower_camel"] => [nil, :camel_lower, nil],
    ["transform_keys :dash", "transform_keys nil"] => [nil, nil, nil],
    ["meta version: 1", ""] => [nil, nil, { version: 1 }],
    ["meta version: 1", "meta({ 'v' => 2 })"] => [nil, nil, { "v" => 2 }],
    ["meta version: 1", "meta false"] => [nil, nil, nil],
    ["root :a; root :b", "meta a: 1; meta b: 2"] => [%i[b b], nil, { b: 2 }]
  }.freeze

  SETTINGS.each do |(parent, child), expected|
    test "settings of #{child.inspect} below #{parent.inspect}" do
      definition = serializer(serializer { class_eval(parent, __FILE__, __LINE__) }) {
        class_eval(child, __FILE__, __LINE__)
      }.definition
      assert_equal expected, [definition.root, definition.key_case, definition.meta]
    end
  end

  test "meta takes a block, transform_keys a callable" do
    block = proc { |objects| { size: objects.size } }
    upcase = ->(name) { name.upcase }
    definition = serializer { meta(&block); transform_keys upcase }.definition
    assert_equal({ size: 2 }, definition.meta.call([1, 2]))
    assert_same upcase, definition.key_case
  end

  test "inspect of a Definition reads like the class body" do
    body =
      "root :post, :posts; transform_keys :camel_lower; meta version: 2; default_view :full; " \
      "attributes :id, :title, body: :text; attributes :note; " \
      "attribute(:excerpt) { … }; has_many(:comments) { attributes :id, text: :body }; " \
      "view(:full) { attributes :body; has_one :author; remove :note }; " \
      "view(:more, from: :full) { remove :id, :title }"
    type = serializer do
      root :post, :posts
      transform_keys :camel_lower
      meta version: 2
      attributes :id, :title, body: :text
      attributes :note
      attribute(:excerpt) { |post| post }
      has_many(:comments) { attributes :id, text: :body }
      view(:full) { attributes :body; has_one :author; remove :note }
      view(:more, from: :full) { remove :id, :title }
      default_view :full
    end
    assert_equal "#<ToJson::Definition PostSerializer: #{body}>", type.definition.inspect
    assert_equal "#<ToJson::Definition PostSerializer: root :post; meta { … }; attributes :a>",
                 serializer {
      root :post; meta { {} }; attributes :a
    }.definition.inspect
  end

  test "what reads like the declaration declares the same" do
    type = serializer do
      root :post, :posts
      attributes :id, :title, body: :text, "a-b" => :c
      attribute :size, :length, if: :shown?, as: :time, format: "%H", skip_nil: true
      attribute :if_, :if
      has_many(:comments, source: :notes) { attributes :id, text: :body }
      has_one :author, serializer: "XSerializer", only: "id,b(c)"
      view(:full, from: :base) { remove :id; attribute :title, as: :string }
      view(:base) { nested(:x) { attributes :y } }
      default_view :full, :base
    end
    words = worded_definition(type)
    assert_equal words, worded_definition(serializer { class_eval(words, __FILE__, __LINE__) })
  end

  test "a Definition is the same until something is declared, then another" do
    parent = serializer { attributes :a }
    child = serializer(parent, "ChildSerializer") { attributes :b }
    first = child.definition
    assert_same first, child.definition

    ["attributes :c", "remove :c", "view(:v) { }", "root :r", "transform_keys :dash", "meta a: 1",
     "default_view :v"].each do |source|
      old = child.definition
      parent.class_eval(source, __FILE__, __LINE__)
      refute_same old, child.definition, source
      refute_same parent.definition, child.definition
      assert_same child.definition, child.definition
    end
    assert_equal "attributes :a, :b", worded_definition(serializer(child)).split("; ").find { |part|
      part.start_with?("attributes")
    }
    assert_equal [:a, :b], first.names
  end

  test "a removal in a subclass stays right when the superclass loses that field itself" do
    parent = serializer { attributes :a, :b }
    child = serializer(parent) { remove :a }
    parent.remove(:a)
    assert_equal [:b], child.definition.names
  end

  # Each tells the cache of Plans; what is cached is none of its business.
  test "declarations, methods and modules tell PlanCache, with the class" do
    told = []
    type = serializer
    original = ToJson::PlanCache.method(:forget)
    silently do
      ToJson::PlanCache.define_singleton_method(:forget) { |klass, _method = nil| told << klass }
    end
    {
      "a field" =>
        -> { type.attributes :a }, "a view" => -> { type.view(:v) { attributes :b } },
        "a removal" => -> { type.remove :a }, "root" => -> { type.root :x },
      "transform_keys" =>
        -> { type.transform_keys :dash }, "meta" => -> { type.meta a: 1 },
        "default_view" => -> { type.default_view :v },
      "def" =>
        -> { type.class_eval { def a(post) = post } }, "undef" => -> { type.undef_method(:a) },
      "def and remove_method" =>
        -> { type.class_eval { def b(post) = post }; type.remove_method(:b) },
      "include" => -> { type.include(Module.new) }, "prepend" => -> { type.prepend(Module.new) }
    }.each do |what, change|
      told.clear
      change.call
      assert_equal [type], told.uniq, what
    end
  ensure
    silently { ToJson::PlanCache.define_singleton_method(:forget, original) }
  end

  test "declared? tells whether the class or a superclass declares fields or views" do
    declaring = serializer { attributes :a }
    { serializer =>
        false, declaring => true, serializer(declaring) => true, serializer { view(:v) {} } => true,
        serializer { root :a; transform_keys :dash } => false,
      serializer(declaring) { remove :a } =>
        true, ToJson::Serializer => false }.each do |type, expected|
        assert_equal expected, type.declared?
      end
  end

  test "a serializer that declares nothing has an empty Definition" do
    definition = serializer.definition
    assert_equal [[], [], [], nil, nil, nil],
                 [definition.fields, definition.entries, definition.view_names, definition.root,
                  definition.meta, definition.key_case]
    assert_equal "#<ToJson::Definition PostSerializer>", definition.inspect
  end

  test "a frozen class still has its Definition, and can declare nothing more" do
    type = serializer { attributes :a }.freeze
    assert_equal [:a], type.definition.names
    assert_raises(FrozenError) { type.attributes :b }
  end

  test "the module form declares nothing" do
    type = Class.new { include ToJson::Serialize }
    refute_respond_to type, :attributes
    refute_respond_to type, :definition
  end

  test "class methods of one's own may use the words, and super of them" do
    base = serializer
    base.define_singleton_method(:timestamps) { attributes :created_at, :updated_at, as: :time }
    base.define_singleton_method(:attribute) do |name, *rest, **options, &block|
      super(name, *rest, skip_nil: true, **options, &block)
    end
    assert_equal "attribute :a, skip_nil: true; attribute :created_at, as: :time; attribute " \
                 ":updated_at, as: :time",
                 worded_definition(serializer(base) { attribute :a; timestamps })
  end

  test "threads that ask while another declares get whole Definitions" do
    type = serializer { attributes :a0 }
    seen = Array.new(3) { Thread.new { Array.new(300) { type.definition.names.size } } }
    1.upto(100) { |i| type.attributes(:"a#{i}"); Thread.pass }
    seen.each { |thread| assert_equal thread.value.sort, thread.value }
    assert_equal 101, type.definition.names.size
  end

  test "a thousand fields and views are declared in no time" do
    # Of this process: the machine may be busy.
    started = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
    type = serializer do
      1000.times { |i| attribute :"a#{i}" }
      100.times { |i| view(:"v#{i}") { attributes :"a#{i}" } }
    end
    assert_equal 1100, type.definition.entries.size
    assert_operator Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - started, :<, 5
  end

  test "reopening 10,000 times keeps nothing" do
    parent = serializer { attributes :a }
    before = nil
    10_000.times do |i|
      serializer(parent) { attributes :b }.definition
      parent.root(:"r#{i % 10}")
      (GC.start; before = ObjectSpace.count_objects[:T_CLASS]) if i == 1_000
    end
    GC.start
    assert_operator ObjectSpace.count_objects[:T_CLASS], :<, before + 500
  end
end
