# frozen_string_literal: true

# Boots app.rb once. For each path of a case on its standard input it forks a process that runs the
# case, and answers with what that printed and whether it passed, as an Array in a line of JSON. A
# case that boots by itself takes three times as long.

APP_FORKS = true # the database is each fork's own
require "json"
require_relative "app"

$stdin.each_line(chomp: true) do |path|
  output, input = IO.pipe
  pid = fork do
    output.close
    [$stdout, $stderr].each { |io| io.reopen(input) }
    input.close
    LibraryCoverage.owner = Process.pid if defined?(LibraryCoverage)
    App.connect
    load File.expand_path(path)
  end
  input.close
  text = output.read.force_encoding(Encoding::UTF_8).scrub
  _, status = Process.wait2(pid)
  $stdout.puts(JSON.generate([text, status.success?]))
  $stdout.flush
end
