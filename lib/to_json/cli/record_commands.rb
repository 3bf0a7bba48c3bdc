# frozen_string_literal: true

# Layer: cli. The commands generate, ndjson, and pretty with Rules: they read values and write JSON.
# JSON text is parsed only if a serializer or Rules are given.

module ToJson
  module CLI
    # What generate and ndjson share.
    class RecordCommand < Command
      def initialize(options, arguments, console)
        super
        @application = Application.new(options)
      end

      private

      def process(input, output)
        argument = input.io.equal?($stdin) ? "-" : input.name
        format = Formats.of(argument, @options[:from])
        as_text = !@application.values? && %i[json ndjson].include?(format)
        name_input_in_errors(input) do
          if as_text
            write_text(input, format, output)
          else
            write_records(Formats.new(input, format, @options), output)
          end
        end
      end
    end

    # Indents what was made of values.
    module LaidOut
      private

      def lay_out_document(json, output)
        defect = Text.lay_out(json, **@options[:layout]) { |chunk| output.write(chunk) }
        if defect
          raise Invalid,
                "the document is not valid JSON, so it cannot be indented: #{defect.message}"
        end

        output.write("\n")
      end
    end

    # to_json generate
    class Generate < RecordCommand
      include LaidOut

      private

      def write_text(input, format, output)
        layout = @options[:layout] || {}
        return lay_out(input, input.text, output, **layout) if format == :json

        write(lines_of(input), output)
      end

      def write_records(formats, output)
        write(formats.stream? ? formats.each : formats.value, output)
      end

      # Straight to the output, or, where it is to be indented, through memory.
      def write(value, output)
        return lay_out_document(@application.write(value), output) if @options[:layout]

        @application.write(value, into: output)
        output.write("\n")
      end

      # Each line as a Fragment, byte for byte but for white space.
      def lines_of(input)
        Enumerator.new do |fragments|
          input.each_line do |line, number|
            plain = String.new(encoding: Encoding::UTF_8)
            defect = Text.lay_out(line, max_depth: @depth) { |chunk| plain << chunk }
            invalid_at(input, defect, number - 1) if defect
            fragments << Fragment.new(plain, check: false)
          end
        end
      end
    end

    # to_json ndjson
    class Ndjson < RecordCommand
      private

      def write_text(input, format, output)
        return lay_out(input, input.text, output, layout: :lines) if format == :json

        input.each_line { |line, number| lay_out(input, line, output, lines_before: number - 1) }
      end

      def write_records(formats, output)
        @application.write_lines(formats.each, into: output)
      end
    end

    # to_json pretty, by values where Rules ask for it.
    class Pretty < LayOut
      include LaidOut

      def initialize(options, arguments, console)
        super
        @application = Application.new(options) if options[:rules]
      end

      private

      def process(input, output)
        return super unless @application

        formats = Formats.new(input, @options[:ndjson] ? :ndjson : :json, @options)
        values = @options[:ndjson] ? formats.each : [formats.value]
        name_input_in_errors(input) do
          values.each { |value| lay_out_document(@application.write(value), output) }
        end
      end
    end
  end
end
