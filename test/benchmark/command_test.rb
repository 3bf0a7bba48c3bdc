# frozen_string_literal: true

# What bin/bench says and judges by itself: its help, and the objects that a call of ours may
# allocate.

require "open3"
require "tmpdir"
require_relative "../test_helper"

if Without.library?("json")
  require_relative "../../benchmark/harness/cli"

  class BenchmarkCommandTest < ToJsonTest
    # Objects of a call, how many its contender allows, beside what is told.
    JUDGED = [[2.0, 2, nil], [2.02, 2, nil], [3.0, 2, "3.0, not 2"], [1004.0, 1000, nil],
              [1006.0, 1000, "1006.0, not 1000"], [9.0, nil, nil], [nil, 2, nil]].freeze

    # A machine with neither a compiler nor Bundler, Go or apt-get: installing would fail.
    test "--help and --list print before anything is installed" do
      Dir.mktmpdir do |directory|
        %w[bash env dirname].each do |name|
          path = ENV["PATH"].split(":").map { |one| File.join(one, name) }
                            .find { |one| File.executable?(one) }
          File.symlink(path, File.join(directory, name))
        end
        File.symlink(RbConfig.ruby, File.join(directory, "ruby"))
        { "--help" => /--against COMMIT.*\n  small +small object/m, "--list" => /^1\. small: / }
          .each do |option, words|
          text, status = Open3.capture2e({ "PATH" => directory, "RUBYOPT" => nil },
                                         File.join(Project::ROOT, "bin/bench"), option)
          assert_match(words, text)
          assert(status.success?)
        end
      end
    end

    test "more objects than a contender allows are told; what it does not say is not judged" do
      JUDGED.each do |objects, allowed, told|
        metrics = objects ? { "objects" => { "median" => objects } } : {}
        row = { "contender" => "a", "objects_allowed" => allowed, "metrics" => metrics }
        table = { "name" => "address", "setup" => "3.1.2", "rows" => [row] }
        results = { "scenarios" => [{ "name" => "small", "tables" => [table] }] }
        assert_equal([*("MORE OBJECTS: small, address, Ruby 3.1.2: a: #{told}" if told)],
                     Bench::CLI.excess(results))
      end
    end

    test "calls of ours say what they allow in most scenarios" do
      saying = Bench::Scenario.load_all(Bench::CLI::SCENARIOS).select do |scenario|
        scenario.tables.flat_map(&:contenders).any?(&:objects)
      end
      assert_operator(saying.size, :>=, 12)
    end
  end
end
