# frozen_string_literal: true

# Runs a test file of this directory under test/dialects/Gemfile, for newest_json_test.rb.
#
#   ruby test/dialects/newest_json.rb hooks_test # prints "json VERSION", and what Minitest prints

$LOAD_PATH.unshift(*%w[lib test].map { |name| File.expand_path("../../#{name}", __dir__) })
require "json"
puts "json #{JSON::VERSION}"
require_relative ARGV.shift
