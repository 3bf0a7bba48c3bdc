# frozen_string_literal: true

# Classes. `bin/fuzz classes`: a process for each collector, which a crash or a wrong document ends.

require "optparse"
require_relative "../kit/seed"
require "to_json"
require_relative "turns"

module Classes
  # The command line.
  module Command
    COUNT = 100_000
    TIMEOUT = 120
    BANNER = <<~TEXT
      Usage: bin/fuzz classes [options]

      Serializer classes, Symbols and serializers that come and go while memory is collected: under
      GC.stress, by minor collections, by compaction, and beside Ractors. Each must write its own
      document, however often an address gets another owner. #{COUNT} of them unless told otherwise.

    TEXT

    # @return [Boolean] whether all was well
    def self.run(arguments)
      options = { seed: Fuzz.seed, count: COUNT, collectors: COLLECTORS.keys }
      parser = OptionParser.new do |o|
        o.banner = BANNER
        o.on("--count N", Integer, "classes in all (#{COUNT})") { |n| options[:count] = n }
        o.on("--seed S", Integer, "the same ones are kept again") { |s| options[:seed] = s }
        o.on("--collector NAME", COLLECTORS.keys, COLLECTORS.keys.join(", ")) do |name|
          options[:collectors] = [name]
        end
      end
      parser.parse!(arguments)
      go(**options)
    end

    def self.go(seed:, count:, collectors:)
      %w[UTF-16 UTF-32].each { |name| "a".encode(name) } # test_helper.rb says why
      ToJson.eager_load!
      started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      shares = collectors.sum { |name| COLLECTORS.fetch(name)[:share] }
      outcomes = collectors.to_h do |name|
        [name, in_process(name, seed, (count * COLLECTORS.fetch(name)[:share] / shares).ceil)]
      end
      done = outcomes.values.sum(&:first)
      failed = outcomes.reject { |_, (_, wrong)| wrong.nil? }
      failed.each do |name, (turn, wrong)|
        puts "FAIL #{name}, near turn #{turn}: #{wrong}"
        puts "  bin/fuzz classes --collector #{name} --seed #{seed} --count #{turn + 100}"
      end
      puts outcomes.map { |name, (turns, _)| "#{name}: #{turns} classes" }
      seconds = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
      puts format("fuzz classes: seed %d, %.1f s: %d passed, %d failed", seed, seconds,
                  [done - failed.size, 0].max, failed.size)
      failed.empty?
    end

    # @return [Array(Integer, String or nil)] how many turns there were, and what was wrong
    def self.in_process(name, seed, count)
      reader, writer = IO.pipe
      process = fork do
        reader.close
        $stderr.reopen(File::NULL)
        tell = ->(text) { writer.syswrite("#{text.to_s.tr("\n", " ")}\n") }
        begin
          Turns.new(name, seed, count, tell).run
          tell.call("end")
        rescue Exception => error # a child tells what ended it
          tell
            .call("#{error.class}: #{error.message} #{error.cause&.message} " \
                  "#{error.backtrace&.first}")
        end
        exit!(0)
      end
      writer.close
      hear(reader, process, count)
    ensure
      [reader, writer].each(&:close)
    end

    def self.hear(reader, process, count)
      turn, last = 0, nil
      while IO.select([reader], nil, nil, TIMEOUT) && (last = reader.gets)
        last.match?(/\A\d+$/) ? turn = Integer(last) : break
      end
      late = last && last.match?(/\A\d+$/)
      Process.kill(:KILL, process) if late
      _, status = Process.wait2(process)
      return [count, nil] if last == "end\n"

      [turn, late ? "hangs" : last || "the process ended: #{status}"]
    end
    private_class_method :go, :in_process, :hear
  end
end
