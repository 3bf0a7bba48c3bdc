# frozen_string_literal: true

# Runs the real executable in a directory of its own: what test/cli is written with.

require_relative "../test_helper"
require "fileutils"
require "open3"
require "rbconfig"
require "tmpdir"

class CliCase < ToJsonTest
  EXECUTABLE = File.join(Project::ROOT, "exe/to_json")
  # As a user runs it: without Bundler, among the gems of this process.
  ENVIRONMENT = { "RUBYOPT" =>
                    (LibraryCoverage::CHILDREN if defined?(LibraryCoverage)), "RUBYLIB" => nil,
                    "BUNDLER_SETUP" => nil, "BUNDLE_GEMFILE" => nil,
                    "GEM_PATH" => Gem.path.join(":"),
                  "LANG" => "C.UTF-8", "LC_ALL" => nil }.freeze
  COMMAND = [RbConfig.ruby, "-w", EXECUTABLE].freeze

  def setup
    @directory = Dir.mktmpdir
  end

  def teardown
    FileUtils.rm_rf(@directory)
  end

  # A file of the test's directory.
  def file(name, text)
    File.binwrite(File.join(@directory, name), text)
    name
  end

  def read(name) = File.read(File.join(@directory, name), encoding: "UTF-8")

  # [stdout, stderr, exit status]
  def to_json(*arguments, input: "", environment: {})
    out, error,
    status = Open3.capture3(ENVIRONMENT.merge(environment), *COMMAND, *arguments, stdin_data: input,
                            binmode: true, chdir: @directory)
    [out.force_encoding("UTF-8"), error.force_encoding("UTF-8"), status.exitstatus]
  end

  def assert_to_json(out, *arguments, error: "", status: 0, **how)
    seen = to_json(*arguments, **how)
    assert_equal [out, error, status], seen, arguments.join(" ")
  end
end
