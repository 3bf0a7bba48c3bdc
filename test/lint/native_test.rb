# frozen_string_literal: true

# Habits of the C sources that a reader relies on.

require_relative "../test_helper"
require "open3"

class NativeLintTest < ToJsonTest
  SOURCES = Project.files("ext/to_json/**/*.{c,h}").freeze

  def code(path) = Project.read(path).gsub(%r{/\*.*?\*/}m, "").gsub(%r{//.*}, "")

  def nm(*arguments)
    out, error, status = Open3.capture3("nm", *arguments)
    assert(status.success?, error)
    out.lines.filter_map { |line| line.split.then { |_, kind, name| [kind, name] if name } }
  end

  test "only writer/string.c and string.h borrow pointers from Strings" do
    borrowing = /\b(RSTRING_(PTR|END|GETMEM)|StringValue(Ptr|CStr)|rb_string_value_(ptr|cstr))\b/
    users = SOURCES.select { |path| code(path).match?(borrowing) }
    assert_empty(users - %w[ext/to_json/writer/string.c ext/to_json/writer/string.h])
    refute_empty(users)
  end

  test "the extension exports its Init function only" do
    library = $LOADED_FEATURES.grep(%r{/to_json\.so\z})
    assert_equal(1, library.size)
    # Sanitizers and gcov export names of their own.
    exported = nm("-D", "--defined-only", library[0]).map(&:last).reject do |name|
      name.match?(/\A(__|_init\z|_fini\z|_edata\z|_end\z)/)
    end
    assert_equal(%w[Init_to_json], exported)
  end

  test "every C symbol is static or starts with tj_" do
    objects =
      Dir[File.join(Project::ROOT, "tmp/builds/release/objects/*/to_json/#{RUBY_VERSION}/*.o")].sort
    refute_empty(objects)
    names = nm("--defined-only", "--extern-only", *objects).map(&:last).uniq
    assert_empty(names.reject { |name| name.match?(/\A(tj_|Init_to_json\z)/) })
  end

  # What belongs to ext/to_json/vm alone: where something stands in CRuby's memory, and which bits
  # and numbers it keeps for itself.
  PRIVATE = {
    "control frames, execution contexts, instruction sequences" =>
      /\b(rb_control_frame\w*|rb_execution_context\w*|rb_iseq\w*|\w*current_ec\w*|GET_EC|cfp)\b/,
    "object shapes and slots of instance variables" =>
      /\b(ROBJECT|ROBJECT_\w+|RObject|rb_shape\w*|SHAPE_\w+|(RUBY_)?FL_EXIVAR)\b/,
    "the tables of a Hash" =>
      /\b(st_table|st_lookup|st_foreach|ar_table|RHash|RHASH_(TBL|ST_TABLE|AR_TABLE|IFNONE)\w*)\b/,
    "words of other objects" =>
      /\(\s*(const\s+)?VALUE\s*\*\s*\)\s*(hash|array|string|object|self|v|value|time|proc|klass)\b/,
    "flags of other objects" =>
      /\b((RUBY_)?(FL_USER\d+|ELTS_SHARED|FL_SINGLETON)|RARRAY_EMBED_FLAG|RSTRING_NOEMBED)\b/,
    "structs of Ruby's classes" =>
      /\bR(ARRAY|STRING|HASH|CLASS|STRUCT|FLOAT|FILE)\(\w+\)->|
       \b(RTYPEDDATA_GET_DATA|TJ_TIME_BYTES)\b/x,
    "headers that are not installed" =>
      %r{#\s*include\s*[<"](\S*/)?(vm_core|eval_intern|iseq|shape|internal|internal/\w+)\.h[>"]},
    "numbers of rb_protect's states" => /\bTAG_(RAISE|THROW|FATAL|BREAK|RETURN|NEXT)\b/,
    "how a Float stands in its VALUE" => /0x8000000000000002|\bRUBY_FLONUM_(MASK|FLAG)\b/,
    "what Ruby exports without a header" =>
      /\bextern\s+[^;]*\b(?!rb_data_type_t\b)(rb|ruby)_\w+|\bdlsym\b/
  }.freeze

  def private_word(text)
    PRIVATE.filter_map { |what, pattern| (word = text[pattern]) && "#{word} (#{what})" }.first
  end

  test "only ext/to_json/vm knows how CRuby lays out its insides" do
    outside = SOURCES.reject { |path| path.start_with?("ext/to_json/vm/") }
    found = outside.filter_map { |path| (word = private_word(code(path))) && "#{path}: #{word}" }
    assert_empty(found, "say it through the public API, or in a file of ext/to_json/vm")
  end

  # The lint itself: most of these were in the tree once.
  test "the words of CRuby's insides are recognised" do
    samples = ["rb_control_frame_t *frame", "ROBJECT_IVPTR(self)", "RHASH_ST_TABLE(hash)",
               "((const VALUE *)hash)[2]",
               "RB_FL_ANY_RAW(v, RUBY_FL_USER3)", "RARRAY(array)->as.heap.ptr",
               "RTYPEDDATA_GET_DATA(time)",
               '#include "vm_core.h"', "state == TAG_RAISE", "v == 0x8000000000000002",
               "extern VALUE rb_ec_something(void);",
               "RB_FL_ANY_RAW(self, RUBY_FL_EXIVAR)", "rb_iseq_t *iseq", "struct st_table *table"]
    assert_empty(samples.reject { |sample| private_word(sample) })
    assert_nil(private_word("extern const rb_data_type_t tj_part_type;"))
  end

  test "no pointer is kept alive by volatile" do
    assert_empty(SOURCES.select { |path| code(path).match?(/\bvolatile\s+VALUE\b/) })
  end

  test "no two sources share a name, since their objects stand in one directory" do
    names = SOURCES.grep(/\.c\z/).map { |path| File.basename(path) }
    assert_equal(names.uniq, names)
  end
end
