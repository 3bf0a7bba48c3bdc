# frozen_string_literal: true

# docs/servers.md and caching.md: their commands print what stands below them, on the server that
# the section starts.

require_relative "server_case"
require_relative "../docs/doctest"
require "open3"

class ServersDocumentTest < ServerCase
  PATHS = %w[docs/servers.md docs/caching.md].freeze
  STARTED = [*SERVERS, *("caching" if SERVERS.include?("rails"))].freeze

  # [place, server, [[command, what it prints]]] of each block
  BLOCKS = PATHS.flat_map do |path|
    Doctest.fenced(path, Project.read(path), "```console").map do |block|
      commands = block.code.split(/^\$ /).drop(1).map { |text| text.split("\n", 2) }
      ["#{path}:#{block.line}", commands.shift, commands]
    end
  end.freeze

  # … alone in a line stands for any lines.
  def pattern(expected) = /\A#{Regexp.escape(expected).gsub("…\\n", "(?:.*\n)*?")}/

  BLOCKS.each do |place, (start, printed), commands|
    name = start[%r{\Abin/serve (\w+)\z}, 1]
    next unless STARTED.include?(name)

    test "the commands of #{name} print what stands below them" do
      unless system("curl --version", out: File::NULL, err: File::NULL)
        flunk "no curl: bash .ci/run servers installs it"
      end
      Dir.mktmpdir do |directory|
        server = Bundler.with_unbundled_env do
          ServerProcess.new(start.split, { "BUNDLE_PATH" => ENVIRONMENT["BUNDLE_PATH"] },
                            File.join(directory, "log"))
        end
        assert(soon { server.log.gsub(server.port.to_s, "9292").match?(pattern(printed)) },
               "#{place}: #{server.log}")
        commands.each do |command, expected|
          out,
          = Open3.capture2("sh", "-c", command.gsub("127.0.0.1:9292", "127.0.0.1:#{server.port}"))
          assert_equal(expected.chomp, out.delete("\r").chomp, "#{place}: #{command}")
        end
      ensure
        server&.stop
      end
    end
  end

  test "each server has its section and its commands" do
    assert_equal(%w[actions caching falcon puma rails roda sinatra],
                 BLOCKS.map { |_, (start, _), _| start.delete_prefix("bin/serve ") }.sort)
    named =
      Dir.children(File.join(Project::ROOT, "examples/servers")).grep_v("posts.rb").map do |file|
      "examples/servers/#{file}"
    end
    assert_empty(
      named.reject do |path|
        PATHS.map { |one| Project.read(one) }.join.include?("[#{path}](../#{path})")
      end
    )
    assert_operator(BLOCKS.sum { |_, _, commands| commands.size }, :>=, 8)
  end
end
