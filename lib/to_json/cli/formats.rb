# frozen_string_literal: true

# Layer: cli. Reads YAML, CSV, JSON and NDJSON as Ruby values, with Ruby's standard library.

module ToJson
  module CLI
    # Reads one Input as one format. What cannot be read is Invalid, with its place.
    class Formats
      EXTENSIONS = { ".yml" =>
                       :yaml, ".yaml" => :yaml, ".csv" => :csv, ".tsv" => :csv, ".json" => :json,
                       ".geojson" => :json,
                     ".ndjson" => :ndjson, ".jsonl" => :ndjson }.freeze
      NUMBER = /\A-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?\z/

      # Which format `argument` is in: what was said, or by its name. Stdin is JSON unless said.
      def self.of(argument, said)
        return said if said
        return :json if argument == "-"

        EXTENSIONS.fetch(File.extname(argument).downcase) do
          raise Failure,
                "#{argument.b}: the file name does not tell the format. Pass --from yaml, csv, " \
                "json or ndjson."
        end
      end

      # Loads what reads `format`, so that its errors have names.
      def self.load(format)
        case format
        when :yaml then require "psych"
        when :csv then require "csv"
        end
      rescue LoadError
        raise Failure,
              "reading CSV needs the csv gem, which Ruby no longer includes since 3.4: gem " \
              "install csv"
      end

      def initialize(input, format, options)
        Formats.load(format)
        @input = input
        @format = format
        @options = options
      end

      # Whether records come one by one, so that memory stays flat.
      def stream? = %i[csv ndjson].include?(@format)

      # @yieldparam record [Object] each row, line, element of a root array or document of a YAML
      #   stream
      def each(&block)
        return to_enum(:each) unless block

        case @format
        when :csv then each_row(&block)
        when :ndjson then each_parsed_line(&block)
        when :json then elements(parse_json(@input.text, 0), &block)
        when :yaml then each_document { |value| elements(value, &block) }
        end
      end

      # The one value of a format that is no stream.
      def value
        return parse_json(@input.text, 0) if @format == :json

        values = []
        each_document do |value|
          values << value
          if values.size > 1
            raise Invalid,
                  "#{@input.name.b}: more than one YAML document. Use to_json ndjson, which " \
                  "writes a line for each."
          end
        end
        values.first
      end

      private

      def elements(value, &block) = value.is_a?(Array) ? value.each(&block) : block.call(value)

      def parse_json(text, lines_before)
        defect = Text.defect(text)
        raise Invalid, "#{@input.name.b}:#{defect.below(lines_before)}" if defect

        require "json"
        # the last one counts, with json 3 too
        JSON.parse(text, max_nesting: 0, allow_duplicate_key: true)
      rescue SystemStackError
        too_deep
      end

      # Where reading needs Ruby's stack, which ends some thousand levels down.
      def too_deep = raise(Invalid, "#{@input.name.b}: nested too deep to be read into values")

      def each_parsed_line
        @input.each_line do |line, number|
          yield parse_json(line.force_encoding(Encoding::UTF_8), number - 1)
        end
      end

      def each_document
        # a byte order mark, which Psych takes for content
        text = @input.text.delete_prefix("\uFEFF")
        Psych.parse_stream(text, filename: @input.name) { |document| yield ruby_of(document) }
      rescue Psych::SyntaxError => error
        raise Invalid,
              "#{@input.name.b}:#{error.line}:#{error.column}: " \
              "#{[error.problem, error.context].compact.join(" ").b}"
      rescue SystemStackError
        too_deep
      rescue Psych::Exception => error
        raise Invalid, "#{@input.name.b}: #{error.message.b}"
      end

      # As YAML.safe_load: no classes but these, so that data cannot make objects. Aliases are
      # followed.
      def ruby_of(document)
        classes = Psych::ClassLoader::Restricted.new(%w[Date DateTime Time Symbol], [])
        Psych::Visitors::ToRuby.new(Psych::ScalarScanner.new(classes), classes).accept(document)
      end

      def each_row
        rows = csv_rows
        @input.progress do |advance|
          last = 0
          while (row = next_row(rows))
            yield @options[:headers] == false ? row : record(rows, row)
            next unless (rows.lineno & 255).zero? && (at = position)

            advance.call(at - last)
            last = at
          end
        end
      end

      # The cells by their names. Refuses two columns of one name, and two without a name: a Hash
      # would keep only one of them.
      def record(rows, row)
        @names ||= distinct(rows.headers)
        cells = row.fields
        if cells.size > @names.size && !cells[@names.size..].all?(nil)
          raise Invalid, "#{@input.name.b}:#{rows.lineno}: more cells than the first row has names"
        end

        @names.zip(cells).to_h
      end

      def distinct(names)
        twice = names.find { |name| names.count(name) > 1 }
        return names unless names.uniq.size < names.size

        raise Invalid, "#{@input.name.b}:1: two columns have " +
                       (twice ? "the name #{twice.dump}" : "no name").b +
                       ". --no-headers writes rows as arrays."
      end

      def next_row(rows)
        @input.guard { rows.shift }
      rescue CSV::MalformedCSVError => error
        raise Invalid,
              "#{@input.name.b}:#{error.line_number}: " \
              "#{error.message.sub(/ in line \d+\.?\z/, "").b}"
      end

      def csv_rows
        separator = @options[:separator] ||
                    (File.extname(@input.name).downcase == ".tsv" ? "\t" : ",")
        converters = @options[:numbers] ? [->(cell) { number(cell) }] : []
        CSV.new(marked(@input.io), col_sep: separator, headers: @options[:headers] != false,
                                   skip_blanks: true, converters: converters)
      end

      def number(cell)
        return cell unless (match = NUMBER.match(cell))

        match[1] || match[2] ? Float(cell) : Integer(cell, 10)
      end

      # Makes `io` return UTF-8. Skips a byte order mark, and converts from the encoding that it
      # names.
      def marked(io)
        # external_encoding: where Rails has set Encoding.default_internal, the call returns that
        found = io.set_encoding_by_bom && io.external_encoding
        io.set_encoding(found || Encoding::UTF_8, Encoding::UTF_8)
        io
      end

      def position
        @input.io.pos
      rescue SystemCallError
        nil
      end
    end
  end
end
