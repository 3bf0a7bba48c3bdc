# frozen_string_literal: true

require "bigdecimal"
require "date"

# Random raw values of a database's columns: mostly what the column's type expects, in the forms of
# all drivers, and sometimes anything.
class RawValues
  EDGES = [nil, "", " ", "x", "0", "1", "t", "f", "NaN", "Infinity", "-infinity", "0000-00-00",
           "0000-00-00 00:00:00", "2026-02-29", "2024-02-29", "2026-02-30 10:00:00", "1900-02-29",
           "1582-10-10", "1500-02-29", "0001-01-01", "9999-12-31 23:59:59.999999",
           "0001-01-01 00:00:00", "0000-01-01 00:00:00", "2026-01-31T10:11:12Z", "24:00:00",
           "2026-01-31 24:00:00", "2026-01-31 10:11:60", "2026-01-31 10:11", "10:11:12",
           "2026-01-31 10:11:12+02", "2026-01-31 10:11:12.1234567", "2026-01-31 10:11:12.",
           "2026-01-31 10:11:12 BC", "0044-03-15 BC", "2026-01-31\n", "2026-01-31 10:11:12\n",
           "é", "\xFF", "\x00", "-0", "-0.00", "+1.5", "1e5", "1_000", ".5", "5.", "007.5", "0.0",
           "99999999999999999999999999999999999999.99", "1.5abc", 0, 1, -1, 2, 2**31, -(2**63),
           2**62, 2**64, 0.0, -0.0, 1.0, 0.1, 1e22, 1e-7, 1.5e300, 5e-324, 9.7, 0.30000000000000004,
           Float::NAN, Float::INFINITY, true, false, "draft", "d", "l", :draft,
           "6f1b7c52-9d4e-4c1a-8b3e-0123456789ab", "6F1B7C52-9D4E-4C1A-8B3E-0123456789AB",
           "{6f1b7c529d4e4c1a8b3e0123456789ab}", "6f1b7c52-9d4e-4c1a-8b3e-0123456789ag",
           '{"a":[1,2.50,null]}', "[1,", "2026-01-31".encode("UTF-16LE"),
           "2026-01-31 10:11:12".b, "12.50".encode("US-ASCII"), Date.new(2026, 1, 31),
           Date.new(1500, 2, 28), BigDecimal("12.345"), BigDecimal("NaN"), BigDecimal("-0"),
           Time.utc(2000, 1, 1, 10, 11, 12), Time.at(0, 123_456_789, :nsec).utc,
           Time.at(1_700_000_000, in: "+02:00"), Time.at(Rational(1, 3)).utc, Time.utc(12_026),
           Time.utc(-5), DateTime.new(2026, 1, 31, 10, 11, 12)].freeze

  # Around changes of the ZONES of cells_test.rb, in seconds since 1970.
  CHANGES = [1_774_746_000, 1_761_440_400, 1_772_953_200, 1_762_063_200, 1_325_239_200, 946_684_800,
             -2_422_054_408, 1_633_190_400, 1_775_318_400, 951_782_400, 0].freeze

  def initialize(random)
    @random = random
  end

  # @param kind [Symbol, nil] of a Cell
  def of(kind, count) = Array.new(count) { rand(8).zero? ? pick(EDGES) : due(kind) }

  private

  def rand(...) = @random.rand(...)
  def pick(from) = from[rand(from.size)]

  def due(kind)
    case kind
    when :integer then [rand(100), rand(2**40) - 2**39, rand(2**70), rand(1000).to_s][rand(4)]
    when :float then float
    when :string, :any, :binary then text
    when :boolean then [0, 1, true, false, "t", "f"][rand(6)]
    when :name then [0, 1, 2, -5, nil, "d", "l", "0", rand(200)][rand(9)]
    when :decimal then decimal
    when :date then random_time(24 * 3600).strftime("%Y-%m-%d")
    when :moment, :clock then moment(kind)
    else pick(EDGES)
    end
  end

  def float = [rand, rand * 1000, (rand(1_000_000) / 100.0), 10.0**(rand(40) - 20), -rand][rand(5)]

  def text
    pieces = ["a", "Ä", "\u2028", "\"", "\\", "<b>", "\n", "\u{1F600}", " ", "0"]
    string = Array.new(rand(20)) { pick(pieces) }.join
    rand(6).zero? ? string.b : string
  end

  def decimal
    whole = rand(10**rand(1..14))
    scale = rand(8)
    fraction = scale.zero? ? "" : format(".%0#{scale}d", rand(10**scale))
    text = "#{"-" if rand(4).zero?}#{whole}#{fraction}"
    [text, text.to_f, (whole / 100.0), whole, BigDecimal(text), rand, float][rand(7)]
  end

  # A time near a change of some zone's offset, or anywhere.
  def random_time(spread)
    return Time.at(pick(CHANGES) + rand(-spread..spread)).utc if rand(3) > 0

    Time.at(rand(-70_000_000_000..260_000_000_000)).utc
  end

  def moment(kind)
    time = random_time(3 * 3600) + Rational(rand(1_000_000), 1_000_000)
    return clock(time) if kind == :clock && rand(3) > 0

    digits = rand(7)
    forms = ["%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S.%6N",
             "%Y-%m-%d %H:%M:%S.%#{digits}N", "%Y-%m-%d %H:%M:%S.%6N+00", "%Y-%m-%d %H:%M"]
    as_text = time.strftime(forms[rand(forms.size - (rand(4).zero? ? 0 : 2))])
    rand(4).zero? ? time.round(digits) : as_text
  end

  def clock(time)
    forms = ["2000-01-01 %H:%M:%S.%6N", "2000-01-01 %H:%M:%S", "%H:%M:%S", "%H:%M:%S.%6N", "%H:%M"]
    text = time.strftime(pick(forms))
    rand(4).zero? ? Time.utc(2000, 1, 1, time.hour, time.min, time.sec) : text
  end
end
