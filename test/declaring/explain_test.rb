# frozen_string_literal: true

require_relative "declaration_case"

# What explain says of each field: what it costs beyond reading it.
class ExplainTest < DeclarationCase
  READ = "read and written in one go"

  # A field => its cost.
  COSTS = {
    "attribute :a" => READ,
    "attribute :a, default: [1]" => "#{READ}; a default for nil",
    "attribute :a, skip_nil: true" => "#{READ}; no key for nil",
    "attribute :a, if: :b, skip_blank: true" => "1 condition; no key for a blank value",
    "attribute :a, as: ->(value) { value }, skip_nil: true" => "a conversion in Ruby",
    "has_one(:a, skip_nil: true) { attributes :b }" =>
      "fused: part of this object's native call; no key for nil",
    "attribute :a, as: :string" => READ,
    "attribute(:a) { |one| one }" => "a block of the serializer",
    "attribute :a, ->(one) { one }" => "a lambda of the serializer",
    "attribute :a; def a(one) = one" => "a method of the serializer",
    "attribute :a, if: :b" => "1 condition",
    "attribute :a, if: :b, unless: :c" => "2 conditions",
    "attribute(:a, if: [:b, :c]) { 1 }" => "a block of the serializer; 2 conditions",
    "attribute :a, as: ->(value) { value }" => "a conversion in Ruby",
    "attribute :a, default: -> { 1 }" => "a default in Ruby"
  }.freeze

  COSTS.each do |body, cost|
    test "#{body}: #{cost}" do
      assert_equal cost, serializer { class_eval(body) }.explain[/^  a: (.*)$/, 1]
    end
  end

  test "fields and native calls are counted" do
    assert_equal "PostSerializer: 1 field, 1 native call an object",
                 serializer { attributes :a }.explain.lines.first.chomp
    assert_equal "PostSerializer: 60 fields, 2 native calls an object",
                 serializer { attributes(*Array.new(60) { |i| :"f#{i}" }) }.explain
                   .lines
                   .first
                   .chomp
  end

  test "a class with a serialize of its own writes itself" do
    own = serializer do
      attributes :a
      def serialize(one) = put_attributes(one)
    end
    assert_equal "PostSerializer: its own serialize writes", own.explain
  end
end
