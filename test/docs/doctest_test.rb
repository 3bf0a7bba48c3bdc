# frozen_string_literal: true

require_relative "../test_helper"
require_relative "doctest"

# The runner of examples itself: it must find what is wrong, or the documents are not tested.
class DoctestTest < ToJsonTest
  # The failures of these blocks of code, run one after the other.
  def failures_of(*blocks)
    session = Doctest::Session.new("Sample#{Doctest.constants.size}")
    blocks.each { |code| session.run(Doctest::Example.new("sample.md", 10, code)) }
    session.failures
  end

  RIGHT = {
    "a value as inspect writes it" => "1 + 1 # => 2\nnil # => nil\n:a # => :a\n",
    "a String by its text" => %('{"a":1}' # => {"a":1}\n),
    "a String as inspect writes it" => %("a\\n" # => "a\\n"\n),
    "a Hash in any Ruby's notation" => "{ a: 1 } # => {:a=>1}\n{ \"a\" => 1 } # => {\"a\" => 1}\n",
    "the rest of a text for an ellipsis" =>
      "Object.new # => #<Object…\nInteger(:x) # !> TypeError: can't convert Symbol…\n",
    "an exception" => "Integer(nil) # !> TypeError: can't convert nil into Integer\n",
    "a statement of several lines" => "[1, 2].map do |n|\n  n * 2\nend # => [2, 4]\n",
    "a comment below its statement" => "[\n  1\n]\n# => [1]\n",
    "several lines of text" => "\"a\\n  b\\nc\"\n# => a\n#      b\n#    c\n",
    "a long line that is broken" =>
      "Integer(nil)\n# !> TypeError: can't convert\n#    nil into Integer\n" \
      "'[1,{}]'\n# => [1,\n#    {}]\n",
    "checks within blocks" => "[1].each do |n|\n  n # => 1\nend\n",
    "local variables of an assignment that is checked" => "a = 1 # => 1\na + 1 # => 2\n",
    "a class by its name" => "class Thing; end\nThing # => Thing\n[Thing] # => [Thing]\n",
    "letters of several bytes before the comment" =>
      "'éü' + \"\\xFF\".scrub # => éü\uFFFD\nInteger('é') # !> ArgumentError: invalid…\n",
    "no comment within a String" => "x = \"# => 5\"\nx # => # => 5\n"
  }.freeze

  RIGHT.each { |what, code| test("the runner accepts #{what}") { assert_empty failures_of(code) } }

  WRONG = {
    "another value" => ["1 + 1 # => 3\n", "sample.md:10: # => 3\n  but it gives 2"],
    "another String" => ["'{}' # => []\n", "but it gives {}"],
    "another line of a text" => ["\"a\\nb\"\n# => a\n#    c\n", "but it gives a\nb"],
    "a broken line that lacks a blank" =>
      ["'a b'\n# => a\n#    bc\n", "but it gives a b"],
    "a String where a number is due" => ["'1x' # => 1\n", "but it gives 1x"],
    "another exception" => ["Integer(nil) # !> ArgumentError: no\n", "but it raises TypeError"],
    "no exception" => ["1 # !> TypeError: no\n", "but it raises nothing, gives 1"],
    "a line that is never reached" =>
      ["if false\n  1 # => 1\nend\n", "sample.md:11: # => 1\n  but it was never reached"],
    "a block that raises" => ["x = 1\nraise 'oh'\n", "sample.md:11: RuntimeError: oh"],
    "a block that is no Ruby" => ["def (\n", "SyntaxError"]
  }.freeze

  WRONG.each do |what, (code, message)|
    test "the runner reports #{what}" do
      found = failures_of(code)
      assert_equal 1, found.count { |failure| failure.include?(message) }, found.inspect
    end
  end

  test "later blocks of a session see what earlier ones defined" do
    assert_empty failures_of("a = 1\ndef twice(x) = x * 2\nclass Later; end\n",
                             "twice(a) # => 2\nLater # => Later\n")
  end

  test "fenced blocks of Ruby are found with their lines, others are not" do
    text = "text\n```ruby\na\nb\n```\n```sh\nc\n```\n\n```ruby\nd\n```\n"
    assert_equal [[3, "a\nb\n"], [11, "d\n"]],
                 (Doctest.fenced("x.md", text).map { |example| [example.line, example.code] })
  end

  test "examples of YARD are found with their lines" do
    text =
      "  # Says.\n  # @example a title\n  #   a = 1\n  #\n  #   a # => 1\n  # @return [nil]\n  " \
      "def x; end\n"
    assert_equal [[3, "a = 1\n\na # => 1\n"]],
                 (Doctest.yard("x.rb", text).map { |example| [example.line, example.code] })
  end

  test "the default Rules are as before, whatever an example did" do
    before = ToJson.default_rules
    assert_empty failures_of("ToJson.default_rules = { nan: :null }\nToJson.generate(Float::NAN) " \
                             "# => null\n")
    assert_same before, ToJson.default_rules
  end
end
