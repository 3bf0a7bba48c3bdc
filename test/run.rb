# frozen_string_literal: true

# Runs the Ruby suite in this process: ruby -w -Ilib -Itest test/run.rb [file or directory]... [--
# Minitest options] Without files: all of test/, except what runs in rows of its own (OWN_ROWS),
# what is built on ActiveRecord where TO_JSON_WITHOUT leaves that out, with TO_JSON_CORE_ONLY what
# the rows that build or switch the native core differently cannot see (BESIDE_CORE), and with
# TO_JSON_OTHER_RUBY what says the same on every Ruby (OF_SOURCES). Native tests: test/native/run.

OWN_ROWS = %w[test/stress test/examples test/rows/databases].freeze
ON_ACTIVERECORD = %w[test/demo].freeze
BESIDE_CORE =
  %w[test/active_record test/benchmark test/cli test/demo test/docs test/generators test/lint
     test/planted test/rails test/rails_app test/autoload_test.rb test/fuzz/kit_test.rb
     test/fuzz/stops_test.rb test/values/libraries_test.rb test/dialects/hook_methods_test.rb
     test/dialects/json_load_orders_test.rb test/dialects/load_orders_test.rb].freeze
# These read the sources, or try the scripts that judge the CI.
OF_SOURCES = %w[test/lint test/docs/api_test.rb].freeze
ROOT = File.expand_path("..", __dir__)

split = ARGV.index("--") || ARGV.size
chosen = ARGV.shift(split)
ARGV.shift
chosen = ["test"] if chosen.empty?

files = chosen.flat_map do |path|
  full = File.expand_path(path, ROOT)
  found = File.directory?(full) ? Dir[File.join(full, "**/*_test.rb")].sort : [full]
  if found.empty? || !found.all? { |file| File.file?(file) }
    abort "test/run.rb: no tests in #{path}"
  end

  apart = OWN_ROWS
  apart += ON_ACTIVERECORD if ENV["TO_JSON_WITHOUT"].to_s.split(",").include?("activerecord")
  apart += BESIDE_CORE if ENV["TO_JSON_CORE_ONLY"]
  own = apart.reject { |row| chosen.any? { |path| path.start_with?(row) } }
  own += OF_SOURCES if ENV["TO_JSON_OTHER_RUBY"]
  found.reject { |file| own.any? { |row| "#{file}/".start_with?(File.join(ROOT, row, "")) } }
end

$stdout.sync = true # what ran before a crash stays in the log
require_relative "test_helper"
require_relative "support/claims" if ENV["TO_JSON_CLAIMS"]
require_relative "support/second_try" if ENV["TO_JSON_SECOND_TRY"] == "1"
files.uniq.each { |file| require file }
OnTheMachine.mark_classes if defined?(OnTheMachine)
