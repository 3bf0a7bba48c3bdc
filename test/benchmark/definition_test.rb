# frozen_string_literal: true

# The language of scenario files, and the files that are committed.

require_relative "../test_helper"
require_relative "../../benchmark/worker/contender_loop"
require_relative "../../benchmark/contenders/gems"
require_relative "../../benchmark/data/corpus"
require_relative "../../benchmark/harness/definition"
require "tempfile"
require "yaml"

class BenchmarkDefinitionTest < ToJsonTest
  DIRECTORY = File.join(Project::ROOT, "benchmark", "scenarios")
  HAND = ["Hash + JSON.generate", "Hash + JSON::Coder", "Hash + Oj.dump strict",
          "Oj::StringWriter, reset", "Oj::StringWriter, new"].freeze

  # The body of a table beside a word of the error.
  MISTAKES = [
    ["", "no contenders"],
    ['contender "a", :mine, code: "1"', "group :mine"],
    ['contender "a", :ours, code: "1"; contender "a", :hand, code: "2"', "two contenders"],
    ['contender "a", :ours, code: "1"; reach "a", over: "b", at_least: 2', "no contender"],
    ['contender "a", :ours, code: "1"; setup(:ours) { 1 }', "setup takes"],
    ['contender "a", :ours, code: "1"; reach "a", over: :gem, at_least: 2', "no contender"],
    ['contender "a", :ours, code: "1"; limit "a", metric: "weight", at_most: 2', "unknown metric"]
  ].freeze

  # The numbers are those of the goals; 20 to 22 were added later.
  SCENARIOS = [[1, "small"], [2, "complex"], [3, "block"], [4, "parallel"],
               [5, "associations"], [6, "collections"], [7, "typed"], [8, "trees"], [9, "rows"],
               [10, "essays"], [11, "hashes"], [12, "values"], [13, "streams"], [14, "growth"],
               [15, "start"], [16, "ways"], [17, "request"], [18, "queries"],
               [19, "json_api"], [20, "caching"], [21, "drop_in"], [22, "reading"]].freeze

  test "the committed scenarios load without their peers" do
    assert_equal(SCENARIOS, scenarios.map { |scenario| [scenario.number, scenario.name] })
  end

  test "each contender's code can be shown, after the definitions that it stands on" do
    scenarios.each do |scenario|
      scenario.tables.each do |table|
        table.contenders.each do |contender|
          assert_includes(table.sources.fetch(contender.name), contender.code.lines.first.strip)
        end
      end
    end
    blog =
      scenarios.find { |scenario| scenario.name == "associations" }.table_named("has one").sources
    assert_includes(blog["Alba"], "class AlbaDocument\n  include Alba::Resource\n")
    assert_operator(blog["Alba"], :end_with?, "AlbaDocument.new(v).serialize")
    refute_includes(blog["Alba"], "Panko")
    assert_includes(scenarios.first.table_named("address").sources["to_json, json!"],
                    "put :zip, 10065")
  end

  test "every gem that is a peer has a link to its documentation, and says which way was taken" do
    listed = YAML.safe_load_file(File.join(Project::ROOT, "benchmark", "peers.yml"))
    gems = scenarios.flat_map(&:tables).flat_map do |table|
      table.contenders.select do |contender|
        %w[gem hand other].include?(contender.group)
      end.flat_map do |contender|
        contender.peer - table.needed
      end
    end.uniq
    assert_operator(gems.size, :>, 14)
    assert_empty(
      gems.reject do |peer|
        listed[peer]["docs"].to_s.start_with?("https://") && !listed[peer]["used"].to_s.empty?
      end
    )
  end

  test "every peer that a scenario names is in the list of expected peers" do
    listed = YAML.safe_load_file(File.join(Project::ROOT, "benchmark", "peers.yml")).keys
    named = scenarios.flat_map(&:tables).flat_map(&:contenders).flat_map(&:peer).uniq
    assert_empty(named - listed)
    assert_empty(listed - named - %w[pg trilogy]) # only where TO_JSON_BENCH_DATABASES names them
  end

  test "a peer that is compiled names its file" do
    peers = YAML.safe_load_file(File.join(Project::ROOT, "benchmark", "peers.yml"))
    sources = peers.filter_map { |_, peer| peer["source"] }
    assert_equal(["go_json.go"], sources)
    assert_empty(sources - Project.files("benchmark/native/*.{c,go}").map { |path|
      File.basename(path)
    })
  end

  test "the hand-written peers are in the first tables of scenarios 1 and 2, and in all of 5, 6 " \
       "and 7" do
    tables = scenarios.first(2).map { |scenario| scenario.tables.first } +
             scenarios.select do |scenario|
      scenario.number.between?(5, 7)
    end.flat_map(&:tables)
    tables.each { |table| assert_empty(HAND - table.contenders.map(&:name), table.name) }
  end

  test "every gem of the goals is in each table of scenarios 5 and 6" do
    gems =
      %w[oj_serializers Panko Alba Blueprinter Transmutation ActiveModelSerializers
         jsonapi-serializer representable RABL Jbuilder]
    scenarios.select { |scenario| scenario.number.between?(5, 6) }
      .flat_map(&:tables)
      .each do |table|
      assert_empty(gems -
                     table.contenders.select { |contender| contender.group == "gem" }.map(&:name),
                   table.name)
    end
  end

  test "every gem of the goals is in each table of scenario 9, beside what was fastest " \
       "by hand and, where rows are loaded, all of it" do
    gems = %w[oj_serializers Panko Alba ActiveModelSerializers jsonapi-serializer RABL Jbuilder]
    tables = scenarios.find { |scenario| scenario.name == "rows" }.tables
    assert_equal(["100 authors, loaded", "100 authors, unloaded", "100 × 10, loaded",
                  "100 × 10, unloaded"], tables.map(&:name))
    tables.each do |table|
      hand =
        if table.name.end_with?("unloaded")
          ["Hash + JSON::Coder", "Oj::StringWriter, reset", "pluck, Hash + JSON::Coder"]
        else
          HAND
        end
      assert_empty(gems + hand - table.contenders.map(&:name), table.name)
    end
  end

  test "each way in stands beside plainly declared fields, and beside a hand's" do
    tables = scenarios.find { |scenario| scenario.name == "ways" }.tables
    assert_operator(tables.size, :>, 20)
    tables.each do |table|
      names = table.contenders.map(&:name)
      assert_empty(["to_json, this way", "to_json, json!"] - names, table.name)
      assert(table.contenders.any? { |one| one.group == "hand" }, table.name)
    end
    chosen = Bench::Notes.chosen
    [chosen.map(&:text), chosen.map(&:only)].each { |all| assert_equal(1_024, all.uniq.size) }
  end

  test "json, Oj and Yajl are in each table of scenarios 8 and 11, and MultiJson with each " \
       "adapter in those of 11" do
    direct = ["JSON.generate", "JSON::Coder", "Oj.dump strict", "Oj.dump compat", "Yajl"]
    through = ["MultiJson, json_gem", "MultiJson, oj", "MultiJson, yajl"]
    {"trees" => direct, "hashes" => direct + through}.each do |scenario_name, names|
      scenarios.find { |scenario| scenario.name == scenario_name }.tables.each do |table|
        assert_empty(names - table.contenders.map(&:name), table.name)
      end
    end
  end

  test "each kind of value of the goals has a table with its figure" do
    tables = scenarios.find { |scenario| scenario.name == "values" }.tables.to_h do |table|
      [table.name, table.claims.map { |claim| claim.yjit || claim.interpreter }]
    end
    kinds = ["integers", "floats", "coordinates", "prices", "UTC times", "zoned times", "dates",
             "decimals", "uuids", "Japanese text", "escapes", "HTML-safe"]
    assert_empty(kinds - tables.keys)
    assert_empty(kinds.reject { |kind| tables.fetch(kind).include?(2) })
    { "UTC times" => 10, "zoned times" => 10, "Japanese text" => 1.5,
      "HTML-safe" => 1.1 }.each do |kind, figure|
      assert_includes(tables.fetch(kind), figure)
    end
  end

  test "the documents in place of the corpus are the same at each run, and as long as theirs" do
    { "activitypub" => 52_595, "canada" => 2_090_234, "citm_catalog" => 500_298, "ohai" => 20_145,
      "twitter" => 466_906 }.each do |name, size|
      text = JSON.generate(Bench::Corpus.seeded(name))
      assert_equal(text, JSON.generate(Bench::Corpus.seeded(name)))
      assert_in_delta(1, text.bytesize.fdiv(size), 0.15, name)
    end
    assert_raises(ArgumentError) { Bench::Corpus.seeded("other") }
  end

  test "--quick times in each scenario something of ours, and of a table that it times what " \
       "claims name" do
    scenarios.each do |scenario|
      assert(scenario.tables
               .any? { |table| table.timed(true).any? { |contender| contender.group == "ours" } },
             scenario.name)
      scenario.tables.reject { |table| table.timed(true).empty? }.each do |table|
        names = table.timed(true).flat_map { |contender| [contender.name, contender.group] }
        assert_empty(table.claims.flat_map { |claim| [claim.subject, claim.over].compact } - names,
                     table.name)
      end
    end
  end

  test "the code of every contender is Ruby, and so is what it stands on" do
    scenarios.flat_map(&:tables).each do |table|
      table.contenders.each do |contender|
        assert_instance_of(Bench::ContenderLoop, loop_of(contender.code, [nil], contender.before),
                           contender.name)
      end
      table.setups.each { |whose, text, _| RubyVM::InstructionSequence.compile(text, whose.join) }
    end
  end

  test "what a hand writes of a shape is what each serializer of it declares: a field of each " \
       "kind" do
    shape = Bench::Shape.new(id: nil, sum: "o.a + o.b", user: {name: nil}, notes: [{text: nil}])
    assert_equal("{id: v.id, sum: v.a + v.b, user: (user = v.user; {name: user.name}), notes: " \
                 "v.notes.map { |note| {text: note.text} }}", shape.hash)
    assert_equal(<<~RUBY.chomp, shape.writer.lines.map(&:strip).join("\n"))
      writer.push_object
      writer.push_value(v.id, "id")
      writer.push_value(v.a + v.b, "sum")
      user = v.user
      writer.push_object("user")
      writer.push_value(user.name, "name")
      writer.pop
      writer.push_array("notes")
      v.notes.each do |note|
      writer.push_object
      writer.push_value(note.text, "text")
      writer.pop
      end
      writer.pop
      writer.pop
    RUBY
    assert_equal(<<~RUBY, Bench::Gems.classes("Panko", "X", shape.fields))
      class PankoXUser < Panko::Serializer
        attributes :name
      end

      class PankoXNotes < Panko::Serializer
        attributes :text
      end

      class PankoX < Panko::Serializer
        attributes :id, :sum
        def sum = object.a + object.b
        has_one :user, serializer: PankoXUser
        has_many :notes, serializer: PankoXNotes
      end

    RUBY
  end

  test "a mistake in a scenario file is an error that names it" do
    MISTAKES.each do |body, word|
      error = assert_raises(Bench::DefinitionError, ArgumentError, body) { load_scenario(body) }
      assert_includes(error.message, word)
    end
  end

  test "one figure binds interpreter and YJIT, two bind one each" do
    table =
      load_scenario('contender "a", :ours, code: "1"; limit "a", at_most: 2; limit "a", ' \
                    "interpreter: 3, yjit: 4")
        .tables
        .first
    assert_equal([[2, 2], [3, 4]], table.claims.map { |claim| [claim.interpreter, claim.yjit] })
  end

  test "a file without a scenario is an error, though another one was loaded before" do
    load_scenario('contender "a", :ours, code: "1"')
    Tempfile.create(["empty", ".rb"]) do |file|
      assert_raises(Bench::DefinitionError) { Bench::Scenario.load_file(file.path) }
    end
  end

  test "a table is left out on Rubies that it is not for, and a contender by --quick if it says " \
       "so" do
    table = load_scenario(
      'contender "a", :ours, code: "1"; contender "b", :hand, code: "1", quick: false',
      'ruby: ">= 3.2"'
    ).tables.first
    fast, slow = table.contenders
    {[fast, "3.1.2", false] =>
       "needs Ruby >= 3.2", [fast, "3.4.5", true] => nil, [slow, "3.4.5", false] => nil,
     [slow, "3.4.5", true] => "left out by --quick"}.each do |(contender, version, quick), why|
      if why
        assert_equal(why, table.left_out(contender, version: version, quick: quick))
      else
        assert_nil(table.left_out(contender, version: version, quick: quick))
      end
    end
    assert_equal([[fast], [fast, slow]], [table.timed(true), table.timed(false)])
  end

  test "what a table's data needs is a peer of every contender" do
    table =
      load_scenario('needs "x", "y"; contender "a", :ours, code: "1"; contender "b", :gem, peer: ' \
                    '"z", code: "1"')
        .tables
        .first
    assert_equal([%w[x y], %w[z x y]], table.contenders.map(&:peer))
  end

  test "each call gets the next value of the period" do
    last = loop_of("seen << v", %i[a b c d], "seen = []").run(6)
    assert_equal(%i[a b c d a b], last)
  end

  test "a period that is no power of two is refused" do
    assert_raises(Bench::DefinitionError) { loop_of("v", [1, 2, 3], nil) }
  end

  test "documents are one per value" do
    assert_equal(%w[1 2], loop_of("v.to_s", [1, 2], nil).documents)
  end

  test "documents are copied: a buffer that is used again changes" do
    assert_equal(%w[1 2],
                 loop_of("buffer.replace(v.to_s)", [1, 2],
                         'buffer = ($buffer_of_test ||= +"")').documents)
  end

  test "code reads this call's value only where v is a local variable" do
    { "f(v)" => true, "v.a" => true, "a.v" => false, "@v" => false, "value" => false,
      "{v: 1}" => true }.each do |code, reads|
      assert_equal(reads, Bench::ContenderLoop.reads_value?(code), code)
    end
  end

  def scenarios = Bench::Scenario.load_all(DIRECTORY)

  def loop_of(code, values, before)
    Bench::ContenderLoop.new(code, before, values, __FILE__, __LINE__)
  end

  def load_scenario(body, options = "quick: true")
    Tempfile.create(["scenario", ".rb"]) do |file|
      file.write("Bench.scenario(99, \"x\", \"X\") { table(\"t\", #{options}) { #{body} } }")
      file.flush
      Bench::Scenario.load_file(file.path)
    end
  end
end
