# frozen_string_literal: true

# Runs the examples of docs/active_record.md, on a database in memory of their own.

require_relative "../test_helper"
require_relative "doctest"

if Without.library?("active_record") && Without.library?("sqlite3")
  class ActiveRecordPageTest < ToJsonTest
    PAGE = "docs/active_record.md"
    # Other tests fork; their children do not touch it.
    SQLite3::ForkSafety.suppress_warnings! if defined?(SQLite3::ForkSafety)

    test "the examples of the page give what stands beside them" do
      session = Doctest::Session.new("ActiveRecordPage")
      Doctest.fenced(PAGE, Project.read(PAGE)).each { |example| session.run(example) }
      assert_empty session.failures, session.failures.join("\n")
      assert_operator session.checked, :>=, 12
    ensure
      Doctest::ActiveRecordPage::ApplicationRecord.remove_connection
    end
  end
end
