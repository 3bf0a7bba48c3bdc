# frozen_string_literal: true

# Runs each file of test/rails/cases in a process of its own, with a Rails application (app.rb). Its
# tests are Minitest's.

require_relative "../test_helper"
require "open3"
require "rbconfig"

class RailsCasesTest < ToJsonTest
  # @return [Array(String, Process::Status)]
  def run_case(path)
    coverage = LibraryCoverage::CHILDREN if defined?(LibraryCoverage)
    options = [ENV.fetch("RUBYOPT", nil), coverage].compact.join(" ")
    Open3.capture2e({ "RUBYOPT" => options }, RbConfig.ruby, "-w", "-Ilib", path,
                    chdir: Project::ROOT)
  end

  # The Gemfile of Ruby 3.2 and 3.3 has no railties (the reason stands there).
  if Gem.loaded_specs.key?("railties") && Without.library?("active_record")
    Project.files("test/rails/cases/*_case.rb").each do |path|
      test "the tests of #{path} pass in a Rails application" do
        out, status = run_case(path)
        assert status.success?, out
        assert_operator out[/(\d+) runs/, 1].to_i, :>=, 1, out
        ours = out.lines.grep(%r{#{Regexp.escape(Project::ROOT)}/lib/.*warn})
        assert_empty ours
      end
    end
  end
end
