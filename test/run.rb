# frozen_string_literal: true

# Runs the Ruby suite in this process: ruby -w -Ilib -Itest test/run.rb [file or directory]... [--
# Minitest options] Which files that is: support/suite_files.rb. Native tests: test/native/run.

require_relative "support/suite_files"

split = ARGV.index("--") || ARGV.size
chosen = ARGV.shift(split)
ARGV.shift

$stdout.sync = true # what ran before a crash stays in the log
require_relative "test_helper"
require_relative "support/second_try" if ENV["TO_JSON_SECOND_TRY"] == "1"
SuiteFiles.of(chosen).each { |file| require file }
OnTheMachine.mark_classes if defined?(OnTheMachine)
