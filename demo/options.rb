# frozen_string_literal: true

# Demo, options: what bin/demo was asked for. bin/demo itself reads --help, --setup-only,
# --no-install and
# --yjit and leaves the rest to this file.

require "optparse"

module Demo
  # directory: where the database and the document go; rows: gems at most, nil for all; runs: of
  # each way; rebuild: make the database anew; port: where `bin/demo serve` listens, 0 for any free
  # one.
  Options = Struct.new(:directory, :rows, :runs, :rebuild, :port, keyword_init: true) do
    # @param arguments [Array<String>]
    # @return [Options]
    # @raise [OptionParser::ParseError] for anything unknown or out of range
    def self.parse(arguments)
      options = new(directory: "tmp/demo", rows: nil, runs: 9, rebuild: false, port: 9292)
      rest = parser(options).parse(arguments)
      raise OptionParser::NeedlessArgument, rest.first unless rest.empty?

      options
    end

    def self.parser(options)
      OptionParser.new do |on|
        on.require_exact = true
        on.on("--dir DIR") { |directory| options.directory = directory }
        on.on("--rows N", Integer) { |rows| options.rows = positive(rows) }
        on.on("--runs N", Integer) { |runs| options.runs = positive(runs) }
        on.on("--port N", Integer) do |port|
          options.port =
            if port.between?(0, 65_535)
              port
            else
              raise(OptionParser::InvalidArgument, "#{port} (0 to 65535)")
            end
        end
        on.on("--rebuild") { options.rebuild = true }
      end
    end
    private_class_method :parser

    def self.positive(number)
      raise OptionParser::InvalidArgument, "#{number} (1 or more)" unless number.positive?

      number
    end
    private_class_method :positive
  end
end
