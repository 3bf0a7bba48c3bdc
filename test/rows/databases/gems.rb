# frozen_string_literal: true

# The gems of test/rows/databases with the Rails that @rails names: evaluated by the files beside
# this one, each of which has a lock of its own.

source Gem.sources.first.uri.to_s

gemspec path: "../../.."

gem "activerecord", "~> #{@rails}.0"
gem "minitest", "~> 5.15"
gem "minitest-retry", "~> 0.3", require: false # test/support/second_try.rb
gem "rake", "~> 13.0"
gem "rake-compiler", "~> 1.2"

gem "mysql2", "~> 0.5"
gem "pg", "~> 1.5"
gem "sqlite3", ">= 1.7", "< 3"
gem "trilogy", "~> 2.7"
