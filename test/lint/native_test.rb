# frozen_string_literal: true

# Habits of the C sources that a reader relies on.

require_relative "../test_helper"
require "open3"

class NativeLintTest < ToJsonTest
  SOURCES = Project.files("ext/to_json/*/*.{c,h}").freeze

  def code(path) = Project.read(path).gsub(%r{/\*.*?\*/}m, "").gsub(%r{//.*}, "")

  def nm(*arguments)
    out, error, status = Open3.capture3("nm", *arguments)
    assert(status.success?, error)
    out.lines.filter_map { |line| line.split.then { |_, kind, name| [kind, name] if name } }
  end

  test "only glue/string.c and string.h borrow pointers from Strings" do
    borrowing = /\b(RSTRING_PTR|RSTRING_END|RSTRING_GETMEM|StringValuePtr|StringValueCStr|rb_string_value_ptr|rb_string_value_cstr)\b/
    users = SOURCES.select { |path| code(path).match?(borrowing) }
    assert_empty(users - %w[ext/to_json/glue/string.c ext/to_json/glue/string.h])
    refute_empty(users)
  end

  test "the extension exports its Init function only" do
    library = $LOADED_FEATURES.grep(%r{/to_json\.so\z})
    assert_equal(1, library.size)
    # Sanitizers and gcov export names of their own.
    exported = nm("-D", "--defined-only", library[0]).map(&:last).reject { |name| name.match?(/\A(__|_init\z|_fini\z|_edata\z|_end\z)/) }
    assert_equal(%w[Init_to_json], exported)
  end

  test "every C symbol is static or starts with tj_" do
    objects = Dir[File.join(Project::ROOT, "tmp/builds/release/objects/*/to_json/#{RUBY_VERSION}/*.o")].sort
    refute_empty(objects)
    names = nm("--defined-only", "--extern-only", *objects).map(&:last).uniq
    assert_empty(names.reject { |name| name.match?(/\A(tj_|Init_to_json\z)/) })
  end

  test "a source's first comment says its layer" do
    layers = { "core" => "Core", "glue" => "Glue", "classes" => "Classes" }
    silent = SOURCES.reject { |path| Project.read(path).match?(%r{\A/\* #{layers.fetch(path.split("/")[2])}[.,] ?}) }
    assert_empty(silent)
  end

  test "no pointer is kept alive by volatile" do
    assert_empty(SOURCES.select { |path| code(path).match?(/\bvolatile\s+VALUE\b/) })
  end

  test "no two sources share a name, since their objects stand in one directory" do
    names = SOURCES.grep(/\.c\z/).map { |path| File.basename(path) }
    assert_equal(names.uniq, names)
  end
end
