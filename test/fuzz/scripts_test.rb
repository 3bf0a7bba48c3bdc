# frozen_string_literal: true

require "test_helper"
require "fuzz/kit/runner"
require "fuzz/scripts/target"

# The CI-sized run inside the suite, with a seed that stays; bin/fuzz does ten thousand and more
# with new ones.
class ScriptsFuzzTest < ToJsonTest
  COUNT = Integer(ENV.fetch("TO_JSON_FUZZ_COUNT", "2500"))

  test "random DSL scripts give the model's document or its error, by every way out, and reach " \
       "every row" do
    run = Fuzz::Runner.new(Fuzz::ScriptsTarget.new, seed: 20_261_121, count: COUNT)
    assert run.call, -> { [*run.reports, "never reached: #{run.missed}", run.summary].join("\n") }
  end

  # The model itself must say no where it should: a script is checked against the document of
  # another one.
  test "a document that differs from the model's is noticed" do
    other = Class.new(Fuzz::ScriptsTarget) do
      def modelled(model, script) = [[super.first], nil]
    end.new
    script = Fuzz::Script.new(:receiver, 100, [Fuzz::Value.new(nil, value: Fuzz::Plain.new(1))])
    assert_nil Fuzz::ScriptsTarget.new.check(script)
    assert_match(/due \[1\], got "1"/, other.check(script))
  end

  test "an error where a document is due is noticed, and a document where an error is due" do
    target = Fuzz::ScriptsTarget.new
    strict = Class.new(Fuzz::ScriptsTarget) do
      def modelled(*) = [nil, Fuzz::Refused.new("GrammarError")]
    end.new
    two_roots = Fuzz::Script.new(:class, 100, [Fuzz::Value.new(nil, value: Fuzz::Plain.new(1))] * 2)
    assert_nil target.check(two_roots)
    assert_match(/GrammarError is due, got "1"/,
                 strict.check(Fuzz::Script.new(:class, 100, two_roots.steps.first(1))))
  end

  test "a printed script is the script that ran" do
    20.times do |index|
      script = Fuzz::ScriptsTarget.new.generate(Fuzz::Dice.new(4, index))
      direct = Fuzz::WaysOut.plain { script.run(eval(script.body), nil) }
      source = Fuzz::ScriptsTarget.new.source(script).sub("puts ", "")
      printed = Fuzz::WaysOut.plain { eval(source) }
      assert_equal [direct.text, direct.error&.class], [printed.text, printed.error&.class]
    end
  end
end
