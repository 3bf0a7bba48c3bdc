# frozen_string_literal: true

# Stops. Documents of classes that were not stopped: whether the gem as a whole still works.

module Stops
  # Everything that a stop elsewhere might break.
  module Sound
    Row = Struct.new(:id, :name, :tags)
    ROW = Row.new(1, "a", [Row.new(2, "b", [])].freeze).freeze

    # Declares.
    class RowSerializer < ToJson::Serializer
      attributes :id, :name
      attribute(:twice) { |row| row.name * 2 }
      has_many(:tags) { attributes :id }
    end

    # Has a `serialize` of its own.
    class WordsSerializer < ToJson::Serializer
      def serialize(row) = put_fields(row, :id, :name)
    end

    ONE = '{"id":1,"name":"a","twice":"aa","tags":[{"id":2}]}'

    # Each sentence is a document and how to write it.
    CALLS = {
      ONE => -> { RowSerializer.json!(ROW) },
      "[#{ONE}]" => -> { RowSerializer.json!([ROW]) },
      '{"name":"a"}' => -> { RowSerializer.json!(ROW, only: :name) },
      '{"id":1,"name":"a"}' => -> { WordsSerializer.json!(ROW) },
      '{"x":[1,{"y":2}]}' =>
        -> { ToJson::Serializer.json! { put(:x) { array { value 1; value(y: 2) } } } },
      '{"z":{"w":3}}' => -> { ToJson.json { |j| j.put(:z) { j.put :w, 3 } } },
      '{"a":[1.5,null,"é"]}' => -> { ToJson.generate({ a: [1.5, nil, "é"] }) },
      # compiled now: what a stopped compile left behind meets it
      '{"id":1,"tags":[{"name":"b"}],"late":2}' => lambda {
        Class.new(ToJson::Serializer) do
          attributes :id
          has_many(:tags) { attribute(:name) { |tag| tag.name } }
          attribute(:late) { |row| row.id + 1 }
        end.json!(ROW)
      }
    }.freeze

    # @return [String, nil] what is wrong
    def self.wrong
      CALLS.each do |expected, call|
        got = call.call
        return "another class gave #{got.inspect} instead of #{expected}" unless got == expected
      rescue Exception => error # what another class raises is what the machine looks for
        return "another class raised #{error.class}: #{error.message[0, 200]} " \
               "(#{error.backtrace&.first})"
      end
      nil
    end

    # @return [Integer] Writers that the collector leaves
    def self.writers
      2.times { GC.start }
      ObjectSpace.each_object(ToJson::Writer).count
    end
  end
end
