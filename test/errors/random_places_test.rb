# frozen_string_literal: true

require "test_helper"

# Makes random serializers, and lets one getter raise at a time. ToJson.location of the exception
# must name the field of that getter, in each of the WAYS. No two getters have the same name.
class RandomPlacesTest < ToJsonTest
  Boom = Class.new(StandardError)

  # What the getters return. Each object has all of them.
  class Node
    singleton_class.attr_accessor :raising

    def self.value(kind)
      case kind
      when :value then 1
      when :one then new
      when :many then [new, new]
      when :each then [new, new].each
      else [new, Class.new(self).new]
      end
    end

    def self.getter(name, kind)
      define_method(name) do
        raise Boom if Node.raising == name

        Node.value(kind)
      end
    end
  end

  # A random class body, with the path of each getter's field.
  class Body
    ATTRIBUTES = ["attribute :%s", "attribute :%s, if: :%s", "attribute :%s, skip_nil: true",
                  "attribute(:%s) { |o| o.%s }", "attribute :%s, source: :%s",
                  "attribute :%s, default: -> { 1 }"].freeze
    ASSOCIATIONS = {
      one: ["has_one(:%s)", "has_one(:%s, if: ->(_) { true })", "association(:%s)"],
      many: ["has_many(:%s)", "association(:%s)"], each: ["has_many(:%s)"]
    }.freeze
    SERIALIZERS = {
      one: ["has_one :%s, serializer: %s", "has_one :%s, serializer: { Node => %s }",
            "has_one :%s, serializer: ->(_) { %s }", "attribute :%s, as: %s",
            "has_one :%s, serializer: %s, context: 1"],
      many: ["has_many :%s, serializer: %s", "has_many :%s, serializer: { Node => %s }"],
      mixed: ["has_many :%s, serializer: ->(_) { %s }"]
    }.freeze

    attr_reader :fields

    # @param names [Enumerator] new names of getters
    def initialize(random, names)
      @random, @names, @fields = random, names, {}
    end

    def write(depth = 3, path = "")
      Array.new(@random.rand(1..5)) { line(depth, path, @names.next) }.join("\n")
    end

    private

    def line(depth, path, name)
      case @random.rand(depth.positive? ? 7 : 2)
      when 0, 1 then format_all(pick(ATTRIBUTES), field(name, :value, path))
      when 2 then "nested(:#{name}) do\n#{write(depth - 1, "#{path}.#{name}")}\nend"
      when 3
        Node.getter(name, :one)
        "flatten(:#{name}) do\n#{write(depth - 1, path)}\nend"
      when 4, 5 then association(depth, path, name)
      else by_serializer(depth, path, name)
      end
    end

    def association(depth, path, name)
      kind = pick(ASSOCIATIONS.keys)
      head = format_all(pick(ASSOCIATIONS[kind]), field(name, kind, path))
      "#{head} do\n#{write(depth - 1, inside(kind, path, name))}\nend"
    end

    def by_serializer(depth, path, name)
      kind = pick(SERIALIZERS.keys)
      field(name, kind, path)
      body = write(depth - 1, inside(kind, path, name))
      "Serializer#{name} = Class.new(ToJson::Serializer) do\n#{body}\nend\n" +
        format(pick(SERIALIZERS[kind]), name, "Serializer#{name}")
    end

    def inside(kind, path, name) = "#{path}.#{name}#{"[0]" unless kind == :one}"

    def field(name, kind, path)
      Node.getter(name, kind)
      @fields[name] = "#{path}.#{name}"
      name
    end

    def format_all(text, name) = text.gsub("%s", name.to_s)
    def pick(list) = list[@random.rand(list.size)]
  end

  # Ways to make a document of a Node: the path of the Node in that document, and a lambda that
  # takes the serializer class, the Node and the name of a field.
  WAYS = {
    "json!" => ["", ->(k, n, _) { k.json!(n) }],
    "a list" => ["[0]", ->(k, n, _) { k.json!([n, n]) }],
    "an Enumerator" => ["[0]", ->(k, n, _) { k.json!([n].each) }],
    "a root" => [".r", ->(k, n, _) { k.json!(n, root: :r) }],
    "a Sink" => ["", ->(k, n, _) { k.json!(n, into: StringIO.new, chunk: 8) }],
    "records" => ["[0]", ->(k, n, _) { k.json!([n], into: StringIO.new, flush: :record) }],
    "indent" => ["", ->(k, n, _) { k.json!(n, rules: { indent: "  ", object_nl: "\n" }) }],
    "new" => ["", ->(k, n, _) { k.new(n).to_json }],
    "put" => [".z", ->(k, n, _) { ToJson.json { |j| j.put :z, k.new(n) } }],
    "generate" => [".a[0]", ->(k, n, _) { ToJson.generate({ a: [k.new(n)] }) }],
    "to_h" => ["", ->(k, n, _) { k.to_h(n) }],
    "only:" => ["", ->(k, n, top) { k.json!(n, only: [top]) }],
    "only: of a list" => ["[0]", ->(k, n, top) { k.json!([n], only: top.to_s) }],
    "lines" => ["[0]", ->(k, n, _) { k.ndjson([n], into: StringIO.new) }]
  }.freeze

  def place_of(serializer, top, way)
    ToJson.location(assert_raises(Boom) { way.call(serializer, Node.new, top) })
  end

  def check(source, body)
    serializer = Class.new(ToJson::Serializer) { class_eval(source, __FILE__, __LINE__) }
    body.fields.each do |name, path|
      Node.raising = name
      WAYS.each do |how, (before, way)|
        assert_equal "$#{before}#{path}", place_of(serializer, path[/\w+/].to_sym, way),
                     "#{how}, #{name} raises in\n#{source}"
      end
    end
  end

  test "an exception of a getter has the path of its field in each kind of document" do
    random = Random.new(2_024)
    names = (1..).lazy.map { |number| :"g#{number}" }
    25.times do
      body = Body.new(random, names)
      check(body.write, body)
    ensure
      Node.raising = nil
    end
  end
end
