# frozen_string_literal: true

# Forks while documents are at work: docs/internals/invariants.md, "Fibers, threads, forks".

require_relative "../test_helper"
require_relative "../support/own_process"

if Process.respond_to?(:fork)
  class ForkTest < ToJsonTest
    HEAD = <<~'RUBY'
      ToJson.eager_load!
      class ThingSerializer < ToJson::Serializer
        attributes :id, :name
      end
      Thing = Struct.new(:id, :named) { def name = named.respond_to?(:call) ? named.call : named }
      PLAIN = '{"id":1,"name":"a"}'
      # What a child prints to a pipe.
      def child
        output, input = IO.pipe
        pid = fork { output.close; input.write(yield); input.close; exit!(true) }
        input.close
        output.read.tap { Process.wait(pid) }
      end
    RUBY

    test "a child that is forked by a getter writes documents of its own" do
      assert_equal(<<~TEXT, OwnProcess.run(HEAD + <<~'RUBY'))
        {"id":1,"name":"a"}[1]
        {"id":2,"name":"b"}
        {"id":1,"name":"a"}
      TEXT
        getter = lambda do
          puts child { ThingSerializer.json!(Thing.new(1, "a")) + ToJson.generate([1]) }
          "b"
        end
        puts ThingSerializer.json!(Thing.new(2, getter)), ThingSerializer.json!(Thing.new(1, "a"))
      RUBY
    end

    test "a document that is at work in a fork is finished in both processes" do
      assert_equal(<<~TEXT, OwnProcess.run(HEAD + <<~'RUBY'))
        {"id":3,"name":"child"}{"id":1,"name":"a"}
        {"id":3,"name":"parent"}{"id":1,"name":"a"}
      TEXT
        output, input = IO.pipe
        pid = nil
        getter = -> { (pid = fork) ? "parent" : "child" }
        document = ThingSerializer.json!(Thing.new(3, getter))
        document += ThingSerializer.json!(Thing.new(1, "a"))
        (input.puts(document); exit!(true)) unless pid
        input.close
        Process.wait(pid)
        puts output.read, document
      RUBY
    end

    test "a fork's child can use a Buffer that another thread of the parent was using" do
      same = "old#{'{"id":1,"name":"a"}' * 3}"
      due = [same, same, "#{"kept" * 999}!", "old", ""].join("\n")
      assert_equal(due, OwnProcess.run(HEAD + <<~'RUBY'))
        going, go_on = Queue.new, Queue.new
        held = ToJson::Buffer.new << "old"
        handed = ToJson::Buffer.new << "kept" * 999
        slow = Object.new
        slow.define_singleton_method(:write) { |text| (going << 1) && go_on.pop && text.bytesize }
        wait = -> { (going << 1) && go_on.pop && "b" }
        threads = [Thread.new { ThingSerializer.json!(Thing.new(1, wait), into: held) },
                   Thread.new { handed.write_to(slow) }]
        2.times { going.pop }
        puts child {
          write = lambda do
            3.times { ThingSerializer.json!(Thing.new(1, "a"), into: held) }
            held.to_s
          end
          text = write.call
          GC.start
          held.clear << "old"
          [text, write.call, (handed << "!").to_s].join("\n")
        }
        raise "the parent's" if (held << "x" rescue nil) || (handed << "x" rescue nil)
        2.times { go_on << 1 }
        threads.each(&:join)
        raise held.to_s unless held.to_s == 'old{"id":1,"name":"b"}'
        puts "old"
      RUBY
    end

    test "a child does not wait for a document of a thread that only its parent has" do
      assert_equal("#{'{"id":1,"name":"a"}' * 3}\n0\n[1,{\"id\":1,\"name\":\"a\"}]\n",
                   OwnProcess.run(HEAD + <<~'RUBY'))
        sent, going, go_on = +"", Queue.new, Queue.new
        sink = Object.new
        sink.define_singleton_method(:write) { |text| (sent << text; text.bytesize) }
        things = Enumerator.new { |y| y << 1; going << true; go_on.pop; y << Thing.new(1, "a") }
        elsewhere = Thread.new do
          ToJson.json(into: sink) do |j|
            j.array(things) { |one| j.value(one == 1 ? 1 : ThingSerializer.new(one)) }
          end
        end
        going.pop
        puts child { 3.times.map { ThingSerializer.json!(Thing.new(1, "a")) }.join }
        puts sent.size
        go_on << true
        elsewhere.join
        puts sent
      RUBY
    end
  end
end
