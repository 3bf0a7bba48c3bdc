# frozen_string_literal: true

require "test_helper"
require "fuzz/kit/runner"
require "fuzz/values/target"

# The CI-sized run inside the suite; bin/fuzz does more.
class ValuesFuzzTest < ToJsonTest
  COUNT = Integer(ENV.fetch("TO_JSON_FUZZ_COUNT", "2500"))

  test "random value trees give the model's text, read back equal, equal JSON.generate, and " \
       "reach every row" do
    run = Fuzz::Runner.new(Fuzz::ValuesTarget.new, seed: 20_261_121, count: COUNT)
    assert run.call, -> { [*run.reports, "never reached: #{run.missed}", run.summary].join("\n") }
  end

  test "a value that reads back differently is noticed" do
    target = Fuzz::ValuesTarget.new
    assert_nil target.check(Fuzz::Plain.new(-0.0))
    wrong = Class.new(Fuzz::Plain) { def tree(*) = 0.0 }
    assert_match(/due "0.0", got "-0.0"/, target.check(wrong.new(-0.0)))
  end
end
