# frozen_string_literal: true

# Layer: cli. Turns the arguments into an exit status. A file uses only what stands above it here.

require_relative "failures"
require_relative "console"
require_relative "options"
require_relative "input"
require_relative "output"
require_relative "formats"
require_relative "application"
require_relative "text_commands"
require_relative "record_commands"

module ToJson
  module CLI
    # The executable.
    module Main
      class << self
        # @param arguments [Array<String>] ARGV
        # @return [Integer] the exit status
        def run(arguments)
          @console = Console.new
          dispatch(arguments.dup)
        rescue Failure => error
          @console.warning("to_json: ", error.message)
          FAILED
        rescue PipeClosed
          leave_output
          PIPE_CLOSED
        rescue Interrupt
          leave_output
          INTERRUPTED
        end

        private

        def dispatch(arguments)
          name = arguments.shift
          name, arguments = arguments.shift || "--help", ["--help"] if name == "help"
          case name
          when nil then usage("say what to do: #{Options::ALL.map(&:name).join(", ")}")
          when "-h", "--help" then say(Options.help)
          when "-V", "--version" then say("to_json #{VERSION}\n")
          else
            subcommand = Options.find(name) or return usage("there is no command #{name.b}")
            execute(subcommand, arguments)
          end
        end

        def execute(subcommand, arguments)
          options = Options.new(subcommand, arguments)
          values = options.values
          return say(options.help) if values[:help]
          if arguments.empty? && $stdin.tty?
            return usage("give a FILE, or - for what you type", subcommand.name)
          end

          @console = Console.new(quiet: values[:quiet], bar: values[:bar])
          CLI.const_get(subcommand.command).new(values, arguments, @console).run
        rescue OptionParser::ParseError => error
          usage(error.message, subcommand.name)
        end

        def say(text)
          Output.open(nil) { |output| output.write(text) }
          OK
        end

        def usage(problem, command = nil)
          @console.warning("to_json: ", problem, "\nSee to_json ", command && "#{command} ",
                           "--help.")
          FAILED
        end

        # What is buffered would be written at exit, to nobody or in the midst of a record.
        def leave_output
          $stdout.reopen(File::NULL)
        rescue SystemCallError, IOError
          nil
        end
      end
    end
  end
end
