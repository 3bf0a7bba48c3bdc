# frozen_string_literal: true

# A Cell is written as the value that its type makes of the raw value, whatever the raw value, the
# type, the zone and the Rules.

require_relative "../test_helper"
require_relative "../support/figures"

if Without.library?("active_record")
  require "to_json/active_record"
  require "to_json/rows/casts"
  require_relative "raw_values"

  class CellsTest < ToJsonTest
    CASTS = ToJson.const_get(:Rows).send(:const_get, :Casts)
    CELL = ToJson.const_get(:Rows).send(:const_get, :Cell)
    Model = ActiveModel::Type
    Record = ActiveRecord::Type
    ZONED = ActiveRecord::AttributeMethods::TimeZoneConversion::TimeZoneConverter
    OID = "ActiveRecord::ConnectionAdapters::PostgreSQL::OID"

    # Sentence => a type. Those of PostgreSQL need no server, but its adapter requires pg.
    def self.types
      precisions = [nil, 0, 3, 6]
      times = precisions.flat_map do |precision|
        [Model::DateTime, Record::DateTime, Record::Time].map { |type| type.new(precision:) }
      end
      decimals = [[nil, nil], [nil, 2], [10, 2], [5, 1], [15, 6], [16, 4], [20, 4], [30, nil],
                  [3, 3], [10, 0]]
      decimals = decimals.map { |precision, scale| Model::Decimal.new(precision:, scale:) }
      [Model::Value.new, Model::Integer.new, Model::Integer.new(limit: 2), Model::BigInteger.new,
       Record::UnsignedInteger.new, Record::DecimalWithoutScale.new(precision: 8),
       Model::String.new, Model::ImmutableString.new(true: "1", false: "0"), Record::Text.new,
       Model::Boolean.new, Model::Float.new, Model::Binary.new, Model::Date.new, Record::Date.new,
       Record::Json.new, *times, *times.grep_v(Model::DateTime).map { |type| ZONED.new(type) },
       *times.grep(Model::DateTime).map { |type| ZONED.new(type) }, *decimals, *enums]
    end

    def self.enums
      numbers = { "draft" => 0, "live" => 1, "gone" => -5, "none" => nil }
      texts = { "draft" => "d", "live" => "l" }
      [[numbers, Model::Integer.new], [texts, Model::String.new]].map do |mapping, subtype|
        ActiveRecord::Enum::EnumType.new("state", mapping, subtype)
      end
    end

    TYPES = types.freeze

    RULES = [
      {}, {}, {}, { time: :utc }, { time: :unix }, { time: :unix_ms },
      { time: "%d.%m.%Y %H:%M:%S.%N %z" }, { decimal: :number }, { html_safe: true }, { nan: :null }, { indent: "  " },
      { convert: { Date => lambda(&:year) } }, { convert: { Time => lambda(&:to_i) } },
      { convert: { ActiveSupport::TimeWithZone => ->(time) { time.zone } } },
      { convert: { BigDecimal => ->(decimal) { decimal.to_s } } },
      { convert: { Object => ->(value) { value.class.name } } },
      { dialect: :rails }, { dialect: :rails }, { dialect: :strict },
      { dialect: :strict, as_json: lambda(&:to_s) }, { dialect: :json }, { dialect: :json2 },
      { dialect: :json, rfc8785: true }, { dialect: :oj }, { dialect: :oj_strict }
    ].freeze

    ZONES = [nil, "UTC", "Europe/Berlin", "America/New_York", "Pacific/Apia", "Asia/Kathmandu",
             "Africa/Casablanca", "Antarctica/Troll", "America/St_Johns", "Etc/GMT+12",
             "Australia/Lord_Howe"].freeze

    # What a serializer reads: the value of the type, or the Cell's.
    class Reader
      def initialize(type, raw)
        @type = type
        @raw = raw
      end

      def value = @type.deserialize(@raw)
      alias again value
    end

    class CellReader < Reader
      def value = @type.of(@raw)
      alias again value
    end

    # Two fields of the same column: a Part that is written in one go; and one with options.
    class Fields < ToJson::Serializer
      attributes :value, :again
    end

    class Options < ToJson::Serializer
      attribute :value, skip_nil: true
      attribute :again, name: :other, default: "none"
    end

    def outcome
      yield
    rescue StandardError => error
      "#{error.class} #{ToJson.location(error)}"
    end

    # One Cell meets all raw values, as a column does.
    def assert_cells(type, raws, serializer, rules)
      kind = CASTS.of(type) || :cast
      given = raws.map { |raw| raw.is_a?(String) ? raw.dup : raw }
      serializer = Class.new(serializer) { rules(**rules) }
      cell = CELL.new(kind, type)
      alone = CELL.new(kind, type)
      wanted = raws.map { |raw| outcome { serializer.json!(Reader.new(type, raw)) } }
      found = raws.map { |raw| outcome { serializer.json!(CellReader.new(cell, raw)) } }
      bare = raws.map { |raw| outcome { ToJson.generate(alone.of(raw), **rules) } }
      plain = raws.map { |raw| outcome { ToJson.generate(type.deserialize(raw), **rules) } }
      raws.each_index do |i|
        next if wanted[i] == found[i] && plain[i] == bare[i]

        flunk("#{type.class} #{type.precision.inspect} #{type.scale.inspect} #{kind}, zone " \
              "#{Time.zone&.name.inspect}, #{rules}, #{raws[i].inspect}:\n" \
              "#{wanted[i]}, #{plain[i]}\n#{found[i]}, #{bare[i]}")
      end
      assert_equal(given, raws, "the raw values are untouched")
    end

    test "random raw values are written as what their types make of them" do
      random = Random.new(Minitest.seed || 1)
      values = RawValues.new(random)
      count = Figures.of("raw values of Cells")
      done = 0
      with_zone do
        while done < count
          type = TYPES[random.rand(TYPES.size)]
          Time.zone = ZONES[random.rand(ZONES.size)]
          raws = values.of(CASTS.of(type), 40)
          assert_cells(type, raws, random.rand(4).zero? ? Options : Fields,
                       RULES[random.rand(RULES.size)])
          done += raws.size
        end
      end
      Figures.reached("raw values of Cells", done)
    end

    def with_zone(zone = nil)
      before = Time.zone
      Time.zone = zone if zone
      yield
    ensure
      Time.zone = before
    end
  end
end
