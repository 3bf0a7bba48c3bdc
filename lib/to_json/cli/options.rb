# frozen_string_literal: true

# Layer: cli. The options of the subcommands, and their help.

require "optparse"

module ToJson
  module CLI
    # Parses what follows a subcommand.
    class Options
      # A subcommand: its class, what --help says of it, its groups of options.
      Subcommand = Struct.new(:name, :command, :summary, :about, :groups, keyword_init: true)

      ALL = [
        Subcommand.new(name: "generate", command: :Generate,
                       groups: %i[records rules special indent output common],
                       summary: "JSON from YAML, CSV, JSON or NDJSON", about: <<~TEXT),
                         Writes one JSON document for each FILE (stdin without any, or for -): of
                         YAML its one document, of CSV an array of the rows, of NDJSON an array of
                         the lines. The format is told by the name, or by --from.
                       TEXT
        Subcommand.new(name: "ndjson", command: :Ndjson,
                       groups: %i[records rules special live output common],
                       summary: "a line of JSON for each record",
                       about: <<~TEXT),
                         Writes a line for each record: an element of a JSON array, a row of CSV, a
                         YAML document or an element of it, a line of NDJSON. CSV and NDJSON are
                         read as they come, in flat memory.
                       TEXT
        Subcommand.new(name: "pretty", command: :Pretty,
                       groups: %i[indent rules lines live output common],
                       summary: "JSON text, indented",
                       about: <<~TEXT),
                         Indents the JSON text of each FILE (stdin without any, or for -). Strings,
                         numbers and keys stay as they are written, byte for byte; only the white
                         space between them changes. With --dialect, or an option of the rules, the
                         text is read into values and written anew.
                       TEXT
        Subcommand.new(name: "minify", command: :LayOut, groups: %i[lines live output common],
                       summary: "JSON text without white space",
                       about: <<~TEXT),
                         Takes the white space out of the JSON text of each FILE (stdin without any,
                         or for -). Strings, numbers and keys stay as they are written, byte for
                         byte.
                       TEXT
        Subcommand.new(name: "validate", command: :Validate, groups: %i[lines common],
                       summary: "whether text is JSON, and where it is not",
                       about: <<~TEXT)
                         Checks each FILE (stdin without any, or for -) by RFC 8259: one JSON value
                         in UTF-8. Errors are printed as FILE:LINE:COLUMN: MESSAGE; lines and
                         columns count from 1, columns in characters. Silent if all is valid.
                       TEXT
      ].freeze

      STATUS =
        "Exit status: 0 done, 1 data that is not valid, 2 a wrong call or a file that cannot be " \
        "read or written,\n" \
        "130 interrupted, 141 nobody reads the output any more."

      def self.find(name) = ALL.find { |subcommand| subcommand.name == name }

      def self.help
        summaries =
          ALL.map { |subcommand| "  #{subcommand.name.ljust(10)} #{subcommand.summary}" }
        <<~TEXT
          Usage: to_json COMMAND [options] [FILE...]

          #{summaries.join("\n")}

          to_json COMMAND --help tells the options of a command, to_json --version the version.

          #{STATUS}
        TEXT
      end

      attr_reader :values, :help

      # Takes the options out of `arguments`. OptionParser::ParseError says what is wrong. Bytes
      # that are no text, such as a file's name in another encoding, become binary: OptionParser
      # matches patterns, which raise an ArgumentError for them.
      def initialize(subcommand, arguments)
        @values = subcommand.name == "pretty" ? { layout: indentation("2") } : {}
        @values[:layout] = {} if subcommand.name == "minify"
        parser =
          OptionParser
            .new("Usage: to_json #{subcommand.name} [options] [FILE...]\n\n#{subcommand.about}\n")
        subcommand.groups.each { |group| send(group, parser) }
        parser.separator("\n#{STATUS}")
        @help = parser.help
        arguments.map! { |argument| argument.valid_encoding? ? argument : argument.b }
        parser.parse!(arguments)
      end

      private

      def records(parser)
        parser.on("--from FORMAT", %i[yaml csv json ndjson],
                  "what FILE holds: yaml, csv, json or ndjson") do |format|
          @values[:from] = format
        end
        parser.on("--serializer FILE:CLASS",
                  "a Ruby file and the serializer in it that writes each record") do |text|
          @values[:serializer] = text
        end
        parser.on("--view NAME", "a view of the serializer") { |name| @values[:view] = name.to_sym }
        parser.on("--only FIELDS",
                  "only these of its fields, such as \"id,author(name)\"") do |fields|
          @values[:only] = fields
        end
        parser.on("--except FIELDS", "all but these") { |fields| @values[:except] = fields }
        parser.on("--numbers", "CSV: write cells that are JSON numbers as numbers") do
          @values[:numbers] = true
        end
        parser.on("--separator TEXT",
                  "CSV: what stands between cells (a comma; a tab for .tsv)") do |text|
          @values[:separator] = text.gsub("\\t", "\t")
        end
        parser.on("--no-headers", "CSV: the first line is a row; rows are arrays") do
          @values[:headers] = false
        end
      end

      # Options of {Rules} that data of these formats can meet.
      def rules(parser)
        parser.on("--dialect NAME", Dialects.known,
                  "write what a library writes: #{Dialects.known.join(", ")}") do |name|
          rule(:dialect, name)
        end
        parser.on("--sort-keys", "pairs in the order of their keys (--dialect json or json2)") do
          rule(:sort_keys, true)
        end
        parser.on("--ascii-only", "\\uxxxx for all that is not ASCII") { rule(:ascii_only, true) }
        parser.on("--script-safe", "escape / and U+2028, U+2029") { rule(:script_safe, true) }
        parser.on("--html-safe", "escape < > & and U+2028, U+2029") { rule(:html_safe, true) }
        parser.on("--rfc8785", "the canonical form of RFC 8785 (--dialect json)") do
          rule(:rfc8785, true)
        end
      end

      # Those that YAML alone can meet.
      def special(parser)
        parser.on("--nan HOW", %i[null raise],
                  "NaN and the infinities of YAML: null, or raise") do |how|
          rule(:nan, how)
        end
        parser.on("--time HOW",
                  "times of YAML: iso8601, utc, unix, unix_ms or a pattern with %") do |how|
          rule(:time, how.include?("%") ? how : how.to_sym)
        end
      end

      def rule(name, value) = (@values[:rules] ||= {})[name] = value

      def live(parser)
        parser.on("--line-buffered",
                  "write each record as soon as it is there, for what goes on and on") do
          @values[:line_buffered] = true
        end
      end

      def indent(parser)
        parser.on("--indent N", /\A(?:\d{1,2}|100|tab)\z/,
                  "N spaces a level, or \"tab\"#{" (2)" if @values[:layout]}") do |text|
          @values[:layout] = indentation(text)
        end
      end

      def indentation(text)
        if text == "tab"
          { layout: :pretty, indent: 1, filler: :tab }
        else
          { layout: :pretty, indent: text.to_i }
        end
      end

      def lines(parser)
        parser.on("--ndjson",
                  "each line is a JSON text of its own; lines of white space are skipped") do
          @values[:ndjson] = true
        end
      end

      def output(parser)
        parser.on("-o", "--output FILE",
                  "write there instead of to stdout; FILE is replaced when all is done") do |file|
          @values[:output] = file
        end
      end

      def common(parser)
        parser.on("--max-depth N", /\A[1-9]\d{0,8}\z/, "refuse what is nested deeper") do |text|
          @values[:max_depth] = text.to_i
        end
        parser.on("-q", "--quiet", "do not tell what is invalid: the exit status does") do
          @values[:quiet] = true
        end
        parser.on("--[no-]progress",
                  "a progress bar at once, or none; by default where stderr is a",
                  "terminal and the work takes longer than half a second") do |bar|
                    @values[:bar] = bar
                  end
        parser.on("-h", "--help", "this text") { @values[:help] = true }
      end
    end
  end
end
