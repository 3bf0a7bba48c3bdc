# frozen_string_literal: true

# The judge of the row valgrind, .ci/valgrind_errors.rb: which logs fail. The blocks are valgrind
# 3.19's, most frames left out.

require_relative "../test_helper"
require "open3"
require "rbconfig"
require "tmpdir"

class ValgrindErrorsTest < ToJsonTest
  RUBY = "(in /usr/lib/x86_64-linux-gnu/libruby-3.1.so.3.1.2)"
  OURS = "(in /usr/lib/ruby/to_json/3.1.0/to_json.so)"

  BELOW_STACK = <<~LOG
    ==14145== Invalid read of size 8
    ==14145==    at 0x4921EE0: ??? #{RUBY}
    ==14145==    by 0x49364A5: rb_wb_protected_newobj_of #{RUBY}
    ==14145==    by 0x88D2287: tj_writer_new #{OURS}
    ==14145==    by 0x4E02249: (below main) (libc_start_call_main.h:58)
    ==14145==  Address 0x1ffeffe930 is on thread 1's stack
    ==14145==  1328 bytes below stack pointer
    ==14145==
  LOG

  HEAP = <<~LOG
    ==14145== Invalid read of size 8
    ==14145==    at 0x4921EE0: ??? #{RUBY}
    ==14145==    by 0x88D2287: tj_writer_new #{OURS}
    ==14145==  Address 0x88f7fc0 is 0 bytes after a block of size 16 alloc'd
    ==14145==    at 0x48417B4: malloc (vg_replace_malloc.c:381)
    ==14145==
  LOG

  # The logs by name; the judge's text and whether it lets them pass.
  def judge(logs)
    Dir.mktmpdir do |directory|
      logs.each { |name, text| File.write(File.join(directory, name), text) }
      out,
      status = Open3.capture2e(*PlainRuby.start, "#{Project::ROOT}/.ci/valgrind_errors.rb",
                               directory)
      return [out, status.success?]
    end
  end

  PASS = {
    "an empty log" => "",
    "a word below the stack's end, read by libruby" => BELOW_STACK,
    "the same twice, one in another thread" =>
      "#{BELOW_STACK}==14145== Thread 2 run.rb:7:\n#{BELOW_STACK}",
  }.freeze

  FAIL = {
    "a read behind a heap block" => HEAP,
    "a read behind a heap block among Ruby's own" => BELOW_STACK + HEAP + BELOW_STACK,
    "a read behind a heap block with Ruby's own in its paragraph" =>
      HEAP.sub(/^==14145==\n\z/, "") + BELOW_STACK,
    "below the stack's end, read by to_json.so" =>
      BELOW_STACK.sub("0x4921EE0: ??? #{RUBY}", "0x88D2111: ??? #{OURS}"),
    "below the stack's end, read by malloc's replacement for libruby" =>
      BELOW_STACK.sub("??? #{RUBY}", "memmove (vg_replace_strmem.c:1270)"),
    "below the stack's end, written" => BELOW_STACK.sub("read", "write"),
    "below the stack's end, one byte" => BELOW_STACK.sub("size 8", "size 1"),
    "on the stack, above its end" => BELOW_STACK.sub(/^.*below stack pointer\n/, ""),
    "a block without its end" => BELOW_STACK.lines.first(4).join,
    "the death of the process" =>
      "==14145==\n==14145== Process terminating with default action of signal 11 (SIGSEGV)\n",
    "what has no process before it" => "valgrind: the 'impossible' happened:\n",
  }.freeze

  PASS.each do |what, log|
    test "valgrind's log passes: #{what}" do
      assert_equal(["1 logs of valgrind: #{log.scan("Invalid").size} errors that are Ruby's own, " \
                    "0 others\n", true], judge("1.log" => log))
    end
  end

  FAIL.each do |what, log|
    test "valgrind's log fails: #{what}" do
      out, passed = judge("1.log" => log)
      refute(passed)
      assert_match(/\AFAIL \S/, out)
    end
  end

  test "valgrind's error is printed whole, without the process" do
    out, = judge("1.log" => HEAP)
    assert_includes(out, HEAP.gsub(/^==14145== ?/, ""))
  end

  test "one failing log of several fails" do
    out, passed = judge("1.log" => "", "2.log" => HEAP, "3.log" => BELOW_STACK)
    refute(passed)
    assert_includes(out, "3 logs of valgrind: 1 errors that are Ruby's own, 1 others\n")
  end

  test "no log at all fails" do
    out, passed = judge("1.txt" => "")
    refute(passed)
    assert_match(/\AFAIL valgrind left no log in /, out)
  end
end
