# frozen_string_literal: true

# What was sent of a document that failed is never text that a parser accepts; of NDJSON it is whole
# records. Every point where user code runs fails in turn, and every write.

require_relative "stream_case"

class FailedDocumentsTest < StreamCase
  Boom = Class.new(StandardError)

  # Counts the times it is asked, and raises at one of them.
  class Fuse
    attr_reader :asked

    def initialize(at = nil)
      @at = at
      @asked = 0
    end

    def ask
      raise Boom if @asked == @at

      @asked += 1
    end
  end

  # A record whose every getter asks the fuse.
  class Item
    def initialize(number, fuse)
      @number = number
      @fuse = fuse
    end

    def id = @fuse.ask && @number
    def text = @fuse.ask && "é\"\n#{@number}"
    def parts = @fuse.ask && (@number.zero? ? nil : Array.new(@number) { |n| Item.new(n, @fuse) })
    def score = @fuse.ask && @number * 1.5
  end

  class ItemSerializer < ToJson::Serializer
    root :item, :items
    attributes :id, :text
    has_many(:parts) { attributes :id }
    attribute(:again) { |item| item.score }
  end

  class ItemWords < ToJson::Serializer
    def serialize(items, fuse)
      array items do |item|
        put :id, item.id
        put(:parts, item.parts) { |part| put :id, part.id }
        put(:more) { put :score, item.score; put(:none) { fuse.ask } }
      end
      fuse.ask
    end
  end

  # By what the records come, one more question asked behind the last.
  def enumerator(items, fuse) = Enumerator.new { |y| items.each { |item| y << item }; fuse.ask }
  def items(fuse) = Array.new(3) { |n| Item.new(n, fuse) }

  # {what is written => how, into a Sink}
  DOCUMENTS = {
    "declared objects" => ->(fuse, **out) { ItemSerializer.json!(items(fuse), **out) },
    "declared objects under a root, with meta of a block" => lambda do |fuse, **out|
      serializer = Class.new(ItemSerializer) { meta { |_| { n: fuse.ask } } }
      serializer.json!(items(fuse), root: true, **out)
    end,
    "declared objects of an Enumerator" =>
      ->(fuse, **out) { ItemSerializer.json!(enumerator(items(fuse), fuse), root: false, **out) },
    "the words" => ->(fuse, **out) { ItemWords.json!(items(fuse), fuse, **out) },
    "the words of an Enumerator" =>
      ->(fuse, **out) { ItemWords.json!(enumerator(items(fuse), fuse), fuse, **out) },
    "a root Array, and more code behind it" =>
      ->(fuse, **out) { ToJson.json(**out) { |j| j.array(1, [2], "é"); fuse.ask } },
    "a root Hash, and more code behind it" =>
      ->(fuse, **out) { ToJson.json(**out) { |j| j.value({ a: 1, b: { c: [] } }); fuse.ask } },
    "a root String, and more code behind it" =>
      ->(fuse, **out) { ToJson.json(**out) { |j| j.value("text"); fuse.ask } },
    "a root Integer, and more code behind it" =>
      ->(fuse, **out) { ToJson.json(**out) { |j| j.value(123_456); fuse.ask } },
    "a root null, and more code behind it" =>
      ->(fuse, **out) { ToJson.json(**out) { |j| j.value(nil); fuse.ask } },
    "a root block, and more code behind it" =>
      ->(fuse, **out) { ToJson.json(**out) { |j| j.value { j.put :a, fuse.ask }; fuse.ask } },
    "primitives" =>
      ->(fuse, **out) {
        ToJson.json(**out) do |j|
          j.open_array; j.value fuse.ask; j.open; j.put :a, 1; j.close; j.close; fuse.ask
        end
      },
    "values of an Enumerator, laid out" =>
      ->(fuse, **out) { ToJson.pretty_generate(enumerator([1, [2], { a: 3 }], fuse), **out) },
    "a serializer as a value" => ->(fuse, **out) do
      ToJson.generate(ItemWords.new(items(fuse), fuse), **out)
    end
  }.freeze

  # {what is written => the lines, into a Sink}
  RECORDS = {
    "declared objects" => ->(fuse, **out) { ItemSerializer.ndjson(items(fuse), **out) },
    "declared objects of an Enumerator" =>
      ->(fuse, **out) { ItemSerializer.ndjson(enumerator(items(fuse), fuse), root: :r, **out) },
    "the words" =>
      ->(fuse, **out) { ItemWords.ndjson([items(fuse), [], items(fuse)], fuse, **out) },
    "values of an Enumerator" =>
      ->(fuse, **out) { ToJson.ndjson(enumerator([1, [2], "a\n", { a: 3 }], fuse), **out) },
    "a block" => ->(fuse, **out) do
      ToJson.ndjson(enumerator([1, 2], fuse), **out) do |j, n|
        j.put :a, fuse.ask; j.put(:b) { j.array n, fuse.ask }
      end
    end
  }.freeze

  # What a delivery may be asked for besides: each of these, where this library has it.
  PACES =
    if ToJson::DSL::RESERVED_KEYWORDS.include?(:flush)
      [{}, { flush: :record }, { flush: 0 }, { chunk: 5 }]
    else
      [{}]
    end
  TINY = [[1, 1], [7, 3], [64, 48]].freeze

  def refute_json(text, how)
    assert_raises(ToJson::FragmentError, "#{how}: #{text}") { ToJson::Fragment.new(text) }
    PARSERS.each do |library, parse|
      accepted = begin
        parse.call(text)
        true
      rescue StandardError
        false
      end
      refute accepted && !text.empty?, "#{library} takes what was sent, #{how}: #{text.inspect}"
    end
  end

  # @yieldparam [String] what was sent, and after how many questions the code failed
  def fail_everywhere(write)
    PACES.product(TINY).each do |pace, sizes|
      ToJson::Writer.sizes(*sizes)
      fuse = Fuse.new
      whole = instance_exec(fuse, into: [], **pace, &write).join
      assert_equal instance_exec(Fuse.new, &write), whole
      fuse.asked.times do |at|
        pieces = []
        assert_raises(Boom) { instance_exec(Fuse.new(at), into: pieces, **pace, &write) }
        assert whole.start_with?(pieces.join), pieces.join
        yield pieces.join, whole, "failing at #{at}, #{sizes}, #{pace}"
      end
    end
  ensure
    ToJson::Writer.sizes(*USUAL_SIZES)
  end

  DOCUMENTS.each do |what, write|
    test "#{what}: wherever user code fails, what was sent is no JSON" do
      fail_everywhere(write) { |sent, _, how| refute_json sent, how }
    end

    test "#{what}: at whichever write the Sink fails, what it has is no JSON" do
      PACES.product(TINY).each do |pace, sizes|
        ToJson::Writer.sizes(*sizes)
        writes = instance_exec(Fuse.new, into: [], **pace, &write).size
        writes.times do |at|
          sink = Connection.new(fails_at: at)
          ToJson::Writer.sizes(*sizes) # a Writer that grew writes less often
          assert_raises(Errno::EPIPE) { instance_exec(Fuse.new, into: sink, **pace, &write) }
          # Nothing tells a number that was cut from a number: see docs/streaming.md.
          refute_json sink.text, "the write #{at}, #{sizes}" unless sink.text.match?(/\A\d+\z/)
        end
      end
    ensure
      ToJson::Writer.sizes(*USUAL_SIZES)
    end
  end

  RECORDS.each do |what, write|
    test "#{what}: wherever user code fails, what was sent are the whole records before" do
      fail_everywhere(write) do |sent, whole, how|
        assert(sent.empty? || sent.end_with?("\n"), how)
        assert_includes whole.lines.each_index.map { |n| whole.lines.first(n).join } << whole, sent
      end
    end

    test "#{what}: at whichever write the Sink fails, it has whole records" do
      PACES.reject { |pace| pace[:chunk] }.product(TINY).each do |pace, sizes|
        ToJson::Writer.sizes(*sizes)
        instance_exec(Fuse.new, into: [], **pace, &write).size.times do |at|
          sink = Connection.new(fails_at: at)
          ToJson::Writer.sizes(*sizes) # a Writer that grew writes less often
          assert_raises(Errno::EPIPE) { instance_exec(Fuse.new, into: sink, **pace, &write) }
          assert_equal sink.pieces.join.lines.size, sink.pieces.join.count("\n")
        end
      end
    ensure
      ToJson::Writer.sizes(*USUAL_SIZES)
    end
  end

  test "wherever a document of a few kinds is cut, it is no JSON" do
    value = { "a" => [1, -1.5e-7, "é😀\\\"\n", nil, true, false, {}, [[]]],
              "b" => { "c" => "\u0001" } }
    [value, [value], "text é", [], {}, nil, true].each do |one|
      json = ToJson.generate(one)
      (0...json.bytesize).each do |size|
        refute_json json.byteslice(0, size).force_encoding("UTF-8"), "cut at #{size}"
      end
    end
  end

  test "a body that fails half-way gave no JSON, and whole records as NDJSON" do
    all = ->(fuse) { Array.new(300) { |n| Item.new(n % 3, fuse) } }
    asked = Fuse.new.tap { |fuse| ItemSerializer.json!(all.call(fuse)) }.asked
    (0...asked).step(97) do |at|
      with_each_size([USUAL_SIZES, [16, 16]]) do |how|
        sent = +""
        assert_raises(Boom) do
          ItemSerializer.stream(all.call(Fuse.new(at))).each { |chunk| sent << chunk }
        end
        refute_json sent, how
        lines = +""
        assert_raises(Boom) do
          ItemSerializer.stream(all.call(Fuse.new(at)), format: :ndjson).each do |chunk|
            lines << chunk
          end
        end
        assert(lines.empty? || lines.end_with?("}\n"), how)
        lines.each_line { |line| ToJson::Fragment.new(line) }
      end
    end
  end
end
