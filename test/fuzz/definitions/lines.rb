# frozen_string_literal: true

# Fuzz. The object of a call as many records, some of which fail, into any Sink, which may fail too:
# what arrives is whole lines in order, all of those before the record that fails, and no more.

require_relative "../kit/deliveries"

module Fuzz
  # Which records are struck, what on_error: makes of them, and whether they are a JSON sequence.
  Lines = Struct.new(:struck, :on_error, :sequence, keyword_init: true) do
    # @return [Lines]
    def self.random(dice)
      new(struck: Array.new(dice.between(1, 5)) { dice.once_in(3) },
          on_error: dice.pick([nil, nil, :skip, :instead]), sequence: dice.once_in(3))
    end

    # @yieldparam struck [Boolean] of the record that comes
    # @return [Enumerator] the object as often as there are records
    def records(given)
      Enumerator.new do |records|
        struck.each do |one|
          yield one
          records << given
        end
      end
    end

    def word = sequence ? :json_seq : :ndjson
    def line(text) = "#{"\x1E" if sequence}#{text}\n"

    def keywords
      case on_error
      when nil then {}
      when :skip then { on_error: :skip }
      else { on_error: ->(_error, _record, index) { index } }
      end
    end

    # @param well [Result] of the object alone
    # @param failed [Result] of the object alone when it is struck
    # @return [Array(Array<String>, Exception or Symbol or nil)] the lines, and what ends them
    def due(well, failed)
      lines = []
      struck.each_with_index do |one, index|
        result = one ? failed : well
        if result.text then lines << line(result.text)
        elsif on_error.nil? || !asked?(result.error) then return [lines, result.error]
        elsif on_error == :instead then lines << line(index.to_s)
        end
      end
      [lines, nil]
    end

    private

    def asked?(error) = error.is_a?(StandardError) && !error.is_a?(ToJson::DefinitionError)
  end

  module Definitions
    # Of DefinitionsTarget.
    module Recorded
      ROWS = ["lines", "lines: a record fails", "lines: on_error", "lines: a throw",
              "lines: the Sink fails", "lines: the Sink fails after a record"].freeze

      private

      # @return [String, nil] what is wrong
      def recorded(klass, call, given, well, failed)
        return unless @delivery && @lines && well.text && record?(klass, call)

        lines, ending = @lines.due(well, failed)
        count_lines(lines, ending)
        sink = Deliveries.sink(@delivery)
        error = nil
        thrown = catch(:fuzz) do
          error = run_lines(klass, call, given, sink)
          nil
        end
        return if asked_its_class?(error)

        wrong = lines_wrong(sink, lines.join, ending, thrown || error)
        wrong ||= "the next document is wrong" unless ToJson.generate([1]) == "[1]"
        wrong && "#{@lines.inspect} into #{@delivery.source}: #{wrong}"
      ensure
        Fault.armed = false
      end

      # @return [Exception, nil]
      def run_lines(klass, call, given, sink)
        records = @lines.records(given) { |struck| Fault.armed = struck }
        answer = klass.public_send(@lines.word, records, **call.options.except(:collection),
                                   **@lines.keywords, into: sink, **@delivery.pace)
        raise "#{answer.inspect} is answered" unless answer.equal?(sink)
      rescue StandardError, SinkStruck, NoMemoryError, SystemStackError => error
        error
      end

      def count_lines(lines, ending)
        reached("lines")
        reached("lines: on_error") if @lines.on_error && @lines.struck.any?
        reached(ending.is_a?(Symbol) ? "lines: a throw" : "lines: a record fails") if ending
        reached("lines: the Sink fails after a record") if lines.any? && @delivery.fault
      end

      # @param got [Exception, Symbol, nil] how it ended
      def lines_wrong(sink, due, ending, got)
        text = Deliveries.arrived(sink)
        return lines_in_memory(text, due, ending, got) if %i[string buffer].include?(@delivery.kind)

        told = ToJson.delivered(got) if got.is_a?(Exception) && !got.frozen?
        if told && told != text.bytesize
          return "#{got.class} says #{told}, #{text.bytesize} arrived"
        elsif sink.is_a?(Deliveries::Taker) && sink.struck?
          return lines_struck(text, due, ending, got)
        elsif !same_ending?(ending, got) then return "#{ending.inspect} is due, got #{got.inspect}"
        end

        # nothing is delivered on the way out of a throw
        whole = ending.is_a?(Symbol) ? due.b.start_with?(text) && whole?(text) : text == due.b
        "due #{due}, arrived #{text}" unless whole
      end

      # It is as it was before where something fails.
      def lines_in_memory(text, due, ending, got)
        due = Deliveries::BEFORE + (got ? "" : due)
        return "#{ending.inspect} is due, got #{got.inspect}" unless same_ending?(ending, got)

        "due #{due}, it holds #{text}" unless text == due.b
      end

      # The first error is told: the record's, if its lines failed to leave behind it.
      def lines_struck(text, due, ending, got)
        reached("lines: the Sink fails")
        theirs = got.is_a?(SinkStruck) || got.is_a?(ToJson::SinkError)
        return "#{got.inspect} of a Sink that failed" unless theirs || same_ending?(ending, got)

        "what arrived is no part of #{due}: #{text}" unless due.b.start_with?(text)
      end

      def same_ending?(ending, got)
        return got.nil? if ending.nil?
        return got == :struck if ending.is_a?(Symbol)

        got.is_a?(Exception) && kind(got) == kind(ending)
      end

      def whole?(text) = text.empty? || text.end_with?("\n")
    end
  end
end
