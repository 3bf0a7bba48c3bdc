# frozen_string_literal: true

# The validator beside JSON.parse: bundle exec ruby -Ilib benchmark/validate.rb [FILE...]
#
# Of each file: the megabytes a second of ToJson::Fragment.new, which checks its text by RFC 8259, and of JSON.parse of
# the json gem that is loaded (JSON_VERSION=3.1.0 chooses among those installed), by turns, the best of many; then their
# ratio, at least 5 being due. Without files: the documents beside the project, ../shared/data/corpus. Exit status 1 where
# one misses.

gem "json", ENV["JSON_VERSION"] if ENV["JSON_VERSION"]
require "json"
require "to_json"

DUE = 5
SECONDS = 1.0
corpus = File.expand_path("../../shared/data/corpus/*.json", __dir__)
paths = ARGV.empty? ? Dir[corpus].sort : ARGV
abort "give files of JSON: #{corpus} is not here" if paths.empty?

def seconds
  began = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  yield
  Process.clock_gettime(Process::CLOCK_MONOTONIC) - began
end

puts "#{RUBY_DESCRIPTION}, json #{JSON::VERSION}, kernels #{ToJson::Writer.simd}", ""
puts format("%-24s %12s %16s %16s %8s", "file", "bytes", "validate MB/s", "JSON.parse MB/s", "ratio")
missed = paths.count do |path|
  text = File.read(path, encoding: "UTF-8").freeze
  ours = theirs = Float::INFINITY
  deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + SECONDS
  begin
    theirs = [theirs, seconds { JSON.parse(text) }].min
    3.times { ours = [ours, seconds { ToJson::Fragment.new(text) }].min }
  end while Process.clock_gettime(Process::CLOCK_MONOTONIC) < deadline
  ratio = theirs / ours
  puts format("%-24s %12d %16.0f %16.0f %8.1f%s", File.basename(path), text.bytesize, text.bytesize / ours / 1e6, text.bytesize / theirs / 1e6, ratio,
              ratio < DUE ? "  missed" : "")
  ratio < DUE
end
exit missed.zero?
