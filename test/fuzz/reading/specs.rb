# frozen_string_literal: true

# Reading. Random serializers on paper, the objects that they write, and what must be read back.

require "bigdecimal"
require "date"

module Fuzz
  module Reading
    # Encodes and decodes.
    class Turned
      def self.encode(text) = text.reverse

      def self.decode(text)
        raise ArgumentError, "takes text" unless String === text

        text.reverse
      end
    end

    # What an attribute may be: its options, and how a value of it is made.
    KINDS = {
      "plain" => ["", ->(dice) { dice.pick(["", "ü\u0000\"", 0, -7, 2.5, true, false, 10**20]) }],
      "string" => [", as: :string", ->(dice) { dice.pick(["", "a\nb", "\u{1F600}"]) }],
      "integer" => [", as: :integer", ->(dice) { dice.between(-5, 5) * (10**dice.below(25)) }],
      "float" => [", as: :float", ->(dice) { (dice.float - 0.5) * (10.0**dice.between(-9, 9)) }],
      "boolean" => [", as: :boolean", ->(dice) { dice.once_in(2) }],
      "date" => [", as: :date", ->(dice) { Date.new(1600, 1, 1) + dice.below(300_000) }],
      "time" => [", as: :time", ->(dice) { Values.moment(dice, 1000) }],
      "zoned" => [", as: :time", ->(dice) { Values.moment(dice, 1000).localtime("+05:30") }],
      "utc" => [", as: :time, format: :utc", ->(dice) { Values.moment(dice, 1000) }],
      "unix" => [", as: :time, format: :unix", ->(dice) { Values.moment(dice, 1) }],
      "unix_ms" => [", as: :time, format: :unix_ms", ->(dice) { Values.moment(dice, 1000) }],
      "pattern" => [", as: :time, format: \"%Y/%j %H:%M:%S %z\"",
                    ->(dice) { Values.moment(dice, 1) }],
      "fragment" => [", as: :fragment", ->(dice) { ToJson.generate([Values.any(dice, 2)]) }],
      "decode" => [", as: Fuzz::Reading::Turned", ->(dice) { dice.pick(["", "abc", "ü"]) }],
      "decimal" => ["", ->(dice) { BigDecimal(dice.between(-10**9, 10**9)) / 1000 },
                    "{ as: :decimal }"],
      "choice" => ["", ->(dice) { dice.pick(%i[one two]) }, "{ in: %i[one two] }"],
      "array" => ["", ->(dice) { Array.new(dice.below(4)) { |n| [n, n.to_s, nil][n % 3] } },
                  "{ as: :array }"],
      "object" => ["", ->(dice) { { "k" => Values.any(dice, 2) } }, "{ as: :object }"],
      "any" => ["", ->(dice) { Values.any(dice, 3) }, "{ as: :any }"]
    }.freeze

    # Values of attributes.
    module Values
      module_function

      def moment(dice, unit) = Time.at(Rational(dice.below(4_000_000_000 * unit), unit)).utc

      def any(dice, depth)
        case depth.zero? ? dice.below(4) : dice.below(6)
        when 0 then nil
        when 1 then dice.between(-9, 9)
        when 2 then dice.pick(["", "x", "\u2028"])
        when 3 then dice.once_in(2)
        when 4 then Array.new(dice.below(3)) { any(dice, depth - 1) }
        else { "a" => any(dice, depth - 1), "" => 1 }
        end
      end
    end

    # A field of a serializer. `shape`: attribute, nested, one, many or flatten; `way`: one of
    # KINDS, or for associations "inline", "class" or "map" (polymorphic: the object has its type as
    # `kind`); `writable`: true, false, :renamed, :nested or :destroying.
    Field = Struct.new(:shape, :name, :source, :way, :writable, :inner) do
      # @return [Symbol] what is assigned
      def target
        return :"w_#{source}" if writable == :renamed

        nested? ? :"#{source}_attributes" : source
      end

      def nested? = %i[nested destroying].include?(writable)
      def map? = way == "map"

      # @return [Hash{Symbol => nil}] what an object inside gets besides its fields
      def more
        { kind: map? || nil, _destroy: (writable == :destroying) || nil }.compact
                                                                          .transform_values { nil }
      end

      def source_text
        case shape
        when :attribute then attribute
        when :nested then "nested(:#{name}) { #{inner.fields_text} }"
        else association
        end
      end

      private

      def attribute
        options, _, own = KINDS.fetch(way)
        given =
          case writable
          when false then own && ", writable: false"
          when :renamed then ", writable: { name: :#{target},#{own&.delete_prefix("{") || " }"}"
          else ", writable: #{own || true}"
          end
        "attribute :#{name}, :#{source}#{options}#{given}"
      end

      def association
        word = { one: "has_one", many: "has_many", flatten: "flatten" }.fetch(shape)
        names = shape == :flatten ? ":#{source}" : ":#{name}, source: :#{source}"
        return "#{word}(#{names}#{given}) { #{inner.fields_text} }" if way == "inline"

        "#{word} #{names}#{given}, serializer: #{map? ? map : inner.text}"
      end

      def given
        return unless writable

        options = [("nested: true" if nested?), ("destroy: true" if writable == :destroying),
                   ("name: :#{target}" if writable == :renamed), ("type: :kind" if map?)].compact
        ", writable: #{options.empty? ? true : "{ #{options.join(", ")} }"}"
      end

      def map
        kind = "attribute(:kind) { #{%w[hash hashes Hash][name.size % 3].inspect} }"
        "{ Hash => #{inner.text.delete_suffix(" }")}; #{kind} } }"
      end
    end

    # A serializer.
    Spec = Struct.new(:type, :key_case, :root, :fields) do
      def fields_text = fields.map(&:source_text).join("; ")

      # @return [String] an expression
      def text
        words = ["type :#{type}", ("transform_keys :#{key_case}" if key_case),
                 ("root :#{root}, :#{root}_list" if root)].compact
        "Class.new(ToJson::Serializer) { #{[*words, fields_text].join("; ")} }"
      end

      # Whether anything is read, in this envelope.
      def any?(envelope)
        fields.any? { |field| read?(field, envelope) }
      end

      def read?(field, envelope)
        return field.inner.any?(:plain) if field.shape == :nested
        return false unless field.writable
        return true if field.shape == :attribute || linked?(field, envelope)

        field.inner.any?(field.way == "inline" || field.shape == :flatten ? :plain : envelope)
      end

      # A relationship of JSON:API.
      def linked?(field, envelope)
        envelope == :json_api && %i[one many].include?(field.shape) && field.way != "inline"
      end

      # @return [Hash{Symbol => Object}] what reading gives of what was written of an object
      def attributes(object, envelope)
        fields.select { |field| read?(field, envelope) }
              .each_with_object({}) { |field, all| add(field, object, envelope, all) }
      end

      # @return [Hash{Symbol => Hash, nil}] what may be assigned at all, as a tree
      def allowed(envelope)
        fields.select { |field| read?(field, envelope) }.each_with_object({}) do |field, all|
          case field.shape
          when :attribute then all[field.target] = nil
          when :nested then all.update(field.inner.allowed(:plain))
          else
            all.update(ids(field)) if linked?(field, envelope)
            inside = field.way == "inline" || field.shape == :flatten ? :plain : envelope
            all[field.target] = { **field.inner.allowed(inside), **field.more,
                                  **(linked?(field, envelope) ? { type: nil, id: nil } : {}) }
          end
        end
      end

      private

      def add(field, object, envelope, all)
        value = object[field.source]
        case field.shape
        when :attribute then all[field.target] = value
        when :nested then all.update(field.inner.attributes(object, :plain))
        when :flatten
          found = value && field.inner.attributes(value, :plain)
          all[field.target] = found if found&.any?
        else related(field, value, envelope, all)
        end
      end

      def related(field, value, envelope, all)
        if linked?(field, envelope)
          return linked(field, value, all)
        end
        return if value.nil? && (envelope == :hal || field.nested?)

        inside = field.way == "inline" ? :plain : envelope
        all[field.target] =
          if field.shape == :one then value && inside(field, value, inside)
          else value&.map { |one| inside(field, one, inside) }
          end
      end

      def inside(field, value, envelope)
        found = field.inner.attributes(value, envelope)
        field.map? ? { **found, kind: "Hash" } : found
      end

      def linked(field, value, all)
        one, many, type = ids(field).keys
        if field.shape == :one
          all[one] = value && value[:id].to_s
          all[type] = value && "Hash" if field.map?
        elsif field.map?
          all[field.target] = (value || []).map { |other| { type: "Hash", id: other[:id].to_s } }
        else all[many] = (value || []).map { |other| other[:id].to_s }
        end
      end

      def ids(field)
        { :"#{field.source}_id" => nil, :"#{field.source.name.delete_suffix("s")}_ids" => nil,
          :"#{field.source}_type" => nil }
      end
    end

    # Makes these.
    class Generator
      CASES = [nil, nil, :camel_lower, :dash, :camel].freeze

      def initialize(dice)
        @dice, @number = dice, 0
      end

      # @param all [Boolean] whether every field is writable
      # @param key_case [Array] to pick from
      def spec(all, depth = 2, rootless: true, shapes: SHAPES, key_case: CASES)
        key_case = @dice.pick(key_case)
        root = @dice.pick(["thing", nil, nil]) unless rootless
        fields = Array.new(@dice.between(1, 6)) { field(all, depth, shapes, key_case) }
        Spec.new("things#{@number += 1}", key_case, root, fields)
      end

      SHAPES = Dice.weights(attribute: 8, nested: 1, one: 2, many: 2, flatten: 1)
      ATTRIBUTES = [:attribute].freeze
      private_constant :SHAPES, :ATTRIBUTES

      # @return [Hash{Symbol => Object}] an object that the Spec writes
      def object(spec, into = { id: @number += 1 })
        spec.fields.each do |field|
          case field.shape
          when :attribute
            nothing = @dice.once_in(8)
            into[field.source] = nothing ? nil : KINDS.fetch(field.way)[1].call(@dice)
          when :nested then object(field.inner, into)
          when :many
            into[field.source] = (Array.new(@dice.below(3)) { object(field.inner) } unless
              @dice.once_in(8))
          else into[field.source] = (object(field.inner) unless @dice.once_in(5))
          end
        end
        into
      end

      private

      def field(all, depth, shapes, key_case)
        shape = depth.zero? ? :attribute : @dice.pick(shapes)
        number = @number += 1
        name, source = :"some_field#{number}", :"from_field#{number}s"
        return attribute(all, name, source) if shape == :attribute

        # what flattens or is nested is of one level, and no resource
        flat = %i[nested flatten].include?(shape)
        way = @dice.pick(flat ? %w[inline class] : %w[inline class map])
        # that of the class counts in a block, and for the key of a type
        inner = spec(all, depth - 1, shapes: flat ? ATTRIBUTES : SHAPES,
                                     key_case: way == "class" ? CASES : [key_case])
        ways = shape == :flatten ? [true, :renamed] : [true, :renamed, :nested, :destroying]
        writable = shape == :nested ? nil : @dice.pick(all ? ways : [*ways, false])
        Field.new(shape, name, source, way, writable, inner)
      end

      def attribute(all, name, source)
        writable = @dice.pick(all ? [true, true, :renamed] : [true, true, :renamed, false])
        Field.new(:attribute, name, source, @dice.pick(KINDS.keys), writable)
      end
    end
  end
end
