# frozen_string_literal: true

require "open3"
require_relative "../test_helper"

# Random models, associations, includes and fieldsets give the documents of jsonapi-serializer;
# test/json_api/differential.rb lists what differs. In a process of its own, for that gem loads
# ActiveSupport.
class JsonApiDifferentialTest < ToJsonTest
  if Gem.loaded_specs.key?("jsonapi-serializer") && !Without.banned?("active_support")
    test "documents equal those of jsonapi-serializer, but for what is listed" do
      program = File.join(__dir__, "differential.rb")
      out, status = Open3.capture2e(*PlainRuby.start(rubygems: true), "-W0", program, "20")
      assert status.success?, out
      assert_operator out[/(\d+) documents compared/, 1].to_i, :>=, 400
    end
  end
end
