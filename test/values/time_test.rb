# frozen_string_literal: true

# Time, DateTime, Date and TimeWithZone under each time: rule.

require_relative "value_case"
require "date"

class TimeTest < ValueCase
  writes("a Time in UTC ends in Z", '"2026-11-20T10:00:00.000Z"') { Time.utc(2026, 11, 20, 10) }
  writes("a Time elsewhere has its own offset", '"2026-11-20T10:00:00.000+01:00"') do
    Time.new(2026, 11, 20, 10, 0, 0, "+01:00")
  end
  writes("a Time west of Greenwich", '"2026-11-20T10:00:00.000-09:30"') do
    Time.new(2026, 11, 20, 10, 0, 0, "-09:30")
  end
  writes("a Time at offset zero that is not UTC is +00:00", '"2026-11-20T10:00:00.000+00:00"') do
    Time.new(2026, 11, 20, 10, 0, 0, "+00:00")
  end
  writes("milliseconds are truncated", '["1970-01-01T00:00:00.999Z","1970-01-01T00:00:00.001Z"]') do
    [Time.at(0, 999_999_999, :nsec).utc, Time.at(Rational(1_999_999, 1_000_000_000)).utc]
  end
  writes("milliseconds before 1970 are truncated towards the past", '"1969-12-31T23:59:58.500Z"') do
    Time.at(-1.5).utc
  end
  writes("a fraction finer than nanoseconds", '"1970-01-01T00:00:00.333Z"') do
    Time.at(Rational(1, 3)).utc
  end
  writes("the offset loses its seconds, the time of day does not",
         '"1890-01-01T00:00:00.000+00:19"') do
    Time.new(1890, 1, 1, 0, 0, 0, 19 * 60 + 32)
  end
  writes("a leap day", '"2024-02-29T23:59:59.000Z"') { Time.utc(2024, 2, 29, 23, 59, 59) }
  writes("years beyond 9999 have as many digits as they need",
         '["10000-01-01T00:00:00.000Z","123456-07-08T00:00:00.000Z"]') do
    [Time.utc(10_000), Time.utc(123_456, 7, 8)]
  end
  writes("years below 1000 have four digits",
         '["0000-01-01T00:00:00.000Z","0999-12-31T00:00:00.000Z"]') do
    [Time.utc(0), Time.utc(999, 12, 31)]
  end
  writes("years before year 0 have a minus sign",
         '["-0001-01-01T00:00:00.000Z","-4712-01-01T00:00:00.000Z"]') do
    [Time.utc(-1), Time.utc(-4712)]
  end

  # Moments around which calendars and clocks jump, and seeded ones everywhere.
  def moments
    random = Random.new(17)
    corners = [0, -1, 951_782_400, 4_107_542_399, 253_402_300_799, 253_402_300_800, -62_167_219_200,
               -62_167_219_201, 1_667_091_600]
    corners.flat_map { |at| (-1..1).map { |by| at + by } } + Array.new(2000) do
      random.rand(-300_000_000_000..300_000_000_000)
    end
  end

  test "2,000 moments at random offsets are what Ruby's own strftime gives" do
    random = Random.new(18)
    wrong = moments.map do |at|
      Time.at(at, random.rand(1_000_000_000), :nsec, in: random.rand(-1439..1439) * 60)
    end.reject do |time|
      ToJson.generate(time) == time.strftime("\"%Y-%m-%dT%H:%M:%S.%L%:z\"")
    end
    assert_empty wrong
    assert_empty(
      moments.map { |at| Time.at(at).utc }.reject do |time|
        ToJson.generate(time) == time.strftime("\"%Y-%m-%dT%H:%M:%S.%LZ\"")
      end
    )
  end

  test "local times on both sides of a change of the clocks have their offsets" do
    zone = ENV.fetch("TZ", nil)
    ENV["TZ"] = "Europe/Berlin"
    before, after = Time.at(1_667_091_599), Time.at(1_667_091_600)
    skip "this system has no time zone data" if before.utc_offset == after.utc_offset
    assert_equal '["2022-10-30T02:59:59.000+02:00","2022-10-30T02:00:00.000+01:00"]',
                 ToJson.generate([before, after])
  ensure
    ENV["TZ"] = zone
  end

  writes("under time: :utc all are in UTC",
         '["2026-11-20T09:00:00.000Z","2026-11-20T10:00:00.000Z"]', time: :utc) do
    [Time.new(2026, 11, 20, 10, 0, 0, "+01:00"), Time.utc(2026, 11, 20, 10)]
  end
  writes("under time: :unix seconds since 1970, towards the past", "[1795168800,-2,0]",
         time: :unix) do
    [Time.utc(2026, 11, 20, 10), Time.at(-1.5), Time.at(0.999)]
  end
  writes("under time: :unix_ms milliseconds since 1970, towards the past",
         "[1795168800123,-1500,-1]", time: :unix_ms) do
    [Time.utc(2026, 11, 20, 10, 0, 0, 123_999), Time.at(-1.5), Time.at(0, -1, :nsec)]
  end
  writes("under time: a strftime pattern that text", '["20.11.2026 \"10\" é"]',
         time: "%d.%m.%Y \"%H\" é") do
    [Time.utc(2026, 11, 20, 10)]
  end

  refuses("a Time less than a second too far away to count milliseconds raises",
          ToJson::NumberError, time: :unix_ms) { Time.at(9_223_372_036_854_775, 808, :millisecond) }

  writes("the first and the last millisecond of 64 bits",
         "[-9223372036854775808,9223372036854775807]", time: :unix_ms) do
    [Time.at(-9_223_372_036_854_776, 192, :millisecond),
     Time.at(9_223_372_036_854_775, 807, :millisecond)]
  end

  refuses("a Time before the first millisecond of 64 bits raises", ToJson::NumberError,
          time: :unix_ms) { Time.at(-9_223_372_036_854_776, 191, :millisecond) }

  refuses("a Time too far away to count milliseconds raises", ToJson::NumberError, path: "$[0]",
          time: :unix_ms) do
    [Time.at(2**62)]
  end

  test "a Time beyond what the system counts raises and leaves the path" do
    error = assert_raises(ArgumentError, RangeError) { ToJson.generate({ a: [1, Time.at(2**70)] }) }
    assert_equal "$.a[1]", ToJson.location(error)
  end

  writes("a Date", '["2026-11-20","0001-01-01","9999-12-31","10000-01-01"]') do
    [Date.new(2026, 11, 20), Date.new(1, 1, 1), Date.new(9999, 12, 31), Date.new(10_000, 1, 1)]
  end
  writes("a Date before year 0", '["0000-03-01","-0001-12-31","-4712-01-01"]') do
    [Date.new(0, 3, 1), Date.new(-1, 12, 31), Date.new]
  end

  test "Dates around the reform of the calendar and everywhere else are what iso8601 gives" do
    random = Random.new(19)
    days = (2_299_150..2_299_170).map { |jd| Date.jd(jd) } + Array.new(5000) do
      Date.jd(random.rand(-1_000_000..6_000_000))
    end
    days += [Date.new(1582, 10, 20, Date::ITALY), Date.new(1600, 2, 29, Date::ENGLAND),
             Date.new(1500, 2, 28, Date::GREGORIAN)]
    assert_empty(days.reject { |day| ToJson.generate(day) == "\"#{day.iso8601}\"" })
  end

  writes("a Date has no time of day: the time: rule leaves it", '"2026-11-20"', time: :unix) do
    Date.new(2026, 11, 20)
  end
  writes("a DateTime with its own offset", '"2026-11-20T10:00:00.500+01:30"') do
    DateTime.new(2026, 11, 20, 10, 0, 0.5r, "+01:30")
  end
  writes("a DateTime at offset zero is +00:00: it does not know UTC",
         '"2026-11-20T10:00:00.000+00:00"') do
    DateTime.new(2026, 11, 20, 10)
  end
  writes("a DateTime under time: :unix", "1795165200", time: :unix) do
    DateTime.new(2026, 11, 20, 10, 0, 0, "+01:00")
  end
  writes("a DateTime under time: :utc", '"2026-11-20T09:00:00.000Z"', time: :utc) do
    DateTime.new(2026, 11, 20, 10, 0, 0, "+01:00")
  end
  writes("a DateTime under a strftime pattern", '"20.11.2026"', time: "%d.%m.%Y") do
    DateTime.new(2026, 11, 20)
  end

  test "DateTimes since the reform of the calendar are what iso8601 with milliseconds gives" do
    random = Random.new(20)
    times = Array.new(1000) do
      DateTime.jd(random.rand(2_299_161..5_373_484), random.rand(24), random.rand(60),
                  random.rand(60) + Rational(random.rand(1000), 1000),
                  Rational(random.rand(-1439..1439), 1440))
    end
    assert_empty(
      times.reject { |time| ToJson.generate(time) == time.strftime("\"%Y-%m-%dT%H:%M:%S.%L%:z\"") }
    )
  end

  writes("a subclass of Time, Date or DateTime is written like it",
         '["1970-01-01T00:00:00.000Z","2026-11-20","2026-11-20T00:00:00.000+00:00"]') do
    [Class.new(Time).at(0).utc, Class.new(Date).new(2026, 11, 20),
     Class.new(DateTime).new(2026, 11, 20)]
  end
  writes("a subclass of Time with its own to_s is that", '"noon"') do
    Class.new(Time) { def to_s = "noon" }.at(0)
  end

  writes("a DateTime of long ago has the day of its own calendar",
         '["1000-01-01T00:00:00.000+00:00","-4712-01-01T12:00:00.000+00:00"]') do
    [DateTime.new(1000, 1, 1), DateTime.new(-4712, 1, 1, 12)]
  end
  writes("a DateTime however far away", '["1000000000000-01-01T00:00:00.000+00:00"]') do
    [DateTime.new(10**12, 1, 1)]
  end
  writes("a DateTime before 1970 in seconds and milliseconds, towards the past", "[-2]",
         time: :unix) do
    [DateTime.new(1969, 12, 31, 23, 59, 58.5r)]
  end
  writes("a DateTime however far away in milliseconds", "[31556951937832780800000]",
         time: :unix_ms) do
    [DateTime.new(10**12, 1, 1)]
  end

  test "what was patched into Time, Date and DateTime does not matter" do
    with_patched([Time, Date, DateTime], :as_json, "patched") do
      with_patched([DateTime], :to_time, "patched") do
        text = ToJson.generate([Time.at(0).utc, Date.new(2026, 1, 1), DateTime.new(2026, 1, 1)])
        assert_equal '["1970-01-01T00:00:00.000Z","2026-01-01","2026-01-01T00:00:00.000+00:00"]',
                     text
      end
    end
  end

  if Without.library?("active_support")
    require "active_support/all"

    def zone(name) = ActiveSupport::TimeZone[name]

    writes("a TimeWithZone has its zone's offset",
           '["2026-11-20T10:00:00.000+01:00","2026-07-01T10:00:00.123+02:00"]') do
      [zone("Berlin").local(2026, 11, 20, 10), zone("Berlin").local(2026, 7, 1, 10, 0, 0.1239r)]
    end
    writes("a TimeWithZone in UTC ends in Z", '"2026-11-20T10:00:00.000Z"') do
      zone("UTC").local(2026, 11, 20, 10)
    end
    writes("a TimeWithZone under time: :unix_ms", "1795165200000", time: :unix_ms) do
      zone("Berlin").local(2026, 11, 20, 10)
    end
    writes("a TimeWithZone under time: :utc", '"2026-11-20T09:00:00.000Z"', time: :utc) do
      zone("Berlin").local(2026, 11, 20, 10)
    end
    writes("a TimeWithZone under a strftime pattern", '"20.11.2026 CET"', time: "%d.%m.%Y %Z") do
      zone("Berlin").local(2026, 11, 20)
    end
  end
end
