# frozen_string_literal: true

# A hundred thousand streams that nobody read to their end keep nothing, a million records hold a
# chunk.

require_relative "stream_case"
require "open3"
require "rbconfig"

class StreamMemoryTest < StreamCase
  SANITIZED = ENV["TO_JSON_SANITIZED"] == "1" # slow, and freed memory stays with ASan for a while
  FIGURE = Figures.of("streams left")
  # How many of each: threads and Fibers take some 20 µs each.
  ABANDONED = { "bodies that are left" =>
                  FIGURE, "bodies whose client hangs up" => FIGURE,
                  "bodies that nobody reads" => FIGURE,
                "bodies left in a Fiber" => FIGURE / 50, "killed threads" => FIGURE / 50,
                "records that abort" =>
                  FIGURE / 2, "records that are skipped" => FIGURE / 2 }.freeze
  WHOLE = { "records of a lazy Enumerator as NDJSON" =>
              FIGURE * 10, "records that are skipped or noted" => FIGURE * 2,
            "records as a body" =>
              FIGURE * 10, "one document as a body" => FIGURE * 10,
              "one document of the words, as a body" => FIGURE * 10 }.freeze
  SLACK = 12 * 1024 # KiB that malloc and a heap that settles may take

  ABANDONED.each do |name, times|
    test "#{times} #{name}: memory is flat, no Writer, body or serializer is left" do
      left = run_apart(name, times)
      Figures.reached("streams left", times)
      assert left[:sound], "the next document is wrong"
      assert_operator left[:rss], :<, SLACK, "RSS grew by so many KiB" unless SANITIZED
      assert_operator left[:writers], :<=, 4
      assert_operator left[:bodies] + left[:serializers], :<=, 20
      assert_operator left[:slots], :<, 5_000
    end
  end

  (SANITIZED ? {} : WHOLE).each do |name, count| # RSS says nothing under ASan
    test "#{count} #{name}: memory is flat" do
      held = run_apart(name, count)
      assert held[:sound]
      assert_operator held[:rss], :<, SLACK, "KiB"
    end
  end

  private

  def run_apart(name, times)
    needs_proc
    command = [*PlainRuby.start, "-W0",
               *$LOAD_PATH.grep(/#{Regexp.escape(Project::ROOT)}|lib\z/)
                 .flat_map { |path| ["-I", path] },
               File.join(__dir__, "memory_program.rb"), name, times.to_s]
    out, status = Open3.capture2e(*command)
    assert status.success?, out
    eval(out.lines.last) # rubocop:disable Security/Eval
  end
end
