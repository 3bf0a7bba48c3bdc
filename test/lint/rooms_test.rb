# frozen_string_literal: true

# The rooms of ext/to_json and their order: a file uses only what stands above it. A new file says
# its place here. docs/internals/overview.md shows the rooms.

require_relative "../test_helper"
require_relative "arrows"

class RoomsTest < ToJsonTest
  # In order, the rooms and their files. A name stands for its .c and its .h.
  ROOMS = {
    "core" => %w[status],
    "core/kernels" => %w[escape_mode kernels simd.h escape_forms escape_modes escape_dense vector16
                         escape_kernel escape_scalar escape_marked escape_sse2 escape_avx2
                         escape_neon utf8_kernel utf8_scalar utf8_ssse3 utf8_avx2 utf8_neon simd],
    "core/text" => %w[escape_composed escape utf8 scan validate relayout],
    "core/numbers" =>
      %w[integer float_table float_lanes float_decimal float float_grisu_table float_grisu float_oj
         time time_text decimal_text],
    "core/grammar" => %w[buffer grammar],
    "vm" => %w[vm hash_pairs time_struct assumptions],
    "writer" => %w[forced_gc rules serializer_table variables writer string path errors pool
                   kept_rules key_table stack key levels protect binding captures
                   contexts],
    "delivery" => %w[delivery_options reusable sink flush],
    "values" => %w[text parsed blank string_value fragment collection contained user_call cell value
                   hash_key time_value pair library_value value_cold watched_hash tree_key tree_walk
                   tree],
    "dialects" => %w[dialect_json dialect_oj rails rails_inner dialect_rails],
    "plans" => %w[ops part flags item_cold item item_values reader row_list plan named_fields
                  named_choice choice_words choices],
    "documents" =>
      %w[call block_receiver declared session direct document in_place lookup value_site
         records capture],
    "classes" => %w[classes rules_class fragment_class text_class reflection_class
                    cell_class buffer_class part_class plan_class plan_cache_class writer_class
                    pool_class dsl dsl_fields block_context document_class serializer_class generate
                    rails_class init]
  }.freeze

  ORDER = ROOMS.flat_map { |room, names| names.map { |name| "#{room}/#{name}" } }.freeze

  SOURCES = Project.files("ext/to_json/**/*.{c,h}").map { |path|
    path.delete_prefix("ext/to_json/")
  }.freeze

  def room(path) = File.dirname(path).then { |directory| directory == "." ? "core" : directory }

  # Where a source stands in ORDER, or nil. A header may stand apart from its .c.
  def place(path) = ORDER.index(path) || ORDER.index(path.sub(/\.[ch]\z/, ""))

  # Pairs [including file, included file] of quoted includes.
  def includes
    SOURCES.flat_map do |from|
      Project.read("ext/to_json/#{from}").scan(/^#include "([^"]+)"/).flatten.map do |name|
        [from, File.expand_path(name, "/#{File.dirname(from)}").delete_prefix("/")]
      end
    end
  end

  def objects
    found =
      Dir[File.join(Project::ROOT, "tmp/builds/release/objects/*/to_json/#{RUBY_VERSION}/*.o")]
    units = SOURCES.grep(/\.c\z/).map { |path| File.basename(path, ".c") }
    # a build may hold objects of sources that are gone
    found.select { |path| units.include?(File.basename(path, ".o")) }
  end

  test "every native source has its place in its room" do
    missing = SOURCES.reject { |path| place(path) }
    assert_empty(missing, "say their place in ROOMS")
    gone = ORDER.reject do |name|
      SOURCES.any? { |path| path == name || path.sub(/\.[ch]\z/, "") == name }
    end
    assert_empty(gone, "no source is called so")
  end

  test "a room has at most twenty modules" do # docs/internals/decisions/0012-room-sizes.md
    assert_empty(ROOMS.select { |_, names| names.size > 20 }.keys)
  end

  MAIN_HEADERS = %w[core/status.h vm/vm.h writer/writer.h delivery/sink.h values/value.h
                    dialects/dialect_json.h plans/plan.h documents/document.h
                    classes/classes.h].freeze

  test "a room's main header says in its first comment what does not belong there" do
    assert_equal(ROOMS.keys.map { |room| room.split("/").first }.uniq,
                 MAIN_HEADERS.map { |path| File.dirname(path) })
    silent = MAIN_HEADERS.reject do |path|
      Project.read("ext/to_json/#{path}")[%r{\A/\*.*?\*/}m].gsub(/\s*\n \*\s*/, " ")
        .match?(/(?:does|do) not belong here|never calls other rooms/)
    end
    assert_empty(silent)
  end

  test "a native source includes only what stands above it" do
    assert_operator(includes.size, :>, 100)
    wrong = includes.select { |from, to| place(to) > place(from) }
    assert_empty(wrong)
  end

  test "a native source calls only what stands above it" do
    arrows = Arrows.of(objects)
    assert_operator(arrows.size, :>, 500)
    wrong = Arrows.downward(arrows, order_of_units, allowed: declared_in("values/contained.h"))
    assert_empty(wrong.map(&:to_s).sort)
  end

  test "every call that may lead down the order is needed" do
    used = Arrows.downward(Arrows.of(objects), order_of_units).map(&:symbol)
    assert_empty(declared_in("values/contained.h") - used)
  end

  # The check itself.
  test "a call that leads down is found" do
    Dir.mktmpdir do |directory|
      { "upper" => "int tj_lower(void); int tj_upper(void) { return tj_lower(); }",
        "lower" => "int tj_lower(void) { return 1; }" }.each do |name, code|
        File.write("#{directory}/#{name}.c", code)
        assert(system("cc", "-c", "-o", "#{directory}/#{name}.o", "#{directory}/#{name}.c"))
      end
      arrows = Arrows.of(Dir["#{directory}/*.o"])
      assert_equal(["upper -> lower: tj_lower"],
                   Arrows.downward(arrows, %w[upper lower]).map(&:to_s))
      assert_empty(Arrows.downward(arrows, %w[lower upper]))
      assert_empty(Arrows.downward(arrows, %w[upper lower], allowed: ["tj_lower"]))
    end
  end

  test "the core knows no Ruby" do
    # The words of comments do not count: "no VALUE" may be said.
    wrong = SOURCES.grep(%r{\Acore/}).select do |path|
      Project.read("ext/to_json/#{path}").gsub(%r{/\*.*?\*/}m,
                                               "").match?(/\bVALUE\b|ruby\.h|\brb_\w+\(/)
    end
    assert_empty(wrong)
  end

  test "a source's first comment says its room" do
    silent = SOURCES.reject do |path|
      Project.read("ext/to_json/#{path}")
        .match?(%r{\A/\* #{path.split("/").first.capitalize}[.,] ?})
    end
    assert_empty(silent)
  end

  private

  # The names of the .c files alone, in order.
  def order_of_units = ORDER.grep_v(/\.h\z/).map { |name| File.basename(name) }

  # What the one header declares that may be called from above: values contain values.
  def declared_in(header)
    Project.read("ext/to_json/#{header}").gsub(%r{/\*.*?\*/}m,
                                               "").scan(/^\w.*?\b(tj_\w+)\(/).flatten
  end
end
