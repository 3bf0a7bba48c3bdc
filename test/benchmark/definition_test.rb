# frozen_string_literal: true

# The language of scenario files, and the files that are committed.

require_relative "../test_helper"
require_relative "../../benchmark/support/contender_loop"
require "tempfile"
require "yaml"

class BenchmarkDefinitionTest < ToJsonTest
  DIRECTORY = File.join(Project::ROOT, "benchmark", "scenarios")
  HAND = ["Hash + JSON.generate", "Hash + JSON::Coder", "Hash + Oj.dump strict", "Oj::StringWriter, reset", "Oj::StringWriter, new"].freeze

  # The body of a table beside a word of the error.
  MISTAKES = [
    ["", "no contenders"],
    ['contender "a", :mine, code: "1"', "group :mine"],
    ['contender "a", :ours, code: "1"; contender "a", :hand, code: "2"', "two contenders"],
    ['contender "a", :ours, code: "1"; reach "a", over: "b", at_least: 2', "no contender"],
    ['contender "a", :ours, code: "1"; reach "a", over: :gem, at_least: 2', "no contender"],
    ['contender "a", :ours, code: "1"; limit "a", metric: "weight", at_most: 2', "unknown metric"]
  ].freeze

  test "the committed scenarios load without their peers, numbered without a gap" do
    assert_equal([[1, "small"], [2, "complex"], [3, "block"], [4, "parallel"]], scenarios.map { |scenario| [scenario.number, scenario.name] })
  end

  test "every peer that a scenario names is in the list of expected peers" do
    listed = YAML.safe_load_file(File.join(Project::ROOT, "benchmark", "peers.yml")).keys
    named = scenarios.flat_map(&:tables).flat_map(&:contenders).flat_map(&:peer).uniq
    assert_empty(named - listed)
    assert_empty(listed - named)
  end

  test "a peer that is compiled names its C file" do
    sources = YAML.safe_load_file(File.join(Project::ROOT, "benchmark", "peers.yml")).filter_map { |_, peer| peer["source"] }
    assert_equal(["lower_bound.c"], sources)
    assert_empty(sources - Project.files("benchmark/support/*.c").map { |path| File.basename(path) })
  end

  test "the hand-written peers are in the first tables of scenarios 1 and 2" do
    scenarios.first(2).each { |scenario| assert_empty(HAND - scenario.tables.first.contenders.map(&:name)) }
  end

  test "the code of every contender is Ruby" do
    scenarios.flat_map(&:tables).each do |table|
      table.contenders.each { |contender| assert_instance_of(Bench::ContenderLoop, loop_of(contender.code, [nil], contender.before), contender.name) }
    end
  end

  test "a mistake in a scenario file is an error that names it" do
    MISTAKES.each do |body, word|
      error = assert_raises(Bench::DefinitionError, ArgumentError, body) { load_scenario(body) }
      assert_includes(error.message, word)
    end
  end

  test "one figure binds interpreter and YJIT, two bind one each" do
    table = load_scenario('contender "a", :ours, code: "1"; limit "a", at_most: 2; limit "a", interpreter: 3, yjit: 4').tables.first
    assert_equal([[2, 2], [3, 4]], table.claims.map { |claim| [claim.interpreter, claim.yjit] })
  end

  test "a file without a scenario is an error, though another one was loaded before" do
    load_scenario('contender "a", :ours, code: "1"')
    Tempfile.create(["empty", ".rb"]) { |file| assert_raises(Bench::DefinitionError) { Bench::Scenario.load_file(file.path) } }
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

  test "code reads this call's value only where v is a local variable" do
    {"f(v)" => true, "v.a" => true, "a.v" => false, "@v" => false, "value" => false, "{v: 1}" => true}.each do |code, reads|
      assert_equal(reads, Bench::ContenderLoop.reads_value?(code), code)
    end
  end

  def scenarios = Bench::Scenario.load_all(DIRECTORY)

  def loop_of(code, values, before) = Bench::ContenderLoop.new(code, before, values, __FILE__, __LINE__)

  def load_scenario(body)
    Tempfile.create(["scenario", ".rb"]) do |file|
      file.write("Bench.scenario(99, \"x\", \"X\") { table(\"t\") { #{body} } }")
      file.flush
      Bench::Scenario.load_file(file.path)
    end
  end
end
