# frozen_string_literal: true

# What tests have that run memory_program.rb in a process of its own.

require "test_helper"
require "open3"
require "rbconfig"

# Inherit from it.
class DeclaredMemoryCase < ToJsonTest
  SANITIZED = ENV["TO_JSON_SANITIZED"] == "1" # slow, and freed memory stays with ASan for a while
  SLACK = 12 * 1024 # KiB that malloc and a heap that settles may take

  def run_apart(name, times)
    needs_proc
    command = [*PlainRuby.start, "-W0",
               *$LOAD_PATH.grep(/#{Regexp.escape(Project::ROOT)}|lib\z/)
                 .flat_map { |path| ["-I", path] },
               File.join(__dir__, "memory_program.rb"), name, times.to_s]
    out, status = Open3.capture2e(*command)
    assert status.success?, out.lines.first(5).join
    eval(out.lines.last).tap { |left| assert_in_delta times, left[:times], 3 }
  end

  # @param slots [Integer] objects that may be left
  def assert_flat(left, slots = 5_000)
    assert left[:sound], "the next document is wrong"
    assert_operator left[:rss], :<, SLACK, "RSS grew by so many KiB" unless SANITIZED
    assert_operator left[:slots], :<, slots
    assert_operator left[:writers], :<=, 4
    assert_operator left[:serializers], :<=, 20
  end

  # Neither code nor what names it.
  def assert_compiled_nothing(left)
    assert_operator left[:methods], :<=, 5
    assert_operator left[:modules], :<=, 5
    assert_operator left[:symbols], :<=, 5
    assert_operator left[:constants], :<=, 5
  end
end
