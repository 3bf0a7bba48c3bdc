# frozen_string_literal: true

require_relative "caching_case"
require "digest/sha2"

# Equal keys if and only if equal meaning, over random calls. What a call means is told by Ruby's
# own eql?, not by anything of the library.
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
        told ? cache(key: :key, context: ->(context) { context[:part] }) : cache(key: :key, context: false)
        define_singleton_method(:to_s) { "to_json/Row/#{"0" * 32}/" }
      end
    end
  end.flatten.freeze
  const_set(:First, TYPES[0])
  const_set(:Second, TYPES[3])

  # Each leaves other fields.
  FIELDS = [{}, { view: :full }, { view: :more }, { view: %i[full more] }, { only: "id" }, { view: :full, only: "full" }, { view: :more, only: "more" }].freeze

  # Options of a call, made anew for each: the values tell what they mean.
  RULES = {
    none: -> { {} }, unix: -> { { time: :unix } }, ms: -> { { time: :unix_ms } }, pattern: -> { { time: "unix" } }, html: -> { { html_safe: true } },
    json: -> { { dialect: :json } }, admin: -> { { convert: { Row => Hidden.new(true) } } }, guest: -> { { convert: { Row => Hidden.new(false) } } },
    named: -> { { convert: { Row => Hidden.new(:true) } } }, text: -> { { convert: { Row => Hidden.new("true") } } }, # rubocop:disable Lint/BooleanSymbol
    other: -> { { convert: { Hidden => Hidden.new(true) } } }, one: -> { { convert: { Row => closing(1) } } }, two: -> { { convert: { Row => closing(2) } } },
    words: -> { { convert: { Row => closing("1") } } }, body: -> { { convert: { Row => ->(_) { 1 } } } }, deep: -> { { max_depth: 50 } }
  }.freeze

  def self.closing(value) = ->(_) { value }

  ENCODINGS = [Encoding::UTF_8, Encoding::BINARY, Encoding::ISO_8859_1, Encoding::UTF_16LE, Encoding::US_ASCII, Encoding::SHIFT_JIS, Encoding::UTF_7].freeze
  BYTES = ["", "a", "aa", "é", "\xFF", "ab\0c", "\0", "1", "1.5", "nil", "true", "_a", ":a", "(1,2)", "1,2", "1", "%", "%25", "%2C", "a/b", "a//b", ";", "a;_b", "=_a",
           "{:a=1}", "'ISO-8859-1'%E9", "_'ISO-8859-1'%E9", "José", "x" * 300, "x" * 301, "é" * 100, "\n", "a\nb", "@5.000000000", "^String", "~1.5", "\u{1F600}",
           "%#{Digest::SHA256.hexdigest("José".b)[0, 32]}", "%#{Digest::SHA256.hexdigest("_Jos%C3%A9")[0, 32]}", "%#{Digest::SHA256.hexdigest("x" * 300)[0, 32]}",
           "%#{Digest::SHA256.hexdigest("_#{"x" * 300}")[0, 32]}", "#{"0" * 32}/", "to_json/"].map(&:b).freeze
  OTHERS = [0, 1, -1, 15, 10**30, 1.0, 1.5, 1e100, 1r, 3/2r, true, String, Row, Time.at(5), Time.at(5, 1, :nsec), Time.at(1/3r), :a, :"", :"1", :"a/b", :é, :nil].freeze

  def text(random) = BYTES.sample(random: random).dup.force_encoding(ENCODINGS.sample(random: random))

  def atom(random)
    case random.rand(4)
    when 0 then OTHERS.sample(random: random)
    when 1 then BYTES.first(30).sample(random: random).dup.force_encoding("UTF-8").then { |text| text.valid_encoding? ? text.to_sym : text }
    else text(random)
    end
  end

  def value(random, depth = 0)
    return atom(random) if depth == 3 || random.rand < 0.6

    size = random.rand(4)
    return Array.new(size) { random.rand < 0.1 ? [nil, false].sample(random: random) : value(random, depth + 1) } if random.rand < 0.7

    Array.new(size) { [value(random, depth + 1), value(random, depth + 1)] }.to_h
  end

  def call(random)
    [TYPES.sample(random: random), FIELDS.sample(random: random), RULES.keys.sample(random: random),
     random.rand < 0.2 ? [nil, false].sample(random: random) : value(random), value(random)]
  end

  # A call that is the same, or differs from the given one in one thing, or in how that is put
  # together.
  def near(random, call)
    type, fields, rules, part, key = call
    case random.rand(10)
    when 0 then [TYPES.sample(random: random), *call.drop(1)]
    when 1 then [type, FIELDS.sample(random: random), *call.drop(2)]
    when 2 then [type, fields, RULES.keys.sample(random: random), part, key]
    when 3 then [type, fields, rules, key, key]
    when 4 then [type, fields, rules, part, [key]]
    when 5 then [type, fields, rules, part, String === key ? key.dup.force_encoding(ENCODINGS.sample(random: random)) : key.to_s]
    when 6 then [type, fields, rules, value(random), key]
    when 7 then [type, fields, rules, part, key.is_a?(Hash) ? key.to_a : key.to_s]
    else Marshal.load(Marshal.dump(call.last(2))).then { |copied| [type, fields, rules, *copied] }
    end
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

  test "two calls have one key if and only if they mean the same, over random pairs, and so over all of them" do
    random = Random.new(SEED)
    equal = 0
    met = {}
    PAIRS.times do |number|
      one = call(random)
      pair = [one, near(random, one)]
      means = pair.map { |given| meaning(given) }
      keys = pair.map { |given| key(given) }
      assert_equal means[0].eql?(means[1]), keys[0] == keys[1], "pair #{number}: #{pair.inspect}: #{keys.inspect}"
      equal += 1 if keys[0] == keys[1]
      keys.zip(means) { |found, meant| assert((met[found] ||= meant).eql?(meant), "pair #{number}: #{found}: #{met[found].inspect}, #{meant.inspect}") }
      assert_operator keys.map(&:bytesize).max, :<=, 200
      assert keys.all? { |found| found.match?(/\A[!-~]+\z/) }
    end
    assert_includes PAIRS / 6..PAIRS / 2, equal, "pairs that mean the same"
    assert_equal met.size, met.values.uniq.size
  end
end
