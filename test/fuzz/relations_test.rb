# frozen_string_literal: true

# The CI-sized run of random relations inside the suite, on SQLite; bin/fuzz relations has the other
# databases.

require_relative "../test_helper"

if Without.library?("active_record") && Without.library?("sqlite3")
  require "open3"

  class RelationsFuzzTest < ToJsonTest
    COUNT = Integer(ENV.fetch("TO_JSON_FUZZ_COUNT", "400"))
    # In a process of its own, which has this one's database for itself.
    def fuzz(*arguments)
      Open3.capture2e(RbConfig.ruby, "-W0", File.join(Project::ROOT, "bin/fuzz"), "relations",
                      "--databases", "sqlite3", *arguments)
    end

    test "random relations give the same document from rows as from models" do
      said, status = fuzz("--count", COUNT.to_s, "--seed", "20261125")
      assert_predicate status, :success?, said
      assert_match(/#{COUNT} passed, 0 failed/, said)
    end
  end
end
