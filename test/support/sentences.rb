# frozen_string_literal: true

# `test "a sentence" do ... end`: defines a test method whose name is that sentence. Two tests of
# one name in one class are an error, since the second would silently replace the first.

# The class that test files inherit from.
class ToJsonTest < Minitest::Test
  # Runs the tests of this class in random order; Minitest prints the seed.
  def self.test_order = :random

  # Defines a test. The block runs on an instance of the class.
  def self.test(sentence, &block)
    raise ArgumentError, "test #{sentence.inspect} has no block" unless block

    name = :"test_#{sentence.gsub(/[\n\r]/, " ")}"
    if method_defined?(name, false)
      raise ArgumentError, "two tests are named #{sentence.inspect} in #{self}"
    end

    define_method(name, &block)
  end

  # A plain `def test_...` would go round the check for names.
  def self.method_added(name)
    super
    return if !name.start_with?("test_") || name.match?(/[^a-z0-9_?!]/i)

    raise ArgumentError,
          "write test \"#{name.to_s.delete_prefix("test_").tr("_", " ")}\" do ... end instead of " \
          "def #{name}"
  end

  # The block's value, without Ruby's warnings, that Ractors are experimental among them.
  def silently
    verbose, $VERBOSE = $VERBOSE, nil
    yield
  ensure
    $VERBOSE = verbose
  end
end
