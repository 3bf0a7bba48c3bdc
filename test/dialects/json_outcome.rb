# frozen_string_literal: true

# What a call gives: its text, or what it raised.
class JsonOutcome
  attr_reader :text, :error

  def self.of
    new(yield, nil)
  rescue SystemStackError, StandardError => e
    new(nil, e)
  end

  def initialize(text, error)
    @text = text
    @error = error
  end

  # Errors of the user's own code have the same class; json's have its words too, ours before them
  # the path.
  def same?(other)
    if text
      return other.text && settled(text.b) == settled(other.text.b) &&
             text.encoding == other.text.encoding
    end
    return false unless other.error

    words = settled(other.error.message.b)
    error.instance_of?(other.error.class) &&
      (![JSON::GeneratorError, JSON::NestingError].any? { |type| error.is_a?(type) } ||
         words.end_with?(settled(error.message.b)) || words.include?("invalid: :replace"))
  end

  # Without addresses, which differ from object to object.
  def settled(words) = words.gsub(/0x\h{16}/, "0x")

  def inspect = text ? text.inspect : "#{error.class}: #{error.message[0, 200]}"
end
