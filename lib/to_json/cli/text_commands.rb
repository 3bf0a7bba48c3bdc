# frozen_string_literal: true

# Layer: cli. The commands validate, minify and pretty: they read JSON text and write JSON text.

module ToJson
  module CLI
    # What all subcommands do: they process each input, also after one that failed.
    class Command
      # @param options [Hash] see Options
      # @param arguments [Array<String>] paths; "-" is stdin
      def initialize(options, arguments, console)
        @options = options
        @arguments = arguments.empty? ? ["-"] : arguments
        @console = console
        @depth = options[:max_depth] || Text::MOST_DEPTH
      end

      # @return [Integer] the exit status, the worst of all inputs'
      def run
        @status = OK
        if writes?
          Output.open(@options[:output], line_buffered: @options[:line_buffered]) do |output|
            each_input(output) == OK
          end
        else each_input(nil)
        end
        @status
      end

      private

      def writes? = true

      def each_input(output)
        @arguments.each do |argument|
          Input.open(argument, @console) { |input| process(input, output) }
        rescue Invalid => error
          output&.flush
          invalid(error.message)
        rescue OutputFailure
          raise
        rescue Failure => error
          output&.flush
          @console.warning("to_json: ", error.message)
          @status = FAILED
        end
        @status
      end

      def invalid(message)
        @console.message(message)
        @status = INVALID if @status < INVALID
      end

      # Puts the name of the input before the message of {Invalid}, unless it is there already.
      def name_input_in_errors(input)
        yield
      rescue Invalid => error
        raise if error.message.b.start_with?(input.name.b)

        raise Invalid, "#{input.name.b}: #{error.message.b}"
      end

      def invalid_at(input, defect, lines_before = 0)
        raise Invalid, "#{input.name.b}:#{defect.below(lines_before)}"
      end

      # Writes a text laid out anew, then a line end unless it wrote nothing. Shows progress only
      # for a long text, and without a total, because nobody knows how much will be written.
      def lay_out(input, text, output, lines_before: 0, **layout)
        if text.bytesize <= Input::PIECE
          return write_laid_out(input, text, output, lines_before, layout, nil)
        end

        @console.progress("writing #{input.name}", nil) do |advance|
          write_laid_out(input, text, output, lines_before, layout, advance)
        end
      end

      def write_laid_out(input, text, output, lines_before, layout, advance)
        wrote = false
        defect = Text.lay_out(text, max_depth: @depth, **layout) do |chunk|
          wrote = true
          output.write(chunk)
          advance&.call(chunk.bytesize)
        end
        invalid_at(input, defect, lines_before) if defect
        output.write("\n") if wrote
      end
    end

    # to_json validate
    class Validate < Command
      private

      def writes? = false

      def process(input, _output)
        return check(input, input.text, 0) unless @options[:ndjson]

        input.each_line { |line, number| check(input, line, number - 1) }
      end

      def check(input, text, lines_before)
        defect = Text.defect(text, max_depth: @depth)
        invalid("#{input.name.b}:#{defect.below(lines_before)}") if defect
      end
    end

    # to_json minify and to_json pretty
    class LayOut < Command
      private

      def process(input, output)
        unless @options[:ndjson]
          return lay_out(input, input.text, output, **@options.fetch(:layout))
        end

        input.each_line do |line, number|
          lay_out(input, line, output, lines_before: number - 1, **@options.fetch(:layout))
        end
      end
    end
  end
end
