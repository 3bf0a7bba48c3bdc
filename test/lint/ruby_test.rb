# frozen_string_literal: true

# Habits of the Ruby sources and of the tests.

require_relative "../test_helper"

class RubyLintTest < ToJsonTest
  test "every Ruby file freezes its string literals" do
    files = Project.files("{lib,ext,test,examples,demo,benchmark,bin}/**/*.rb", "*.gemspec",
                          "Gemfile", "Rakefile")
    assert_operator(files.size, :>, 20)
    assert_empty(files.reject do |path|
                   Project.read(path).match?(/\A(#!.*\n)?# frozen_string_literal: true\n/)
                 end)
  end

  # It crashes Ruby 3.1 after GC.compact: docs/internals/vm.md.
  test "the library has no WeakMap" do
    assert_empty(Project.files("lib/**/*.rb").select do |path|
      Project.read(path).match?(/WeakMap\.new|WeakRef/)
    end)
  end

  # Without an argument, Array#join puts `$,` between the parts.
  test "the library gives each Array#join a separator" do
    lines = Project.files("lib/**/*.rb").flat_map do |path|
      bare = Project.read(path).lines.grep_v(/^\s*#/).grep(/[.&]join\b(?!\()/)
      bare.map { |line| "#{path}: #{line}" }
    end
    assert_empty(lines)
  end

  test "a test file's first comment says what it is about" do
    files = Project.files("test/**/*.rb")
    assert_empty(files.reject do |path|
                   Project.read(path)
                     .match?(/\A# frozen_string_literal: true\n(\n|require.*\n)+# \S/)
                 end)
  end

  test "no class of tests stands in two files, and no sentence twice in one" do
    classes = Project.files("test/**/*_test.rb").flat_map do |path|
      Project.read(path).scan(/^\s*class (\w+Test) < \w+/).flatten.uniq
    end
    assert_empty(classes.tally.select { |_, count| count > 1 }.keys)

    twice = Project.files("test/**/*_test.rb").flat_map do |path|
      sentences = Project.read(path).scan(/^(\s*)test "((?:[^"\\#]|\\.)+)" do/).map(&:last)
      sentences.tally.select { |_, count| count > 1 }.keys.map { |sentence| "#{path}: #{sentence}" }
    end
    assert_empty(twice)
  end

  test "a test that reads /proc/self or opens a terminal is skipped where there is none" do
    { %r{/proc/self/|"flat\.rb"} => /^ *needs_proc\b/,
      /\bPTY\b/ => /^ *needs_terminal$/ }.each do |uses, asks|
      files = Project.files("test/**/*_{test,case}.rb") - ["test/lint/ruby_test.rb"]
      files.reject! { |path| path.start_with?("test/examples/") } # servers, on the CI's machine
      files.select! { |path| Project.read(path).match?(uses) }
      refute_empty files
      assert_empty(files.reject { |path| Project.read(path).match?(asks) })
    end
  end

  test "no two native tests share a name" do
    names = Project.files("test/native/*_test.c").flat_map do |path|
      Project.read(path).scan(/^\s*(?:TEST|test)\w*\(\s*"([^"]+)"/).flatten
    end
    assert_empty(names.tally.select { |_, count| count > 1 }.keys)
  end

  test "every test file can be run alone: it requires test_helper, or a file that does" do
    files = Project.files("test/**/*_test.rb")
    assert_operator(files.size, :>, 3)
    assert_empty(
      files.reject do |path|
        Project.read(path)
          .match?(%r{^require(_relative)? "(\.\./)*(test_helper|(\w+/)?\w+_case|support/\w+)"})
      end
    )
  end

  test "nobody else's class is reopened by the library" do
    # A line that opens a constant at column 0 other than ours.
    opened = Project.files("lib/**/*.rb").flat_map do |path|
      Project.read(path).scan(/^(?:class|module) (\S+)/).flatten.map { |name| [path, name] }
    end
    assert_empty(opened.reject { |_, name| name.start_with?("ToJson") })
  end

  # What tools ask of every module there is, and without arguments.
  ASKED = %i[name to_s hash class object_id ancestors instance_methods constants singleton_class
             instance_variables methods frozen? nil?].freeze

  test "modules of the gem answer what ObjectSpace's walkers ask" do
    ToJson.eager_load!
    ours = ObjectSpace.each_object(Module).select do |one|
      Module.instance_method(:name).bind_call(one)&.start_with?("ToJson")
    end
    assert_operator ours.size, :>, 100
    assert_empty(ours.flat_map do |one|
      words = one.singleton_methods(false) & ASKED
      words.reject { |word| [-1, 0].include?(one.method(word).arity) }.map { |word| [one, word] }
    end)
  end
end
