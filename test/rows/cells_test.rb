# frozen_string_literal: true

# A Cell is written as the value that its type makes of the raw value, whatever the raw value, the
# type, the zone and the Rules.

require_relative "../test_helper"
require_relative "../support/figures"
require_relative "../support/own_process"

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

    # Sentence => a type. test/rows/databases has those of the databases.
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
      { time: "%d.%m.%Y %H:%M:%S.%N %z" }, { decimal: :number }, { html_safe: true },
      { nan: :null }, { indent: "  " },
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

    # Sentence, type, raw value, the JSON; each raw value is met twice, since the first of a zone is
    # asked of the type.
    [["a date", Record::Date.new, "2026-01-31", '"2026-01-31"'],
     ["a time of SQLite", Record::DateTime.new, "2026-01-31 10:11:12.123456",
      '"2026-01-31T10:11:12.123Z"'],
     ["a time without a fraction", Model::DateTime.new, "2026-01-31T10:11:12",
      '"2026-01-31T10:11:12.000Z"'],
     ["a time in a zone", ZONED.new(Record::DateTime.new(precision: 6)), "2026-07-31 10:11:12.5",
      '"2026-07-31T12:11:12.500+02:00"'],
     ["a driver's Time in a zone", ZONED.new(Record::DateTime.new(precision: 6)),
      Time.utc(2026, 1, 31, 10), '"2026-01-31T11:00:00.000+01:00"'],
     ["a time of day", Record::Time.new, "10:11:12.5", '"2000-01-01T10:11:12.500Z"'],
     ["a time of day in a zone", ZONED.new(Record::Time.new), "2000-01-01 10:11:12",
      '"2000-01-01T11:11:12.000+01:00"'],
     ["a decimal of PostgreSQL", Model::Decimal.new(precision: 10, scale: 2), "-12.50", '"-12.5"'],
     ["a decimal of a driver", Model::Decimal.new(precision: 10, scale: 2), BigDecimal("12.50"),
      '"12.5"'],
     ["a whole decimal of a driver", Model::Decimal.new, BigDecimal("-7"), '"-7.0"'],
     ["a decimal of SQLite", Model::Decimal.new(precision: 10, scale: 2), 12.34, '"12.34"'],
     ["a whole decimal", Model::Decimal.new(precision: 10, scale: 2), 12, '"12.0"'],
     ["a small decimal", Model::Decimal.new, 0.00012, '"0.00012"'],
     ["a large decimal", Model::Decimal.new, 1.5e15, '"1500000000000000.0"']]
      .each do |sentence, type, raw, json|
      test "#{sentence} is written without asking the type" do
        with_zone("Europe/Berlin") do
          cell = CELL.new(CASTS.of(type), type)
          cell.of(raw)
          assert_same(cell, cell.of(raw))
          assert_equal(json, ToJson.generate(cell))
          assert_equal(type.deserialize(raw), cell.value)
        end
      end
    end

    test "neither :standard nor :rails asks the type, other dialects do" do
      asked = Class.new(SimpleDelegator) do
        attr_reader :count

        def deserialize(raw)
          @count = @count.to_i + 1
          super
        end
      end
      with_zone("Europe/Berlin") do
        [[Record::Date.new, "2026-01-31"], [Model::Decimal.new(scale: 2), 1.25],
         [Record::DateTime.new, "2026-01-31 10:11:12.123456"],
         [ZONED.new(Record::DateTime.new), "2026-01-31 10:11:12.123456"]].each do |type, raw|
          counted = asked.new(type)
          cell = CELL.new(CASTS.of(type), counted)
          cell.of(raw)
          first = counted.count.to_i
          [{}, { dialect: :rails }].each do |rules|
            assert_equal(ToJson.generate(type.deserialize(raw), **rules),
                         ToJson.generate(cell.of(raw), **rules))
          end
          assert_equal(first, counted.count.to_i, type.class.name)
          ToJson.generate(cell.of(raw), dialect: :json)
          assert_equal(first + 1, counted.count)
        end
      end
    end

    # Sentence, type, raw value, what a getter gives.
    [["an Integer", Model::Integer.new, 2**70, 2**70], ["a Float", Model::Float.new, 1.5, 1.5],
     ["a String", Model::String.new, "text", "text"], ["a 1", Model::Boolean.new, 1, true],
     ["a 0", Model::Boolean.new, 0, false], ["a true", Model::Boolean.new, true, true],
     ["bytes", Model::Binary.new, "\xFF".b, "\xFF".b],
     ["a driver's Time", Record::DateTime.new, Time.utc(2026), Time.utc(2026)],
     ["NULL", ZONED.new(Record::DateTime.new), nil, nil]].each do |sentence, type, raw, value|
      test "#{sentence} is passed on" do
        cell = CELL.new(CASTS.of(type), type)
        cell.of(raw)
        found = cell.of(raw)
        assert_equal([value], [found])
        assert_same(raw, found) unless sentence.start_with?("a 0", "a 1")
      end
    end

    test "a value that its type rounds, or that has another form, is made by the type" do
      [[Model::Decimal.new(precision: 10, scale: 2), "1.234"],
       [Model::Decimal.new(precision: 3, scale: 2), 12.34],
       [Model::Decimal.new(precision: 20), 0.1], [Model::Decimal.new(precision: 2, scale: 1), 123],
       [Model::Decimal.new(precision: 10, scale: 2), BigDecimal("1.234")],
       [Model::Decimal.new(precision: 4, scale: 2), BigDecimal("123.45")],
       [Model::Decimal.new, BigDecimal("1234567890.123456789")],
       [Model::Decimal.new(scale: 2), BigDecimal("-0")],
       [Model::Decimal.new(scale: 2), BigDecimal("Infinity")],
       [Record::Date.new, "1582-10-04"], [Record::DateTime.new, "2026-02-30 10:00:00"],
       [Record::DateTime.new(precision: 0), Time.utc(2026, 1, 1, 0, 0, 0.5r)]].each do |type, raw|
        cell = CELL.new(CASTS.of(type), type)
        2.times { assert_equal(type.deserialize(raw).inspect, cell.of(raw).inspect) }
      end
    end

    test "a type of another class, of a patched class or with a method of its own is asked" do
      [Class.new(Record::Date).new, Record::Json.new, Object.new, nil,
       Record::Date.new.tap { |type| def type.deserialize(_raw) = 1 }].each do |type|
        assert_nil(CASTS.of(type))
      end
      assert_equal([false], patched("ActiveModel::Type::Decimal"))
      assert_equal([true], patched(nil))
    end

    # Whether a Cell knows a Decimal in a process that has patched a class.
    def patched(name)
      patch = name && "#{name}.prepend(Module.new { def cast(value) = super })"
      code = <<~RUBY
        require "to_json/active_record"
        require "to_json/rows/casts"
        #{patch}
        casts = ToJson.const_get(:Rows).send(:const_get, :Casts)
        p(!casts.of(ActiveModel::Type::Decimal.new).nil?)
      RUBY
      out, status = Open3.capture2(*PlainRuby.start(rubygems: true), "-e", code)
      assert_predicate(status, :success?)
      [out.strip == "true"]
    end

    test "the kinds name classes that exist" do
      missing = CASTS::KINDS.keys.reject { |name| Object.const_defined?(name) }
      # test/rows/databases asks for those of PostgreSQL.
      assert_empty(missing.grep_v(/PostgreSQL|SQLite3/))
    end

    test "a kind that does not exist is refused" do
      assert_raises(ArgumentError) { CELL.new(:none, Model::Value.new) }
      assert_raises(TypeError) { CELL.new("date", Model::Value.new) }
      assert_raises(TypeError) { CELL.allocate }
    end

    test "user code sees the value and never the Cell" do
      seen = []
      note = lambda do |value, *|
        seen << value.class
        value.to_s
      end
      type = Record::Date.new
      [{ convert: { Object => note } }, { convert: { Date => note } },
       { dialect: :strict, as_json: note }].each do |rules|
        cell = CELL.new(:date, type)
        assert_equal('"2026-01-31"', ToJson.generate(cell.of("2026-01-31"), **rules))
      end
      assert_equal([Date], seen.uniq - [String])
    end

    test "at each change of each zone's offset, the document is that of the type" do
      type = ZONED.new(Record::DateTime.new)
      clock = ZONED.new(Record::Time.new)
      changes = 0
      ActiveSupport::TimeZone.all.each do |zone|
        with_zone(zone.name) do
          at = zone.tzinfo.transitions_up_to(Time.utc(2038), Time.utc(2015)).map do |change|
            change.at.to_i
          end
          changes += at.size
          times = at.flat_map { |second| [second - 1, second, second + 3600] }
          raws = [*times, 0, -10**10, 10**10].map { |second| text_of(second) }
          assert_cells(type, raws.shuffle(random: Random.new(1)), Fields, {})
          clocks = Array.new(24) { |hour| format("2000-01-01 %02d:30:00", hour) }
          assert_cells(clock, clocks, Fields, {})
        end
      end
      assert_operator(changes, :>, 1000)
    end

    def text_of(second) = Time.at(second).utc.strftime("%Y-%m-%d %H:%M:%S.%6N")

    test "times in the local time of the process are made by the type" do
      before = ActiveRecord.default_timezone
      ActiveRecord.default_timezone = :local
      raws = ["2026-01-31 10:11:12", "2026-07-31 10:11:12", "2026-03-29 02:30:00"]
      local = ENV.fetch("TZ", nil)
      ENV["TZ"] = "Europe/Berlin"
      assert_cells(Record::DateTime.new, raws, Fields, {})
      with_zone("Asia/Tokyo") { assert_cells(ZONED.new(Record::DateTime.new), raws, Fields, {}) }
    ensure
      ActiveRecord.default_timezone = before
      ENV["TZ"] = local
    end

    test "an enum's names are kept up to a limit, and its errors are not" do
      calls = 0
      subtype = Model::Integer.new
      subtype.define_singleton_method(:deserialize) do |raw|
        calls += 1
        raise(ArgumentError, "seven") if raw == 7

        raw
      end
      type = ActiveRecord::Enum::EnumType.new("state", { "a" => 1, "none" => nil }, subtype)
      cell = CELL.new(CASTS.of(type), type)
      assert_equal(["a", "a", "none", "none"], [1, 1, nil, nil].map { |raw| cell.of(raw) })
      assert_equal(2, calls)
      2.times { assert_raises(ArgumentError) { cell.of(7) } }
      2.times { (100..200).each { |raw| assert_nil(cell.of(raw)) } }
      assert_equal(4 + 202 - 62, calls)
    end

    test "nothing is allocated for a date, a time or a decimal" do
      with_zone("Europe/Berlin") do
        [[Record::Date.new, "2026-01-31"], [Record::DateTime.new, "2026-01-31 10:11:12.123456"],
         [ZONED.new(Record::DateTime.new), "2026-01-31 10:11:12.123456"],
         [Model::Decimal.new(precision: 10, scale: 2), "12.34"],
         [Model::Decimal.new(precision: 10, scale: 2), 12.34]].each do |type, raw|
          more = allocated_by(CELL.new(CASTS.of(type), type), raw)
          assert_operator(more, :<=, 0, type.class.name)
        end
      end
    end

    # How many objects each further element of a document costs.
    def allocated_by(cell, raw)
      one = CellReader.new(cell, raw)
      lists = [Array.new(100) { one }, Array.new(300) { one }]
      Fields.json!(lists[0])
      counts = Array.new(3) do
        lists.map do |list|
          before = GC.stat(:total_allocated_objects)
          Fields.json!(list)
          GC.stat(:total_allocated_objects) - before
        end
      end
      counts.map { |less, more| more - less }.min
    end

    test "a Cell keeps what it holds alive, and finds it where it was moved" do
      with_zone("Europe/Berlin") do
        type = ZONED.new(Record::DateTime.new)
        cells = Array.new(200) { CELL.new(CASTS.of(type), type) }
        raws = Array.new(200) { |i| "2026-01-31 10:00:00.#{format("%06d", i * 1000)}" }
        2.times { cells.each_with_index { |cell, i| cell.of(raws[i].dup) } }
        names = CELL.new(:name, self.class.enums.first)
        names.of(0)
        Array.new(10_000) { |i| "garbage #{i}" }
        GC.respond_to?(:compact) ? GC.compact : GC.start
        cells.each_with_index { |cell, i| assert_equal(type.deserialize(raws[i]), cell.value) }
        assert_equal("draft", names.of(0))
        GC.stress = true
        json = ToJson.generate(cells[199].of("2026-01-31 10:00:00.5"))
        GC.stress = false
        assert_equal('"2026-01-31T11:00:00.500+01:00"', json)
        assert_equal('"31"', ToJson.generate(cells[199], time: "%d"))
      ensure
        GC.stress = false
      end
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
