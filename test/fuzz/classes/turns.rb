# frozen_string_literal: true

# Classes. The loop: makes, writes, forgets, collects.

require_relative "kinds"

module Classes
  # What the collector does meanwhile.
  COLLECTORS = {
    "stress" => { every: 20, share: 0.1, do: nil },
    "minor" => { every: 3, share: 0.4, do: -> { GC.start(full_mark: false) } },
    "compact" =>
      { every: 200, share: 0.25, do: -> { GC.respond_to?(:compact) ? GC.compact : GC.start } },
    "ractors" => { every: 50, share: 0.25, do: -> { GC.start } }
  }.freeze

  # One process.
  class Turns
    # So many are asked for their documents again while others are made; older ones are garbage.
    KEPT = 24
    # So many documents each Ractor writes for a collection.
    AT_ONCE = 200

    # @param tell [#call] with the number of a turn, now and then
    def initialize(collector, seed, count, tell)
      @name, @random, @count, @tell = collector, Random.new(seed), count, tell
      @collector = COLLECTORS.fetch(collector)
      @kept = []
    end

    # @raise [RuntimeError] that names the kind and the turn
    def run
      @ractors = @name == "ractors" ? Array.new(2) { Bystander.start } : []
      @count.times { |number| turn(number) }
      @ractors.each { |ractor| Bystander.finish(ractor) }
    end

    private

    def turn(number)
      @tell.call(number) if (number % 100).zero?
      kind, make = Kinds::ALL.to_a[number % Kinds::ALL.size]
      @kept << [kind, number, make.call(number)]
      @kept.delete_at(@random.rand(@kept.size)) if @kept.size > KEPT
      (number % @collector[:every]).zero? ? collected : look(@kept.last)
    end

    # All that are kept, beside a collection.
    def collected
      @ractors.each { |ractor| Bystander.go_on(ractor) }
      @collector[:do]&.call
      GC.stress = 1 if @name == "stress"
      @kept.sample(@name == "stress" ? 2 : KEPT, random: @random).each { |one| look(one) }
    ensure
      GC.stress = false
    end

    def look((kind, number, made))
      2.times { wrong = made.wrong and raise "#{kind} of turn #{number}: #{wrong}" }
    end
  end

  # A Ractor that writes by a shared Plan until it is told to end.
  module Bystander
    # Is compiled before a Ractor sees it.
    class RowSerializer < ToJson::Serializer
      attributes :id
      has_many(:rows) { attributes :id, :name }
    end

    def self.start
      RowSerializer.compile!
      Ractor.new(Turns::AT_ONCE) do |times|
        row = { id: 1, rows: [{ id: 2, name: "é" }] }
        right = loops = 0
        while Ractor.receive == :go_on
          times.times do
            key = "key_#{loops += 1}".to_sym
            got = ToJson.generate({ key => [loops] })
            raise got unless got == "{\"key_#{loops}\":[#{loops}]}"

            got = RowSerializer.json!(row)
            raise got unless got == '{"id":1,"rows":[{"id":2,"name":"é"}]}'

            right += 1
          rescue ToJson::Error => error # a class that was declared since began another epoch
            raise unless error.message.include?("no Plan that this Ractor may use")
          end
        end
        right
      end
    end

    # Another share of documents, by a Plan of now.
    def self.go_on(ractor)
      RowSerializer.compile!
      ractor.send(:go_on)
    end

    # @raise [Ractor::RemoteError, RuntimeError] where a document was wrong, or none was written
    def self.finish(ractor)
      go_on(ractor)
      ractor.send(:end)
      right = ractor.respond_to?(:value) ? ractor.value : ractor.take
      raise "a Ractor wrote nothing" if right.zero?
    end
  end
end
