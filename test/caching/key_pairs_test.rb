# frozen_string_literal: true

require_relative "caching_case"
require "digest/sha2"

# Equal keys if and only if equal meaning, over random calls. What a call means is told by Ruby's
# own eql? (and the offset of a Time), not by anything of the library.
class CachingKeyPairsTest < CachingCase
  Row = Struct.new(:key, :id)
  Hidden = Struct.new(:admin) { def call(row) = admin ? row.to_s : "hidden" }

  # Those that tell contexts apart, and those that do not; alike but for their names, and with a
  # name that others have.
  TYPES = Array.new(2) do |number|
    [true, false].map do |told|
      Class.new(ToJson::Serializer) do
        attributes :id
        view(:full) { attribute(:full) { 1 } }
        view(:more) { attribute(:more) { number } }
        cache(key: :key, context: told && ->(context) { context[:part] })
        define_singleton_method(:to_s) { "to_json/Row/#{"0" * 32}/" }
      end
    end
  end.flatten.freeze
  const_set(:First, TYPES[0])
  const_set(:Second, TYPES[3])

  # Each leaves other fields.
  FIELDS = [{}, { view: :full }, { view: :more }, { view: %i[full more] }, { only: "id" },
            { view: :full, only: "full" }, { view: :more, only: "more" }].freeze

  # Callables by what they mean.
  CALLABLES = {
    admin: -> { Hidden.new(true) }, guest: -> { Hidden.new(false) },
    text: -> { Hidden.new("true") }, word: -> { Hidden.new("true".to_sym) },
    one: -> { closing(1) }, two: -> { closing(2) },
    words: -> { closing("1") }, body: -> { ->(_) { 1 } }
  }.freeze

  # Options of a call, made anew for each: the names tell what they mean.
  RULES = {
    none: -> { {} }, unix: -> { { time: :unix } }, ms: -> { { time: :unix_ms } },
    pattern: -> { { time: "unix" } }, html: -> { { html_safe: true } },
    json: -> { { dialect: :json } }, deep: -> { { max_depth: 50 } },
    other: -> { { convert: { Hidden => Hidden.new(true) } } },
    **CALLABLES.transform_values { |make| -> { { convert: { Row => make.call } } } }
  }.freeze

  def self.closing(value) = ->(_) { value }

  def self.digest_key(text) = "%#{Digest::SHA256.hexdigest(text)[0, 32]}"

  ENCODINGS = [Encoding::UTF_8, Encoding::BINARY, Encoding::ISO_8859_1, Encoding::UTF_16LE,
               Encoding::US_ASCII, Encoding::SHIFT_JIS, Encoding::UTF_7].freeze
  SHORT = ["", "a", "aa", "é", "\xFF", "ab\0c", "\0", "1", "1.5", "nil", "true", "_a", ":a",
           "(1,2)", "1,2", "%", "%25", "%2C", "a/b", "a//b", ";", "a;_b", "=_a",
           "{:a=1}", "\n", "a\nb",
           "'ISO-8859-1'%E9", "_'ISO-8859-1'%E9", "José"].freeze
  LONG = ["x" * 300, "x" * 301, "é" * 100, "@5.000000000", "^String", "~1.5", "\u{1F600}",
          "to_json/", "#{"0" * 32}/", digest_key("José"), digest_key("_Jos%C3%A9"),
          digest_key("x" * 300),
          digest_key("_#{"x" * 300}")].freeze
  OTHERS = [0, 1, -1, 15, 10**30, 1.0, 1.5, 1e100, 1r, 3/2r, true, String, Row, Time.at(5),
            Time.at(5, 1, :nsec), Time.at(1/3r), Time.at(5).utc,
            Time.at(5, in: "+01:00"), :a, :"", :"1", :"a/b", :é, :nil].freeze

  def one_of(random, list) = list.sample(random: random)

  def text(random) = one_of(random, SHORT + LONG).b.force_encoding(one_of(random, ENCODINGS))

  def atom(random)
    case random.rand(4)
    when 0 then one_of(random, OTHERS)
    when 1 then one_of(random, SHORT).then { |text| text.valid_encoding? ? text.to_sym : text }
    else text(random)
    end
  end

  def value(random, depth = 0)
    return atom(random) if depth == 3 || random.rand < 0.6

    size = random.rand(4)
    return Array.new(size) { element(random, depth) } if random.rand < 0.7

    Array.new(size) { [element(random, depth), element(random, depth)] }.to_h
  end

  def element(random, depth)
    random.rand < 0.1 ? one_of(random, [nil, false]) : value(random, depth + 1)
  end

  def call(random)
    [one_of(random, TYPES), one_of(random, FIELDS), one_of(random, RULES.keys),
     random.rand < 0.2 ? one_of(random, [nil, false]) : value(random), value(random)]
  end

  # A call that is the same, or differs from the given one in one thing, or in how that is put
  # together.
  def near(random, call)
    type, fields, rules, part, key = call
    case random.rand(10)
    when 0 then [one_of(random, TYPES), *call.drop(1)]
    when 1 then [type, one_of(random, FIELDS), *call.drop(2)]
    when 2 then [type, fields, one_of(random, RULES.keys), part, key]
    when 3 then [type, fields, rules, key, key]
    when 4 then [type, fields, rules, part, [key]]
    when 5 then [type, fields, rules, part, recoded(random, key)]
    when 6 then [type, fields, rules, value(random), key]
    when 7 then [type, fields, rules, part, key.is_a?(Hash) ? key.to_a : key.to_s]
    else Marshal.load(Marshal.dump(call.last(2))).then { |copied| [type, fields, rules, *copied] }
    end
  end

  def recoded(random, key)
    String === key ? key.dup.force_encoding(one_of(random, ENCODINGS)) : key.to_s
  end

  # Where nothing of a context matters, none is part of the meaning. Pairs of a Hash count in their
  # order.
  def meaning(call)
    type, fields, rules, part, key = call
    [type, fields, rules, (told(part) if TYPES.index(type).even?), told(key)]
  end

  def told(value)
    case value
    when Array then [:array, value.map { |one| told(one) }]
    when Hash then [:hash, value.map { |name, one| [told(name), told(one)] }]
    when Time then [:time, value, value.utc_offset, value.utc?] # eql? compares the moments only
    else value
    end
  end

  def key(call)
    type, fields, rules, part, key = call
    @store.entries.clear
    type.json!(Row.new(key, 1), **fields, rules: RULES.fetch(rules).call, context: { part: part })
    @store.entries.keys.first
  end

  # RANDOM_PAIRS=100000 for more.
  PAIRS = Integer(ENV.fetch("RANDOM_PAIRS", 3000))
  SEED = Integer(ENV.fetch("RANDOM_SEED", 20))

  test "two calls have one key if and only if they mean the same, over random pairs" do
    random = Random.new(SEED)
    equal = 0
    met = {}
    PAIRS.times do |number|
      one = call(random)
      pair = [one, near(random, one)]
      means = pair.map { |given| meaning(given) }
      keys = pair.map { |given| key(given) }
      same = keys[0] == keys[1]
      assert_equal means[0].eql?(means[1]), same, "pair #{number}: #{pair.inspect}: #{keys.inspect}"
      equal += 1 if same
      keys.zip(means) do |found, meant|
        met[found] = meant unless met.key?(found)
        assert met[found].eql?(meant), "pair #{number}: #{found}: #{[met[found], meant].inspect}"
      end
      assert_operator keys.map(&:bytesize).max, :<=, 200
      assert keys.all? { |found| found.match?(/\A[!-~]+\z/) }
    end
    assert_includes PAIRS / 6..PAIRS / 2, equal, "pairs that mean the same"
    assert_equal met.size, met.values.uniq.size
  end
end
