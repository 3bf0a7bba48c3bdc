# frozen_string_literal: true

# The suite in processes side by side, test/side_by_side.rb, over small suites of its own.

require_relative "../test_helper"
require "fileutils"
require "open3"
require "rbconfig"
require "tmpdir"

class SideBySideTest < ToJsonTest
  PASSES = %w[One Two Three Four Five Six].to_h { |name| [name, "assert true"] }.freeze

  # Suite => what the last line says, whether it passes, what else is told.
  SUITES = {
    "classes that pass" =>
      [PASSES, "6 runs, 6 assertions, 0 failures, 0 errors, 0 skips", true, /6 files begun/],
    "a directory without tests, and one that passes" =>
      [{ "None" => nil, "One" => "assert true" },
       "1 runs, 1 assertions, 0 failures, 0 errors, 0 skips", true, /none +0 runs/],
    "nothing but a directory without tests" =>
      [{ "None" => nil }, "0 runs, 0 assertions, 0 failures, 0 errors, 0 skips", false, /0 files/],
    "a failure" => [{ **PASSES, "Six" => "assert false, 'six is wrong'" },
                    "6 runs, 6 assertions, 1 failures, 0 errors, 0 skips", false, /six is wrong/],
    "an error and a skip" => [{ "One" => "raise 'torn'", "Two" => "skip 'not here'" },
                              "2 runs, 0 assertions, 0 failures, 1 errors, 1 skips", false, /torn/],
    "a process that crashes" =>
      [{ "Only" => "Process.kill(:KILL, $$); sleep" },
       "0 runs, 0 assertions, 0 failures, 0 errors, 0 skips", false,
       /only: pid \d+ SIGKILL \(signal 9\)$/]
  }.freeze

  SUITES.each do |what, (classes, counts, passes, told)|
    test "#{what}: each directory runs once, in its process, and the counts are one line" do
      out, status, begun = run_suite(classes)
      assert_equal [counts], out.scan(/^\d+ runs.*/), out
      assert_equal counts, out.lines.last.chomp
      assert_equal passes, status.success?, out
      assert_match told, "#{out}#{begun.uniq.size} files begun"
      assert_equal classes.compact.size, begun.size, "begun: #{begun}"
    end
  end

  test "options of Minitest reach every process, and the seed is theirs" do
    out, status, begun, seeds = run_suite(PASSES, "--name", "/of One/", "--seed", "77")
    assert_predicate status, :success?, out
    assert_equal ["One"], begun
    assert_equal [77], seeds
    assert_match(/^1 runs/, out.lines.last)
    refute_predicate run_suite(PASSES, "--name", "/of None/")[1], :success?, "as in one process"
  end

  private

  # Its output, its status, the classes whose test was begun, and the seeds of all processes.
  def run_suite(classes, *options)
    Dir.mktmpdir do |directory|
      begun = File.join(directory, "begun")
      classes.each do |name, body|
        FileUtils.mkdir(File.join(directory, name.downcase))
        File.write(File.join(directory, name.downcase, "it_test.rb"), body ? <<~RUBY : "")
          class #{name}BesideTest < ToJsonTest
            test("it, of #{name}") { File.write(#{begun.dump}, "#{name}\\n", mode: "a"); #{body} }
          end
        RUBY
      end
      script = File.join(Project::ROOT, "test/side_by_side.rb")
      logs = { "TO_JSON_SUITE_LOGS" => File.join(directory, "logs") }
      out, status = Open3.capture2e(*PlainRuby.start(logs), script, "2", directory, "--", *options)
      seeds = Dir[File.join(directory, "logs/*")].flat_map do |log|
        File.read(log).scan(/--seed (\d+)$/).flatten.map(&:to_i)
      end
      return [out, status, File.exist?(begun) ? File.readlines(begun, chomp: true) : [], seeds.uniq]
    end
  end
end
