# frozen_string_literal: true

# Runs the executable in forks of this process, which has required first what the executable
# requires: its start takes five times as long as what most tests do with it. Each call comes on the
# UNIX socket of descriptor 3: a line with a Marshal of [directory, arguments], to be answered, then
# stdin, stdout and stderr. The last answer is the exit status.

require "socket"
require "to_json"
require "to_json/cli/main"

socket = UNIXSocket.for_fd(3)
while (line = socket.gets)
  directory, arguments = Marshal.load(line.unpack1("m"))
  socket.puts "ready"
  given = %w[r w w].map { |mode| socket.recv_io(IO, mode) }
  process = fork do
    LibraryCoverage.owner = Process.pid if defined?(LibraryCoverage)
    socket.close
    [$stdin, $stdout, $stderr].zip(given) { |io, other| io.reopen(other) }
    given.each(&:close)
    $stderr.sync = true
    Dir.chdir(directory)
    ARGV.replace(arguments)
    $PROGRAM_NAME = executable = File.expand_path("../../exe/to_json", __dir__)
    load executable
  end
  given.each(&:close)
  _, status = Process.wait2(process)
  socket.puts(status.exitstatus || (128 + status.termsig))
end
