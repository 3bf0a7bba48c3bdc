# frozen_string_literal: true

require "test_helper"
require "support/ways_out"

# A serializer inside others' generators: `to_json(*)`, `as_json(*)`, `to_h`.
class InteropTest < ToJsonTest
  Inner = Class.new(ToJson::Serializer) { def serialize(x) = put(:x, x) }
  Outer = Class.new(ToJson::Serializer) do
    def serialize(x)
      (put :title, "é\n\"/<"; put :n, [1, 2.5, nil, true]; put :inner, Inner.new(x))
    end
  end
  Included = Struct.new(:x) { include ToJson::Serialize; def serialize = put(:x, x) }
  VALUE = { "title" => "é\n\"/<", "n" => [1, 2.5, nil, true], "inner" => { "x" => 7 } }.freeze

  test "to_json and as_json take any arguments and ignore them" do
    [[], [nil], [{}], [{ only: [:x] }], [1, 2, 3]].each do |arguments|
      assert_equal '{"x":7}', Inner.new(7).to_json(*arguments)
      assert_equal({ "x" => 7 }, Inner.new(7).as_json(*arguments))
      assert_equal '{"x":7}', Included.new(7).to_json(*arguments)
      assert_equal({ "x" => 7 }, Included.new(7).as_json(*arguments))
    end
    assert_equal '{"x":7}', Inner.new(7).to_json(only: [:y], status: 200)
    assert_equal({ "x" => 7 }, Inner.new(7).as_json(only: [:y]))
  end

  test "to_h is what a parser makes of the document" do
    assert_equal VALUE, Outer.new(7).to_h
    assert_equal [1, [2]], Class.new(ToJson::Serializer) { def serialize = array(1, [2]) }.new.to_h
    assert_nil Class.new(ToJson::Serializer) { def serialize = value(nil) }.new.to_h
    assert_equal 5, Class.new(ToJson::Serializer) { def serialize = value(5) }.new.to_h
  end

  test "to_h with arguments is that of json! with these" do
    assert_equal({ "x" => 8 }, Inner.new(7).to_h(8))
    assert_equal({ "x" => 7 }, Inner.new(7).to_h(context: 1))
  end

  test "to_h reads every kind of text back" do
    values = ["", "\u0000\u001f\u007f", "\u2028\u{1F600}", "\\\"/", "\ud7ff\ue000", 0, -1, 2**70,
              1.5, -0.0, 1e300, 5e-324, 1e22, [], {}, [[]], { "" => {} }]
    serializer = Class.new(ToJson::Serializer) { def serialize(all) = array(all) }
    assert_equal values, serializer.new(values).to_h
    assert_equal values, serializer.new(values, rules: { html_safe: true }).to_h
  end

  if Without.library?("json")
    test "to_h equals JSON.parse of the document" do
      assert_equal JSON.parse(Outer.json!(7)), Outer.new(7).to_h
    end

    test "JSON.generate writes serializers as they are" do
      assert_equal '{"a":{"x":7}}', JSON.generate({ a: Inner.new(7) })
      assert_equal '[{"x":7},1]', JSON.generate([Included.new(7), 1])
      assert_equal Outer.json!(7), JSON.generate(Outer.new(7))
    end

    test "JSON.pretty_generate gives the same value" do
      assert_equal({ "a" => VALUE }, JSON.parse(JSON.pretty_generate({ a: Outer.new(7) })))
    end

    test "JSON.generate writes Fragments as they are" do
      assert_equal '{"a":{"x": 7}}', JSON.generate({ a: ToJson::Fragment.new('{"x": 7}') })
    end
  end

  if Without.library?("oj")
    { compat: {}, rails: {}, custom: { use_to_json: true } }.each do |mode, options|
      test "Oj.dump in mode #{mode} gives the same value" do
        text = Oj.dump({ "a" => Outer.new(7), "b" => [Included.new(7)] }, mode: mode, **options)
        assert_equal({ "a" => VALUE, "b" => [{ "x" => 7 }] }, Oj.load(text, mode: :strict))
      end
    end
  end

  if Without.library?("active_support") && Without.library?("active_support/json")
    test "ActiveSupport's encoder gives the same value" do
      text = ActiveSupport::JSON.encode({ a: Outer.new(7), b: [Included.new(7)] })
      assert_equal({ "a" => VALUE, "b" => [{ "x" => 7 }] }, ActiveSupport::JSON.decode(text))
    end

    test "to_json of a Hash that holds a serializer gives the same value, with and without " \
         "options" do
      assert_equal({ "a" => VALUE }, ActiveSupport::JSON.decode({ a: Outer.new(7) }.to_json))
      assert_equal({ "a" => VALUE },
                   ActiveSupport::JSON.decode({ a: Outer.new(7) }.to_json(only: [:a])))
    end

    test "a Hash's as_json holds the serializer's value" do
      assert_equal({ "a" => { "x" => 7 } }, { a: Inner.new(7) }.as_json)
      assert_equal [{ "x" => 7 }], [Included.new(7)].as_json
    end

    test "a serializer's document is the same with ActiveSupport loaded" do
      assert_serializer '{"title":"é\n\"/<","n":[1,2.5,null,true],"inner":{"x":7}}', Outer, 7
    end
  end

  Rooted = Class.new(ToJson::Serializer) { root :post, :posts; attributes :id }
  ROWS = [{ id: 1 }].freeze
  # A value with serializers of a class with a root, and its document, whoever writes it.
  PLACES = {
    "a Hash" => [{ posts: Rooted.new(ROWS) }, '{"posts":[{"id":1}]}'],
    "an Array" => [[Rooted.new(ROWS.first)], '[{"id":1}]'],
    "a tree" => [{ a: [{ b: Rooted.new(ROWS.first) }] }, '{"a":[{"b":{"id":1}}]}'],
    "a Hash, with root: given" =>
      [{ a: Rooted.new(ROWS, root: :rows) }, '{"a":{"rows":[{"id":1}]}}'],
    "a Hash, with root: true" =>
      [{ a: Rooted.new(ROWS, root: true) }, '{"a":{"posts":[{"id":1}]}}'],
    "a Hash, encoded before" => [{ a: Rooted.new(ROWS).encode! }, '{"a":[{"id":1}]}'],
    "a Hash, encoded by its class" => [{ a: Rooted.encode!(ROWS) }, '{"a":{"posts":[{"id":1}]}}']
  }.freeze

  PLACES.each do |place, (value, due)|
    test "a serializer in #{place} has one document, whoever writes it" do
      assert_equal due, ToJson.generate(value)
      if Without.library?("json")
        assert_equal due, JSON.generate(value)
        assert_equal JSON.parse(due), JSON.parse(JSON.pretty_generate(value))
      end
      if Without.library?("active_support") && Without.library?("active_support/json")
        assert_equal due, ActiveSupport::JSON.encode(value)
        assert_equal due, value.to_json
        assert_equal due, value.to_json(status: 200)
        assert_equal JSON.parse(due), value.as_json
        assert_equal JSON.parse(due), value.as_json(status: 200)
        own = Class.new { define_method(:as_json) { |*| value } }
        assert_equal %({"x":#{due}}), ActiveSupport::JSON.encode({ x: own.new })
      end
    end
  end

  test "a serializer that is asked by itself has its root" do
    serializer = Rooted.new(ROWS.first)
    due = { "post" => { "id" => 1 } }
    assert_equal due, serializer.as_json
    assert_equal due, serializer.as_json(only: :id)
    assert_equal due, serializer.to_h
    assert_equal '{"post":{"id":1}}', serializer.to_json
    assert_equal '{"post":{"id":1}}', serializer.to_json(status: 200)
    assert_equal '{"post":{"id":1}}', JSON.generate(serializer) if Without.library?("json")
  end

  if Without.library?("active_support") && Without.library?("active_support/json")
    Marked = Class.new(ToJson::Serializer) { attributes :t }
    MARKUP = "<b>&\u2028\u2029é".freeze

    def with_settings(**settings)
      encoding = ActiveSupport::JSON::Encoding
      settings = settings.select { |name, _| encoding.respond_to?(name) }
      before = settings.to_h { |name, _| [name, encoding.public_send(name)] }
      settings.each { |name, value| encoding.public_send(:"#{name}=", value) }
      yield
    ensure
      before.each { |name, value| encoding.public_send(:"#{name}=", value) }
    end

    [true, false].product([true, false]).each do |html, separators|
      test "markup is escaped as ActiveSupport's settings say (#{html}, #{separators}), in a " \
           "Hash and outside" do
        with_settings(escape_html_entities_in_json: html,
                      escape_js_separators_in_json: separators) do
          due = { "t" => MARKUP }.to_json
          assert_equal html, !due.include?("<")
          assert_equal due, Marked.new({ t: MARKUP }).to_json
          assert_equal due, Marked.new({ t: MARKUP }).to_s
          assert_equal due, Marked.encode!({ t: MARKUP }).to_json
          assert_equal due, Marked.new({ t: MARKUP }, rules: :json).to_json
          if html && separators
            assert_equal due, Marked.new({ t: MARKUP }, rules: { html_safe: true }).to_json
          end
          assert_equal %({"a":#{due}}), { a: Marked.new({ t: MARKUP }) }.to_json
          assert_equal "{\"t\":\"#{MARKUP}\"}", Marked.json!({ t: MARKUP }) # by its Rules alone
        end
      end
    end

    test "each character that ActiveSupport escapes is found alone, and what is like it is left" do
      plain = ["\u2027", "\u202a", "\u20a8", "\u3028", "é", "\xE2\x80", "%", "=", "?", "'", ""]
      [*MARKUP.chars, *plain].each do |one|
        [one, "#{one}x", "x#{one}", "é#{one}é#{one}"].each do |text|
          text = text.scrub("")
          assert_equal({ "t" => text }.to_json, Marked.new({ t: text }).to_json, text)
          found = text.match?(/[<>&\u2028\u2029]/)
          assert_equal(found, ToJson::Interop.markup?(text), text)
        end
      end
      ["\xE2\x80", "a\xE2", "\xE2", "", nil, 1].each do |other|
        refute(ToJson::Interop.markup?(other))
      end
    end

    test "what render passes on counts where ActiveSupport has it: escape: and " \
         "escape_html_entities:" do
      with_settings(escape_html_entities_in_json: true) do
        serializer = Marked.new({ t: "<" })
        assert_equal '{"t":"\u003c"}', serializer.to_json(status: 200)
        [{ escape: false }, { escape_html_entities: false }, { escape: true }].each do |options|
          assert_equal({ t: "<" }.to_json(options), serializer.to_json(options))
        end
      end
      with_settings(escape_html_entities_in_json: false) do
        [{ escape: true }, { escape_html_entities: true }].each do |options|
          assert_equal({ t: "<" }.to_json(options), Marked.new({ t: "<" }).to_json(options))
        end
      end
    end

    test "raw(serializer.to_json) cannot end a script" do
      require "action_view"
      page = ActionView::Base.with_empty_template_cache.empty.render(
        inline: "<script>x = <%= raw serializer %></script>",
        locals: { serializer: Marked.new({ t: "</script><b>" }) }
      )
      assert_equal 1, page.scan("</script>").size
      refute_includes page, "<b>"
    end
  end

  test "an exception of serialize leaves to_json, to_h and as_json" do
    failing = Class.new(ToJson::Serializer) { def serialize = (put :a, 1; raise IndexError) }
    %i[to_json to_s to_h as_json encode! json!].each do |name|
      assert_raises(IndexError) { failing.new.public_send(name) }
    end
  end
end
