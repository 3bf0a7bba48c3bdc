# frozen_string_literal: true

# Layer: hooks. `require "to_json/testing"` loads the assertions for Minitest and Test::Unit, and
# the matchers for RSpec. Nothing else loads them.

require "to_json"
%w[difference subject declared schema_check loading assertions matchers].each do |name|
  require_relative "testing/#{name}"
end
