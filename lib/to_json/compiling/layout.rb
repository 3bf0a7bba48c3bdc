# frozen_string_literal: true

# Layer: compiler. The static bytes of one Part: what stands before each value, as far as it is known ahead of time.

module ToJson
  class Compiler
    # Collects the ops of a Part. The numbers are those of ext/to_json/plans/part.h.
    class Layout
      KINDS = { value: 0, open: 1, end: 2, list: 3, slot: 4 }.freeze
      AS = { string: 1, integer: 2, float: 3, boolean: 4, date: 5, time: 6, fragment: 7 }.freeze
      TIMES = { iso8601: 0, utc: 1, unix: 2, unix_ms: 3, pattern: 4, nil => 5 }.freeze # nil: as the Rules have it
      RULES = [Rules.new, Rules.new(html_safe: true)].freeze
      PLAIN = /\A[A-Za-z0-9_]*\z/
      BEHIND = { KINDS[:end] => "", KINDS[:open] => "{" }.freeze
      OPTIONAL = 1
      SKIP = { nil: 2, blank: 4 }.freeze
      DYNAMIC = 8
      DEFAULT = 16
      SAME = 32
      BEGINS = 1
      ENDS = 2
      MAY_SKIP = OPTIONAL | 2 | 4

      # As a Part takes it, in this order. `plain`, `safe`: the text before the value, and that for HTML. `skip`: of an object that is nil, the
      # ops, values and bytes that are passed over.
      Op = Struct.new(:kind, :plain, :safe, :name, :as, :flags, :source, :skip, :time, :format, :default)

      # What is known of the object at hand: :first, no pair so far; :some, one at least; :unknown.
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
      def pair(kind, key, name, source: nil, flags: 0, as: nil, format: nil, default: nil)
        time = as == :time ? TIMES.fetch(format, TIMES[:pattern]) : 0
        plain, safe = key_texts(key)
        op = Op.new(KINDS.fetch(kind), plain, safe, key.to_sym, AS.fetch(as, 0), flags, source, nil, time, format, default)
        place(op)
        @ops << op
        @values += 1
        op
      end

      # A pair whose object's ops follow, until `close`.
      def open(key, name, source: nil, flags: 0)
        op = pair(:open, key, name, source: source, flags: flags)
        @around << [op, @ops.size, @values, @state]
        @state = :first
        op
      end

      def close
        op, first, values, @state = @around.pop
        @ops << Op.new(KINDS.fetch(:end), "}", "}", nil, 0, 0, nil, nil, 0, nil, nil)
        op.skip = [@ops.size - first, @values - values, 0]
      end

      # @return [Part]
      def part(ends)
        flags = (@begins ? BEGINS : 0) | (ends ? ENDS : 0)
        Part.new(flags, @ops.map(&:to_a))
      end

      # For explain: the static bytes, and what stands between them.
      # @return [String]
      def inspect(ends = false)
        bytes = @begins ? +"{" : +""
        @ops.each { |op| bytes << op.plain << BEHIND.fetch(op.kind, "…") }
        ends ? bytes << "}" : bytes
      end

      private

      # What is plain needs no Writer.
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
        return "" unless @ops.last&.kind == KINDS[:end]

        ended = @ops.reverse.take_while { |op| op.kind == KINDS[:end] && op.plain == "}" }
        ended.each { |op| op.plain = op.safe = "" }
        opened = openings_of(ended.size)
        opened.each_with_index { |op, index| op.skip[2] = index + 1 }
        "}" * ended.size
      end

      # The objects that the last `count` ops end, innermost first.
      def openings_of(count)
        closed = []
        stack = []
        @ops.each_with_index do |op, index|
          stack << op if op.kind == KINDS[:open]
          next unless op.kind == KINDS[:end]

          opening = stack.pop
          closed << opening if index >= @ops.size - count
        end
        closed
      end
    end
  end
end
