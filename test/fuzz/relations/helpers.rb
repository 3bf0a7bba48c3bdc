# frozen_string_literal: true

# Fuzz. What the models of worlds name: types, coders and values of an application's own.

require "json"
require "yaml"

module Fuzz
  module Relations
    # Rows of a world are few, so that its batches must be small.
    def self.small_batches
      batches = ToJson::Rows.const_get(:RowBatches)
      batches.__send__(:remove_const, :SIZE)
      batches.const_set(:SIZE, 2)
    end

    # @return [Object] a relation whose order is left to the database, in the order of its key
    def self.sorted(relation)
      return relation unless relation.is_a?(ActiveRecord::Relation)

      left = relation.values.keys.all? { |part| %i[where readonly annotate].include?(part) }
      left ? relation.order(*relation.klass.primary_key) : relation
    end

    # Writes each record by itself, as `render json: record` does.
    # @return [String]
    def self.records(relation, serializer, options)
      chosen = options.slice(:view, :only, :except, :context)
      relation.to_a.map do |record|
        shown = ToJson::Rows.record(record, serializer, **options)
        serializer.json!(shown || ToJson.preload(record, serializer, **chosen), **options)
      end.join
    end

    # Encrypts what stands in encrypted columns, but for one row in three.
    def self.encrypt(model)
      names = model.encrypted_attributes.to_a.map(&:to_s) & model.column_names
      model.unscoped.order(:id).pluck(:id).each_with_index do |id, i|
        one = model.unscoped.where(id: id)
        one.update_all(names.zip(one.pick(*names)).to_h) unless i % 3 == 2
      rescue StandardError
        nil # broken text
      end
    end

    # A type that changes what it reads.
    class Shout < ActiveRecord::Type::String
      def deserialize(value) = super&.upcase
    end

    # A type of no known class, whose values are Hashes.
    class Wrapped < ActiveModel::Type::Value
      def deserialize(value) = { "of" => value.class.name, "text" => value.to_s.b.inspect }
    end

    # A type that cannot read everything.
    class Picky < ActiveModel::Type::Value
      def deserialize(value)
        raise ArgumentError, "picky" if value.to_s.include?("a")

        value.to_s.size
      end
    end

    # A type that changes in `cast`, which a getter does not call.
    class Lazy < ActiveModel::Type::Value
      def cast(_value) = "cast"
    end

    # A coder that reads anything.
    module Coder
      def self.load(text) = text && { "text" => text.to_s.b.inspect }
      def self.dump(value) = value&.fetch("text", nil)
    end

    # One whose values are Arrays.
    module ListCoder
      def self.load(text) = [text.to_s.bytesize]
      def self.dump(list) = list&.first.to_s
    end

    # One whose values are Hashes, as `store` needs them.
    module HashCoder
      def self.load(text) = { "hue" => text.to_s.bytesize }
      def self.dump(hash) = hash.to_h["hue"].to_s
    end

    # A value made of two columns.
    class Pair
      attr_reader :left, :right

      def initialize(left, right)
        @left = left
        @right = right
      end

      def to_h = { left: left.to_s.b.inspect, right: right }
      def to_s = "pair"
    end

    # What relations are extended with.
    module Extension
      def each(&) = to_a.reverse.each(&)
    end

    # A module without an effect.
    module NoExtension; end
  end
end
