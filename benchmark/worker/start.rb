# frozen_string_literal: true

require_relative "libraries"

module Bench
  # What a new process does until it serializes: its library is loaded, so many classes like the
  # contender's `define` are defined, its `code` is run once for each. "_0" in both stands for the
  # number of the class. Ruby's own start and the parsing of that text are not in it.
  module Start
    class << self
      # Milliseconds of processor time: "require", "define", "first_calls", and "start", their sum.
      # To be called once in a process.
      def measure(contender, peers, count, value)
        define = compile(numbered("#{contender.define}\n", count))
        calls = compile("->(v) { [\n#{numbered("(#{contender.code}),\n", count)}] }").eval
        documents = nil
        GC.start
        times = {"require" => time { Libraries.load_for(contender, peers) },
                 "define" => time { define.eval },
                 "first_calls" => time { documents = calls.call(value) }}
        unless documents.uniq.size == 1 && documents.size == count
          raise "the serializers did not write the same documents"
        end

        times.merge("start" => times.values.sum)
      end

      private

      def numbered(text, count)
        Array.new(count) { |number| text.gsub(/_0\b/, "_#{number}") }.join
      end

      def compile(text) = RubyVM::InstructionSequence.compile(text, __FILE__, __FILE__)

      def time
        start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :float_millisecond)
        yield
        Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :float_millisecond) - start
      end
    end
  end
end
