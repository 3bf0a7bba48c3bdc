# frozen_string_literal: true

# The points of a declared serializer at which user code runs, for tests that leave the document
# from each of them.

# Every point as a lambda that writes one document and runs `code` in the middle of it, when
# something was written.
module DeclaredPoints
  # Getters around one that runs the code.
  class Row
    def initialize(code = nil, list = nil)
      @code = code
      @list = list
    end

    def id = 1
    def name = @code&.call
    def list = @list
    def last = 3
  end

  # Runs the code when it is walked.
  class Walked
    include Enumerable

    def initialize(code) = @code = code

    def each
      yield Row.new
      yield Row.new(@code)
    end
  end

  # Runs it when it is written to.
  Sink = Struct.new(:code) do
    def write(text)
      code.call
      text.bytesize
    end
  end

  Small = Class.new(ToJson::Serializer) { attributes :id, :last }
  Named = Class.new(ToJson::Serializer) { attributes :id, :name, :last }

  def self.declared(&body) = Class.new(ToJson::Serializer, &body)

  # A serializer whose context is the code.
  def self.by_context(&body)
    serializer = declared do
      attributes :id
      class_exec(&body)
      attributes :last
    end
    ->(code) { serializer.json!(Row.new(-> { 2 }, [Row.new, Row.new]), context: code) }
  end

  OWN = declared do
    attributes :id, :name
    def name(_row) = context.call
  end
  MIXED = declared do
    attributes :id, :last
    def serialize(row)
      put :before, 1
      super
      put(:after) { put :x, context.call }
    end
  end
  LISTED = declared { attributes :id; has_many :list, serializer: Named }

  ALL = {
    "a getter" => ->(code) { Named.json!(Row.new(code)) },
    "a getter of a row among many" => ->(code) { Named.json!([Row.new, Row.new(code), Row.new]) },
    "a getter of an associated row" =>
      declared { attributes :id; has_one(:list) { attributes :id, :name } }
                 .then { |s| ->(code) { s.json!(Row.new(nil, Row.new(code))) } },
    "a getter of a flattened row" =>
      declared { attributes :last; flatten(:list) { attributes :id, :name } }
                 .then { |s| ->(code) { s.json!(Row.new(nil, Row.new(code))) } },
    "a getter under a Mask" => ->(code) { Named.json!(Row.new(code), only: %i[id name]) },
    "a block" => by_context { attribute(:x) { |_| context.call } },
    "a block that sees the object" => by_context { attribute(:x) { context.call && object.id } },
    "a method of the serializer" => ->(code) { OWN.json!(Row.new, context: code) },
    "a condition" => by_context { attribute :name, if: ->(_) { context.call } },
    "a condition of nested" =>
      by_context { nested(:n, unless: -> { context.call }) { attributes :id } },
    "a default" => by_context { attribute(:x, default: -> { context.call }) { nil } },
    "as: a callable" => declared do
      attributes :id; attribute :name, as: ->(code) { code.respond_to?(:call) ? code.call : code }
    end
      .then { |s| ->(code) { s.json!(Row.new(-> { code })) } },
    "a lambda that gives the serializer" =>
      by_context { has_many :list, serializer: ->(_) { context.call && Small } },
    "a lambda that gives the context" =>
      by_context do
        has_one :name, source: :itself, serializer: Small, context: -> { context.call }
      end,
    "a value block" =>
      by_context { has_one(:one, serializer: Small) { |row| context.call && row } },
    "the each of a collection" => ->(code) { LISTED.json!(Row.new(nil, Walked.new(code))) },
    "the each of many at the top" =>
      ->(code) { Small.json!(Walked.new(nil)) && Named.json!(Walked.new(code)) },
    "meta" =>
      declared { root :row; attributes :id; meta { |_| { x: context.call } } }
                 .then { |s| ->(code) { s.json!(Row.new, context: code) } },
    "a serialize around the fields" => ->(code) { MIXED.json!([Row.new, Row.new], context: code) },
    "a document within a getter of its own class" =>
      ->(code) { Named.json!(Row.new(-> { Named.json!(Row.new(code)) })) },
    "the Sink's write" => ->(code) do
      Named.json!(Array.new(3_000) { Row.new(-> { "x" * 60 }) }, into: Sink.new(code))
    end
  }.freeze

  # What must be right after anything.
  def self.sound?
    Named.json!(Row.new(-> { 2 })) == '{"id":1,"name":2,"last":3}' &&
      Named.json!([Row.new, Row.new(-> { :x })], only: "name") == '[{"name":null},{"name":"x"}]' &&
      OWN.json!(Row.new, context: -> { 4 }) == '{"id":1,"name":4}' &&
      MIXED.json!(Row.new, context: -> { 5 }) == '{"before":1,"id":1,"last":3,"after":{"x":5}}' &&
      LISTED.json!(Row.new(nil, [Row.new, nil])) ==
        '{"id":1,"list":[{"id":1,"name":null,"last":3},null]}'
  end
end
