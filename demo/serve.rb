# frozen_string_literal: true

# Demo, the server: the database as an API on Puma, with a page to try it. Started by `bin/demo
# serve`.

gem_directories = Gem.path.dup                           # before Bundler narrows them to its bundle
require "bundler/setup"
$stdout.sync = true

require "puma"
require "puma/configuration"
require "puma/launcher"
require_relative "options"
require_relative "database"
require_relative "api"

begin
  options = Demo::Options.parse(ARGV)
rescue OptionParser::ParseError => error
  warn "bin/demo: #{error.message}. See bin/demo --help."
  exit 2
end

database = Demo::Database.new(File.join(options.directory, "gems.sqlite3"),
                              Demo::Specifications
                                .new(gem_directories + [Bundler.bundle_path.to_s]))
built = database.open(rebuild: options.rebuild)
counts = database.counts
puts "#{built ? "Built" : "Found"} a database of #{counts[:gems]} gems and #{counts[:files]} " \
     "files: #{File.join(options.directory, "gems.sqlite3")}"

app = Demo::Api.new(rows: options.rows)
configuration = Puma::Configuration.new do |puma|
  puma.app app
  puma.bind "tcp://127.0.0.1:#{options.port}"
  puma.threads 1, 5                                      # as many as ActiveRecord keeps connections
  puma.environment "production"
  puma.quiet
end
launcher = Puma::Launcher.new(configuration,
                              log_writer: Puma::LogWriter.new(File.open(File::NULL, "w"), $stderr))
launcher.events
  .public_send(launcher.events.respond_to?(:after_booted) ? :after_booted : :on_booted) do
  puts "Open http://127.0.0.1:#{launcher.connected_ports.first}/ in a browser, or ask it with " \
       "curl. Interrupt to stop."
end
begin
  launcher.run
rescue Errno::EADDRINUSE
  warn "bin/demo: port #{options.port} is in use. Name another with --port."
  exit 1
end
