# frozen_string_literal: true

# The bound of two rows of scenario 16, "by lookup" and "polymorphic by a Hash". In these documents
# the value of an association decides which serializer writes it. The sketch writes such a document
# with as few steps as possible. It searches for no serializer: generated code knows one class of
# values and the code that writes them, and only asks whether the value has that class. This code
# needs a native call of its own, because it is chosen after the first native call has got the
# value. In the row "by lookup", each name is also followed through Ruby's constants once for each
# document, because a constant may change between two documents. All else is the code of the gem.
# Run it with `bundle exec ruby benchmark/sketches/told.rb`, and with `RUBYOPT=--yjit` before that.

require "to_json"

CALLS = 2_000
ROUNDS = 300

module Sketch
  Scribe = Struct.new(:id, :name)
  Note = Struct.new(:id, :title, :score, :draft, :scribe)

  class ScribeSerializer < ToJson::Serializer
    attributes :id, :name
  end

  class PlainSerializer < ToJson::Serializer
    attributes :id, :title, :score, :draft
    has_one :scribe, serializer: ScribeSerializer
  end

  class FoundSerializer < ToJson::Serializer
    attributes :id, :title, :score, :draft
    has_one :scribe
  end

  class ToldSerializer < ToJson::Serializer
    attributes :id, :title, :score, :draft
    has_one :scribe, serializer: { Scribe => ScribeSerializer, String => PlainSerializer }
  end

  LeastSerializer = Class.new(ToldSerializer)
  LeastFoundSerializer = Class.new(ToldSerializer)
  LOOKS = "::Sketch::LeastSerializer.const_defined?(:Sketch, false); " \
          "Object.const_get(:Sketch).const_get(:ScribeSerializer); "

  # Changes the generated text of two classes: a constant holds the code for the inner object.
  module Known
    def define(target, source, label, line = 1)
      name = label[/Sketch::Least(Found)?Serializer/]
      change(source, name.include?("Found") ? LOOKS : "") if name
      super
    end

    private

    def change(source, looks)
      { /code =\n\s*w\.look_up\((\w+), \w+, s,/ => "#{looks}r = w.item(\\1,",
        /,\n\s*Object === \w+ && \w+\.class\)/ => ")",
        /code\.object\(w, s, (\w+)\) if code$/ =>
          "::Sketch::INNER.object(w, s, \\1) if r && Object === \\1 && " \
          "::Sketch::Scribe.equal?(\\1.class)",
        /\(code, (?=P\d+\)$)/ => "(r, " }.each do |text, instead|
        source.gsub!(text, instead) or raise "generated code has no #{text.inspect} any more"
      end
    end
  end
end

Sketch::INNER =
  ToJson::PlanCache.handle(ToJson::Compiler::Unit.of(Sketch::ScribeSerializer)).code
ToJson::GeneratedCode.singleton_class.prepend(Sketch::Known)

note = Sketch::Note.new(1, "A title", 3.5, true, Sketch::Scribe.new(7, "Ann"))
# A list has no LeastFound: only its first element makes the lookup follow constants.
{ ["one document", note] => %w[Plain Found LeastFound Told Least],
  ["100 in a list", [note] * 100] => %w[Plain Found Told Least] }.each do |(what, value), names|
  calls = value == note ? CALLS : CALLS / 100
  expected = Sketch::PlainSerializer.json!(value)
  names.each do |name|
    serializer = Sketch.const_get("#{name}Serializer")
    raise "#{name}: #{serializer.json!(value)}" unless serializer.json!(value) == expected

    # a loop of its own, with inline caches of its own
    Sketch.module_eval(<<~RUBY, __FILE__, __LINE__ + 1)
      def self.#{name}_#{calls}(value)
        i = 0
        while i < #{calls}
          #{serializer}.json!(value)
          i += 1
        end
      end
    RUBY
  end
  times = names.to_h { |name| [name, []] }
  clock = -> { Process.clock_gettime(Process::CLOCK_MONOTONIC) }
  ROUNDS.times do
    names.each do |name|
      began = clock.call
      Sketch.public_send("#{name}_#{calls}", value)
      times[name] << (clock.call - began)
    end
  end
  least = times.transform_values(&:min)
  words = { "Plain" => "plain fields",
            "Found" => "by lookup", "LeastFound" => "the least by lookup",
            "Told" => "by a Hash", "Least" => "the least by a Hash" }
  puts what
  least.each do |name, seconds|
    puts format("  %-20s %7.1f ns  %5.2f times plain fields", words.fetch(name),
                seconds / CALLS * 1e9, seconds / least["Plain"])
  end
end
