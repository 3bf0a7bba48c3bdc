# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/own_process"
require "json"

# `Timeout.timeout(1, Late)` raises a Late, which is a StandardError, at any line. A `rescue` of our
# code must not take it for an error of the code itself: it must reach the caller.
class DeadlinesTest < ToJsonTest
  # A RuntimeError, as Timeout::Error is.
  class Late < RuntimeError; end

  Row = Struct.new(:id, :kid)
  ROWS = [Row.new(1, Row.new(3)), Row.new(2, Row.new(4))].freeze

  def serializer(&) = Class.new(ToJson::Serializer, &)

  # Counts the calls of read_multi.
  class Store < Hash
    attr_accessor :reads

    def read_multi(*keys)
      @reads = @reads.to_i + 1
      slice(*keys)
    end

    alias read []
    alias write store
  end

  def cached(store = {})
    serializer do
      attributes :id
      cache key: :id, store: store
    end
  end

  def reader
    serializer { attributes :a, writable: true }
  end

  # Calls once for each event in the files, and lets another thread raise an exception at that
  # event. Yields the result or the exception of the call, and the exception of the other thread.
  # @param call [Proc] returns the Proc that is called
  # @param fresh [Boolean] whether each call needs a Proc of its own
  # @param with [Class] of the exception
  def each_stop(*files, call:, fresh: false, with: Late)
    made = call.call
    stopped(nil, files, with, &made) unless fresh
    at = 0
    while (at += 1)
      made = call.call if fresh
      found, late = stopped(at, files, with, &made)
      break unless late

      yield found, late
    end
    assert_operator at, :>, 10
  end

  def stopped(at, files, with)
    thread, count, late = Thread.current, 0, nil
    trace = TracePoint.new(:line, :call, :return, :c_return) do |event|
      next if Thread.current != thread || late || !event.path.end_with?(*files)
      next if event.method_id == :backtrace || # "exception reentered"
               (count += 1) != at

      Thread.new { thread.raise(late = with.new) }.join
    end
    [trace.enable { yield }, late]
  rescue StandardError => error
    [error, late]
  end

  # `defined?(ActiveSupport::JSON::Encoding)` lost the exception: Ruby rescues each in `defined?`.
  # The file of ActiveSupport::JSON is loaded by the first document, unless all is loaded eagerly.
  # A program may also leave json itself to autoload.
  AUTOLOADED = <<~'RUBY'
    require "tmpdir"
    Late = Class.new(RuntimeError)
    Dir.mktmpdir do |directory|
      path = File.join(directory, "json.rb")
      File.write(path, <<~FILE)
        Thread.main.then { |main| Thread.new { main.raise(Late) }.join }
        #{ARGV[0] == "json" ? "require 'json'" : "module ActiveSupport::JSON; Encoding = self; end"}
      FILE
      module ActiveSupport; end
      (ARGV[0] == "json" ? Object : ActiveSupport).autoload(:JSON, path)
      kept = Class.new(ToJson::Serializer) do
        attributes :id
        rules :rails
        cache key: :id, store: {}
      end
      found = begin
        case ARGV[0]
        when "kept" then kept.json!({ id: 1 })
        when "rails" then ToJson.generate([1], dialect: :rails)
        when "json" then ToJson.generate([Class.new { def to_json(*) = "1" }.new], dialect: :json)
        end
      rescue Late
        "late"
      end
      print found
    end
  RUBY

  %w[kept rails json].each do |which|
    test "a deadline is raised while a document loads another library: #{which}" do
      assert_equal "late", OwnProcess.run(AUTOLOADED, arguments: [which])
    end
  end

  # Threads slept for ever if a Timeout ended another one that waited for the autoload of Set, which
  # the first cache key named (Ruby 3.2 to 3.4; decision 13).
  UNLOADED = <<~'RUBY'
    names = %i[Set Date DateTime BigDecimal JSON]
    names.each do |name|
      Object.send(:remove_const, name) if Object.const_defined?(name)
      Object.autoload(name, "/no/such/#{name}.rb")
    end
    limit = Struct.new(:most).new(5)
    own = Object.new.tap { |one| one.instance_variable_set(:@list, [Encoding::UTF_8]) }.freeze
    type = Class.new(ToJson::Serializer) do
      attribute(:a) { |row| [row[:a], limit.most, own.frozen?] }
      attribute :date, as: :date
      attribute :time, as: :time
      attribute :share, as: :float, writable: true
      cache key: :a, store: {}
    end
    ToJson.compile!
    type.freeze
    row = { a: 1, time: Time.at(0).utc, share: 2 }
    print type.json!(row), type.json!([row]), type.digest.size, type.parse({ share: 2 }).size
  RUBY

  test "nothing loads a library to ask whether it is there, or whether a value is of its class" do
    one = '{"a":[1,5,true],"date":null,"time":"1970-01-01T00:00:00.000Z","share":2.0}'
    assert_equal "#{one}[#{one}]321", OwnProcess.run(UNLOADED)
  end

  if OwnProcess.yjit?
    test "the tests of this file pass without YJIT" do
      assert_match(/\b22 runs, \d+ assertions, 0 failures, 0 errors/,
                   OwnProcess.test_file(__FILE__))
    end
  else
    test "a deadline is raised while the keys of a cached list are made" do
      type = cached
      each_stop("part_cache.rb", call: -> { -> { type.json!(ROWS) } }) do |found, late|
        assert_same late, found
      end
    end

    # If the deadline came in the `ensure` of Prefetch#within, the Writer kept the Prefetch. Its
    # next documents then looked up each part alone.
    test "a deadline is raised while parts are looked up, and the next document looks its own up" do
      inner = cached(store = Store.new)
      type = serializer { has_one :kid, serializer: inner }
      each_stop("prefetch.rb", call: -> { -> { type.json!(ROWS) } }) do |found, late|
        assert_same late, found
        store.reads = 0
        assert_equal '[{"kid":{"id":3}},{"kid":{"id":4}}]', type.json!(ROWS)
        assert_equal 1, store.reads
      end
    end

    test "a deadline is raised while records are read ahead, by an on_error: that raises" do
      inner = cached
      type = serializer { has_one :kid, serializer: inner }
      strict = ->(error, *) { raise error }
      call = -> { -> { type.ndjson(ROWS, on_error: strict) } }
      each_stop("prefetch.rb", call: call) do |found, late|
        assert_same late, found
      end
    end

    test "a deadline is raised while a class with blocks is compiled" do
      call = lambda do
        type = serializer { attribute(:id) { |row| row.id } }
        -> { type.json!(ROWS) }
      end
      each_stop("compiling/blocks.rb", call: call, fresh: true) do |found, late|
        assert_same late, found
      end
    end

    # A `loop` would rescue it and take it for the end of the names: "id,kid" would become "id".
    test "a StopIteration is raised while names of fields are parsed" do
      call = -> { -> { ToJson::Selection.parse("id,kid(id),other") } }
      each_stop("selection.rb", call: call, with: StopIteration) do |found, late|
        assert_same late, found
      end
    end

    ['{"a":1}', '{"a":', '{"a":1,"a":2}', '{"a":"\\ud800"}'].each do |text|
      test "a deadline is raised while #{text} is parsed" do
        type = reader
        call = -> { -> { type.parse(text) } }
        each_stop("reading/parser.rb", "values/fragment.rb", call: call) do |found, late|
          assert_same late, found
        end
      end
    end
  end

  Own = Class.new(StandardError)

  # What each call of some code raises (nil: nothing), the later ones as the last one, and what is
  # told of the first error: whether it came from outside, or the Late that is raised instead.
  CALLS = {
    [Own, Own] => false, [Own, nil] => true, [Late, nil] => true, [Late, Own] => true,
    [Own, Late, Own] => Late, [Own, Late, Late, Own] => Late, [Late, Own, Late, Own] => true,
    [Own, Late, nil] => true
  }.freeze

  CALLS.each do |(first, *rest), result|
    test "FromOutside tells #{result.inspect} of #{first}, if #{rest.inspect} come after it" do
      left = rest.dup
      again = -> { (left.size > 1 ? left.shift : left.first)&.then { |type| raise type } }
      told = begin
        ToJson::FromOutside.raised?(first.new, &again)
      rescue Late
        Late
      end
      assert_equal result, told
    end
  end

  test "two that come while a block is tried do not become an ArgumentError of Ruby" do
    assert_equal "Late", OwnProcess.run(<<~RUBY).chomp
      Late = Class.new(StandardError)
      block = Ractor.make_shareable(nil.instance_eval { proc { |_| 1 } })
      serializer = Class.new(ToJson::Serializer) { attribute(:b, &block) }
      calls = 0
      late = TracePoint.new(:c_call) do |call|
        raise Late if call.method_id == :binding && [2, 3].include?(calls += 1)
      end
      begin
        late.enable { serializer.json!({}) }
      rescue StandardError => error
        puts error.class
      end
    RUBY
  end
end
