# frozen_string_literal: true

require_relative "reading_case"
require_relative "../support/own_process"

# Classes that change after they were read with, and reading in many threads and Ractors.
class ChangingTest < ReadingCase
  TEXT = '{"title":"a","at":"2026-11-20T10:00:00.000Z","comments":[{"body":"b"}]}'

  def posts
    Class.new(ToJson::Serializer) do
      attributes :title, writable: true
      attribute :at, as: :time, writable: true
      has_many(:comments, writable: true) { attributes :body, writable: true }
      view(:short) { attributes :name, writable: true }
    end
  end

  test "an inner serializer that has nothing writable yet is watched too" do
    inner = Class.new(ToJson::Serializer) { attributes :a }
    outer = Class.new(ToJson::Serializer) do
      attributes :title, writable: true
      has_one :inner, serializer: inner, writable: true
    end
    assert_problems(["/inner", :not_writable]) { outer.parse({ inner: { b: 1 } }) }
    inner.attributes :b, writable: true
    assert_equal({ inner: { b: 1 } }, outer.parse({ inner: { b: 1 } }))
  end

  # In a process of its own: once any association has named a serializer, all are looked up again.
  test "serializers that a Hash of types names are looked up again when one is made" do
    script = <<~RUBY
      class PinSerializer < ToJson::Serializer
        has_one :photo, serializer: { String => "PhotoSerializer" }, writable: true
      end
      %i[url path].each do |name|
        Object.send(:remove_const, :PhotoSerializer) if Object.const_defined?(:PhotoSerializer)
        PhotoSerializer = Class.new(ToJson::Serializer) { attributes name, writable: true }
        print PinSerializer.parse({ photo: { type: "String", name => 1 } })[:photo][name]
      end
    RUBY
    assert_equal "11", OwnProcess.run(script)
  end

  test "threads that read with a class first, and with its views, all read" do
    20.times do
      made = posts
      found = Array.new(6) do |index|
        Thread.new { index.odd? ? made.parse({ name: "c" }, view: :short) : made.parse(TEXT) }
      end.map(&:value)
      assert_equal [{ name: "c" }], found.values_at(1, 3, 5).uniq
      assert_equal [[{ body: "b" }]], found.values_at(0, 2, 4).map { |one| one[:comments] }.uniq
    end
  end

  test "what was compiled of a class that changes meanwhile is not kept" do
    made, changed = Class.new(ToJson::Serializer), nil
    decoder = Object.new
    decoder.define_singleton_method(:call) { |text| text }
    decoder.define_singleton_method(:respond_to?) do |name, all = false|
      if changed == false
        changed = true
        made.attributes :name, writable: true # while it is compiled
      end
      super(name, all)
    end
    made.attribute :title, writable: { as: decoder }
    changed = false
    assert_equal({ title: "a" }, made.parse({ title: "a" }))
    assert changed
    assert_equal({ name: "b" }, made.parse({ name: "b" }))
  end

  test "a thread that is killed while it compiles leaves a class that reads" do
    100.times do
      made = posts
      thread = Thread.new { 2.times { made.parse(TEXT) } }
      sleep(rand * 0.001)
      thread.kill.join
      assert_equal [{ body: "b" }], made.parse(TEXT)[:comments]
    end
  end

  # In a process with a small heap, because each collection reads all of it: 28 s of processor time
  # among the other tests, 1 s here.
  test "under GC.stress what is read is right" do
    script = <<~RUBY
      made = Class.new(ToJson::Serializer) do
        attributes :title, writable: true
        attribute :at, as: :time, writable: true
        has_many(:comments, writable: true) { attributes :body, writable: true }
        view(:short) { attributes :name, writable: true }
      end
      text = ARGV.first
      expected = made.parse(text)
      GC.stress = true
      found = [made.parse(text), made.read(text, into: {}), made.parse_ndjson(text).first]
      GC.stress = false
      print found.map { |one| one == expected }
    RUBY
    assert_equal "[true, true, true]",
                 OwnProcess.run(script, "--disable-gems", "-rjson", arguments: [TEXT])
  end

  test "another Ractor that finds nothing compiled gets an error of ours" do
    script = <<~RUBY
      require "json"
      class TaskSerializer < ToJson::Serializer
        attributes :title, writable: true
      end
      TaskSerializer.parse("{}", view: nil) if ARGV[0] == "loaded"
      TaskSerializer.attributes :later, writable: true
      print(Ractor.new do
        TaskSerializer.parse('{"title":"a"}')
      rescue ToJson::Error => error
        error.message
      end.value)
    RUBY
    [[], ["loaded"]].each do |arguments|
      words = /\A(?:ToJson::Reading cannot be|TaskSerializer: .* is not compiled, and) .*\. Call/
      assert_match(words, OwnProcess.run(script, arguments: arguments))
    end
  end

  test "lines come from an IO or a String" do
    made = posts
    [nil, ["{}\n"], 5, { "a" => 1 }].each do |given|
      error = assert_raises(ArgumentError) { made.parse_ndjson(given).to_a }
      assert_match(/takes an IO or a String of lines; got #{given.class}/, error.message)
    end
  end
end
