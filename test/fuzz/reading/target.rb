# frozen_string_literal: true

# Fuzz. Serializers read what they wrote, in each envelope; of documents that nobody would write
# they make attributes that are writable, or an error with a pointer.

require_relative "../kit/dice"
require_relative "../kit/shrinker"
require_relative "specs"
require_relative "documents"
require "to_json"

module Fuzz
  module Reading
    # Takes anything, and remembers what.
    class Recorder
      attr_reader :assigned

      def initialize = @assigned = {}
      def respond_to_missing?(name, _all = false) = name.end_with?("=")

      def method_missing(name, value)
        @assigned[name.name.delete_suffix("=").to_sym] = value
      end
    end

    # A serializer, an object that it writes, and what is sent to it. `hostile`: [text, keywords].
    Case = Struct.new(:spec, :object, :hostile)

    # The target "reading".
    class Target
      ENVELOPES = %i[plain hal json_api].freeze
      OPTIONS = { unknown: %i[raise ignore collect], errors: %i[first all],
                  missing: %i[ignore ignore raise], collection: [false, false, nil, true],
                  envelope: [nil, nil, *ENVELOPES] }.freeze
      PER_CASE = 30
      CODES = %i[type range choice unknown not_writable missing duplicate depth encoding syntax
                 invalid].freeze

      def name = "reading"

      def rows
        [*KINDS.keys.map { |kind| "as: #{kind}" },
         *%w[inline class map].map { |way| "association: #{way}" },
         *ENVELOPES.map { |one| "round trip: #{one}" },
         *CODES.map { |code| "problem: #{code}" }, "hostile, and read", "hostile, and refused"]
      end

      def generate(dice)
        made = Generator.new(dice)
        spec = made.spec(dice.once_in(2), rootless: false)
        object = made.object(spec)
        hostile = Hostile.new(dice)
        Case.new(spec, object, sent(spec, object, dice, hostile))
      end

      def source(made)
        lines = ["require \"fuzz/reading/target\"", "made = #{made.spec.text}",
                 "object = #{made.object.inspect}",
                 "p made.parse(made.json!(object), unknown: :ignore)"]
        made.hostile.each do |text, keywords|
          lines << "p made.parse(#{text.inspect}.b, **#{keywords.inspect})"
        end
        lines.join("\n")
      end

      def simpler(made)
        Enumerator.new do |out|
          Shrinker.sublists(made.hostile).each { |less| out << made.dup.tap { _1.hostile = less } }
          Shrinker.sublists(made.spec.fields).each do |fields|
            next if fields.empty?

            out << made.dup.tap { _1.spec = made.spec.dup.tap { |spec| spec.fields = fields } }
          end
        end
      end

      # @return [String, nil] what is wrong
      def check(made, rows = nil)
        serializer = build(made.spec)
        count(made.spec, rows)
        ENVELOPES.each do |envelope|
          problem = round_trip(serializer, made, envelope, rows)
          return "#{envelope}: #{problem}" if problem
        end
        made.hostile.each do |text, keywords|
          problem = hostile(serializer, made.spec, text, keywords, rows)
          return "#{text[0, 500].inspect}, #{keywords}: #{problem}" if problem
        end
        nil
      end

      private

      def build(spec) = eval(spec.text) # rubocop:disable Security/Eval

      def count(spec, rows)
        spec.fields.each do |field|
          what = field.shape == :attribute ? "as" : "association"
          rows&.reached("#{what}: #{field.way}") if field.way && field.shape != :nested
          count(field.inner, rows) if field.inner
        end
      end

      # -- what was written -----------------------------------------------------------------------

      def write(serializer, object, envelope)
        case envelope
        when :plain then serializer.json!(object)
        when :hal then serializer.hal!(object)
        else
          paths = serializer.definition.fields
                            .select { |one| %i[one many].include?(one.kind) && !one.definition }
          serializer.json_api!(object, include: paths.map { |one| one.name.name }.join(","))
        end
      end

      def sent(spec, object, dice, hostile)
        serializer = build(spec)
        texts = ENVELOPES.to_h { |one| [one, write(serializer, object, one)] }
        Array.new(PER_CASE) do
          keywords = OPTIONS.transform_values { |values| dice.pick(values) }
          [hostile.of(texts[dice.pick(ENVELOPES)]), keywords]
        end
      end

      def round_trip(serializer, made, envelope, rows)
        return unless made.spec.any?(envelope)

        text = write(serializer, made.object, envelope)
        due = made.spec.attributes(made.object, envelope)
        # hal! of what has neither links nor associations is a plain document
        told = envelope == :hal && !text.include?("\"_embedded\"") ? :hal : nil
        options = { unknown: :ignore, envelope: told, root: (false unless envelope == :plain) }
        found = serializer.parse(text, **options)
        rows&.reached("round trip: #{envelope}")
        return "due #{due}, got #{found} of #{text}" unless same?(due, found)

        again = Recorder.new
        serializer.read(text, into: again, **options)
        "read #{again.assigned}, due #{due}" unless same?(due, again.assigned)
      end

      # Equal with types: 1 is not 1.0.
      def same?(one, other)
        case one
        when Hash
          Hash === other && one.keys.sort == other.keys.sort &&
            one.all? { |key, value| same?(value, other[key]) }
        when Array
          Array === other && one.size == other.size &&
            one.zip(other).all? { |first, second| same?(first, second) }
        else one.instance_of?(other.class) && one == other
        end
      end

      # -- what nobody would write ----------------------------------------------------------------

      def hostile(serializer, spec, text, keywords, rows)
        found = serializer.parse(text.b, **keywords)
        found, = found if keywords[:unknown] == :collect
        rows&.reached("hostile, and read")
        allowed = ENVELOPES.map { |envelope| spec.allowed(envelope) }
        strange = [*(found.is_a?(Hash) ? [found] : found)].find do |one|
          allowed.all? { |tree| stranger(one, tree) }
        end
        "#{stranger(strange, allowed.first)} is not writable" if strange
      rescue ToJson::ReadError => error
        rows&.reached("hostile, and refused")
        wrong_error(error, text, rows) || assigned(serializer, text, keywords)
      rescue ToJson::DefinitionError => error
        error.message.include?("no field is writable") ? nil : raise
      rescue StandardError => error
        "#{error.class}: #{error.message} #{error.backtrace.first(3)}"
      end

      # @return [Symbol, nil] what was read and is not in the tree
      def stranger(attributes, tree)
        attributes.each do |name, value|
          return name unless tree.key?(name)

          inside = tree[name] or next
          [*(value.is_a?(Hash) ? [value] : value)].each do |one|
            next unless one.is_a?(Hash)

            found = stranger(one, inside)
            return found if found
          end
        end
        nil
      end

      def wrong_error(error, text, rows)
        error.problems.each do |problem|
          rows&.reached("problem: #{problem.code}")
          return "no pointer: #{problem.pointer.inspect}" unless
            problem.pointer.empty? || problem.pointer.start_with?("/")
          return "#{problem.pointer} leads nowhere" unless leads?(problem.pointer, text)
        end
        error.message.bytesize > 20_000 ? "a message of #{error.message.bytesize} bytes" : nil
      end

      # Whether what is around the place is in the document.
      def leads?(pointer, text)
        return true if pointer.include?("…")

        parts = pointer.split("/", -1).drop(1).map { |one| one.gsub("~1", "/").gsub("~0", "~") }
        tree = JSON.parse(text, max_nesting: 0, allow_duplicate_key: true)
        parts[0..-2].each do |part|
          tree = tree.is_a?(Array) ? tree.fetch(Integer(part, 10)) : tree.fetch(part)
        end
        true
      rescue JSON::ParserError
        true
      rescue KeyError, IndexError, NoMethodError, ArgumentError
        false
      end

      # Nothing is assigned where the document is wrong.
      def assigned(serializer, text, keywords)
        return if keywords[:collection] != false

        recorder = Recorder.new
        begin
          serializer.read(text.b, into: recorder, **keywords)
          return "read raises nothing, and parse does"
        rescue ToJson::ReadError
          nil
        end
        "assigned #{recorder.assigned}" unless recorder.assigned.empty?
      end
    end
  end

  ReadingTarget = Reading::Target
end
