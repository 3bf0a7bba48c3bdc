# frozen_string_literal: true

# Layer: definition, libraries. What a new process does until it serializes, on the child's side.

require_relative "definition"
require_relative "libraries"

module Bench
  # Times the start of one contender: its library is loaded, so many classes like its `define` are defined, its `code` is run once
  # for each. "_0" in both stands for the number of the class. Ruby's own start and the parsing of that text are not in it.
  module Start
    class << self
      # {"require", "define", "first_calls"} in milliseconds of processor time, "start" their sum. May be called once in a process.
      def measure(contender, peers, count, value)
        define = compile(numbered("#{contender.define}\n", count))
        calls = compile("->(v) { [\n#{numbered("(#{contender.code}),\n", count)}] }").eval
        documents = nil
        GC.start
        times = {"require" => time { load(contender, peers) }, "define" => time { define.eval }, "first_calls" => time { documents = calls.call(value) }}
        raise "the serializers did not write the same documents" unless documents.uniq.size == 1 && documents.size == count

        {"times" => times.merge("start" => times.values.sum), "document" => documents.first}
      end

      private

      def numbered(text, count) = Array.new(count) { |number| text.gsub(/_0\b/, "_#{number}") }.join

      def compile(text) = RubyVM::InstructionSequence.compile(text, __FILE__, __FILE__)

      def load(contender, peers)
        contender.peer.each { |peer| Libraries.load(peer, peers.fetch(peer)) }
        require "to_json" if contender.group == "ours"
      end

      def time
        start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :float_millisecond)
        yield
        Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :float_millisecond) - start
      end
    end
  end
end
