# frozen_string_literal: true

# DESIGN's layers: a file uses only what stands above it. The lists below are that order; a new file
# says its place here.

require_relative "../test_helper"

class LayersTest < ToJsonTest
  # The modules of ext/to_json/<layer>, in order: a name stands for its .c and its .h, unless one of
  # them stands alone; `*` for a family.
  NATIVE = {
    "core" => %w[status buffer escape.h simd.h escape_forms simd vector16 escape_modes escape_dense escape_kernel escape_composed escape_* escape utf8 utf8_kernel utf8_*
                 integer float_table float_lanes float_decimal float float_grisu_table float_grisu float_oj time grammar validate relayout],
    "vm" => %w[vm.h hash_pairs time_struct vm],
    "glue" => %w[collecting rules writer errors string reusable splice text pool key part document sink capture many blank pointing delivering flush call value time_value pair item item_cold
                 reader plan block_receiver declared serializer in_place opened value_cold dialect_json dialect_oj rails dialect_rails
                 watched_hash tree_key tree records],
    "classes" => %w[classes rules_class fragment_class text_class reflection_class held_class buffer_class part_class plan_class writer_class dsl dsl_fields block_context entry_class serializer_class
                    generate rails_class init]
  }.freeze

  # Where a file of glue/ must call what stands below it, and why: values contain values.
  DOWNWARD = {
    "errors.c" => { "string.h" => "a path quotes keys" },
    "pool.c" => { "reader.h" => "a Ractor keeps its readers" },
    "document.c" => { "value.h" => "what an exception takes back is the value at work" },
    "item.c" => { "item_cold.h" => "what is not easy is cold" },
    "value.c" => { "in_place.h" => "a serializer is a value", "value_cold.h" => "what no class decides is cold" },
  }.freeze

  def place(layer, path)
    order = NATIVE.fetch(layer)
    name = File.basename(path, ".*")
    order.index(File.basename(path)) || order.index(name) || order.index { |entry| entry.end_with?("*") && File.fnmatch(entry, name) }
  end

  # Pairs [including file, included file] of ext/to_json, relative to it, for quoted includes.
  def includes
    Project.files("ext/to_json/*/*.{c,h}").flat_map do |path|
      from = path.delete_prefix("ext/to_json/")
      Project.read(path).scan(/^#include "([^"]+)"/).flatten.map do |name|
        [from, File.join(File.dirname(from), name).sub(%r{\w+/\.\./}, "")]
      end
    end
  end

  test "every native source has its place in the order of its layer" do
    missing = Project.files("ext/to_json/*/*.{c,h}").reject { |path| place(File.basename(File.dirname(path)), path) }
    assert_empty(missing, "say their place in NATIVE")
  end

  test "a native source includes only layers above its own" do
    assert_operator(includes.size, :>, 50)
    wrong = includes.reject { |from, to| NATIVE.keys.index(File.dirname(to)) <= NATIVE.keys.index(File.dirname(from)) }
    assert_empty(wrong)
  end

  test "within its layer a native source includes only what stands above it" do
    wrong = includes.select do |from, to|
      layer = File.dirname(from)
      layer == File.dirname(to) && place(layer, to) > place(layer, from) && !DOWNWARD.dig(File.basename(from), File.basename(to))
    end
    assert_empty(wrong)
  end

  test "the exceptions to the order are still needed" do
    used = includes.map { |from, to| [File.basename(from), File.basename(to)] }
    named = DOWNWARD.flat_map { |from, files| files.keys.map { |to| [from, to] } }
    assert_empty(named - used)
  end

  test "the core knows no Ruby" do
    # The words of comments do not count: "no VALUE" may be said.
    wrong = Project.files("ext/to_json/core/*.{c,h}").select { |path| Project.read(path).gsub(%r{/\*.*?\*/}m, "").match?(/\bVALUE\b|ruby\.h|\brb_\w+\(/) }
    assert_empty(wrong)
  end

  # The order of the lines in lib/to_json.rb, and in lib/to_json/compiling.rb where that is named, is the order of the library: [the file, its constant and
  # where that stands if it is read later].
  def lines
    lines_of("lib/to_json.rb").flat_map { |line| line.first == COMPILER ? lines_of("lib/to_json/#{COMPILER}.rb") : [line] }
  end

  def lines_of(path)
    lines = Project.read(path).scan(/^ *(?:require_relative|ToJson::Later\.read) "(?:to_json\/)?([\w\/]+)"(?:, :(\w+)(?:, ([\w:]+))?)?/)
    assert_equal(Project.read(path).lines.grep(/^ *[^#\s]/).grep_v(/^(Thread\.handle_interrupt|end$)/).size, lines.size)
    lines
  end

  # All of the compiler, which is read later.
  COMPILER = "compiling"

  def library = lines.map(&:first).grep_v(%r{/})

  # Opt-in, each by a require of its own: the library never mentions them, and they may need what they hook into.
  HOOKS = %w[active_support json multi_json oj roda sinatra].freeze

  test "lib/to_json.rb requires every file of lib/to_json once, and no file requires another" do
    files = Project.files("lib/to_json/*.rb").map { |path| File.basename(path, ".rb") } - HOOKS - [COMPILER]
    assert_equal(files.sort, library.sort)
    below = Project.files("lib/to_json/{compiler,dialects}/*.rb").map { |path| path.delete_prefix("lib/to_json/").delete_suffix(".rb") }
    assert_equal(below.sort, (lines.map(&:first) - library).sort)
    others = (Project.files("lib/to_json/*.rb") - ["lib/to_json/#{COMPILER}.rb"]).select { |path| Project.read(path).match?(/^\s*require_relative "(?!#)/) }
    assert_empty(others)
  end

  # What another file adds to must be there: autoload asks for the constant alone.
  test "a file that is read later defines its constant, and adds to no other of ours" do
    later = lines.select { |_, name, _| name }
    assert_operator(later.size, :>, 10)
    later.each do |file, name, home|
      text = Project.read("lib/to_json/#{file}.rb")
      around = ["ToJson", *home.to_s.delete_prefix("ToJson").delete_prefix("::").split("::"), name]
      opened = around.each_index.map { |depth| text[/^#{"  " * depth}(?:class|module) (\w+)/, 1] }
      assert_equal(around, opened, file)
      assert_equal([1] * around.size, around.each_index.map { |depth| text.scan(/^#{"  " * depth}\S.*/).grep_v(/\A *(#|end|private_constant)/).size }, file)
    end
  end

  test "the library requires nothing but Ruby's own standard library, and neither json nor ActiveSupport" do
    allowed = %w[strscan date monitor digest/sha2]
    hooks = HOOKS.map { |name| "lib/to_json/#{name}.rb" } << "lib/roda/plugins/to_json.rb"
    found = (Project.files("lib/**/*.rb") - hooks).flat_map { |path| Project.read(path).scan(/^\s*require "([^"]+)"/).flatten.map { |name| [path, name] } }
    # What only the command line loads, when it is asked for it.
    command_line = %w[optparse csv psych json fileutils tempfile to_json io/console active_support/all]
    wrong = found.reject do |path, name|
      allowed.include?(name) || path == "lib/to_json/native.rb" || (path.start_with?("lib/to_json/cli/") && command_line.include?(name))
    end
    assert_empty(wrong)
  end
end
