# frozen_string_literal: true

# Writes the Makefile of the native extension: all rooms in one shared object
# that exports its Init function only.
#
# Environment (each variant needs its own build directory, see the Rakefile):
#   TO_JSON_DEBUG=1             checks what comments of the core promise (TJ_DEBUG), -O1 -g
#   TO_JSON_SANITIZE=1          AddressSanitizer and UndefinedBehaviorSanitizer; preload libasan
#   TO_JSON_COVERAGE=1          gcov counters
#   TO_JSON_PLANT=RESERVE|MARK  a planted bug, which the tests must catch

require "mkmf"

rooms = %w[core/kernels core/text core/numbers core/grammar vm writer delivery values dialects
           plans documents classes]
sources = rooms.flat_map { |room| Dir[File.join(__dir__, room, "*.c")].sort }
headers = Dir[File.join(__dir__, "**/*.h")].sort
twice = sources.map { |path| File.basename(path) }.tally.select { |_, count| count > 1 }.keys
abort "extconf: two sources share a name: #{twice.join(", ")}" unless twice.empty?

$srcs = sources.map { |path| File.basename(path) }
$VPATH.concat(rooms.map { |room| "$(srcdir)/#{room}" })
# No -I for the rooms: sources include "../core/numbers/time.h", so <time.h> is the system's.

debug, sanitize, coverage = %w[DEBUG SANITIZE COVERAGE].map do |name|
  ENV["TO_JSON_#{name}"].to_s == "1"
end
plant = ENV["TO_JSON_PLANT"].to_s

flags = %w[-std=gnu11 -fvisibility=hidden -fno-plt -Wall -Wextra -Wno-unused-parameter]
# A bool that is called without its declaration is taken for an int, and seems true.
flags << "-Werror=implicit-function-declaration"
flags += debug || sanitize || coverage ? %w[-O1 -g -fno-omit-frame-pointer] : %w[-O3]
flags << "-DTJ_DEBUG" if debug
flags << "-DTJ_PLANT_#{plant}" unless plant.empty?
flags << "-fsanitize=address,undefined" << "-fno-sanitize-recover=undefined" if sanitize
flags << "--coverage" << "-fprofile-update=atomic" << "-DTJ_COVERAGE" if coverage

# Ruby's own warning flags complain about C11, such as declarations after statements.
$warnflags = ""
$CFLAGS << " #{flags.join(" ")}"
$LDFLAGS << " -fsanitize=address,undefined" if sanitize
$LDFLAGS << " --coverage" if coverage

have_func("rb_hash_new_capa") # Ruby >= 3.2

create_makefile("to_json/to_json")

# mkmf does not know which headers a source includes. So each object depends on all headers and on
# the Makefile: an edit of a header or a change of flags compiles everything again.
objects = sources.map { |path| "#{File.basename(path, ".c")}.o" }
File.open("Makefile", "a") do |makefile|
  # The paths are relative to this tree, because .ci/support.sh copies the Makefile and the objects
  # to other trees.
  makefile.puts "", "#{objects.join(" ")}: Makefile #{headers.join(" ").gsub(__dir__, "$(srcdir)")}"
  # An exception of Ruby leaves C functions by longjmp. ASan does not see that, and later reports
  # the red zones of their stack frames. No exception leaves a function of the core.
  calling = sources.reject { |path| path.include?("/core/") }
                   .map { |path| "#{File.basename(path, ".c")}.o" }
  makefile.puts "", "#{calling.join(" ")}: CFLAGS += --param asan-stack=0" if sanitize
  forced_gc = "-include $(srcdir)/writer/forced_gc.h"
  makefile.puts "", "#{calling.join(" ")}: CFLAGS += #{forced_gc}" if debug
end
