# frozen_string_literal: true

require_relative "caching_case"
require_relative "../support/own_process"

# Code in a cached part that reads the context of something around the part: no key tells it, so
# the part is not kept. ext/to_json/writer/captures.c
class CachingCapturesTest < CachingCase
  class Author
    include ToJson::Serialize

    attr_reader :id, :write, :read

    def initialize(write, read = ->(author) { author.seen }) = (@id, @write, @read = 1, write, read)
    def cache_key_with_version = "authors/1"
    def seen = context[:admin] ? "secret" : nil
    def email = read.call(self)
    def serialize = put(:a, instance_exec(&write))
  end

  class Plain < ToJson::Serializer
    cache
    attributes :id, :email
  end

  class Code < ToJson::Serializer
    cache
    attribute(:email) { |author| author.email }
  end

  class Told < ToJson::Serializer
    cache context: ->(context) { context[:x] }
    attributes :email
    attribute(:x) { |_| context[:x] }
  end

  class Around < ToJson::Serializer
    has_one :itself, serializer: Told, context: ->(*) { { x: 1 } }
  end

  PARTS = {
    "a document" => ->(part) { -> { ToJson::Fragment.new(part.json!(self)) } },
    "a list" => ->(part) { -> { ToJson::Fragment.new(part.json!([self])) } },
    "NDJSON" => ->(part) { -> { part.ndjson([self]) } },
    "a Hash" => ->(part) { -> { part.to_h(self) } },
    "a value" => ->(part) { -> { part.new(self) } },
    "values" => ->(part) { -> { [part.new(self)] } },
    "a value without a context" => ->(part) { -> { part.new(self, context: {}) } },
    "a value with a context of its own" => ->(part) { -> { part.new(self, context: { x: 1 }) } },
    "an association" => ->(_) { -> { Around.new(self) } },
    "a document of an association" => ->(_) { -> { ToJson::Fragment.new(Around.json!(self)) } }
  }.freeze

  READS = {
    "a getter" => ->(author) { author.seen },
    "a Fiber" => ->(author) { Fiber.new { author.seen }.resume },
    "an Enumerator" => ->(author) { Enumerator.new { |y| y << author.seen }.next },
    "a thread" => ->(author) { Thread.new { author.seen }.value }
  }.freeze

  # The text for guests was kept for admins, too: their document has another context, but both of
  # the part have none.
  PARTS.each do |place, make|
    READS.each do |reader, read|
      test "#{place} in which #{reader} reads the context around it is not kept for another one" do
        [Plain, Code, Told].each do |part|
          [[true, false], [false, true]].each do |admins|
            @store.entries.clear
            admins.each do |admin|
              author = Author.new(make.call(part), read) # an old one would count as a reader
              text = admin ? author.json!(context: { admin: true }) : author.json!
              assert_equal admin, text.include?("secret"), "#{part}: #{text}"
            end
          end
        end
      end
    end
  end

  # Found no context, so it counted as a read of the part's own empty one. Its text was then found
  # where the author is at work, whose context the block takes.
  test "a block of an idle object in a part is not kept" do
    forms = [->(author) { author.json! { author.put :email, author.seen } },
             ->(author) { author.instance_exec { ToJson::Serializer.json! { put :email, seen } } },
             lambda do |author|
               author.instance_exec { ToJson::Serializer.ndjson([1]) { |_| put :email, seen } }
             end]
    forms.each do |form|
      @store.entries.clear
      write = -> { ToJson::Fragment.new(Code.json!(self)) }
      Code.json!(Author.new(write, form)) # idle
      assert_includes Author.new(write, form).json!(context: { admin: true }), "secret"
      assert_empty @store.entries
    end
  end

  class Card < ToJson::Serializer
    attribute(:email) { |_| context[:admin] ? "secret" : nil }
  end

  class Words
    include ToJson::Serialize

    def serialize = put(:card, Card.new(1))
  end

  Carrying = Struct.new(:id, :card)

  class Wallet < ToJson::Serializer
    attributes :id, :card
  end

  class Keeping < ToJson::Serializer
    attribute(:email) { |_| "secret" if admin?(nil) }
    def admin?(_) = (@admin ||= context[:admin])
  end

  # It is spliced, and was not asked whether its code, or that of documents in it, had read one.
  test "a part that contains a document which encode! kept in a context is not kept" do
    type = Class.new(ToJson::Serializer) { cache key: :id; attributes :id, :card }
    [->(context) { Card.encode!(1, context: context) },
     ->(context) { Card.encode!([1], context: context) },
     ->(context) { Words.new.encode!(context: context) },
     ->(context) { Wallet.encode!(Carrying.new(2, Card.encode!(1, context: context))) },
     ->(context) { Wallet.encode!(Carrying.new(2, [{ a: Card.encode!(1, context: context) }])) },
     lambda do |context|
       kept = Keeping.new(1)
       kept.json!(context: context)
       Wallet.encode!(Carrying.new(2, kept))
     end,
     lambda do |context|
       card = Card.encode!(1, context: context)
       ToJson::Serializer.encode! { put :card, card }
     end].each do |encode|
      @store.entries.clear
      assert_includes type.json!(Carrying.new(1, encode.call({ admin: true }))), "secret"
      refute_includes type.json!(Carrying.new(1, encode.call({}))), "secret"
    end
  end

  # What `new` was given stands in no key, whoever asks for the text.
  test "a part that asks a serializer for its text, to which new gave a context, is not kept" do
    type = Class.new(ToJson::Serializer) { cache key: :id; attributes :id, :card }
    ask = [->(made) { made }, ->(made) { Passing.new(made) }, ->(made) { Documenting.new(made) },
           ->(made) { Generating.new(made) }, ->(made) { { made => 1 } },
           ->(made) { Presenting.new(made) }]
    ask.each do |card|
      @store.entries.clear
      [[:admin, "secret"], [nil, nil]].each do |admin, seen|
        text = type.json!(Carrying.new(1, card.call(Card.new(1, context: { admin: admin }))))
        assert_equal !seen.nil?, text.include?("secret"), text
      end
    end
  end

  Passing = Struct.new(:card) do
    def to_json(*arguments) = card.to_json(*arguments)
  end

  Documenting = Struct.new(:kept) do
    def to_json(*) = kept.json!
  end

  Generating = Struct.new(:made) do
    def to_json(*) = ToJson.generate([made])
  end

  Presenting = Struct.new(:made) do
    def to_json(*) = ToJson.generate(made.to_h)
  end

  test "a part that asks such a document, or a serializer that read a context, for its text" do
    type = Class.new(ToJson::Serializer) { cache key: :id; attributes :id, :card }
    [->(context) { Passing.new(Card.encode!(1, context: context)) },
     lambda do |context|
       kept = Keeping.new(1)
       kept.json!(context: context)
       Documenting.new(kept)
     end].each do |card|
      @store.entries.clear
      assert_includes type.json!(Carrying.new(1, card.call({ admin: true }))), "secret"
      refute_includes type.json!(Carrying.new(1, card.call({}))), "secret"
    end
  end

  FIBERS = {
    "in place" => ->(read) { read.call },
    "in a Fiber" => ->(read) { Fiber.new { read.call }.resume },
    "in an Enumerator" => ->(read) { Enumerator.new { |y| y << read.call }.next },
    "in a thread" => ->(read) { Thread.new(&read).value }
  }.freeze

  class Going < ToJson::Serializer
    cache key: :id
    attributes :id, :card
  end

  Calling = Struct.new(:id, :read) { def card = read.call }

  class Outer < ToJson::Serializer
    cache key: :id, context: ->(context) { context[:secret] }
    attribute(:x) do |item|
      within, reading = item.read
      within.call(-> { Going.json!(Calling.new(5, -> { reading.call(-> { context[:secret] }) })) })
    end
  end

  # A part in a Fiber of its own, inside of a part; its code reads, in a third Fiber, what is around
  # both.
  FIBERS.each do |name, within|
    FIBERS.each do |inner, reading|
      test "a part #{name}, whose code reads #{inner} the context around it, is not kept" do
        text = Outer.json!(Calling.new(1, [within, reading]), context: { secret: "hidden" })
        assert_includes text, "hidden"
        kept = @store.entries.select { |key, _| key.include?("Going") }
        refute_includes kept.values.join, "hidden"
      end
    end
  end

  class Blocks < ToJson::Serializer
    def serialize(write) = put(:a, write.call(self))
  end

  # The block's document has the context of the serializer around Going's part. So has the document
  # of a block in the block.
  FIBERS.each do |name, reading|
    test "a part in which a block with the context around it reads #{name} is not kept" do
      shown = Class.new(ToJson::Serializer) do
        attribute(:email) { |_| reading.call(-> { context[:secret] }) }
      end
      card = Calling.new(2, -> { shown.new(1) })
      [-> { json! { put :c, Going.new(card) } },
       -> { json! { put :c, ToJson::Fragment.new(json! { put :d, shown.new(1) }) } }]
        .each do |document|
        @store.entries.clear
        around = lambda do |s|
          ToJson::Fragment.new(Going.json!(Calling.new(1, -> { s.instance_exec(&document) })))
        end
        assert_includes Blocks.json!(around, context: { secret: "hidden" }), "hidden"
        assert_empty(@store.entries.values.grep(/hidden/))
      end
    end

  end

  test "a part in which a block of an idle object reads the context of that object is not kept" do
    [-> { json! { put :c, context[:secret] } },
     -> { json! { put :c, ToJson::Fragment.new(json! { put :d, context[:secret] }) } }]
      .each do |document|
      idle = Blocks.new(1, context: { secret: "hidden" })
      item = Calling.new(1, -> { idle.instance_exec(&document) })
      assert_includes Going.json!(item), "hidden"
      assert_empty(@store.entries.values.grep(/hidden/))
    end
  end

  Named = Struct.new(:id, :page) do
    def email = page.seen
    def cache_key_with_version = "named/1"
  end

  class Giving < ToJson::Serializer
    attribute(:w) { |_| Told.new(Named.new(1, self), context: { x: 1 }) }
    def seen(_ = nil) = context[:admin] ? "secret" : nil
  end

  class Page < ToJson::Serializer
    has_one :itself, serializer: Giving
  end

  test "a helper around the part, whose context a presenter reads, keeps the part from the store" do
    [true, false, true].each do |admin|
      text = Page.json!(Author.new(nil), context: admin ? { admin: true } : {})
      assert_equal admin, text.include?("secret"), text
    end
  end

  # Also for programs of their own.
  ITEMS = <<~'RUBY'
    class Idle
      include ToJson::Serialize
      def serialize = put(:a, 1)
    end
    Item = Struct.new(:id, :read) do
      def shown = read&.call
      def cache_key_with_version = "items/#{id}"
    end
    class Shown < ToJson::Serializer
      cache
      attributes :id, :shown
    end
  RUBY
  class_eval(ITEMS)

  class Inner < ToJson::Serializer
    attribute(:language) { |_| context[:language] }
  end

  # Was not kept: the document inside counted as one around.
  test "code in a part may write documents with contexts of its own" do
    [{ language: "en" }, {}, nil].each do |context|
      type = Class.new(ToJson::Serializer) do
        cache key: :id, context: ->(given) { given[:x] }
        given = context ? { context: context } : {}
        attribute(:in) { |item| ToJson::Fragment.new(Inner.json!(item, **given)) }
      end
      @store.entries.clear
      type.json!(Item.new(1), context: { x: 1 })
      assert_equal 1, @store.entries.size, context.inspect
    end
  end

  # Raised a FrozenError.
  test "a frozen thread writes cached parts, and keeps none" do
    program = STORED + <<~'RUBY'
      print Thread.new { Thread.current.freeze && Shown.json!(Item.new(1)) }.value
      print ToJson.cache_store.size
    RUBY
    assert_equal '{"id":1,"shown":null}0', OwnProcess.run(program, seconds: 30)
  end

  # Each noted a read for ever, in C, since the captures were linked in a circle.
  STORED = "ToJson.cache_store = {}\n#{ITEMS}".freeze
  COPIED = STORED + <<~'RUBY'
    go, late = Queue.new, nil
    Shown.json!(Item.new(1, lambda {
      locals = Thread.current.keys.to_h { |key| [key, Thread.current[key]] }
      late = Thread.new do
        locals.each { |key, value| Thread.current[key] = value }
        go.pop
        Shown.json!(Item.new(2, -> { Idle.new.context.size }))
      end
      1
    }))
    go << 1
    print late.value
  RUBY

  INTERLEAVED = STORED + <<~'RUBY'
    class Half < ToJson::Serializer
      def serialize(_)
        $late = Fiber.new { put :y, Shown.new(Item.new(2, -> { Fiber.yield })) }
        $late.resume
        put :z, 1
      end
    end
    class Part < ToJson::Serializer
      cache
      has_one :itself, serializer: Half
    end
    class Page < ToJson::Serializer
      def serialize(item)
        put :p, Part.new(item)
      rescue ToJson::Error
        begin
          $late.resume
        rescue ToJson::Error
          nil
        end
      end
    end
    begin
      Page.json!(Item.new(1))
    rescue ToJson::Error
      nil
    end
    print Shown.json!(Item.new(2, -> { Idle.new.context.size }))
  RUBY

  test "a thread that got the variables of a Fiber which writes a part" do
    assert_equal '{"id":2,"shown":0}', OwnProcess.run(COPIED, seconds: 30)
  end

  test "two Fibers that write parts of one document and end in any order" do
    assert_equal '{"id":2,"shown":0}', OwnProcess.run(INTERLEAVED, seconds: 30)
  end
end
