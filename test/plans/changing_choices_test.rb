# frozen_string_literal: true

require "test_helper"

# view:, only: and except: whose objects change while the class is compiled for them, as by another
# thread. The call may write either, but what the class keeps for later calls is what these say.
class ChangingChoicesTest < ToJsonTest
  POST = { id: 1, secret: 2, author: { id: 3, secret: 4 } }.freeze

  # Calls a block whenever one of its blocks becomes a method: those of a view do so when its first
  # call compiles them.
  module Told
    attr_accessor :told

    def method_added(name)
      super
      told&.call if name.start_with?("__to_json_block_")
    end
  end

  # A class of which one part is read by Ruby, if it flattens.
  def serializer(flattens, &fields)
    author = Class.new(ToJson::Serializer) do
      extend Told
      fields ? class_exec(&fields) : attributes(:id, :secret)
      view(:late) { attribute(:later) { 5 } }
    end
    made = Class.new(ToJson::Serializer) do
      extend Told
      attributes :id, :secret
      has_one :author, serializer: author
      flatten(:never, if: -> { false }) { attributes :odd } if flattens
      view(:late) { attribute(:late) { 6 } }
      view(:dark) { remove :secret }
    end
    made.json!(POST)
    [made, author]
  end

  # What changes, to what, and when: at the first use of the Mask of the class, or of that inside.
  CHANGES = {
    "an Array" => [-> { [:id] }, ->(names) { names << :secret }, :only, 0],
    "a String" => [-> { +"id" }, ->(text) { text.replace("secret") }, :only, 0],
    "an Array of Strings" => [-> { [+"id"] }, ->(names) { names[0].replace("secret") }, :only, 0],
    "a Hash" => [-> { { id: true } }, ->(names) { names[:secret] = true }, :only, 0],
    "a Hash inside" => [-> { { author: [:id] } }, ->(names) { names[:author] << :secret }, :only,
                        0],
    "what is left out" => [-> { %i[secret author] }, :clear.to_proc, :except, 0],
    "names behind an association" => [-> { [{ author: [:id] }, :id] },
                                      ->(names) { names[1] = :secret }, :only, 1],
    "names in an association" => [-> { { "author" => [+"id"] } },
                                  ->(names) { names["author"][0].replace("secret") }, :only, 1]
  }.freeze

  [false, true].product(CHANGES.to_a).each do |flattens, (what, (make, change, word, inside))|
    test "a choice that changed while it was read is not kept: #{what}, flatten #{flattens}" do
      made, author = serializer(flattens)
      other, = serializer(flattens) # which never meets what changes
      due = other.json!(POST, word => make.call)
      given, changed = make.call, false
      [made, author][inside].told = lambda do
        change.call(given) unless changed
        changed = true
      end
      first = made.json!(POST, word => given)
      assert changed || flattens, "nothing was compiled"
      [made, author].each { |one| one.told = nil }
      assert_includes [due, other.json!(POST, word => given)], first
      3.times { assert_equal due, made.json!(POST, word => make.call) }
      3.times { assert_equal other.json!(POST, word => given), made.json!(POST, word => given) }
    end
  end

  test "a view whose name changed is kept by the name that was read" do
    [{}, { only: %i[id secret] }].each do |keywords|
      made, = serializer(false)
      view = +"late"
      made.told = -> { view.replace("dark") }
      made.json!(POST, view: view, **keywords)
      made.told = nil
      assert_equal "dark", view
      due = keywords.empty? ? '{"id":1,"author":{"id":3,"secret":4}}' : '{"id":1}'
      2.times { assert_equal due, made.json!(POST, view: "dark", **keywords) }
      2.times { refute_equal due, made.json!(POST, view: "late", **keywords) }
    end
  end

  # The code of the parent asks the bits of the object inside by the places that its fields had.
  { "in the call of its parent" => -> { attributes :id, :secret, :name },
    "in a call of its own" => lambda do
      attributes :id, :secret, :name
      has_many(:secrets) { attributes :id }
    end }.each do |how, fields|
    test "a Mask for an object #{how} whose class changes meanwhile leaves no other field" do
      [%i[late dark], nil].product([:only, :except], [0, 1]).each do |view, word, inside|
        made, author = serializer(false, &fields)
        post = { id: 1, author: { id: 3, secret: 4, name: 5, secrets: [] } }
        made.json!(post)
        [made, author][inside].told = lambda do
          made.told = author.told = nil
          author.remove :id
        end
        names = word == :only ? [:name] : author.definition.entries.map(&:name).grep(/secret|later/)
        2.times do
          text = made.json!(post, view: view, word => { author: names })
          assert_match(/"author":\{#{'("id":3,)?' if word == :except}"name":5\}/, text)
        end
      end
    end
  end

  # Two names of one Hash are alike where it compares by identity, and in a copy they would be one.
  test "a Hash that has a name twice is right, and not kept" do
    made, = serializer(true)
    names = {}.compare_by_identity
    names[+"author"] = [:id]
    names[+"author"] = [:secret]
    3.times do
      assert_equal '{"author":{"id":3,"secret":4}}', made.json!(POST, only: names)
      assert_equal '{"author":{"secret":4}}', made.json!(POST, only: { "author" => [:secret] })
    end
    assert_equal 1, ToJson::PlanCache.choices(made)
  end

  test "what another thread changes all the time does not stay" do
    names, stop = [:id], false
    thread = Thread.new do
      until stop
        names << :secret
        Thread.pass
        names.clear << :id
        Thread.pass
      end
    end
    wrong = 400.times.count do |index|
      made = serializer(index.odd?).first
      3.times { made.json!(POST, only: names) }
      made.json!(POST, only: [:id]) != '{"id":1}' ||
        made.json!(POST, only: %i[id secret]) != '{"id":1,"secret":2}'
    end
    assert_equal 0, wrong
  ensure
    stop = true
    thread&.join
  end
end
