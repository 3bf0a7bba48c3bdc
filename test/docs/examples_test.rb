# frozen_string_literal: true

require_relative "../test_helper"
require_relative "doctest"

# Every Ruby block of the documents and every @example runs, and gives what stands beside it. The
# blocks of one document run in their order and see each other; an @example stands for itself.
class DocumentExamplesTest < ToJsonTest
  DOCUMENTS = Project.files("README.md", "HACKING.md", "CHANGELOG.md", "docs/**/*.md").freeze
  # Tests of their own run them: the sections of one have classes of the same names, the other has
  # a database.
  APART = %w[docs/active_record.md docs/coming_from.md].freeze
  COUNTS = Hash.new(0)

  # Whether the libraries that an example requires are not left out of this run.
  def self.possible?(example)
    example.code.scan(%r{^\s*require "(?:to_json/)?([^"]+)"}).flatten.none? do |library|
      Without.banned?(library)
    end
  end

  # The blocks of each document, and at least how many results they check.
  LEAST = { "README.md" =>
              3, "docs/caching.md" => 12, "docs/compiling.md" => 12, "docs/dsl.md" => 120,
              "docs/internals/vm.md" => 1,
            "docs/json_api.md" => 19, "docs/performance.md" => 13,
            "docs/reading.md" => 45,
            "docs/serializers.md" =>
              110, "docs/sinks.md" => 20, "docs/streaming.md" => 25, "docs/values.md" => 60 }.freeze

  (DOCUMENTS - APART).each do |path|
    test "the examples of #{path} give what stands beside them" do
      examples = Doctest.fenced(path, Project.read(path)).select do |example|
        self.class.possible?(example)
      end
      session = Doctest::Session.new(path.gsub(/\W/, "_").capitalize)
      examples.each { |example| session.run(example) }
      assert_empty session.failures, session.failures.join("\n")
      assert_operator session.checked, :>=, LEAST.fetch(path, 0), "checks in #{path}"
      count(examples.size, session.checked)
    end
  end

  test "the documents of the project are all there" do
    names = %w[CHANGELOG.md HACKING.md README.md docs/active_record.md docs/caching.md
               docs/coming_from.md
               docs/command_line.md docs/compiling.md docs/drop_in.md docs/dsl.md docs/hal.md
               docs/internals/builds.md docs/internals/caching.md
               docs/internals/decisions/0001-cache-keys.md
               docs/internals/decisions/0002-compile-aside.md
               docs/internals/decisions/0003-block-form.md
               docs/internals/decisions/0004-no-entries.md docs/internals/decisions/0005-lines.md
               docs/internals/decisions/0006-rows.md docs/internals/decisions/0007-choices.md
               docs/internals/decisions/0008-harness-lines.md
               docs/internals/decisions/0009-raw-reads.md
               docs/internals/decisions/0010-one-record.md
               docs/internals/decisions/0011-to-h.md
               docs/internals/decisions/0012-room-sizes.md
               docs/internals/decisions/0013-first-use.md
               docs/internals/glossary.md docs/internals/hunts.md
               docs/internals/invariants.md docs/internals/limits.md docs/internals/overview.md
               docs/internals/plans.md docs/internals/recipes.md docs/internals/rows.md
               docs/internals/testing.md docs/internals/vm.md docs/internals/writer.md
               docs/json_api.md docs/performance.md docs/rails.md docs/reading.md
               docs/serializers.md docs/servers.md docs/sinks.md docs/streaming.md docs/values.md]
    assert_equal names, DOCUMENTS
  end

  # test/rails/cases/documents_case.rb runs those of what needs Rails.
  YARD_EXAMPLES =
    (Project.files("lib/**/*.rb") - Project.files("lib/to_json/{rails,active_record}/**/*.rb"))
      .flat_map do |path|
    Doctest.yard(path, Project.read(path))
  end.freeze

  YARD_EXAMPLES.each do |example|
    next unless possible?(example)

    test "the @example at #{example.place} gives what stands beside it" do
      session = Doctest::Session.new("Yard_#{example.place.gsub(/\W/, "_")}")
      session.run(example)
      assert_empty session.failures, session.failures.join("\n")
      assert_operator session.checked, :>, 0, "an @example shows its result"
      count(1, session.checked)
    end
  end

  test "there are examples in the comments of lib" do
    assert_operator YARD_EXAMPLES.size, :>=, 25
  end

  # Where a link of a document leads: its file, or a heading.
  test "relative links of the documents lead somewhere" do
    dead = DOCUMENTS.flat_map do |path|
      links = Project.read(path).scan(/\]\(([^)\s]+)\)/).flatten.grep_v(/\A\w+:/)
      links.reject { |link| leads_somewhere?(path, link) }.map { |link| "#{path}: #{link}" }
    end
    assert_empty dead
  end

  # The pages about the inside. Decisions are left out: they name what stood at their date.
  INSIDE = Project.files("HACKING.md", "docs/internals/*.md").freeze
  ROOTS = %w[lib ext test bin exe benchmark examples docs sig demo .ci].freeze
  PATH = %r{`((?:#{Regexp.union(ROOTS)})/[\w./-]+)`}
  # A file in a room, such as `values/rules.rb`.
  IN_ROOM = %r{`(?!(?:#{Regexp.union(ROOTS)})/)([a-z_]+/[\w./-]+\.(?:c|h|rb))`}

  INSIDE.each do |path|
    # `lib/…`, `ext/…`, `test/…` and the like between backquotes, `room/name.c` below ext/to_json,
    # `room/name.rb` below lib/to_json; `name.c` may stand anywhere.
    test "files that #{path} names are there" do
      text = Project.read(path)
      missing = text.scan(PATH).flatten.uniq
      missing.reject! { |name| File.exist?(File.join(Project::ROOT, name)) }
      missing += text.scan(IN_ROOM).flatten.reject { |name| in_room?(name) }
      missing += text.scan(/`(\w+\.(?:c|h|rb))`/).flatten.uniq - file_names
      assert_empty(missing)
    end

    test "C functions that #{path} names are there" do
      assert_empty(functions(path).reject { |name| sources.match?(/\b#{name}\b/) })
    end
  end

  test "HACKING.md is a page of at most 10 KB" do
    assert_operator Project.read("HACKING.md").bytesize, :<=, 10 * 1024
  end

  test "the pages about the inside name files and functions" do
    assert_operator INSIDE.sum { |path| Project.read(path).scan(PATH).size }, :>, 150
    assert_operator INSIDE.sum { |path| functions(path).size }, :>, 100
  end

  Minitest.after_run do
    if COUNTS[:blocks].positive?
      puts "documents: #{COUNTS[:blocks]} examples ran, #{COUNTS[:checks]} results compared"
    end
  end

  private

  def functions(path) = Project.read(path).scan(/`((?:tj|dsl|class|instance)_\w+)`/).flatten.uniq

  def sources = @sources ||= Project.files("ext/**/*.{c,h}").map { |path| Project.read(path) }.join

  def file_names
    Project.files("{#{ROOTS.join(",")}}/**/*.{c,h,rb}").map { |path| File.basename(path) }
  end

  def in_room?(name)
    root = name.end_with?(".rb") ? "lib/to_json" : "ext/to_json"
    File.exist?(File.join(Project::ROOT, root, name))
  end

  def count(blocks, checks)
    COUNTS[:blocks] += blocks
    COUNTS[:checks] += checks
  end

  def leads_somewhere?(path, link)
    file, heading = link.split("#", 2)
    target = file.empty? ? path : File.join(File.dirname(path), file)
    return false unless File.exist?(File.join(Project::ROOT, target))

    heading.nil? || headings(target).include?(heading)
  end

  # As code hosts make anchors of headings.
  def headings(path)
    File.read(File.join(Project::ROOT, path), encoding: "UTF-8").scan(/^#+ (.+)$/).map do |(text)|
      text.downcase.gsub(/[^\p{Word}\- ]/, "").tr(" ", "-")
    end
  end
end
