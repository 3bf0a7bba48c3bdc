# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/own_process"

# ext/to_json/vm: what the gem knows of CRuby's insides can be switched off, one assumption at a
# time or all, and every document stays the same.
class VmTest < ToJsonTest
  ASSUMPTIONS = %i[hash_pairs time_struct].freeze
  KNOWN = RUBY_ENGINE == "ruby" && RUBY_VERSION < "3.5"
  WISHED_OFF = "switched off by TO_JSON_VM"
  FOUND_OTHERWISE = "its probe failed on this Ruby"

  # Writes what the assumptions are about in every way that there is. Prints ToJson::Writer.vm, the
  # number of documents and their digest.
  SCRIPT = <<~'RUBY'
    require "stringio"
    require "digest"

    kinds = [->(i) { i }, ->(i) { "text #{i}" }, ->(i) { :"key_#{i}" }, ->(i) { "é#{i}" * 30 }]
    pasts = [->(h) { h }, ->(h) { h.shift }, ->(h) { h.delete(h.keys[h.size / 2]) },
             ->(h) { h.delete(h.keys.last) }, ->(h) { h.shift; h[:new] = 1 },
             ->(h) { h.keys.each_slice(3) { |key, *| h.delete(key) } },
             ->(h) { h.clear; h["k"] = 1 }, ->(h) { h.default = 5 }, ->(h) { h.freeze }]
    hashes = [0, 1, 2, 7, 8, 9, 17, 33, 200].flat_map do |size|
      kinds.flat_map do |kind|
        values = ->(i) { [i, "v#{i}", nil, 1.5, {kind.(i) => {i => []}}][i % 5] }
        full = size.times.to_h { |i| [kind.(i), values.(i)] }
        pasts.map { |past| full.dup.tap(&past) } +
          [{}.compare_by_identity.update(full), Hash.new { 1 }.update(full)]
      end
    end
    mixed = {"a" => 1, a: 2, 1 => 3, nil => 4, "b" => {b: 1, "c" => 2}}
    deep = 60.times.inject({"end" => 1}) do |inner, i|
      i.odd? ? {"k#{i}" => inner, i: [i]} : {l: [inner, i]}
    end
    instants = [0, -1, 1_700_000_000, 951_782_399.123456789r, -2_000_000_000, Rational(7, 3), 2**40]
    times = instants.flat_map do |at|
      [Time.at(at).utc, Time.at(at, in: "UTC"), Time.at(at, in: "+00:00"),
       Time.at(at, in: "-05:30"),
       Time.at(at).utc.getlocal("+00:00"), Time.at(at).utc.dup, Class.new(Time).at(at).utc]
    end
    own = Class.new { def to_json(*) = '"own"' }.new
    trees = [hashes, mixed, deep, times, {times: times.map { |time| {at: time} }},
             [own, {own: own, "b" => [own, {a: own}]}], hashes.map { |hash| [hash, own] }]

    documents = []
    rules = [{}, {dialect: :json2}, {dialect: :oj}, {time: :unix_ms}, {time: :utc},
             {html_safe: true}, {time: "%H:%M %z"}]
    [[4096, 65_536], [64, 64]].each do |sizes|
      ToJson::Writer.sizes(*sizes)
      trees.each do |tree|
        (tree.size < 100 ? rules : rules.first(2)).each do |rule|
          documents << ToJson.generate(tree, max_depth: 200, **rule)
          documents << ToJson.generate(tree, max_depth: 200, into: StringIO.new, **rule).string
        rescue ToJson::Error => error
          documents << error.message
        end
      end
    end
    documents << ToJson.pretty_generate(trees, max_depth: 200)
    documents << (ToJson.generate(mixed, duplicates: :raise) rescue $!.message)
    within = Class.new { define_method(:to_json) { |*| ToJson.generate(mixed) } }.new
    documents << ToJson.generate({"a" => within, "b" => 1})
    serializer = Class.new(ToJson::Serializer) { attributes :tree, :at }
    row = Struct.new(:tree, :at)
    times.each { |time| documents << serializer.json!(row.new(mixed, time)) }
    digest = Digest::SHA256.hexdigest(Marshal.dump(documents.map(&:b)))
    print Marshal.dump([ToJson::Writer.vm, documents.size, digest])
  RUBY

  def in_process(wish)
    environment = { "TO_JSON_VM" => wish, "TZ" => "Europe/Zurich" }
    Marshal.load(OwnProcess.run(SCRIPT, environment: environment).b)
  end

  # [assumptions, number of documents, their digest] where all are on that this Ruby knows.
  def usual = @@usual ||= in_process(nil)

  def off(reasons) = ASSUMPTIONS.to_h { |name| [name, reasons.fetch(name, usual[0].fetch(name))] }

  test "all assumptions hold on the Rubies that are known" do
    assert_equal(ASSUMPTIONS, usual[0].keys)
    assert_operator(usual[1], :>, 200)
    assert_equal(ASSUMPTIONS.to_h { |name| [name, true] }, usual[0]) if KNOWN
  end

  test "ToJson::Writer.vm is frozen, and so are the reasons in it" do
    assert_predicate(ToJson::Writer.vm, :frozen?)
    assert(ToJson::Writer.vm.each_value.all?(&:frozen?))
  end

  ASSUMPTIONS.each do |name|
    test "without #{name} the documents are the same, and vm says that it was switched off" do
      vm, *documents = in_process("no:#{name}")
      assert_equal(off(name => WISHED_OFF), vm)
      assert_equal(usual.drop(1), documents)
    end

    test "where the probe of #{name} fails the documents are the same, and vm says so" do
      skip("#{name} is off on this Ruby: #{usual[0][name]}") unless usual[0][name] == true
      vm, *documents = in_process("fail:#{name}")
      assert_equal(off(name => FOUND_OTHERWISE), vm)
      assert_equal(usual.drop(1), documents)
    end
  end

  test "portable switches all of them off" do
    vm, *documents = in_process("portable")
    assert_equal(off(ASSUMPTIONS.to_h { |name| [name, WISHED_OFF] }), vm)
    assert_equal(usual.drop(1), documents)
  end

  # What a process with this wish prints, warnings included. `code` runs before the gem is loaded.
  def vm_of(wish, code = "")
    script = "#{code}\nrequire 'to_json'\nprint ToJson::Writer.vm.values.join(' ')"
    Open3.capture2e(*PlainRuby.start({ "TO_JSON_VM" => wish }), "-W1", "-e", script).first
  end

  test "several can be switched off together, and an empty wish is none" do
    assert_equal([WISHED_OFF, WISHED_OFF].join(" "), vm_of("no:#{ASSUMPTIONS.join(",")}"))
    assert_equal(usual[0].values.join(" "), vm_of(""))
  end

  test "a wish that is not understood warns and switches nothing off" do
    %w[portble no:hash_pair fail:nothing no:].each do |wish|
      out = vm_of(wish)
      assert_includes(out, "TO_JSON_VM=#{wish} is not understood")
      assert_operator(out, :end_with?, usual[0].values.join(" "))
    end
  end

  test "a probe that somebody's patch breaks is one that found nothing" do
    out = vm_of(nil, "class Time; def self.at(*) = raise(ArgumentError, 'patched'); end")
    assert_operator(out, :end_with?, FOUND_OTHERWISE)
  end

  test "every pair of files in ext/to_json/vm is an assumption with a row in " \
       "docs/internals/vm.md" do
    files = Project.files("ext/to_json/vm/*.h").map { |path| File.basename(path, ".h").to_sym } -
            [:vm]
    assert_equal(ASSUMPTIONS, files)
    rows = Project.read("docs/internals/vm.md").scan(%r{^\| `(\w+)` \| `ext/to_json/vm/(\w+)\.c`})
    assert_equal(files.map { |name| [name.to_s] * 2 }, rows)
  end
end
