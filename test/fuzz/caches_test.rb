# frozen_string_literal: true

require "test_helper"
require "fuzz/kit/runner"
require "fuzz/caches/target"

# A share of the cases of the CI row `fuzz`.
class CachesFuzzTest < ToJsonTest
  CASES = Figures.of("random cases with a store")

  # Its keys lose what tells declarations apart.
  class Forgetful < Fuzz::CachesTarget::Store
    def short(key) = key.sub(%r{/\h{32}/}, "/")
  end

  # Its keys lose what tells contexts apart.
  class Careless < Fuzz::CachesTarget::Store
    def short(key) = key.sub(/[^;]*;/, "")
  end

  # The first of 40 cases that the target takes for wrong.
  def wrong_case(target)
    cases = (0...40).lazy.map { |index| target.generate(Fuzz::Dice.new(1, index)) }
    cases.find { |one| target.check(one) }
  end

  test "documents with a store are those without one, across calls, contexts and deploys" do
    run = Fuzz::Runner.new(Fuzz::CachesTarget.new, seed: 1, count: CASES).tap(&:call)
    assert_empty run.reports.join("\n")
    assert_equal CASES, run.done
    Figures.reached("random cases with a store", run.done)
  end

  [Forgetful, Careless].each do |store|
    test "the target tells of keys that say too little: #{store.name[/\w+\z/]}" do
      assert wrong_case(Fuzz::CachesTarget.new(store: store))
    end
  end

  test "a case is made small, and printed as Ruby that runs" do
    target = Fuzz::CachesTarget.new(store: Forgetful)
    found = wrong_case(target)
    small = Fuzz::Shrinker.new(simpler: target.method(:simpler),
                               fails: ->(given) { target.check(given) }).shrink(found)
    assert_match(/\Adeploy \d, \w+Serializer\.\S+\(.*: due .*, got /m, target.check(small))
    lines = ->(one) { one.before.values.sum(&:size) }
    assert_operator lines.call(small), :<, lines.call(found)
    assert_output("\n") { Object.new.instance_eval(target.source(small)) } # a whole store finds all
  end
end
