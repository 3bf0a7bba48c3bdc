# frozen_string_literal: true

# Collections whose each hands out an element while another is being written, from a Thread or a
# Fiber.

require "test_helper"

class ParkedElementsTest < ToJsonTest
  Row = Struct.new(:id, :wait) do
    def name
      wait&.call
      "n#{id}"
    end

    def as_json(*) = { id: id, name: name }
  end
  Parent = Struct.new(:rows)

  # Two elements, each in a Fiber of its own that its name parks.
  class InFibers
    include Enumerable
    attr_reader :fibers

    def each(&block)
      @fibers = []
      2.times do |id|
        (@fibers << Fiber.new { block.call(Row.new(id, -> { Fiber.yield })) }).last.resume
      end
    end
  end

  # The same in Threads, the second one beginning when the first stands in its element.
  class InThreads
    include Enumerable

    def each(&block)
      inside, go = Queue.new, Queue.new
      first = threaded { block.call(Row.new(0, -> { inside << true; go.pop })) }
      inside.pop
      second = threaded { block.call(Row.new(1)) }
      second.join
    ensure
      go << true
      begin
        first.join
      rescue ToJson::Error
        nil # its document is over
      end
    end

    private

    def threaded(&block) = Thread.new(&block).tap { |thread| thread.report_on_exception = false }
  end

  # Rescues what its elements raise.
  class Swallowing < InThreads
    def each
      super
    rescue ToJson::Error
      nil
    end
  end

  class RowSerializer < ToJson::Serializer
    attributes :id, :name
  end

  class BlockSerializer < ToJson::Serializer
    attributes :id
    attribute(:name, &:name)
  end

  class WordsSerializer < ToJson::Serializer
    def serialize(row) = put_fields(row, :id, :name)
  end

  class FieldsAndWordsSerializer < ToJson::Serializer
    attributes :id

    def serialize(row)
      super
      put :name, row.name
    end
  end

  class ParentSerializer < ToJson::Serializer
    has_many :rows, serializer: RowSerializer
  end

  class InlineSerializer < ToJson::Serializer
    has_many :rows do
      attributes :id, :name
    end
  end

  class FetchedSerializer < ToJson::Serializer
    STORE = Class.new { def fetch(*) = yield }.new
    attributes :id, :name
    cache key: :id, store: STORE
  end

  # Every way by which a collection is walked, and where in the document it stands.
  WAYS = {
    "put with a block" =>
      ["$.rows",
       ->(many, **o) do
         ToJson.json(**o) do |j|
           j.put(:rows, many) { |row| j.put :id, row.id; j.put :name, row.name }
         end
       end],
    "put with a block and an index" =>
      ["$.rows",
       ->(many, **o) do
         ToJson.json(**o) do |j|
           j.put(:rows, many) { |row, i| j.put :at, i; j.put :name, row.name }
         end
       end],
    "put of a value" => ["$.rows", ->(many, **o) { ToJson.json(**o) { |j| j.put(:rows, many) } }],
    "array with a block" =>
      ["$",
       ->(many, **o) { ToJson.json(**o) { |j| j.array(many) { |row| j.put :name, row.name } } }],
    "array of values" => ["$", ->(many, **o) { ToJson.json(**o) { |j| j.array(many) } }],
    "generate" => ["$", ->(many, **o) { ToJson.generate(many, **o) }],
    "generate, deeper" => ["$.a[0]", ->(many, **o) { ToJson.generate({ a: [many] }, **o) }],
    "declared fields" => ["$", ->(many, **o) { RowSerializer.json!(many, **o) }],
    "declared fields of blocks" => ["$", ->(many, **o) { BlockSerializer.json!(many, **o) }],
    "declared fields and a serialize" =>
      ["$", ->(many, **o) { FieldsAndWordsSerializer.json!(many, **o) }],
    "a Mask" => ["$", ->(many, **o) { RowSerializer.json!(many, only: :name, **o) }],
    "serializers in place" =>
      ["$.rows",
       ->(many, **o) do
         ToJson.json(**o) { |j| j.put(:rows, many) { |row| j.value WordsSerializer.new(row) } }
       end],
    "a serializer in place" =>
      ["$.in", ->(many, **o) { ToJson.json(**o) { |j| j.put :in, RowSerializer.new(many) } }],
    "an association" => ["$.rows", ->(many, **o) { ParentSerializer.json!(Parent.new(many), **o) }],
    "an inline association" =>
      ["$.rows", ->(many, **o) { InlineSerializer.json!(Parent.new(many), **o) }],
    "a collection of parts fetched from a cache" =>
      ["$", ->(many, **o) { FetchedSerializer.json!(many, **o) }]
  }.freeze
  SINKS = { "a String" => -> { {} }, "a Sink" => -> { { into: [] } },
            "a Sink told of each record" => -> { { into: [], flush: :record } },
            "a Sink in tiny chunks" => -> { { into: [], chunk: 1 } },
            "a Buffer" => -> { { into: ToJson::Buffer.new } } }.freeze

  def refused(source, way, **options)
    error = assert_raises(ToJson::GrammarError) { way.call(source, **options) }
    assert_match(/left half written, in a Fiber or a Thread/, error.message)
    ToJson.location(error)
  end

  # No text that parses, and a Buffer as it was.
  def assert_nothing_whole(sink)
    return assert_predicate(sink, :empty?) if sink.is_a?(ToJson::Buffer)

    assert_raises(ToJson::FragmentError) { ToJson::Fragment.new(sink.join) } if sink
  end

  WAYS.each do |name, (place, way)|
    SINKS.each do |kind, options|
      test "#{name} into #{kind}: an element that Fibers or Threads leave half written is an " \
           "error that names its path" do
        [InFibers, InThreads].each do |source|
          given = options.call
          assert_equal "#{place}[0]",
                       refused(source.new, way, **given)[/\A#{Regexp.escape(place)}\[0\]/]
          assert_nothing_whole(given[:into])
        end
        assert_equal "[1]", ToJson.generate([1])
      end
    end

    test "#{name}: what comes back when its document is over changes none" do
      refused(source = InFibers.new, way)
      other = ToJson.json do |j|
        j.put :before, 1
        j.put(:in) { assert_raises(ToJson::Error) { source.fibers.first.resume }; j.put :x, 2 }
      end
      assert_equal '{"before":1,"in":{"x":2}}', other
    end
  end

  test "a collection cannot hide that it left elements half written" do
    WAYS.each_value { |_, way| assert_raises(ToJson::GrammarError) { way.call(Swallowing.new) } }
  end

  test "a document that goes on cannot be written by what an element left behind" do
    source = InFibers.new
    assert_raises(ToJson::PoisonedError) do
      ToJson.json do |j|
        begin
          j.put(:rows, source) { |row| j.put :id, row.id; j.put :name, row.name }
        rescue ToJson::GrammarError
          nil
        end
        assert_raises(ToJson::PoisonedError) { source.fibers.first.resume }
        j.put :more, 1
      end
    end
    assert_equal "[1]", ToJson.generate([1])
  end

  test "elements may come from Threads and Fibers in turn, and raise, break and be rescued" do
    turns = Class.new do
      include Enumerable
      def each(&block)
        Thread.new { block.call(1) }.join
        Fiber.new { block.call(2) }.resume
        block.call(3)
      end
    end.new
    assert_equal "[1,2,3]", ToJson.generate(turns)
    assert_equal '{"r":[{"n":1},{"n":2},{"n":3}]}', ToJson.json { |j|
      j.put(:r, turns) { |n| j.put :n, n }
    }
    rescuing = Class.new do
      include Enumerable
      def each
        3.times do |n|
          yield n
        rescue ArgumentError
          nil
        end
      end
    end.new
    assert_equal '[{"n":0},{"n":2}]', ToJson.json { |j|
      j.array(rescuing) { |n| j.put :n, n; raise ArgumentError if n == 1 }
    }
    assert_equal '[{"n":0},{"n":1}]', ToJson.json { |j|
      j.array(rescuing) { |n| j.put :n, n; break if n == 1 }
    }
  end

  test "memory is flat over elements that were left behind" do
    run = lambda do |times|
      times.times do
        WAYS.each_value { |_, way| assert_raises(ToJson::GrammarError) { way.call(InFibers.new) } }
      end
      GC.start
      ObjectSpace.count_objects[:T_DATA]
    end
    run.call(20)
    before = run.call(5)
    assert_operator run.call(60) - before, :<, 300
  end
end
