# frozen_string_literal: true

# A compile that is left early leaves nothing behind, and waits for nobody. Each script runs in a
# process of its own and forks, since the failures that it looks for are crashes, deadlocks and
# classes that are broken for ever.

require_relative "../test_helper"
require_relative "../support/figures"
require_relative "../support/own_process"
require "tmpdir"

class CompilingTest < ToJsonTest
  HEAD = <<~'RUBY'
    ToJson.eager_load!
    R = Struct.new(:id, :name, :tags)
    O = R.new(1, "a", [])
    DOCUMENT = '[{"id":1,"name":"a","tags":[]}]'
    def serializer
      Class.new(ToJson::Serializer) { attributes :id, :name; has_many(:tags) { attributes :id } }
    end
    30.times { serializer.json!([O]) }
    # How many children ended in each way: true where the block was, an exit status or a signal.
    def children(of)
      of.map do |one|
        pid = fork do
          $stderr.reopen(File::NULL)
          right = begin yield(one) rescue false end
          exit!(right == true)
        end
        status = Process.wait2(pid).last
        status.success? || status.termsig || status.exitstatus
      end.tally
    end
  RUBY

  # A Thread that compiles a class is left at one of the first 400 calls; the class, and another
  # one, are used then.
  LEFT = HEAD + <<~'RUBY'
    left = ->(way, stop) do
      klass, calls = serializer, 0
      out = Class.new(Exception)
      Thread.new do
        Thread.current.report_on_exception = false
        point = TracePoint.new(:call) do
          next unless (calls += 1) == stop
          case way
          when :kill then Thread.current.kill
          when :raise then raise out
          else throw :out
          end
        end
        catch(:out) { point.enable(target_thread: Thread.current) { klass.json!([O]) } }
      rescue out
        nil
      end.join
      klass.json!([O]) == DOCUMENT && serializer.json!([O]) == DOCUMENT
    end
    # The count of calls of a compile, and a step that meets them all in turn with three ways.
    calls = 0
    TracePoint.new(:call) { calls += 1 }.enable { serializer.json!([O]) }
    abort "#{calls} calls" if calls < 50
    p %i[kill raise throw].to_h { |way|
      [way, children((1..calls).step(9)) { |stop| left.(way, stop) }.keys]
    }
  RUBY

  test "a first json! that is killed, raised into or thrown out of leaves no half-made Plan" do
    assert_equal("#{{ kill: [true], raise: [true], throw: [true] }}\n", OwnProcess.run(LEFT))
  end

  test "a Timeout around first calls leaves no half-made Plan" do
    times = Figures.of("first calls left by a Timeout")
    assert_equal("[true]\n", OwnProcess.run(HEAD + <<~'RUBY', arguments: [times.to_s]))
      require "timeout"
      times = ARGV[0].to_i
      p children(0...times) { |i|
        classes, at = Array.new(400) { serializer }, 0
        seconds = 0.002 + i * 0.015 / times
        begin
          Timeout.timeout(seconds) { classes.each { |klass| at += 1; klass.json!([O]) } }
        rescue Timeout::Error
          nil
        end
        classes[at - 1].json!([O]) == DOCUMENT && classes.last.json!([O]) == DOCUMENT
      }.keys
    RUBY
    Figures.reached("first calls left by a Timeout", times)
  end

  test "the child of a fork compiles what another Thread of its parent was at" do
    times = Figures.of("forks while a class is compiled")
    assert_equal("[true]\n", OwnProcess.run(HEAD + <<~'RUBY', arguments: [times.to_s]))
      latest, over = nil, false
      compiling = Thread.new { (latest = serializer).json!([O]) until over }
      sleep 0.01 until latest
      p children(0...ARGV[0].to_i) { |i|
        sleep 0.0005 * (i % 4)
        one = Thread.new { latest.json!([O]) }
        one.join(5) && one.value == DOCUMENT
      }.keys
      over = true
      compiling.join
    RUBY
    Figures.reached("forks while a class is compiled", times)
  end

  test "a stack overflow within a compile leaves no half-made Plan" do
    assert_equal("[true]\n", OwnProcess.run(HEAD + <<~'RUBY'))
      def down(depth, klass) = depth == 0 ? klass.json!([O]) : down(depth - 1, klass)
      overflows = lambda do |depth|
        Thread.new { Thread.current.report_on_exception = false; down(depth, serializer) }.value
        false
      rescue SystemStackError
        true
      end
      least, most = 100, 100_000
      while most - least > 1
        overflows.(middle = (least + most) / 2) ? most = middle : least = middle
      end
      p children((most - 2)..(most + 22)) { |depth|
        klass = serializer
        begin
          Thread.new { Thread.current.report_on_exception = false; down(depth, klass) }.value
        rescue SystemStackError
          nil
        end
        klass.json!([O]) == DOCUMENT && serializer.json!([O]) == DOCUMENT
      }.keys
    RUBY
  end

  test "an exception from outside at any line of a compile breaks no other class" do
    assert_equal("[true]\n", OwnProcess.run(HEAD + <<~'RUBY'))
      lines = 0
      ours = %r{/(plan_cache|compiler|compilation)\.rb\z}
      counting = TracePoint.new(:line) { |event| lines += 1 if ours.match?(event.path) }
      counting.enable { serializer.json!([O]) }
      abort "#{lines} lines" if lines < 50
      stop = Class.new(Exception)
      p children((1..lines).step(2)) { |at|
        klass, count, me = serializer, 0, Thread.current
        point = TracePoint.new(:line) do |event|
          next unless ours.match?(event.path) && (count += 1) == at
          point.disable
          Thread.new { me.raise(stop) }.join
        end
        begin
          point.enable { klass.json!([O]) }
        rescue stop
          nil
        end
        [klass, serializer].all? { |one| one.json!([O]) == DOCUMENT }
      }.keys
    RUBY
  end

  # What another thread does between two steps of a first use, this class does itself there.
  test "what is declared while a class is first looked at is in the next document" do
    late = Class.new(ToJson::Serializer) do
      attributes :id
      def self.definition = super.tap { unless @late; @late = true; attributes :name; end }
    end
    object = Struct.new(:id, :name).new(1, "a")
    late.json!(object)
    assert_equal('{"id":1,"name":"a"}', late.json!(object))
  end

  test "threads that compile what another one's file declares do not wait for each other" do
    files = { "lazy" =>
                "class LazySerializer < ToJson::Serializer\n  attributes :id\n  sleep 0.2\n  " \
                "compile!\nend\n",
              "lazy_b" =>
                "sleep 0.2\nclass LazyBSerializer < BaseSerializer\n  def serialize(o) = " \
                "put(:lazy, o[:id])\nend\n" }
    Dir.mktmpdir do |directory|
      files.each { |name, text| File.write(File.join(directory, "#{name}.rb"), text) }
      assert_equal(%({"id":2} {"id":1,"lazy":{"id":2}} {"id":1} {"id":1,"lazy":{"lazy":2}}\n),
                   OwnProcess.run(<<~'RUBY', seconds: 30, arguments: [directory]))
        ToJson.eager_load!
        autoload :LazySerializer, "#{ARGV[0]}/lazy.rb"
        autoload :LazyBSerializer, "#{ARGV[0]}/lazy_b.rb"
        class BaseSerializer < ToJson::Serializer
          def serialize(o) = put(:base, o[:id])
        end
        class OwnerSerializer < ToJson::Serializer
          attributes :id
          has_one :lazy, serializer: "LazySerializer"
        end
        class OtherSerializer < ToJson::Serializer
          attributes :id
          has_one :lazy, serializer: "LazyBSerializer"
        end
        class OftenSerializer < ToJson::Serializer
          attribute(:id) { |o| o[:id] }
        end
        Thread.new { loop { sleep 0.1 } } # so that Ruby does not find a deadlock by itself
        row = { id: 1, lazy: { id: 2 } }
        works = [-> { LazySerializer.json!({ id: 2 }) },
                 -> { sleep 0.05; OwnerSerializer.json!(row) },
                 -> { sleep 0.1; Array.new(30) { OftenSerializer.json!(row) }.last },
                 -> { OtherSerializer.json!(row) }]
        threads = works.map { |work| Thread.new(&work) }
        ends = threads.map { |thread| thread.join(10) ? thread.value : thread.backtrace.first }
        puts ends.join(" ")
      RUBY
    end
  end

  test "threads that compile the blocks of one class at once write what each block gives" do
    assert_equal("true\n", OwnProcess.run(HEAD + <<~'RUBY'))
      same = Array.new(60) do
        klass = Class.new(ToJson::Serializer) do
          12.times { |i| attribute(:"f#{i}") { |o| o.id + i } }
          view(:more) { 12.times { |i| attribute(:"g#{i}") { |o| o.id - i } } }
        end
        gate = Queue.new
        threads = Array.new(4) do |i|
          Thread.new { gate.pop; Thread.pass; klass.json!(O, view: i.odd? ? :more : nil) }
        end
        4.times { gate << true }
        plain = (0..11).map { |i| %("f#{i}":#{1 + i}) }.join(",")
        more = (0..11).map { |i| %("g#{i}":#{1 - i}) }.join(",")
        threads.map(&:value) == ["{#{plain}}", "{#{plain},#{more}}"] * 2
      end
      p same.all?
    RUBY
  end
end
