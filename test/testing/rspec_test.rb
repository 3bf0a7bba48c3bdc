# frozen_string_literal: true

# The matchers of ToJson::Testing in RSpec itself, which is in the development bundle.

require_relative "../test_helper"
require "open3"

class TestingRspecTest < ToJsonTest
  if Gem.loaded_specs.key?("rspec")
    test "the matchers work in RSpec" do
      spec = "test/testing/serializers_spec.rb"
      out, status = Open3.capture2e(*PlainRuby.start, "-w", "-Ilib", spec, chdir: Project::ROOT)
      assert status.success?, out
      assert_match(/6 examples, 0 failures/, out)
      assert_empty out.lines.grep(%r{to_json.*warning})
    end
  end
end
