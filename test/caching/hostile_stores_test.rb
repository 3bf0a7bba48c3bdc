# frozen_string_literal: true

require_relative "caching_case"
require "open3"
require "rbconfig"
require "stringio"
require "timeout"

# Stores that fail, wait, give rubbish or share what they give: the document is right or an
# exception says why, and the next one is right.
class HostileStoresTest < CachingCase
  Down = Class.new(StandardError)
  Late = Class.new(StandardError)

  # A collection of its objects, of what has them as parts, as lines, one of them: whatever looks
  # into a store.
  Inner = Class.new(ToJson::Serializer) do
    attributes :id, :title
    cache key: :id
  end
  WAYS = {
    "one" => [->(all) { Inner.json!(all[1]) }, ->(_) { '{"id":1,"title":"é1"}' }],
    "a collection" => [->(all) { Inner.json!(all) }, ->(texts) { "[#{texts.join(",")}]" }],
    "parts" =>
      [->(all) { Outer.json!(all.map { |post| { post: post } }) },
       ->(texts) { "[#{texts.map { |text| %({"post":#{text}}) }.join(",")}]" }],
    "an association" =>
      [->(all) { Kept.json!(all) },
       ->(texts) { "[#{texts.map { |text| %({"itself":#{text}}) }.join(",")}]" }],
    "lines" =>
      [->(all) { Inner.ndjson(all.each) }, ->(texts) { texts.map { |text| "#{text}\n" }.join }]
  }.freeze
  Outer = Class.new(ToJson::Serializer) { has_one :post, serializer: Inner }
  Kept = Class.new(ToJson::Serializer) do
    has_one(:itself, cache: { key: :id }) { attributes :id, :title }
  end

  def all = Array.new(4) { |index| Post.new(index, "é#{index}", 1) }
  def texts = all.map { |post| %({"id":#{post.id},"title":"#{post.title}"}) }

  # Calls what it is told to at a method, and has what it gives changed.
  class Bent < CachingCase::CountingStore
    attr_accessor :at, :deed, :change

    %i[read_multi read write_multi write].each do |name|
      define_method(name) do |*arguments, **options|
        @deed.call if Array(@at).include?(name)
        given = super(*arguments, **options)
        next given unless @change && name.start_with?("read")

        name == :read ? @change.call(given) : given.transform_values(&@change)
      end
    end
  end

  def setup
    super
    ToJson.cache_store = @store = Bent.new
  end

  WAYS.each do |name, (write, due)|
    test "#{name}: what the store raises comes out, reading or writing, and nothing half-way is " \
         "kept" do
      [%i[read read_multi], %i[write write_multi]].each do |at|
        @store.at, @store.deed = at, -> { raise Down, "down" }
        assert_equal "down", assert_raises(Down) { write.call(all) }.message
        @store.at = nil
        2.times { assert_equal due.call(texts), write.call(all) }
        @store.entries.clear
      end
    end

    test "#{name}: a store that does not answer is left by a Timeout, of either kind" do
      [%i[read read_multi], %i[write write_multi]].each do |at|
        [[Timeout::Error, nil], [Late, Late]].each do |due_class, given|
          @store.at, @store.deed = at, -> { sleep 5 }
          assert_raises(due_class) { Timeout.timeout(0.02, *given) { write.call(all) } }
          @store.at = nil
          assert_equal due.call(texts), write.call(all)
          @store.entries.clear
        end
      end
    end

    test "#{name}: other types, text that is cut at any byte and other encodings are made good" do
      write.call(all)
      kept = @store.entries.dup
      changes = [->(_) { 1 }, ->(_) { nil }, ->(_) { [] }, ->(_) { { a: 1 } }, ->(_) { :sym },
                 ->(text) { [text] }, ->(_) { "" }, ->(text) { text.to_sym }]
      changes
        .concat((0..23).map { |at| ->(text) { text.byteslice(0, at) unless at >= text.bytesize } })
      changes
        .concat([->(text) { text.byteslice(1..) }, ->(text) { text.encode("UTF-16LE") },
                 ->(text) { text.encode("UTF-16") }, ->(text) { text.encode("UTF-32BE") }])
      changes.each do |change|
        @store.entries.replace(kept)
        @store.change = change
        assert_equal due.call(texts), write.call(all)
      end
      assert_equal kept, @store.entries
      [->(text) { text.b }, ->(text) { text.dup.force_encoding("ISO-8859-1") },
       ->(text) { text.dup.force_encoding("Shift_JIS") }, ->(text) { text.dup }, ->(text) { -text }]
        .each do |change|
          @store.change = change
          text = write.call(all)
          assert_equal [due.call(texts), true], [text, text.encoding == Encoding::UTF_8]
        end
    end

    test "#{name}: a String that the store shares is neither changed nor kept" do
      write.call(all)
      shared = @store.entries.transform_values { |text| text.dup.freeze }
      @store.entries.replace(shared)
      before = shared.transform_values(&:dup)
      document = write.call(all)
      document << "x"
      assert_equal before, shared
      loose = @store.entries.transform_values { |text| String.new(text) }
      @store.entries.replace(loose)
      document = write.call(all)
      loose.each_value(&:clear)
      assert_equal due.call(texts), document
    end
  end

  test "a text that the store changes from another thread, while it is spliced, is one of the " \
       "two" do
    long = Array.new(40) { |index| Post.new(index, "x" * 5_000, 1) }
    due = Inner.json!(long)
    @store.entries.transform_values! { |text| String.new(text) }
    going = true
    changing = Thread.new do
      @store.entries.each_value { |text| text.replace(text.dup) } while going
    end
    20.times { assert_equal due, Inner.json!(long, into: StringIO.new).string }
  ensure
    going = false
    changing&.join
  end

  test "a read_multi that gives more, other, or default values gives no one's text to another" do
    due = Inner.json!(all)
    odd = [->(keys, had) { Hash.new('{"id":666}').merge("other" => "{}", keys[0] => had[keys[0]]) },
           ->(_, had) { Hash.new { |_, _| '{"id":666}' }.merge(had.first(1).to_h) },
           ->(keys, had) do
             had.slice(*keys).to_a
           end]
    @store.define_singleton_method(:read_multi) { |*keys, **| odd.first.call(keys, entries) }
    assert_equal [due], (Array.new(3) { Inner.json!(all).tap { odd.rotate! } }).uniq
  end

  test "a store that makes documents of the same kinds while it is asked" do
    @store.deed = -> do
      @store.at = nil
      assert_equal "[#{texts.join(",")}]", Inner.json!(all)
      assert_equal WAYS["parts"][1][texts], WAYS["parts"][0][all]
    end
    WAYS.each_value do |write, due|
      %i[read_multi read write_multi write].each do |at|
        @store.entries.clear
        @store.at = at
        assert_equal due[texts], write[all]
      end
    end
  end

  BESIDE = Figures.of("documents beside a store that others empty")
  OWN_KEYS = Figures.of("cached documents with keys of their own")

  test "4 threads, #{BESIDE} documents each, on one store that others empty" do
    ToJson.cache_store = store = {}
    lock = Mutex.new
    store.define_singleton_method(:[]) { |key| lock.synchronize { super(key) } }
    store.define_singleton_method(:[]=) { |key, text| lock.synchronize { super(key, text) } }
    due = WAYS.to_h { |_, (write, expected)| [write, expected[texts]] }
    mine = all
    wrong = Array.new(4) do |number|
      Thread.new do
        Array.new(BESIDE) do |index|
          lock.synchronize { store.clear } if (index % 100).zero? && number.zero?
          write, expected = due.to_a[(index + number) % due.size]
          text = write[mine]
          text unless text == expected
        end.compact
      end
    end.flat_map(&:value)
    assert_empty wrong.uniq
    Figures.reached("documents beside a store that others empty", BESIDE)
  end

  test "#{OWN_KEYS} documents with keys of their own leave memory where it was" do
    needs_proc
    libraries = $LOAD_PATH.grep(/#{Regexp.escape(Project::ROOT)}|lib\z/).flat_map do |path|
      ["-I", path]
    end
    program = File.join(__dir__, "memory_program.rb")
    out, status = Open3.capture2e(*PlainRuby.start, "-W0", *libraries, program, OWN_KEYS.to_s)
    assert status.success?, out
    Figures.reached("cached documents with keys of their own", OWN_KEYS)
    left = eval(out.lines.last) # rubocop:disable Security/Eval
    assert_operator left[:slots], :<, 5_000
    # freed memory stays with ASan for a while
    assert_operator left[:rss], :<, 8 * 1024, "KiB" unless ENV["TO_JSON_SANITIZED"] == "1"
  end
end
