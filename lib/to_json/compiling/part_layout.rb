# frozen_string_literal: true

# Layer: compiling. Lays out one Part: the static bytes before each value, as far as they are known
# when the class is compiled.

module ToJson
  class Compiler
    # Collects the ops of a Part. Their numbers, flags and operands are those of
    # ext/to_json/plans/ops.h.
    class PartLayout
      TABLE = Part::TABLE
      KINDS = TABLE[:ops].transform_values { |row| row[:number] }.freeze
      FLAGS = TABLE[:flags].transform_values { |row| row[:number] }.freeze
      AS = { nil => 0, **TABLE[:as] }.freeze
      PART = TABLE[:part_flags]
      SHOWN = TABLE[:ops].values.to_h { |row| row.values_at(:number, :shown) }.freeze
      END_OF_OBJECT = KINDS[:end]
      DYNAMIC = FLAGS[:dynamic]
      MAY_SKIP = FLAGS.values_at(:optional, :skip_nil, :skip_blank).sum
      RULES = [Rules.new, Rules.new(html_safe: true)].freeze
      PLAIN = /\A[A-Za-z0-9_]*\z/

      Op = Struct.new(*TABLE[:operands])

      # What is known about the pairs of the object so far. :first: there is none; :some: there is
      # one or more; :unknown: that depends on values.
      attr_reader :state
      # @return [Integer] values that the Part takes so far
      attr_reader :values
      attr_reader :ops

      def initialize(begins, state)
        @begins, @state, @values = begins, state, 0
        @ops = []
        @around = []
      end

      def empty? = @ops.empty?

      # A pair that takes a value, or opens a list or a slot.
      # @param flags [Array<Symbol>] of FLAGS
      def pair(kind, key, source: nil, flags: [], as: nil, format: nil, default: nil)
        plain, safe = key_texts(key)
        flags = flags.sum { |flag| FLAGS.fetch(flag) }
        op = Op.new(KINDS.fetch(kind), plain, safe, key.to_sym, AS.fetch(as), flags, source, format,
                    default)
        place(op)
        @ops << op
        @values += 1
      end

      # A pair whose object's ops follow, until `close`.
      def open(key, source: nil, flags: [])
        pair(:open, key, source: source, flags: flags)
        @around << @state
        @state = :first
      end

      def close
        @state = @around.pop
        @ops << Op.new(END_OF_OBJECT, "}", "}", nil, 0, 0)
      end

      # A pair whose value is an id, or an Array of ids, of resources of one type.
      def identifiers(key, type, flags)
        pair(:identifiers, key, flags: flags)
        texts = RULES.map do |rules|
          "{\"type\":#{ToJson.generate(type, rules: rules)},\"id\":"
        end
        @ops << Op.new(KINDS.fetch(:identifier), *texts, :id, AS.fetch(:string), 0, nil, nil, type)
      end

      # @return [Part]
      def part(ends)
        flags = (@begins ? PART[:begins] : 0) | (ends ? PART[:ends] : 0)
        Part.new(flags, @ops.map(&:to_a))
      end

      # For explain: the static bytes, and what stands between them.
      # @return [String]
      def inspect(ends = false)
        bytes = @begins ? +"{" : +""
        @ops.each { |op| bytes << op.plain << SHOWN[op.kind] }
        ends ? bytes << "}" : bytes
      end

      private

      # A plain key has the same text under all Rules, so no Writer must encode it.
      def key_texts(key)
        if PLAIN.match?(key)
          text = "\"#{key}\":"
          return [text, text]
        end

        RULES.map { |rules| "#{ToJson.generate(key, rules: rules)}:" }
      end

      # The comma, and closing braces that go with it in one piece.
      def place(op)
        may_skip = op.flags.anybits?(MAY_SKIP)
        case @state
        when :first then prefix(op, ",") if may_skip
        when :unknown then prefix(op, ",")
        else
          prefix(op, ",")
          prefix(op, join_ends) unless may_skip
        end
        op.flags |= DYNAMIC if @state == :unknown || (@state == :first && may_skip)
        @state = may_skip ? (@state == :some ? :some : :unknown) : :some
      end

      def prefix(op, text)
        return if text.empty?

        alike = op.plain.equal?(op.safe)
        op.plain = text + op.plain
        op.safe = alike ? op.plain : text + op.safe
      end

      # The braces of the objects that end right here.
      def join_ends
        ended = @ops.reverse.take_while { |op| op.kind == END_OF_OBJECT }
        ended.each { |op| op.plain = op.safe = "" }
        "}" * ended.size
      end
    end
  end
end
