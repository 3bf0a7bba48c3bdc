# frozen_string_literal: true

# A killed thread and a throw pass every `rescue`: only `ensure` cleans up. What `rescue` may do is
# to translate an error, to add to it, or
# to say that something is not there.

require "ripper"
require_relative "../test_helper"

class CleanupLintTest < ToJsonTest
  # Calls by which state is put back.
  RESTORING = %w[clear close delete delete_if pop push remove_const remove_instance_variable
                 remove_method replace shift slice! store unlock unlink update
                 instance_variable_set release reset rewind truncate uninstall []=].freeze
  # A rescue clause that may: its file, and a word of its text => why no kill or throw misses it.
  ALLOWED = {
    ["lib/to_json/cli/console.rb", "@bar"] =>
      "the terminal is gone: no more bars are drawn; a kill ends the process",
    ["lib/to_json/cli/text_commands.rb", "@status"] =>
      "what the process is to exit with; a kill ends it"
  }.freeze

  # A rescue clause, by its first line, and what in it restores state.
  Found = Struct.new(:path, :line, :words)

  # @return [Array<Found>] of Ruby text
  def self.found_in(path, text)
    found = []
    walk(Ripper.sexp(text) || raise("#{path} is no Ruby")) do |node|
      next unless node[0] == :rescue

      words = restoring(node[3])
      found << Found.new(path, line_of(node), words) if words.any?
    end
    found
  end

  def self.walk(node, &block)
    return unless node.is_a?(Array)

    yield node if node[0].is_a?(Symbol)
    node.each { |inner| walk(inner, &block) }
  end

  # Instance variables that are assigned, and calls that put back.
  def self.restoring(body)
    words = []
    walk(body) do |node|
      case node[0]
      when :assign, :opassign then words << assigned(node[1])
      when :call, :command_call
        words << node[3][1] if node[3].is_a?(Array) && RESTORING.include?(node[3][1])
      when :vcall, :fcall then words << node[1][1] if RESTORING.include?(node[1][1])
      when :command then words << node[1][1] if RESTORING.include?(node[1][1])
      end
    end
    words.compact
  end

  def self.assigned(target)
    case target[0]
    when :var_field
      target[1][1] if target[1].is_a?(Array) && %i[@ivar @gvar @cvar].include?(target[1][0])
    when :aref_field then "[]="
    when :field then "#{target.last[1]}="
    end
  end

  def self.line_of(node)
    node.flatten.each_cons(2) do |line, column|
      return line if line.is_a?(Integer) && column.is_a?(Integer)
    end
    0
  end

  PLANTED = {
    "begin; work; rescue Exception; @depth -= 1; raise; end" => %w[@depth],
    "begin; work; rescue => error; made.pop; raise error; end" => %w[pop],
    "def x = (begin; work; rescue StandardError; lock.unlock; end)" => %w[unlock],
    "begin; work; rescue Boom; handles.delete(unit); raise; end" => %w[delete],
    "begin; work; rescue Boom; kept[unit] = nil; end" => %w[[]=],
    "begin; work; rescue Boom => e; state.done = e; end" => %w[done=],
    "begin; work; rescue A; nil; rescue B; @made = nil; end" => %w[@made],
    "begin; work; rescue Boom => e; raise Other, e.message; ensure; @depth -= 1; end" => [],
    "begin; work; rescue Boom; name = nil; false; end" => []
  }.freeze

  PLANTED.each do |text, words|
    test "#{words.any? ? "finds" : "lets pass"}: #{text}" do
      assert_equal words, self.class.found_in("planted", text).flat_map(&:words)
    end
  end

  test "no rescue of the library restores state, but those that say why they may" do
    files = Project.files("lib/**/*.rb", "exe/*")
    assert_operator files.size, :>, 60
    found = files.flat_map { |path| self.class.found_in(path, Project.read(path)) }
    allowed, refused = found.partition do |one|
      one.words.all? { |word| ALLOWED.key?([one.path, word]) }
    end
    assert_empty refused.map { |one| "#{one.path}:#{one.line} #{one.words.join(", ")}: use ensure" }
    assert_empty ALLOWED.keys - allowed.flat_map { |one| one.words.map { |word| [
      one.path, word
    ] } }, "no longer there"
  end

  # A stop may come before the first line of the code that an `ensure` protects. A variable that
  # this line assigns is nil then, so the `ensure` would restore nil.
  # [file, variable] => why nil is right.
  NIL_IS_RIGHT = {
    ["lib/to_json/cli/output.rb", "output"] => "there is nothing to discard",
    ["lib/to_json/documents/stream.rb", "written"] => "nothing was written",
    ["lib/to_json/documents/stream.rb", "closed"] => "the stream is not closed",
    ["lib/to_json/rails/streaming.rb", "changed"] => "nothing was changed",
    ["lib/to_json/reading/assignment.rb", "whole"] => "not all is assigned",
    ["lib/to_json/rows/cursor.rb", "more"] => "the cursor is not needed"
  }.freeze

  # @return [Array<String>] the variables that an `ensure` reads, and that are assigned only in the
  #   code that it protects
  def self.assigned_too_late(text)
    names = []
    walk(Ripper.sexp(text)) do |node|
      next unless node[0] == :bodystmt && node[4]

      names.concat(assigned_locals(node[1..3]) & read_locals(node[4]))
    end
    names.uniq
  end

  def self.assigned_locals(nodes)
    found = []
    walk([:all, nodes]) do |node|
      found.concat(targets(node[1])) if %i[assign massign].include?(node[0])
    end
    found
  end

  def self.targets(node)
    return [] if !node.is_a?(Array) || %i[field aref_field].include?(node[0])
    return [node[1]] if node[0] == :@ident

    node.flat_map { |inner| targets(inner) }
  end

  def self.read_locals(nodes)
    found = []
    walk(nodes) { |node| found.concat(targets(node)) if node[0] == :var_ref }
    found
  end

  test "what an ensure reads is assigned before the code that it protects, or nil is right" do
    assert_equal %w[a], self.class.assigned_too_late("def x; a = b; yield; ensure; @b = a; end")
    assert_equal %w[a], self.class.assigned_too_late("def x; a, b = c; yield; ensure; @b = a; end")
    assert_empty self.class.assigned_too_late("def x; a = b; begin; y; ensure; @b = a; end; end")
    found = Project.files("lib/**/*.rb").flat_map do |path|
      self.class.assigned_too_late(Project.read(path)).map { |name| [path, name] }
    end
    assert_equal NIL_IS_RIGHT.keys.sort, found.sort
  end

  # Ruby rescues each exception in `defined?`. The constants around the last one are loaded there,
  # if they are left to autoload. So an exception that comes while a file is loaded would be lost:
  # Library.find does not lose it. Programs are known to leave JSON itself to autoload.
  LOADED_ALREADY = {
    "lib/to_json/json.rb" => "json is required above",
    "lib/to_json/testing/matchers.rb" => "when the file is loaded"
  }.freeze

  test "defined? loads no constants" do
    found = Project.files("lib/**/*.rb").select do |path|
      Project.read(path).match?(/^[^#\n]*defined\?\(?\s*(?:::)?(?:[A-Z]\w*::\w+|JSON)::/)
    end
    assert_equal LOADED_ALREADY.keys, found.sort
  end

  # Generated code is text: its rescue clauses stand in Strings, where Ripper does not see them.
  test "generated code that names an exception restores nothing in its rescue" do
    lines = Project.files("lib/**/*.rb").flat_map do |path|
      Project.read(path).scan(/rescue ::Exception => error.*?(?=ensure)/m)
    end
    assert_operator lines.size, :>, 0
    assert_empty(lines.grep(/@\w+ =|\.(?:#{RESTORING.first(10).join("|")})\b/))
  end

  # C: what rb_protect caught is told apart by TJ_STATE_RAISE only to add the place to an exception.
  # A function that cleans up
  # does so for every state, so that no `if` of that name has a body of more than that.
  test "no C function cleans up for exceptions alone" do
    bodies = Project.files("ext/**/*.c").flat_map do |path|
      Project.read(path).scan(/^.*== TJ_STATE_RAISE\b.*$/).map { |line| [path, line] }
    end
    assert_operator bodies.size, :>, 0
    assert_empty(
      bodies.select do |_, line|
        line.match?(/\b(?:tj_release|tj_mark_restore|tj_bind|tj_unbind|free|rb_ivar_set)\(/)
      end
    )
  end

  test "rb_protect is called by tj_rb_protect alone, which replaces exceptions that Ruby forgets" do
    files = Project.files("ext/**/*.[ch]").select do |path|
      Project.read(path).match?(/\brb_protect\(/)
    end
    assert_equal %w[ext/to_json/writer/errors.c ext/to_json/writer/errors.h], files.sort
  end

  # File => what it overlooks.
  RESCUING = {
    "ext/to_json/writer/errors.c" => "an error of finding an exception's place",
    "ext/to_json/vm/vm.c" => "a probe at load that fails: what it is for stays off"
  }.freeze

  test "no C function asks rb_rescue to clean up: it sees no kill, as rb_ensure and rb_protect " \
       "do" do
    files = Project.files("ext/**/*.c").select do |path|
      Project.read(path).match?(/\brb_rescue2?\(/)
    end
    assert_equal RESCUING.keys.sort, files.sort
  end
end
