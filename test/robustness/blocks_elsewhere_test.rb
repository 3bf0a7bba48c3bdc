# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/figures"
require_relative "../support/own_process"

# Blocks of declarations in another Ractor than the main one: they run, or nothing is written.
class BlocksElsewhereTest < ToJsonTest
  # With a variable around the classes or without, and what one of them declares.
  SCRIPT = <<~'RUBY'
    Row = Struct.new(:id, :rows) { def inner = rows&.first }
    class Delivered
      attr_reader :text
      def initialize = @text = +""
      def write(text) = (@text << text; text.bytesize)
    end
    class Two < ToJson::Serializer
      attribute(:twice) { |row| row.id * 2 }
      def self.number(row) = row.id + 1
    end
    def top_lambda = ->(row) { row.id > 0 }
    TOP = top_lambda
    def top(row) = row.id
    TOP_METHOD = method(:top)
    %s
    BOUND = Class.new(ToJson::Serializer) { attribute(:twice) { |row| row.id * (factor rescue 2) } }
    TYPE = Class.new(ToJson::Serializer) { attributes :id; %s }
    ToJson.compile!
    def elsewhere
      Ractor.new do
        row, io = Row.new(1, [Row.new(2), Row.new(3)]), Delivered.new
        TYPE.json!(row) == TYPE.json!(row, into: io).text ? io.text : "different"
      rescue StandardError => error
        "#{error.class}: #{error.message} #{io.text.size}"
      end.value
    end
    def here = TYPE.json!(Row.new(1, [Row.new(2), Row.new(3)]))
    print elsewhere.then { |there| there == here ? "runs" : there }
  RUBY

  RUNS = ["attribute(:b) { |row| row.id }", "nested(:n) { attribute(:b) { |row| row.id } }",
          "has_many(:rows) { attribute(:b) { |row| row.id * 2 } }",
          "has_one(:inner) { attribute(:b) { |row| row.id }; has_many(:rows) { attribute(:c) { 1 " \
          "} } }",
          "has_many(:rows) { attribute :id, if: ->(row) { row.id > 2 } }",
          "view(:more) { attribute(:b) { |row| row.id } }; default_view :more",
          "has_many :rows, serializer: Two",
          # A Symbol's Proc, and that of a Method whose receiver is a class.
          "attribute(:b, &:id)", "attribute :b, :id, if: :inner.to_proc",
          "attribute :b, :id, as: :even?.to_proc",
          "has_many(:rows, default: :inner.to_proc) { attributes :id }",
          "attribute :b, :id, as: Integer.method(:sqrt).to_proc",
          "attribute(:b, &Two.method(:number))"].freeze

  SEES = "its block sees local variables"
  SELF = /has a self that cannot be shared \(an instance of \w+\)/

  # What is declared, and the place and the reason that the error names.
  REFUSED = { "attribute(:b) { |row| row.id * factor }" => ["attribute :b", SEES],
              "has_many(:rows) { attribute(:b) { |row| row.id * factor } }" =>
                ["attribute :b", SEES],
              "nested(:n) { attribute :id, if: ->(row) { factor > 1 } }" =>
                ["attribute :id", "its if: sees local variables"],
              "has_many :rows, serializer: BOUND" => ["attribute :twice", SEES],
              'has_many :rows, serializer: "BOUND"' => ["attribute :twice", SEES],
              "root :row; meta { { all: factor } }" => ["TYPE: meta", SEES],
              "attribute :rows, as: ->(rows) { factor }" =>
                ["attribute :rows", "its as: sees local variables"],
              "attribute :b, :id, unless: ->(_) { factor > 2 }" =>
                ["attribute :b", "its unless: sees local variables"],
              "attribute :b, :id, as: Object.new.tap { |o| def o.call(id) = id }" =>
                ["attribute :b", "its as: cannot be shared"],
              "attribute :b, :id, if: :even?.to_proc << :id.to_proc" =>
                ["attribute :b", "its if: is a Proc without Ruby code"],
              "attribute :b, :id, as: Integer.method(:sqrt)" =>
                ["attribute :b", "its as: cannot be shared"],
              "attribute :b, :id, if: TOP" => ["attribute :b", /its if: #{SELF}/],
              "attribute :b, :id, as: [].method(:push).to_proc" =>
                ["attribute :b", /its as: #{SELF}/],
              "attribute(:b, &TOP_METHOD)" => ["attribute :b", /its block #{SELF}/] }.freeze

  # `--yjit` where tests run in full, on the Ruby whose YJIT users have.
  INTERPRETERS = Figures.full? && defined?(RubyVM::YJIT) ? [[], ["--yjit"]] : [[]]

  RUNS.each do |declared|
    test "runs in another Ractor: #{declared}" do
      assert_equal "runs", OwnProcess.run(format(SCRIPT, "", declared))
    end
  end

  REFUSED.to_a.product(INTERPRETERS) do |(declared, (place, reason)), options|
    test "is refused in another Ractor before a byte is written: " \
         "#{[declared, *options].join(" ")}" do
      answer = OwnProcess.run(format(SCRIPT, "factor = 2", declared), *options)
      assert_match(/\AToJson::Error: .*#{place}: #{reason}, .*Write a method .* 0\z/, answer)
    end
  end
end
