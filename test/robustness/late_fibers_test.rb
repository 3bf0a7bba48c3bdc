# frozen_string_literal: true

require "test_helper"
require "open3"

# A call that a Fiber left half way comes back when what it stood in has been taken back: it takes
# nothing back itself, and nothing that is half written is delivered.
class LateFibersTest < ToJsonTest
  ROUNDS = Figures.of("rounds of documents left for good")

  def serializer(&block) = Class.new(ToJson::Serializer) { define_method(:serialize, &block) }

  test "a record whose Fiber stands half way ends ndjson, also with on_error: :skip, and what " \
       "comes back late raises" do
    fiber = nil
    type = serializer do |i|
      if i == 2
        fiber = Fiber.new { put(:l) { put :x, 1; Fiber.yield; raise "late" } }
        fiber.resume
      else put :n, i
      end
    end
    sink = +""
    error = assert_raises(ToJson::GrammarError) do
      type.ndjson(0..5, on_error: :skip, into: (io = StringIO.new(sink))) && io
    end
    assert_match(/\A\$\[2\]\.l: left open/, error.message)
    assert_equal "{\"n\":0}\n{\"n\":1}\n", sink
    assert_raises(RuntimeError) { fiber.resume }
    assert_equal "{\"n\":7}\n", type.ndjson([7])
  end

  # A serializer is found by its address: what dies with its document may be swept first, and
  # another object stand there. Where that was not seen to, some hundred of these words were written
  # on 3.1, in 60 rounds.
  %w[class module].each do |form|
    test "no object finds a document that another one has left for good: #{form} form" do
      program = File.join(__dir__, "left_for_good_program.rb")
      out,
      status = Open3.capture2e(*PlainRuby.start, "-W0",
                               *$LOAD_PATH.grep(/lib\z/).flat_map { |path| ["-I", path] }, program,
                               form, ROUNDS.to_s)
      assert status.success?, out
      assert_equal "0", out.lines.last.chomp
      Figures.reached("rounds of documents left for good", ROUNDS)
    end
  end

  # Each kept its Fiber, with all that stands on the stack of a Fiber.
  test "an object whose document was left in a Fiber does not keep that Fiber" do
    hosts = Array.new(50) do
      host = serializer { |_| Fiber.yield }.new(1)
      Fiber.new { host.json! }.resume
      host
    end
    GC.start
    assert_operator ObjectSpace.each_object(Fiber).count(&:alive?), :<, 25
    assert_equal 50, hosts.size
  end

  test "a Fiber that comes back in a later word finds the document given up, whatever it held" do
    [-> { raise "late" }, -> { nil }, -> { throw :out }].each do |deed|
      fiber = nil
      inner = serializer do |_|
        fiber = Fiber.new do
          catch(:out) { put(:l) { put :x, "x" * 100_000; Fiber.yield; deed.call } }
        end
        fiber.resume
      end
      outer = serializer do |_|
        put :before, 1
        begin
          put :inner, inner.new(Object.new)
        rescue ToJson::GrammarError
          nil
        end
        GC.start
        (fiber.resume rescue nil) # rubocop:disable Style/RescueModifier
        GC.start
        put :after, 2
      end
      assert_raises(ToJson::GrammarError, ToJson::PoisonedError) { outer.json!(1) }
      assert_equal "{\"a\":1}", ToJson.generate({ a: 1 })
    end
  end

  test "a half written record is not delivered where its source goes on" do
    fiber = nil
    source = Class.new do
      include Enumerable
      define_method(:each) { |&block| (fiber = Fiber.new { block.call(1) }).resume }
    end.new
    type = serializer do |o|
      put :a, 1
      put(:l, o) { |x| put :x, x; Fiber.yield; put :y, x } if o.equal?(source)
    end
    records = Enumerator.new { |y| y << 1; y << source; (fiber.resume rescue 0); y << 3 }
    [{}, { flush: :record }].each do |pace|
      sink = StringIO.new
      assert_raises(ToJson::GrammarError, ToJson::PoisonedError) do
        type.ndjson(records, on_error: :skip, into: sink, **pace)
      end
      assert_equal "{\"a\":1}\n", sink.string
    end
  end
end
