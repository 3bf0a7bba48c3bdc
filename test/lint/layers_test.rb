# frozen_string_literal: true

# The order of the library's files: a file uses only what stands above it. rooms_test.rb has that of
# the extension.

require_relative "../test_helper"

class LayersTest < ToJsonTest
  # The files of the library in the order of lib/to_json.rb, with those of groups.
  def lines
    files_of("lib/to_json.rb").uniq.flat_map do |file|
      GROUPS.include?(file) ? files_of("lib/to_json/#{file}.rb") : [file]
    end
  end

  def files_of(path)
    here = File.dirname(path)
    code = Project.read(path).lines.grep(/^ *[^#\s]/)
    code.filter_map do |line|
      file = line[/"(?:\#\{__dir__\}\/)?([^"]+)"/, 1] or next
      File.expand_path(file, "/#{here}").delete_prefix("/lib/to_json/")
    end
  end

  # Read what is autoloaded, all at once.
  GROUPS = %w[caching/load reading].freeze

  # The rooms of the library. A file of the root is a hook, or belongs to the base of all rooms.
  ROOMS = %w[values dialects declaring caching plans compiling documents reading cli].freeze

  # Opt-in, each by a require of its own: the library never mentions them, and they may need what
  # they hook into.
  HOOKS = %w[active_record active_support hook_methods json multi_json oj rails roda sinatra
             testing].freeze

  # Rooms that need another library, or that only tests need. Hooks require their files; nothing
  # else mentions them.
  OPTIONAL = %w[active_record hal json_api rails rows testing].freeze
  HOOK_OF_RAILS = "rails/hook"

  def optional?(path) = path.start_with?(*OPTIONAL.map { |room| "#{room}/" })

  test "lib/to_json.rb requires every file of the library once, and no file requires another" do
    paths = Project.files("lib/to_json/**/*.rb").grep_v(%r{/cli/}).map do |path|
      path.delete_prefix("lib/to_json/").delete_suffix(".rb")
    end
    files = (paths - HOOKS - GROUPS).reject { |path| optional?(path) }
    assert_equal([*files.sort, HOOK_OF_RAILS], [*lines[..-2].sort, lines.last])
    requiring = files.select do |path|
      Project.read("lib/to_json/#{path}.rb").match?(/^\s*require_relative "(?!#)/)
    end
    assert_empty(requiring)
  end

  # docs/internals/decisions/0012-room-sizes.md
  test "the groups of JSON:API and HAL read every file of their rooms" do
    { "json_api" => ["json_api/document_serializer"], "hal" => [] }.each do |room, alone|
      all = Project.files("lib/to_json/#{room}/*.rb").map do |path|
        path.delete_prefix("lib/to_json/").delete_suffix(".rb")
      end
      assert_equal(all.sort,
                   ["#{room}/load", *files_of("lib/to_json/#{room}/load.rb"), *alone].sort)
    end
  end

  test "every file stands in a room, and a directory has at most twenty" do
    files = Project.files("lib/to_json/*/**/*.rb")
    assert_equal((ROOMS + OPTIONAL).sort, files.map { |path| path.split("/")[2] }.uniq.sort)
    assert_empty(files.map { |path| File.dirname(path) }.tally.select { |_, count| count > 20 })
  end

  # The word that the first comment of a file says: its room.
  def room(path)
    inside = path.delete_prefix("lib/to_json/").delete_suffix(".rb")
    return inside.split("/").first if inside.include?("/")

    HOOKS.include?(inside) ? "hooks" : "base"
  end

  test "a file's first comment says its room" do
    files = Project.files("lib/to_json/**/*.rb")
    assert_operator(files.size, :>, 100)
    assert_empty(files.reject do |path|
      Project.read(path)
        .match?(/\A# frozen_string_literal: true\n\n# Layer: #{room(path)}\. \S/)
    end)
  end

  test "the library requires nothing but Ruby's own standard library, and neither json nor " \
       "ActiveSupport" do
    allowed = %w[strscan date monitor digest/sha2]
    hooks = HOOKS.map { |name| "lib/to_json/#{name}.rb" } << "lib/roda/plugins/to_json.rb"
    hooks += OPTIONAL.flat_map { |room| Project.files("lib/to_json/#{room}/**/*.rb") }
    hooks += Project.files("lib/generators/**/*.rb") # which only Rails reads, when it generates
    found = (Project.files("lib/**/*.rb") - hooks).flat_map do |path|
      Project.read(path).scan(/^\s*require "([^"]+)"/).flatten.map { |name| [path, name] }
    end
    # What only the command line loads, when it is asked for it.
    command_line =
      %w[optparse csv psych json fileutils tempfile to_json io/console active_support/all]
    wrong = found.reject do |path, name|
      allowed.include?(name) || path == "lib/to_json/native.rb" ||
        (path.start_with?("lib/to_json/cli/") && command_line.include?(name))
    end
    assert_empty(wrong)
  end
end
