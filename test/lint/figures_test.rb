# frozen_string_literal: true

# The numbers of cases of test/support/figures.rb are reached in CI; .ci/tally.rb notices where it
# is not.

require_relative "../test_helper"
require "open3"
require "rbconfig"
require "tmpdir"
require "yaml"

class FiguresTest < ToJsonTest
  PAIRS = Figures::ALL.map { |name, (full, _)| "#{name} #{full}" }
  FULL = "figures: #{PAIRS.join(", ")}\n".freeze
  FEWER = FULL.sub("Masks 10000", "Masks 9999")

  # Log => what is missing in it, of a row that runs in full.
  LOGS = {
    "a line with each figure" => [FULL, nil],
    "two lines of two processes" =>
      [FULL.sub(", streams left 100000", "") + "figures: streams left 100000\n", nil],
    "a figure that fell short" => [FEWER, /\b9999 of 10000 Masks/],
    "a figure that no test counted" =>
      [FULL.sub(/, calls of one Plan \d+/, ""), /\b0 of 50000 calls of one Plan/],
    "no line" => ["", /\b0 of 100000 streams left/]
  }.freeze

  LOGS.each do |what, (text, missing)|
    test "the tally of a row that runs in full, over #{what}" do
      line, verdict = tally("ruby-3.4-yjit", text)
      missing ? assert_match(missing, line) : assert_match(/\Aok /, line)
      assert_match(missing ? / 1\n\z/ : / 0\n\z/, verdict)
    end
  end

  test "a row that takes the share may count less" do
    assert_match(/\Aok /, tally("gc-stress", FEWER).first)
  end

  test "each figure is asked for by a test that says when it is reached, and no other" do
    files = Project.files("test/**/*_test.rb") - ["test/lint/figures_test.rb"]
    texts = files.map { |path| Project.read(path) }
    asked = texts.flat_map { |text| text.scan(/Figures\.of\("([^"]+)"\)/).flatten }
    assert_equal Figures::ALL.keys.sort, asked.sort
    asked.each do |name|
      own = texts.find { |text| text.include?("Figures.of(\"#{name}\")") }
      assert own.match?(/Figures\.reached\(.*"#{Regexp.escape(name)}"/), "#{name} is never reached"
    end
  end

  test "a run takes the share, and all of it with TO_JSON_FIGURES=full" do
    script = "require %q(#{Project::ROOT}/test/support/figures)
              print Figures::ALL.keys.sum { |name| Figures.of(name) }"
    { "full" => 0, nil => 1, "" => 1 }.each do |value, column|
      environment = { "TO_JSON_FIGURES" => value, "RUBYOPT" => nil }
      sum, = Open3.capture2(environment, RbConfig.ruby, "-e", script)
      assert_equal Figures::ALL.values.sum { |figure| figure[column] }, Integer(sum), value.inspect
    end
  end

  test "the rows that run in full are rows of .ci/run, and ask for it" do
    asks = /^(?:in_full|export TO_JSON_FIGURES=full)\b/
    Figures::IN_FULL.each { |row| assert_match(asks, Project.read(".ci/rows/#{row}")) }
  end

  private

  # What .ci/tally.rb prints of a row whose log ends with `text`, and its verdict.
  def tally(row, text)
    due = YAML.safe_load_file(File.join(Project::ROOT, "test/counts.yml")).fetch(row)
    Dir.mktmpdir do |directory|
      log = File.join(directory, "#{row}.log")
      File.write(log, "#{due} runs, 1 assertions, 0 failures, 0 errors, 0 skips\n#{text}")
      judge = File.join(Project::ROOT, ".ci/tally.rb")
      out, status = Open3.capture2e({ "RUBYOPT" => nil }, RbConfig.ruby, judge, row, "0", "1", log)
      assert_predicate status, :success?, out
      [out, File.read(log.sub(/log\z/, "verdict"))]
    end
  end
end
