# frozen_string_literal: true

# ruby .ci/tally.rb NAME STATUS SECONDS LOG: the verdict on one row of .ci/run. Adds up every
# "N runs, ... N failures, N errors, N skips" (Minitest) and "N passed, N failed" in the log and
# compares with test/counts.yml. Prints one line (the log's end below it on failure) and leaves
# LOG's .verdict: that text, then "PASSED FAILED" for the sum.

require "yaml"
require_relative "../test/support/figures"

MOST_TRIED_TWICE = 2 # in a row

name, status, seconds, log = ARGV
text = File.read(log, encoding: Encoding::UTF_8).scrub
minitest =
  text.scan(/^(\d+) runs, \d+ assertions, (\d+) failures, (\d+) errors, (\d+) skips/).map do |match|
  match.map(&:to_i)
end
native = text.scan(/(\d+) passed, (\d+) failed/).map { |match| match.map(&:to_i) }

# see test/support/second_try.rb
tried_twice = text.scan(/^.*\[MinitestRetry\] retry '(.+)' count: 1/).flatten
skipped = minitest.sum(&:last)
failed = minitest.sum { |_, failures, errors, _| failures + errors } + native.sum(&:last)
passed = minitest.sum { |runs, failures, errors, skips| runs - failures - errors - skips } +
         native.sum(&:first)

due = YAML.safe_load_file(File.expand_path("../test/counts.yml", __dir__))[name]
reasons = []
reasons << (status == "124" ? "took too long" : "exit status #{status}") unless status == "0"
reasons << "#{failed} failed" if failed.positive?
reasons << "no figure in test/counts.yml" unless due
reasons.concat(Figures.missing(text)) if Figures::IN_FULL.include?(name)
reasons << "fewer than the #{due} of test/counts.yml" if due && passed < due
if skipped.positive? && File.directory?(File.expand_path("../../shared/data", __dir__))
  reasons << "#{skipped} skipped where the shared data stand"
end
reasons << "#{tried_twice.size} tests needed a second try" if tried_twice.size > MOST_TRIED_TWICE

verdict = reasons.empty? ? "ok  " : "FAIL"
line = format("%s %-22s %5d s  %6d passed, %d failed, %d skipped", verdict, name, seconds, passed,
              failed, skipped)
line << format("; second try: %s", tried_twice.join(", ")) if tried_twice.any?
line << " (" << reasons.join("; ") << ")" unless reasons.empty?
# What failed comes first: whoever shows only a part of this shows its head.
broken =
  text.scan(/^ *\d+\) (?:Failure|Error):\n(?:.+\n){1,12}|^(?:not ok|FAIL|MORE|BROKEN).*\n/)
    .first(20)
    .flat_map(&:lines)
tail = reasons.empty? ? [] : broken + text.lines.last(Integer(ENV.fetch("TO_JSON_CI_TAIL", "30")))
tail.map! { |l| "     | #{l.chomp}" }
$stdout.write([line, *tail].join("\n"), "\n")
$stdout.flush
File.write(log.delete_suffix(".log") + ".verdict",
           "#{line}\n#{passed} #{reasons.empty? ? 0 : [failed, 1].max}\n")
