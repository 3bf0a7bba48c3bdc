# frozen_string_literal: true

# Runs each file of test/rails/cases in a process of its own, with a Rails application (app.rb). Its
# tests are Minitest's.

require_relative "../test_helper"
require "json"
require "open3"
require "rbconfig"

class RailsCasesTest < ToJsonTest
  coverage = LibraryCoverage::CHILDREN if defined?(LibraryCoverage)
  ENVIRONMENT = { "RUBYOPT" => [ENV.fetch("RUBYOPT", nil), coverage].compact.join(" ") }.freeze
  RUBY = [RbConfig.ruby, "-w", "-Ilib"].freeze

  # The process of test/rails/forks.rb.
  def self.forks
    @forks ||= IO.popen([ENVIRONMENT, *RUBY, "test/rails/forks.rb"], "r+",
                        chdir: Project::ROOT, err: %i[child out]).tap do |forks|
      Minitest.after_run { forks.close }
    end
  end

  # A case that changes nothing before the application boots is run by a fork.
  # @return [Array(String, Boolean)] what it printed, and whether it passed
  def run_case(path)
    if Project.read(path)[/^[^#\n].*/] != 'require_relative "../app"'
      out, status = Open3.capture2e(ENVIRONMENT, *RUBY, path, chdir: Project::ROOT)
      return [out, status.success?]
    end

    forks = self.class.forks
    forks.puts(path)
    printed = +""
    while (line = forks.gets)
      return JSON.parse(line) if line.start_with?('["')

      printed << line
    end
    [printed, false]
  end

  # The Gemfile of Ruby 3.2 and 3.3 has no railties (the reason stands there).
  if Gem.loaded_specs.key?("railties") && Without.library?("active_record")
    Project.files("test/rails/cases/*_case.rb").each do |path|
      test "the tests of #{path} pass in a Rails application" do
        out, passed = run_case(path)
        assert passed, out
        assert_operator out[/^(\d+) runs,/, 1].to_i, :>=, 1, out
        ours = out.lines.grep(%r{#{Regexp.escape(Project::ROOT)}/lib/.*warn})
        assert_empty ours
      end
    end
  end
end
