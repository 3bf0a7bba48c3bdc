# frozen_string_literal: true

require "test_helper"
require "fuzz/kit/runner"
require "fuzz/reading/target"

# Random serializers read what they wrote, and of documents that nobody would write they make
# attributes that are writable, or an error with its pointer. A share of the 100,000 documents that
# the CI row `fuzz` reads.
class ReadingFuzzTest < ToJsonTest
  R = Fuzz::Reading
  CASES = 70 # of thirty documents each

  test "random serializers read what they wrote, and refuse what nobody would write" do
    run = Fuzz::Runner.new(R::Target.new, seed: 33, count: CASES)
    run.call
    assert run.ok?, run.reports.join("\n")
    assert_equal CASES, run.done
  end

  def made(text: '{"some_name":1}', **keywords)
    field = R::Field.new(:attribute, :some_name, :from_name, "plain", true)
    R::Case.new(R::Spec.new("things", nil, nil, [field]), { from_name: 5 }, [[text, keywords]])
  end

  test "the target tells of what was read wrongly" do
    assert_nil R::Target.new.check(made)
    wrong = made
    def (wrong.spec).attributes(*) = { from_name: 6 }
    assert_match(/\Aplain: due {:?from_name.+6}, got {:?from_name.+5}/, R::Target.new.check(wrong))
  end

  test "the target tells of what is not writable" do
    wrong = made
    def (wrong.spec).allowed(*) = {}
    assert_match(/from_name is not writable\z/, R::Target.new.check(wrong))
  end

  test "the target tells of an error without a place, and of any other exception" do
    target = R::Target.new
    problem = ToJson::ReadError::Problem.new("/x/y", "is wrong.", :type)
    assert_equal "/x/y leads nowhere",
                 target.send(:wrong_error, ToJson::ReadError.new([problem]), '{"z":1}', nil)
    wrong = made(text: '{"some_name":1}', unknown: :wrong)
    assert_match(/ArgumentError/, target.check(wrong))
  end
end
