# frozen_string_literal: true

# The points of a document at which user code runs, for tests that leave the document from each of
# them.

require "timeout"

# Every point as a lambda that writes one document and runs `code` in the middle of it, when
# something was written.
module Points
  # One method of its own, which runs the code.
  class Own
    def initialize(code) = @code = code
  end

  class AsJson < Own
    def as_json = @code.call
  end

  class ToJsonText < Own
    def to_json(*)
      @code.call
      "1"
    end
  end

  class ToHash < Own
    def to_hash = { a: @code.call }
  end

  class ToAry < Own
    def to_ary = [@code.call]
  end

  class ToH < Own
    def to_h = { a: @code.call }
  end

  class ToS < Own
    def to_s
      @code.call
      "text"
    end
  end

  class Each < Own
    include Enumerable

    def each
      yield 1
      yield @code.call
    end
  end

  # Getters around one that runs the code.
  class Record < Own
    def id = 1
    def name = @code.call
    def last = 3
  end

  # Writes a document, and the code runs inside `serialize`.
  class Part < ToJson::Serializer
    def initialize(code)
      super()
      @code = code
    end

    def serialize
      put :before, 1
      put :inside, @code.call
    end
  end

  # The same in the module form.
  class Host < Own
    include ToJson::Serialize

    def serialize(code)
      put :before, 1
      put(:inside) { put :deep, code.call }
    end
  end

  # A Sink that runs the code when it is written to.
  class Sink < Own
    def write(text)
      @code.call
      text.bytesize
    end
  end

  # What the documents of ALL are delivered to: a Sink of `kind` for each, kept in `sinks`. nil:
  # Strings.
  def self.into(kind)
    before = [@kind, @sinks]
    @kind, @sinks = kind, []
    yield @sinks
  ensure
    @kind, @sinks = before
  end

  # Keywords for one document.
  def self.delivery
    case @kind
    when nil then {}
    when :buffer then { into: ToJson::Buffer.new.tap { |sink| @sinks << sink } }
    else { into: [].tap { |sink| @sinks << sink }, **@kind }
    end
  end

  def self.document(code = nil)
    ToJson.json(**delivery) do |j|
      j.put :begun, [1, "two"]
      yield j, code
      j.put :end, true
    end
  end

  def self.value(own) = ->(code) { document(code) { |j, run| j.put :here, own.new(run) } }

  ALL = {
    "a block of put" =>
      ->(code) { document(code) { |j, run| j.put(:here) { j.put :x, 1; run.call } } },
    "a block of put with a value" =>
      ->(code) { document(code) { |j, run| j.put(:here, 1) { |v| j.put :x, v; run.call } } },
    "a block for each of many" =>
      ->(code) { document(code) { |j, run| j.put(:here, [1, 2]) { |v| j.put :x, v; run.call } } },
    "a block of array" =>
      ->(code) { document(code) { |j, run| j.put(:here) { j.array { j.value 1; run.call } } } },
    "a block of array for each" =>
      ->(code) {
        document(code) { |j, run| j.put(:here) { j.array(1, 2) { |v| j.value v; run.call } } }
      },
    "a block of value" =>
      ->(code) { document(code) { |j, run| j.put(:here) { j.value { j.put :x, 1; run.call } } } },
    "a block of put_field" =>
      ->(code) {
        document(code) { |j, run| j.put_field({ a: 1 }, :a) { |v| j.put :x, v; run.call } }
      },
    "between open and close" =>
      ->(code) { document(code) { |j, run| j.open :here; j.put :x, 1; run.call; j.close } },
    "the document's own block" => ->(code) { document(code) { |_, run| run.call } },
    "the block form" =>
      ->(code) {
        ToJson::Serializer.json!(**Points.delivery) { put :x, 1; put(:here) { put :y, code.call } }
      },
    "a getter" => ->(code) { document(code) { |j, run| j.put_field Record.new(run), :name } },
    "a getter among others" =>
      ->(code) { document(code) { |j, run| j.put_fields Record.new(run), :id, :name, :last } },
    "a condition" =>
      ->(code) {
        document(code) { |j, run| j.put_fields_if ->(_) { run.call }, { a: 1, b: 2 }, :a, :b }
      },
    "as_json" =>
      value(AsJson), "to_json" => value(ToJsonText), "to_hash" => value(ToHash),
      "to_ary" => value(ToAry),
    "to_h" => value(ToH), "to_s" => value(ToS), "each" => value(Each),
    "each with a block of the DSL" =>
      ->(code) { document(code) { |j, run| j.put(:here, Each.new(run)) { |v| j.value v } } },
    "to_s of a key" => ->(code) { document(code) { |j, run| j.put ToS.new(run), 1 } },
    "to_s of a key of a Hash" =>
      ->(code) { document(code) { |j, run| j.put :here, { 1 => 2, ToS.new(run) => 1 } } },
    "as_json deep inside a value" =>
      ->(code) { ToJson.generate([1, { a: [2, { b: AsJson.new(code) }] }], **delivery) },
    "a serializer in place" =>
      ->(code) { document(code) { |j, run| j.put :here, [0, Part.new(run)] } },
    "a serializer class" => ->(code) { Part.new(code).json!(**delivery) },
    "a module form's block" => ->(code) { Host.new(code).json!(code, **delivery) },
    "convert:" =>
      ->(code) {
        ToJson.generate([1, 2r], convert: { Rational => ->(_) { code.call } }, **delivery)
      },
    "a document within a document" =>
      ->(code) {
        document do |j, _|
          j.put :here, document(code) { |k, run| k.put(:x) { k.put :y, 1; run.call } }
        end
      },
    "the Sink's write" =>
      ->(code) { ToJson.generate(["x" * 70_000, "y" * 70_000], into: Sink.new(code)) },
    "the Sink's write in a block" => lambda { |code|
      ToJson.json(into: Sink.new(code)) do |j|
        j.put(:here) { 3.times { |i| j.put :"x#{i}", "x" * 40_000 } }
      end
    }
  }.freeze

  # What must be right after anything: several documents of every form.
  def self.sound? = into(nil) { strings_sound? }

  def self.strings_sound?
    ToJson.generate([1, { "a" => nil }]) == '[1,{"a":null}]' &&
      document { |j, _| j.put_fields Record.new(-> { 2 }), :id, :name, :last } ==
                      '{"begun":[1,"two"],"id":1,"name":2,"last":3,"end":true}' &&
      Part.new(-> { :x }).json! == '{"before":1,"inside":"x"}' &&
      Host.new(nil).json!(-> { 5 }) == '{"before":1,"inside":{"deep":5}}' &&
      ToJson.json { |j| j.array([1, 2]) { |n| j.put(:n) { j.value n } } } == '[{"n":1},{"n":2}]'
  end
end
