# frozen_string_literal: true

# Writes the Makefile of the native extension: all rooms in one shared object
# that exports its Init function only.
#
# Environment (each variant belongs into a build directory of its own, see the Rakefile):
#   TO_JSON_DEBUG=1             the core checks its own promises (TJ_DEBUG), -O1 -g
#   TO_JSON_SANITIZE=1          AddressSanitizer and UndefinedBehaviorSanitizer; preload libasan
#   TO_JSON_COVERAGE=1          gcov counters
#   TO_JSON_PLANT=RESERVE|MARK  a planted bug, which the tests must catch

require "mkmf"

rooms = %w[core/kernels core/text core/numbers core/grammar vm writer delivery values dialects plans documents classes]
sources = rooms.flat_map { |room| Dir[File.join(__dir__, room, "*.c")].sort }
headers = Dir[File.join(__dir__, "**/*.h")].sort
twice = sources.map { |path| File.basename(path) }.tally.select { |_, count| count > 1 }.keys
abort "extconf: two sources share a name: #{twice.join(", ")}" unless twice.empty?

$srcs = sources.map { |path| File.basename(path) }
$VPATH.concat(rooms.map { |room| "$(srcdir)/#{room}" })
# No -I for the rooms: sources say "../core/numbers/time.h", and <time.h> stays the system's.

debug, sanitize, coverage = %w[DEBUG SANITIZE COVERAGE].map { |name| ENV["TO_JSON_#{name}"].to_s == "1" }
plant = ENV["TO_JSON_PLANT"].to_s

flags = %w[-std=gnu11 -fvisibility=hidden -fno-plt -Wall -Wextra -Wno-unused-parameter]
flags += debug || sanitize || coverage ? %w[-O1 -g -fno-omit-frame-pointer] : %w[-O3]
flags << "-DTJ_DEBUG" if debug
flags << "-DTJ_PLANT_#{plant}" unless plant.empty?
flags << "-fsanitize=address,undefined" << "-fno-sanitize-recover=undefined" if sanitize
flags << "--coverage" << "-fprofile-update=atomic" << "-DTJ_COVERAGE" if coverage

# Ruby's own warnings do not fit C11 (declarations after statements and the like).
$warnflags = ""
$CFLAGS << " #{flags.join(" ")}"
$LDFLAGS << " -fsanitize=address,undefined" if sanitize
$LDFLAGS << " --coverage" if coverage

have_func("rb_hash_new_capa") # Ruby >= 3.2

create_makefile("to_json/to_json")

# mkmf compiles `foo.o` from `foo.c` through VPATH but knows no headers: every object depends on all,
# and on this Makefile, so that an edit or a change of flags rebuilds what it touches.
objects = sources.map { |path| "#{File.basename(path, ".c")}.o" }
File.open("Makefile", "a") do |makefile|
  makefile.puts "", "#{objects.join(" ")}: Makefile #{headers.join(" ")}"
  # A raise leaves C frames behind without telling ASan, which then takes their red zones for the next
  # caller's. The core, which nothing leaves that way, keeps them.
  calling = sources.reject { |path| path.include?("/core/") }.map { |path| "#{File.basename(path, ".c")}.o" }
  makefile.puts "", "#{calling.join(" ")}: CFLAGS += --param asan-stack=0" if sanitize
  # What may allocate is told from Ruby's side of the extension: see the head of that file.
  makefile.puts "", "#{calling.join(" ")}: CFLAGS += -include #{File.join(__dir__, "writer/forced_gc.h")}" if debug
end
