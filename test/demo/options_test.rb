# frozen_string_literal: true

# demo/options.rb and the options of bin/demo.

require "open3"
require_relative "demo_case"

class DemoOptionsTest < DemoCase
  DEMO = File.join(Project::ROOT, "bin", "demo")

  def setup
    demo "options"
  end

  { [] => ["tmp/demo", nil, 9, false],
    %w[--rows 3 --runs 5] => ["tmp/demo", 3, 5, false],
    %w[--rebuild --dir elsewhere] => ["elsewhere", nil, 9, true] }.each do |arguments, expected|
    test "the options #{arguments.inspect} are read" do
      assert_equal(expected,
                   Demo::Options.parse(arguments).to_h.values_at(
                     :directory, :rows, :runs, :rebuild
                   ))
    end
  end

  { [] => 9292, %w[--port 0] => 0, %w[--port 65535 --rows 2] => 65_535 }.each do |arguments, port|
    test "the port of #{arguments.inspect} is #{port}" do
      assert_equal(port, Demo::Options.parse(arguments).port)
    end
  end

  [%w[--port 1], %w[serve --port], %w[serve --port x], %w[serve --port 65536], %w[serve --port -1],
   %w[serve more], %w[--rows 1 serve]].each do |arguments|
    test "bin/demo refuses #{arguments.inspect}, of which one belongs to serve, before it " \
         "installs anything" do
      out, error, status = Open3.capture3(DEMO, *arguments)
      assert_equal(["", 2], [out, status.exitstatus])
      assert_match(/\Abin\/demo: .+ See bin\/demo --help\.\n\z/, error)
    end
  end

  [%w[--rows 0], %w[--rows -1], %w[--rows x], %w[--rows], %w[--runs 0], %w[--unknown], %w[more],
   %w[--ro 3]].each do |arguments|
    test "#{arguments.inspect} is refused" do
      assert_raises(OptionParser::ParseError) { Demo::Options.parse(arguments) }
    end

    test "bin/demo refuses #{arguments.inspect} with status 2, before it installs anything" do
      out, error, status = Open3.capture3(DEMO, *arguments)
      assert_equal(["", 2], [out, status.exitstatus])
      assert_match(/\Abin\/demo: .+ See bin\/demo --help\.\n\z/, error)
    end
  end

  test "bin/demo --help names every option and every status" do
    out, error, status = Open3.capture3(DEMO, "--help")
    assert_equal(["", 0], [error, status.exitstatus])
    %w[--rows --runs --port --rebuild --dir --yjit --setup-only --help].each do |option|
      assert_match(/^  #{option}\b/, out)
    end
    assert_match(/^ +bin\/demo serve /, out)
    assert_match(/^Exit status: 0 .*1 .*2 .*3 /m, out)
  end
end
