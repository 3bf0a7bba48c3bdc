# frozen_string_literal: true

require_relative "declaration_case"

# How views compose, inherit and are named by calls: which Fields, in which order.
class DeclaredViewsTest < DeclarationCase
  # A body => { views => the fields, as they read }.
  COMPOSITIONS = {
    "attributes :a, :b; view(:v) { attributes :c }" => { [] => "a b", [:v] => "a b c" },
    "view(:v) { attributes :c }; attributes :a, :b" => { [:v] => "a b c" },
    "attributes :a, :b; view(:v) { attribute :a, :z }" => { [] => "a b", [:v] => "a<z b" },
    "attributes :a, :b; view(:v) { remove :a }" => { [:v] => "b" },
    "attributes :a, :b; view(:v) { remove :a; attribute :a, :z }" => { [:v] => "a<z b" },
    "view(:v) { remove :a }; attributes :a" => { [:v] => "" },
    "attributes :a; view(:v) { }" => { [:v] => "a" },
    # two views at once: order is that of declaration, the last named one's Field counts
    "attributes :a; view(:v) { attributes :x, :y }; view(:w) { attributes :z }" =>
      { %i[v w] => "a x y z", %i[w v] => "a x y z" },
    "attributes :a; view(:v) { attribute :x, :v }; view(:w) { attributes :y; attribute :x, :w }" =>
      { %i[v w] => "a x<w y", %i[w v] => "a x<v y", [:w] => "a x<w y" },
    "attributes :a; view(:v) { attribute :a, :v }; view(:w) { attribute :a, :w }" =>
      { %i[v w] => "a<w", %i[w v] => "a<v" },
    "attributes :a, :b; view(:v) { remove :a }; view(:w) { attribute :a, :w }" =>
      { %i[v w] => "a<w b", %i[w v] => "b" },
    "attributes :a, :b; view(:v) { remove :a }; view(:w) { remove :b }" => { %i[v w] => "" },
    # reopened
    "view(:v) { attributes :a }; attributes :b; view(:v) { attributes :c }" => { [:v] => "b a c" },
    "attributes :a; view(:v) { attribute :a, :z }; view(:v) { remove :a }" => { [:v] => "" },
    "view(:v) { attribute :a, :y }; view(:v) { remove :a; attribute :a, :z }" => { [:v] => "a<z" },
    # from:
    "attributes :a; view(:v) { attributes :b }; view(:w, from: :v) { attributes :c }" =>
      { [:w] => "a b c", [:v] => "a b" },
    "attributes :a; view(:w, from: 'v') { attributes :c }; view(:v) { attributes :b }" =>
      { [:w] => "a c b" },
    "attributes :a; view(:v) { attribute :b, :v }; view(:w, from: :v) { attribute :b, :w }" =>
      { [:w] => "a b<w", %i[w v] => "a b<v", %i[v w] => "a b<w" },
    "attributes :a; view(:v) { attributes :b }; view(:w, from: :v) { remove :b }" =>
      { [:w] => "a", %i[v w] => "a", %i[w v] => "a b" },
    "view(:a) { attribute :x, :a }; view(:b) { attribute :x, :b; attribute :y, :b }; view(:c, " \
    "from: %i[b a]) { attributes :z }" => { [:c] => "x<a y<b z" },
    "view(:a) { attributes :x }; view(:b, from: :a) { attribute :x, :b }; view(:c, from: :a) { " \
    "attributes :y }; view(:d, from: %i[b c]) { }" =>
      { [:d] => "x<b y", %i[b c] => "x<b y", %i[c b] => "x<b y", %i[b a] => "x" },
    "view(:a) { attributes :x }; view(:b, from: :a) { attributes :y }; view(:c, from: :b) { " \
    "attributes :z }" => { [:c] => "x y z" },
    "view(:b) { attributes :y }; view(:b, from: :a) { attributes :z }; view(:a) { attributes :x " \
    "}" => { [:b] => "y z x" }
  }.freeze

  def short(fields)
    fields.map do |field|
      field.source == field.name ? field.name.to_s : "#{field.name}<#{field.source}"
    end.join(" ")
  end

  COMPOSITIONS.each do |source, compositions|
    test "#{source} composes" do
      definition = serializer { class_eval(source, __FILE__, __LINE__) }.definition
      compositions.each do |views, expected|
        assert_equal expected, short(definition.fields(views)), views.inspect
        assert_sub_list definition.fields(views), definition.entries
      end
    end
  end

  # The same objects in the same order.
  def assert_sub_list(part, whole)
    places = part.map { |field| whole.index { |entry| entry.equal?(field) } }
    assert_equal places.compact.sort, places
  end

  test "entries hold each alternative of a name once, alternatives adjacent, the base's first" do
    definition = serializer do
      attributes :a, :b
      view(:v) { attributes :c; attribute :a, :v }
      attributes :d
      view(:w) { attribute :c, :w; attribute :a, :w; attributes :e }
    end.definition
    assert_equal "a a<v a<w b d c c<w e", short(definition.entries)
    assert_equal %i[a b d c e], definition.names
    [[], [:v], [:w], %i[v w], %i[w v]].each do |views|
      assert_sub_list definition.fields(views), definition.entries
    end
  end

  # Parent's body, child's body => { views => fields of the child }.
  INHERITED = [
    ["attributes :a; view(:v) { attributes :b }", "", { [] => "a", [:v] => "a b" }],
    ["attributes :a; view(:v) { attributes :b }", "attributes :c", { [:v] => "a c b" }],
    ["attributes :a; view(:v) { attributes :b }", "view(:v) { attributes :c }",
     { [:v] => "a b c" }],
    ["attributes :a; view(:v) { attributes :b }", "view(:v) { attribute :b, :z }",
     { [:v] => "a b<z" }],
    ["attributes :a; view(:v) { attributes :b }", "view(:v) { remove :b }", { [:v] => "a" }],
    ["attributes :a, :b; view(:v) { remove :b }", "view(:v) { attribute :b, :z }",
     { [:v] => "a b<z", [] => "a b" }],
    ["attributes :a, :b; view(:v) { attribute :b, :y }", "view(:v) { remove :b }",
     { [:v] => "a", [] => "a b" }],
    ["attributes :a, :b; view(:v) { attribute :b, :y }", "attribute :b, :z",
     { [:v] => "a b<y", [] => "a b<z" }],
    ["attributes :a; view(:v) { attributes :b }", "remove :b", { [:v] => "a" }],
    ["attributes :a; view(:v) { attribute :a, :y }", "remove :a", { [:v] => "" }],
    ["attributes :a; view(:v) { attribute :a, :y }", "remove :a; view(:v) { attribute :a, :z }",
     { [:v] => "a<z", [] => "" }],
    ["view(:v) { attributes :b }", "view(:w, from: :v) { attributes :c }", { [:w] => "b c" }],
    ["view(:v, from: :u) { attributes :b }; view(:u) { attributes :a }",
     "view(:w) { attributes :c }; view(:v, from: :w) { attributes :d }",
     { [:v] => "b d a c" }]
  ].freeze

  INHERITED.each do |parent, child, compositions|
    test "#{child.inspect} after the superclass's #{parent.inspect}" do
      above = serializer { class_eval(parent, __FILE__, __LINE__) }
      before = above.definition.inspect
      definition = serializer(above, "ChildSerializer") {
        class_eval(child, __FILE__, __LINE__)
      }.definition
      compositions.each do |views, expected|
        assert_equal expected, short(definition.fields(views)), views.inspect
      end
      assert_equal before, above.definition.inspect
    end
  end

  VIEWS = { nil =>
              [:full], [] => [], :full => [:full], "full" => [:full],
              %w[money full] => %i[money full], [:full, "money"] => %i[full money],
            %i[full money full] =>
              %i[money full],
              ["full".b, "money".encode("UTF-16LE").encode("US-ASCII")] => %i[full money] }.freeze

  test "calls name views by Symbols and Strings, alone or in an Array, and by nothing the " \
       "default ones" do
    definition = serializer { view(:full) { }; view(:money) { }; default_view :full }.definition
    VIEWS.each do |given, expected|
      assert_equal expected, definition.resolve_views(given), given.inspect
    end
    assert VIEWS.keys.all? { |given| definition.resolve_views(given).frozen? }
  end

  test "an unknown view is told with those that there are" do
    definition = serializer { view(:full) { }; view(:money) { } }.definition
    { "ful" =>
        'unknown view "ful", did you mean "full"? Known: full, money.',
        monye: "unknown view :monye, did you mean :money? Known: full, money.",
      ["full", ""] =>
        'unknown view "". Known: full, money.',
        ["\xFF"] => 'unknown view "\xFF". Known: full, money.' }.each do |given, message|
      assert_refused("PostSerializer: #{message}", ToJson::UnknownViewError) do
        definition.resolve_views(given)
      end
    end
    assert_refused("PostSerializer: unknown view :a. Known: none.", ToJson::UnknownViewError) do
      serializer.definition.resolve_views(:a)
    end
  end

  test "a view that is neither Symbol nor String is an ArgumentError" do
    definition = serializer { view(:full) { } }.definition
    { 1 =>
        "view: takes a Symbol, a String or an Array of these; got Integer",
        [1] => "view: takes Symbols and Strings; got Integer",
      [[:full]] =>
        "view: takes Symbols and Strings; got Array",
        { full: 1 } =>
          "view: takes a Symbol, a String or an Array of these; got Hash" }.each do |given, message|
      assert_equal message, assert_raises(ArgumentError) { definition.resolve_views(given) }.message
    end
  end

  test "no Symbol is made of a client's views" do
    definition = serializer { view(:full) { } }.definition
    texts = Array.new(50) { |i| "clients_view_#{i}_#{object_id}" }
    texts.each { |text| assert_raises(ToJson::UnknownViewError) { definition.resolve_views(text) } }
    assert_empty Symbol.all_symbols.map { |one| one.name.b }.grep(/clients_view_\d+_#{object_id}/)
  end

  test "default_view is inherited, replaced, and taken back" do
    parent = serializer { view(:a) { }; view(:b) { }; default_view :a }
    assert_equal [:a], serializer(parent).definition.default_views
    assert_equal %i[b a], serializer(parent) { default_view :b, "a" }.definition.default_views
    assert_equal [], serializer(parent) { default_view }.definition.default_views
    assert_equal [], serializer(parent) { default_view nil }.definition.default_views
  end

  test "what views there are can be asked" do
    definition = serializer { view(:b) { }; view("a") { } }.definition
    assert_equal [%i[b a], true, true, false],
                 [definition.view_names, definition.view?(:a), definition.view?(:b),
                  definition.view?(:c)]
  end

  test "a long chain of diamonds of views is no work" do
    source = +"view(:v0) { attributes :a0 }"
    1.upto(60) do |i|
      source <<
        "; view(:l#{i}, from: :v#{i - 1}) { }; view(:r#{i}, from: :v#{i - 1}) { }; view(:v#{i}, " \
        "from: %i[l#{i} r#{i}]) { attributes :a#{i} }"
    end
    definition = serializer { class_eval(source, __FILE__, __LINE__) }.definition
    assert_equal 61, definition.fields([:v60]).size
  end

  # Such fields were in no view and in no document.
  test "a block that declares by a word of the class itself is refused" do
    [-> { attributes :salary }, -> { remove :id }, -> { view(:other) { attributes :salary } },
     -> { root :row }].each do |outside|
      error = assert_raises(ToJson::DefinitionError) do
        Class.new(ToJson::Serializer) do
          attributes :id
          this = self
          view(:admin) { this.class_exec(&outside) }
        end
      end
      assert_match(/view :admin: its block called a word of/, error.message)
    end
  end
end
