# frozen_string_literal: true

# ruby .ci/valgrind_errors.rb DIRECTORY: judges the logs that valgrind --quiet
# --log-file=DIRECTORY/%p.log left of a Ruby. Prints every paragraph that is not Ruby's own, then
# the sums; fails on such a paragraph, and where there is no log.
#
# Ruby's own: once a Fiber was resumed deep down the stack, the collector of Ruby 3.1 reads every
# word from that depth up, also where the stack ends higher by now, in search of what could be an
# object. Seen with
#   valgrind ruby --disable-gems -e 'deep = ->(n) { n.zero? ? Fiber.new {}.resume : deep[n - 1] }
#     deep[20]; GC.start'
# and not without the Fiber. Any allocation can collect, so the callers tell nothing; how far below
# is any figure too, and
# --ignore-range-below-sp takes no more than 1000 bytes. The address and the reader tell: libruby,
# one word, below the end of the stack.
#
# The whole paragraph must have this form: what is not understood, or ends early, fails.
OWN = %r{\A(?:Thread\ \d+.*:\n)?
         Invalid\ read\ of\ size\ 8\n
         \ +at\ 0x\h+:\ .*\ \(in\ \S*/libruby[^/\s]*\)\n
         (?:\ +by\ 0x\h+:\ .*\n)*
         \ +Address\ 0x\h+\ is\ on\ thread\ \d+'s\ stack\n
         \ +\d+\ bytes\ below\ stack\ pointer\n\z}x

logs = Dir[File.join(ARGV.fetch(0), "*.log")].sort
abort "FAIL valgrind left no log in #{ARGV.fetch(0)}" if logs.empty?

paragraphs = logs.flat_map do |log|
  text = File.read(log, encoding: Encoding::UTF_8).scrub
  text.gsub(/^(==|--|\*\*)\d+\1 ?/, "").split(/^[ \t]*\n/).reject(&:empty?)
end
own, others = paragraphs.partition { |paragraph| OWN.match?(paragraph) }

# What begins with FAIL is shown first by .ci/tally.rb: the error and its reader, then the whole.
others.each do |paragraph|
  puts "FAIL #{paragraph.lines.first(2).map(&:strip).join(" ")}", paragraph, ""
end
puts "#{logs.size} logs of valgrind: #{own.size} errors that are Ruby's own, #{others.size} others"
exit(others.empty?)
