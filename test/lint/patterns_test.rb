# frozen_string_literal: true

# Patterns of Ruby code that several Ractors run at once.

require "ripper"
require_relative "../test_helper"

class PatternsLintTest < ToJsonTest
  # What reads documents, checks JSON:API and makes messages, also in Ractors.
  FILES = %w[errors reading/call reading/parser reading/pointer reading/session reading/values
             json_api/object_rules json_api/validator values/blank].freeze

  # Ruby compiles a Regexp anew, and frees the old program, when text that is not ASCII first comes
  # in another encoding. Two Ractors that do so at once crash the process (3.1 to 3.4). A Regexp
  # with /u has one encoding for ever. It raises for such text in other encodings, so what may have
  # any encoding is asked `ascii_only?` first.
  test "a pattern that several Ractors match has a fixed encoding" do
    without = FILES.flat_map do |name|
      path = "lib/to_json/#{name}.rb"
      ends = Ripper.lex(Project.read(path)).select { |token| token[1] == :on_regexp_end }
      ends.reject { |token| token[2].include?("u") }.map { |token| "#{path}:#{token[0][0]}" }
    end
    assert_empty without
  end
end
