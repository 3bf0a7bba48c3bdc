# frozen_string_literal: true

# Fuzz kit. Random Sinks with random chunk: and flush:, some of which fail at some write: every byte
# of the document exactly once, or an error that says how many went, and those are its first ones.

require "stringio"
require_relative "text"

module Fuzz
  # What a Sink raises; no `rescue` of a script catches it.
  class SinkStruck < Exception; end # rubocop:disable Lint/InheritException

  # One way to deliver. sizes: what one `write` takes at most, in turn. fault: at write number `at`,
  # from 0.
  Delivery = Struct.new(:kind, :chunk, :flush, :sizes, :fault, :at, keyword_init: true) do
    # @return [Delivery] of random Sink, chunks, paces and faults
    def self.random(dice)
      kind = dice.weighted(Deliveries::KINDS)
      delivery = new(kind: kind, chunk: dice.pick([nil, 1, 2, 7, 16, 63, 64, 65, 200]),
                     flush: dice.pick([nil, nil, :record, :record, 0, 1e-6, 60]))
      if kind == :short
        delivery.sizes = Array.new(dice.between(2, 4)) do
          dice.pick([1, 2, 3, 5, 40, 1_000])
        end.push(*(0 if dice.once_in(3)))
      end
      return delivery if Deliveries::SAFE.include?(kind) || !dice.once_in(2)

      delivery.fault = kind == :appends ? :raises : dice.pick(Deliveries::FAULTS)
      delivery.at = dice.below(dice.pick([2, 6, 20]))
      delivery
    end

    def pace = { chunk: chunk, flush: flush }.compact

    # How a failing case's source names it.
    def source
      "Fuzz::" \
      "Delivery.new(#{to_h.compact.map { |name, value| "#{name}: #{value.inspect}" }.join(", ")})"
    end
  end

  # What Deliveries go to, and the judge of what arrived.
  module Deliveries
    KINDS = Dice.weights(takes_all: 3, short: 4, silent: 1, appends: 2, string_io: 1, string: 1,
                         buffer: 3)
    SAFE = %i[string_io string buffer].freeze # these fail at no write
    FAULTS = %i[raises raises negative too_much nothing].freeze
    BEFORE = "before "
    ROWS = [*KINDS.uniq.map { |kind| "delivered: #{kind}" },
            *FAULTS.uniq.map { |fault| "struck: #{fault}" }, "delivered in chunks", "flush: record",
            "flush: seconds", "delivered: an error of the document's",
            "delivered: a Buffer is as it was"].freeze

    # A Sink as a Delivery says.
    class Taker
      attr_reader :taken

      def initialize(delivery)
        @delivery = delivery
        @taken = "".b
        @calls = 0
      end

      # @return [Boolean] whether it has failed
      def struck? = @struck

      private

      def receive(text)
        number = @calls
        @calls += 1
        fault = fault_at(number)
        return strike(fault, text) if fault

        size =
          if @delivery.sizes
            [@delivery.sizes[number % @delivery.sizes.size], text.bytesize].min
          else
            text.bytesize
          end
        @taken << text.byteslice(0, size).b
        size
      end

      def fault_at(number)
        return unless @delivery.fault && number >= @delivery.at

        @delivery.fault if number == @delivery.at || @struck
      end

      def strike(fault, text)
        @struck = true
        case fault
        when :raises then raise SinkStruck
        when :negative then -1
        when :too_much then text.bytesize + 1
        else 0
        end
      end
    end

    # Answers as IO#write does.
    class Writing < Taker
      def write(text)
        size = receive(text)
        @delivery.kind == :silent && !struck? ? nil : size
      end
    end

    # Has << alone.
    class Appending < Taker
      def <<(text)
        receive(text)
        self
      end
    end

    module_function

    def sink(delivery)
      case delivery.kind
      when :string then +BEFORE
      when :buffer then ToJson::Buffer.new << BEFORE
      when :string_io then StringIO.new(+"")
      when :appends then Appending.new(delivery)
      else Writing.new(delivery)
      end
    end

    # What stands in it.
    def arrived(sink)
      case sink
      when String then sink.b
      when ToJson::Buffer then sink.to_s.b
      when StringIO then sink.string.b
      else sink.taken
      end
    end

    # Runs the document of the block, called with keywords, once.
    #
    # @param due [String, nil] its text; nil: it ends with an error of its own
    # @param unsure [Boolean] whether it rescues, so that it may be poisoned where bytes have left
    # @return [String, nil] what is wrong
    def problem(delivery, due, unsure, rows)
      sink = sink(delivery)
      error = nil
      begin
        answer = yield(into: sink, **delivery.pace)
      rescue StandardError, SinkStruck, NoMemoryError, SystemStackError => error
        nil
      end
      count(delivery, sink, error, rows) if rows
      wrong =
        if error
          failed(delivery, sink, error, due, unsure)
        else
          whole(delivery, sink, answer, due, unsure)
        end
      wrong ||= "the next document is #{ToJson.generate([1])}" unless ToJson.generate([1]) == "[1]"
      wrong && "#{delivery.source}: #{wrong}"
    end

    def count(delivery, sink, error, rows)
      rows.reached("delivered: #{delivery.kind}")
      rows.reached("struck: #{delivery.fault}") if sink.is_a?(Taker) && sink.struck?
      rows.reached("delivered in chunks") if delivery.chunk
      if delivery.flush
        rows.reached("flush: #{delivery.flush.is_a?(Symbol) ? "record" : "seconds"}")
      end
      return unless error

      rows.reached("delivered: an error of the document's") unless sink.is_a?(Taker) && sink.struck?
      rows.reached("delivered: a Buffer is as it was") if delivery.kind == :buffer
    end

    def whole(delivery, sink, answer, due, unsure)
      return "#{answer.inspect} is answered" unless answer.equal?(sink)
      return "no error of #{delivery.fault}" if sink.is_a?(Taker) && sink.struck? && !unsure
      return if unsure && sink.is_a?(Taker) && sink.struck? # it rescued what the Sink raised
      return "an error is due, not #{arrived(sink)}" unless due

      due = BEFORE + due if %i[string buffer].include?(delivery.kind)
      "due #{due}, arrived #{arrived(sink)}" unless arrived(sink) == due.b
    end

    def failed(delivery, sink, error, due, unsure)
      text = arrived(sink)
      if %i[string buffer].include?(delivery.kind)
        return "it holds #{text}" unless text == BEFORE
      else
        count = ToJson.delivered(error)
        # nil: before it began
        unless count == text.bytesize || error.frozen? || (count.nil? && text.empty?)
          return "#{error.class} says #{count.inspect}, #{text.bytesize} arrived"
        end
        unless unsure || due.nil? || due.b.start_with?(text)
          return "what arrived is no part of it: #{text}"
        end
        return "part of a failed document parses: #{text}" if parses?(text)
      end
      "#{error.class}: #{error.message}" unless due.nil? || unsure || theirs?(sink, error)
    end

    # A number cut short is a number: no delivery can help that.
    def parses?(text)
      !text.match?(/\A-?[\d.eE+-]*\z/) &&
        Text.parsed(text.dup.force_encoding(Encoding::UTF_8).scrub("?")) != :invalid
    end

    # Whether the Sink is to blame.
    def theirs?(sink, error)
      sink.is_a?(Taker) && sink.struck? &&
        (error.is_a?(SinkStruck) || error.is_a?(ToJson::SinkError))
    end
  end
end
