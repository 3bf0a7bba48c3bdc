# frozen_string_literal: true

require_relative "../test_helper"
require "open3"

# Everything public is documented and signed, and nothing that is documented or signed is missing:
# three lists that cannot drift apart. YARD and RBS run in processes of their own.
class ApiTest < ToJsonTest
  # The output of a command in the project, or a skip where its gem is not installed (`bundle`
  # without the tools).
  def run_tool(gem, *command)
    skip "#{gem} is not installed" if Gem::Specification.find_all_by_name(gem).empty?
    out, status = Open3.capture2e(*command, chdir: Project::ROOT)
    [out, status]
  end

  def tool(gem, executable, *arguments)
    run_tool(gem, RbConfig.ruby, "-W0", Gem.bin_path(gem, executable), *arguments)
  end

  CHANGE = "class ToJson::Fragment; def extra = 1; end; " \
           "ToJson::Fragment.undef_method(:inspect); ToJson::Fragment.undef_method(:hash)"

  # Both in one process, which takes four seconds to read what is documented and signed.
  test "documentation, signatures and the library name the same public methods, constants and " \
       "classes, and the comparison notices what is missing on either side" do
    out, status = run_tool("rbs", RbConfig.ruby, "-W0", "-Ilib", "test/docs/api.rb", CHANGE)
    assert status.success?, out
    differences, count, after = out.partition(/^\d+ public names compared\n/)
    assert_empty differences
    assert_operator count.to_i, :>=, 70
    assert_includes after,
                    "ToJson::Fragment#extra: public, but neither documented nor marked @api private"
    assert_includes after, "ToJson::Fragment#inspect: documented or in sig, but not there"
  end

  test "the signatures are valid" do
    out, status = tool("rbs", "rbs", "-I", "sig", "validate")
    assert status.success?, out
    refute_match(/error|warn/i, out)
  end

  test "everything public is documented, without a warning" do
    out, status = tool("yard", "yard", "stats", "--list-undoc", "--no-cache", "--no-save")
    assert status.success?, out
    assert_includes out, "100.00% documented"
    refute_includes out, "[warn]"
  end
end
