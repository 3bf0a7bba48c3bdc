# frozen_string_literal: true

require "test_helper"
require "open3"
require "rbconfig"

# A hundred thousand documents that were left half-way keep nothing: not in Ruby's heap, not beside
# it.
class MemoryTest < ToJsonTest
  SANITIZED = ENV["TO_JSON_SANITIZED"] == "1" # slow, and freed memory stays with ASan for a while
  FIGURE = Figures.of("documents left")
  # How many of each: threads and Fibers take some 20 µs each.
  TIMES = { "raise and throw at every point" =>
              FIGURE, "return out of blocks" => FIGURE / 5, "errors rescued inside" => FIGURE / 5,
            "killed threads" =>
              FIGURE / 50, "abandoned Fibers" => FIGURE / 50, "long documents" => FIGURE / 20,
            "documents that end well" => FIGURE / 5,
            "faults at each write" => FIGURE, "documents into a Buffer" => FIGURE }.freeze
  # KiB that malloc and a heap that settles may take; 100,000 leaks of 126 bytes are more
  SLACK = 12 * 1024

  TIMES.each do |name, times|
    test "#{name}: memory is flat, no Writer and no serializer is left, the next document is " \
         "right" do
      left = run_apart(name, times)
      assert_in_delta times, left[:times], 3
      Figures.reached("documents left", times)
      assert left[:sound], "the next document is wrong"
      assert_operator left[:rss], :<, SLACK, "RSS grew by so many KiB" unless SANITIZED
      assert_operator left[:writers], :<=, 4
      assert_operator left[:serializers], :<=, 20
      assert_operator left[:slots], :<, 5_000
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
