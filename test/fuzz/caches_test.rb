# frozen_string_literal: true

require "test_helper"
require "fuzz/kit/runner"
require "fuzz/caches/target"

# A share of the cases of the CI row `fuzz`.
class CachesFuzzTest < ToJsonTest
  CASES = 40

  # Its keys lose what tells declarations apart.
  class Forgetful < Fuzz::CachesTarget::Store
    def short(key) = key.sub(%r{/\h{32}/}, "/")
  end

  # Its keys lose what tells contexts apart.
  class Careless < Fuzz::CachesTarget::Store
    def short(key) = key.sub(/[^;]*;/, "")
  end

  def run_of(count, **options)
    Fuzz::Runner.new(Fuzz::CachesTarget.new(**options), seed: 1, count: count).tap(&:call)
  end

  test "documents with a store are those without one, across calls, contexts and deploys" do
    run = run_of(CASES)
    assert_empty run.reports.join("\n")
    assert_equal CASES, run.done
  end

  [Forgetful, Careless].each do |store|
    test "the target tells of keys that say too little: #{store.name[/\w+\z/]}" do
      refute_empty run_of(CASES, store: store).failures
    end
  end

  test "a case is made small, and printed as Ruby that runs" do
    target = Fuzz::CachesTarget.new(store: Forgetful)
    run = Fuzz::Runner.new(target, seed: 1, count: CASES).tap(&:call)
    found = target.generate(Fuzz::Dice.new(1, run.failures.first))
    small = Fuzz::Shrinker.new(simpler: target.method(:simpler),
                               fails: ->(given) { target.check(given) }).shrink(found)
    assert_match(/\Adeploy \d, \w+Serializer\.\S+\(.*: due .*, got /m, target.check(small))
    lines = ->(one) { one.before.values.sum(&:size) }
    assert_operator lines.call(small), :<, lines.call(found)
    assert_output("\n") { Object.new.instance_eval(target.source(small)) } # a whole store finds all
  end
end
