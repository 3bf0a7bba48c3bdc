# frozen_string_literal: true

require_relative "../test_helper"
require "open3"

# Everything public is documented and signed, and nothing that is documented or signed is missing:
# three lists that cannot drift apart. The CI's rows yard and rbs ask these tools themselves.
class ApiTest < ToJsonTest
  CHANGE = "class ToJson::Fragment; def extra = 1; end; " \
           "ToJson::Fragment.undef_method(:inspect); ToJson::Fragment.undef_method(:hash)"

  # Both in one process, which takes four seconds to read what is documented and signed.
  test "documentation, signatures and the library name the same public methods, constants and " \
       "classes, and the comparison notices what is missing on either side" do
    skip "rbs is not installed" if Gem::Specification.find_all_by_name("rbs").empty?
    out, status = Open3.capture2e(RbConfig.ruby, "-W0", "-Ilib", "test/docs/api.rb", CHANGE,
                                  chdir: Project::ROOT)
    assert status.success?, out
    differences, count, after = out.partition(/^\d+ public names compared\n/)
    assert_empty differences
    assert_operator count.to_i, :>=, 70
    assert_includes after,
                    "ToJson::Fragment#extra: public, but neither documented nor marked @api private"
    assert_includes after, "ToJson::Fragment#inspect: documented or in sig, but not there"
  end
end
