# frozen_string_literal: true

require_relative "reading_case"
require_relative "../support/own_process"

# What was compiled in the main Ractor is read with in others, and after a fork.
class ReadingRactorsTest < ReadingCase
  DECLARED = <<~RUBY
    require "json"
    class PartSerializer < ToJson::Serializer
      attributes :name, writable: true
    end
    class WholeSerializer < ToJson::Serializer
      transform_keys :camel_lower
      attribute :made_at, as: :time, writable: true
      attribute :kind, writable: { in: %i[a b] }
      attribute :count, as: ->(n) { n }, writable: { as: ->(n) { Integer(n) } }
      has_many :parts, serializer: PartSerializer, writable: true
      view(:short) { remove :parts }
    end
  RUBY
  TEXT = '{"madeAt":"2026-11-20T10:00:00.000Z","kind":"b","count":"5","parts":[{"name":"x"}]}'

  test "other Ractors read with what ToJson.compile! made" do
    out = OwnProcess.run(<<~RUBY, arguments: [TEXT])
      #{DECLARED}
      ToJson.compile!
      found = Array.new(3) do
        Ractor.new(ARGV[0]) do |text|
          50.times { WholeSerializer.parse(text) }
          wrong = begin
            WholeSerializer.parse('{"kind":"c"}', view: :short)
          rescue ToJson::ReadError => error
            error.message
          end
          [WholeSerializer.parse(text), wrong]
        end
      end
      found.each { |ractor| p ractor.value }
    RUBY
    assert_equal 1, out.lines.uniq.size
    assert_match(/:?kind(=>|: ):b/, out)
    assert_match(%r{/kind: takes one of \\"a\\", \\"b\\"; got String \\"c\\"\.}, out)
  end

  # Ruby itself crashed: test/lint/patterns_test.rb.
  test "Ractors that are the first to read text that is not ASCII do not crash" do
    out = OwnProcess.run(<<~RUBY)
      #{DECLARED}
      ToJson.compile!
      texts = ['{"kind":"é"}', '{"parts":[{"nämé":1}]}', '{"madeAt":"é","count":"é"}',
               '{"kind":"b","kind":"é"}', '{"parts":[{"name":"é\\\\ud83d\\\\ude00"}]}']
      texts = Ractor.make_shareable(texts)
      ends = Array.new(4) do
        Ractor.new(texts) do |given|
          20.times.sum do
            given.sum do |text|
              WholeSerializer.parse_ndjson(text, on_error: ->(error) { error.message }).to_a
              WholeSerializer.parse(text)
              1
            rescue ToJson::ReadError => error
              error.message.empty? ? 0 : 1
            end
          end
        end
      end
      p ends.map(&:value)
    RUBY
    assert_equal "[100, 100, 100, 100]\n", out
  end

  test "other Ractors read JSON:API and HAL of classes that declare a type, or a link" do
    out = OwnProcess.run(<<~RUBY)
      require "json"
      class PersonSerializer < ToJson::Serializer
        type :people
        attributes :name, writable: true
      end
      class NoteSerializer < ToJson::Serializer
        type :notes
        attributes :id
        attributes :title, writable: true
        has_one :author, serializer: PersonSerializer, writable: true
        link(:self) { |note| "/notes/\#{note.id}" }
      end
      ToJson.compile!
      Note = Struct.new(:id, :title, :author_id)
      p(Ractor.new do
        data = { type: "notes", id: "7", attributes: { title: "a" },
                 relationships: { author: { data: { type: "people", id: "3" } } } }
        wrong = begin
          NoteSerializer.parse({ data: { **data, type: "people" } }, unknown: :ignore)
        rescue ToJson::ReadError => error
          error.pointer
        end
        [NoteSerializer.parse({ data: data }).values,
         NoteSerializer.read(JSON.generate({ data: data }), into: Note.new).to_a, wrong,
         NoteSerializer.parse({ _links: {}, _embedded: { author: { name: "b" } } })[:author].values]
      end.value)
    RUBY
    assert_equal '[["a", "3"], [nil, "a", "3"], "/data/type", ["b"]]', out.chomp
  end

  test "a Ractor in which nothing was compiled says what to do" do
    out = OwnProcess.run(<<~RUBY)
      #{DECLARED}
      puts(Ractor.new do
        WholeSerializer.parse("{}")
      rescue ToJson::Error => error
        error.message
      end.value)
    RUBY
    assert_match(/Call ToJson\.compile! in the main Ractor first\./, out)
  end

  test "a process that was forked reads" do
    out = OwnProcess.run(<<~RUBY, arguments: [TEXT])
      #{DECLARED}
      ToJson.compile!
      2.times do
        fork do
          found = WholeSerializer.parse(ARGV[0])
          puts found == { made_at: Time.utc(2026, 11, 20, 10), kind: :b, count: 5,
                          parts: [{ name: "x" }] }
        end
        Process.wait
      end
    RUBY
    assert_equal "true\ntrue\n", out
  end

  test "compile! finds declarations that cannot be read" do
    made = serializer do
      attributes :a, writable: true
      attribute :b, :a, writable: true
    end
    error = assert_raises(ToJson::DefinitionError) { made.compile! }
    assert_match(/would both assign :a/, error.message)
  end
end
