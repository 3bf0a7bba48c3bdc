# frozen_string_literal: true

# Fuzz. Random DSL scripts: mostly what a slot or list can take, some of anything anywhere.

require_relative "fields"
require_relative "../values/generator"

module Fuzz
  # Makes lists of Steps.
  class ScriptGenerator
    PAIRS = Dice.weights(put: 6, put_block: 4, put_value_block: 4, keywords: 2, fields: 5,
                         open_key: 2)
    VALUES = Dice.weights(value: 4, value_block: 3, value_value_block: 2, array: 6, array_do: 3,
                          value_keywords: 1, open: 2, open_array: 2)
    # Raising inside a Fiber makes ASan report errors that are none.
    FIBERS = ENV["TO_JSON_SANITIZED"] != "1"
    AROUND = Dice.weights(rescue: 4, catch: 3, fiber: FIBERS ? 2 : 0)
    KEYS = [*%i[a b c id name], :a, "b", "two words", "\u6F22\"", 7, nil, 2.5].map do |key|
      Plain.new(key)
    end.freeze
    BAD_KEYS = [BadKey.new('"\xFF"', "EncodingError"),
                BadKey.new("Fuzz::Raising.new", "Boom")].freeze
    NAMES = [:a, :b, :c, :d, :e, "a", "b"].freeze
    FIELD_NAMES = [:a, :b, "c", :x, "y"].freeze

    # Where a step stands: which ways to leave are open, and how much deeper it may go.
    Place = Struct.new(:depth, :leaves, :items) do
      def inside(leaves: self.leaves, items: self.items) = Place.new(depth - 1, leaves, items)
    end

    ROWS = [
      "put: plain", "put block", "put block that writes nothing", "put value block: nil",
      "put value block: one",
      "put value block: many", "put value block: many with index", "keywords: put",
      "keywords: hash", "keywords: key", "keywords: value",
      "keywords: array", "value: plain", "value block", "value block that writes nothing",
      "value value block: nil",
      "value value block: one", "value value block: many", "value value block: many with index",
      "collection: true", "collection: false",
      "array: none or nil", "array: many", "array: one", "array: several",
      "array block: none or nil", "array block: many",
      "array block: one", "array block: several", "array do", "open", "open key", "open_array",
      "close",
      "put_field", "put_fields",
      *%w[_unless_nil _unless_blank]
        .flat_map { |filter| ["put_field#{filter}", "put_fields#{filter}"] },
      *%w[_if _unless].product(%w[symbol proc])
        .flat_map { |filter, kind| ["put_field#{filter} #{kind}", "put_fields#{filter} #{kind}"] },
      "put_field block", "put_fields: mapped", "put_fields: a list", "fields of a object",
      "fields of a Hash by symbols",
      "fields of a Hash by strings", "next", "break", "return", "raise", "throw",
      "raise, rescued inside", "throw, caught inside",
      *("from a Fiber" if FIBERS), "a serializer in place", "a serializer that writes nothing",
      "a document within a document",
      "a root that writes nothing", "a key without a text", "error: a call while a value is due",
      "error: a value where a key is expected",
      "error: a key where a value is due", "error: two roots", "error: a second value in a slot",
      "error: unclosed", "error: nothing open",
      "error: wrong arguments", "error: too deep", *ValueGenerator::ROWS
    ].uniq.freeze

    def initialize(dice)
      @dice = dice
      @values = ValueGenerator.new(dice, depth: 2)
      @numbers = 0
    end

    # The steps of a whole document.
    def document
      steps(@dice.pick(%i[pairs pairs pairs value value any]), Place.new(4, %i[next return], []))
    end

    private

    def steps(kind, place)
      count = @dice.below(kind == :value ? 2 : 4) + (@dice.once_in(8) ? 0 : 1)
      count = [count, 1].min if kind == :value
      list = Array.new(count) do
        @dice.once_in(6) ? [around(kind, place)] : some(kind, place)
      end.flatten(1)
      list << leave(place) if @dice.once_in(10)
      list
    end

    def some(kind, place)
      kind = %i[pairs value][@dice.below(2)] if kind == :any || @dice.once_in(50)
      return [Misuse.new(@dice.pick(Misuse::CALLS))] if @dice.once_in(150)
      return [Primitive.new("close")] if @dice.once_in(150)

      kind == :pairs ? pair(@dice.weighted(PAIRS), place) : element(@dice.weighted(VALUES), place)
    end

    def pair(form, place)
      case form
      when :put_block then [Put.new(key, block: block(0, place))]
      when :put_value_block then [with_value(Put, [key], place)]
      when :keywords then [Keywords.new(@dice.pick(%i[put hash key]), filled_table)]
      when :fields then [fields(place)]
      when :open_key then group(Primitive.new("open", key), @dice.pick(%i[pairs value any]), place)
      else [Put.new(key, value: value(place))]
      end
    end

    def element(form, place)
      case form
      when :value then [Value.new(nil, value: value(place))]
      when :value_block then [Value.new(nil, block: block(0, place))]
      when :value_value_block then [with_value(Value, [nil], place)]
      when :array then [array(place)]
      when :array_do
        [
          ArrayWord.new([],
                        block: block(0, place, @dice.pick(%i[value value pairs any]),
                                     %i[next break return]))
        ]
      when :value_keywords then [Keywords.new(@dice.pick(%i[value array]), filled_table)]
      when :open then group(Primitive.new("open"), @dice.pick(%i[pairs value any]), place)
      else group(Primitive.new("open_array"), @dice.pick(%i[pairs value value any]), place)
      end
    end

    # open … close, now and then without its close.
    def group(first, kind, place)
      return [first] if place.depth <= 0

      [first, *steps(kind, place.inside), *([Primitive.new("close")] unless @dice.once_in(25))]
    end

    def block(parameters, place, kind = @dice.pick(%i[pairs pairs value any]), leaves = nil)
      number = @numbers += 1
      open_ways = place.leaves & [:return]
      leaves = (leaves || %i[next break]) - [:return] + open_ways
      items = place.items + %w[x i].first(parameters).map do |letter|
        Item.new("#{letter}#{number}")
      end
      inner = place.depth.positive? ? steps(kind, place.inside(leaves: leaves, items: items)) : []
      Block.new(number, parameters, inner)
    end

    def with_value(word, key, place)
      given = value(place, many: true)
      collection =
        if given.is_a?(List) || given.is_a?(Table)
          @dice.pick([nil, nil, nil, true, false])
        else
          nil
        end
      parameters = given.is_a?(List) && collection.nil? ? @dice.below(3) : @dice.below(2)
      word.new(*key, value: given, block: block(parameters, place), collection: collection)
    end

    def array(place)
      count = @dice.pick([0, 1, 1, 1, 1, 2, 3])
      arguments = Array.new(count) { value(place, many: count == 1) }
      collection =
        if count == 1 && (arguments[0].is_a?(List) || arguments[0].is_a?(Table))
          @dice.pick([nil, nil, nil, true, false])
        else
          nil
        end
      # No argument and a block is `array do`; nil and a block is not.
      return ArrayWord.new(arguments, collection: collection) if count.zero? || @dice.once_in(2)

      ArrayWord.new(arguments, block: block(@dice.below(3), place), collection: collection)
    end

    def fields(place)
      filter = @dice.pick(["", "", *PutFields::FILTERS.keys])
      if %w[_if _unless].include?(filter)
        condition =
          @dice.pick([":nil?", ":nil?", "->(v) { v }", "->(v) { v }", "->(v) { raise Fuzz::Boom }"])
      end
      object = readable(place)
      if @dice.once_in(2)
        return PutFields.new("put_fields", filter, object, field_list(2), condition: condition)
      end

      names = @dice.once_in(2) ? [name(object)] : [name(object), @dice.pick(FIELD_NAMES)]
      PutFields.new("put_field", filter, object, names, condition: condition,
                    block: (block(@dice.below(2), place) if @dice.once_in(3)))
    end

    def readable(place)
      names = %i[a b c d e].first(@dice.below(6))
      Readable.new(@dice.pick(%i[object symbols strings]),
                   names.to_h { |name| [name, value(place)] })
    end

    def name(_object) = @dice.once_in(40) ? :boom : @dice.pick(NAMES)

    def field_list(depth)
      Array.new(1 + @dice.below(3)) do
        case @dice.below(depth.positive? ? 7 : 3)
        when 3 then [@dice.pick(NAMES), @dice.pick(FIELD_NAMES)]
        when 4 then Array.new(1 + @dice.below(2)) { [name(nil), @dice.pick(FIELD_NAMES)] }.to_h
        when 5 then { name(nil) => nil }
        when 6 then field_list(depth - 1)
        else name(nil)
        end
      end
    end

    def around(kind, place)
      return leave(place) if place.depth <= 0

      case @dice.weighted(AROUND)
      when :rescue then Rescue.new(steps(kind, place.inside) + extra(kind, place))
      when :catch
        Catch.new(steps(kind, place.inside) + [*(Leave.new(:throw) if @dice.once_in(2))])
      else InFiber.new(steps(kind, place.inside(leaves: [])))
      end
    end

    # Inside a rescue failures are welcome.
    def extra(kind, place)
      case @dice.below(5)
      when 0 then [Leave.new(:raise)]
      when 1 then some(kind == :pairs ? :value : :pairs, place.inside)
      else []
      end
    end

    def leave(place)
      ways = place.leaves
      return Leave.new(@dice.pick(%i[raise throw])) if ways.empty? || @dice.once_in(8)

      Leave.new(@dice.pick(ways))
    end

    def key = @dice.once_in(60) ? @dice.pick(BAD_KEYS) : @dice.pick(KEYS)

    def filled_table
      Table
        .new(
          Array.new(1 + @dice.below(3)) { @values.key }.uniq.map do |key|
            [Plain.new(key), @values.value(1)]
          end
        )
    end

    def value(place, many: false)
      return @dice.pick(place.items) if place.items.any? && @dice.once_in(2)
      return @values.collection(@dice.pick(List::KINDS.keys), 1) if many && @dice.once_in(2)

      case @dice.below(20)
      when 0 then place.depth.positive? ? part(place) : @values.leaf
      when 1 then DocumentSpec.new(Plain.new(@values.string))
      when 2
        if @dice.once_in(4)
          IntruderSpec.new(intrusion)
        else
          List.new("Array", [part(place.inside), @values.leaf])
        end
      when 3 then place.depth.positive? ? OwnMethod.new("own as_json", part(place)) : @values.leaf
      when 4, 5 then @values.value(2)
      else @values.leaf
      end
    end

    def part(place)
      leaves = [:next] + (place.leaves & [:return])
      PartSpec.new(@numbers += 1,
                   place.depth.positive? ?
                     steps(@dice.pick(%i[pairs pairs value any]), place.inside(leaves: leaves)) :
                     [])
    end

    def intrusion
      @dice.pick([Put.new(Plain.new(:x), value: Plain.new(1)), Value.new(nil, value: Plain.new(1)),
                  Primitive.new("open"), Primitive.new("close"),
                  Primitive.new("open_array"), ArrayWord.new([])])
    end
  end
end
