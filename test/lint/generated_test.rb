# frozen_string_literal: true

# A table in the tree is what its generator, kept beside it, prints.

require_relative "../test_helper"
require "open3"
require "rbconfig"

class GeneratedTest < ToJsonTest
  test "float_table.h is what float_table.rb prints" do
    out,
    status = Open3.capture2(RbConfig.ruby,
                            File.join(Project::ROOT, "ext/to_json/core/numbers/float_table.rb"))
    assert(status.success?)
    assert_equal(Project.read("ext/to_json/core/numbers/float_table.h"), out)
  end
end
