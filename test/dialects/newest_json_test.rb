# frozen_string_literal: true

# The hooks to_json/oj and to_json/multi_json, and :oj, beside the newest json, which the Gemfile's
# own libraries do not allow: their tests run once more in a process that has it.

require_relative "../test_helper"
require_relative "../support/library_process"

unless Without.banned?("json") || Without.banned?("oj")
  class NewestJsonTest < ToJsonTest
    %w[hooks_test oj_test].each do |name|
      test "#{name}.rb passes beside the newest json" do
        text, passed = LibraryProcess.new("test/dialects/Gemfile", "../dialects/newest_json.rb",
                                          name).printed
        assert passed, text
        assert_match(/^json 3\./, text)
        runs = text[/^(\d+) runs, \d+ assertions, 0 failures, 0 errors, 0 skips$/, 1]
        assert_operator runs.to_i, :>, 5, text
      end
    end
  end
end
