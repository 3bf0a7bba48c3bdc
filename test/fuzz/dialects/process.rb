# frozen_string_literal: true

# Fuzz. Runs one dialect's target where its library is, and answers with a Marshal of what the run
# says:
#
#   ruby test/fuzz/dialects/process.rb json '{"seed":1,"count":10000}'

root = File.expand_path("../../..", __dir__)
$LOAD_PATH.unshift(File.join(root, "lib"), File.join(root, "test"))
require "json"
require "fuzz/kit/runner"
require_relative "target"
require_relative "peers"

answer = $stdout.dup.binmode
$stdout.reopen($stderr)
$VERBOSE = nil # the libraries' deprecations
run = Fuzz::Runner.new(Fuzz::DialectTarget.new(Fuzz::PEERS.fetch(ARGV.fetch(0)).call),
                       **JSON.parse(ARGV.fetch(1), symbolize_names: true))
run.call
answer
  .write(
    Marshal
      .dump({ ok: run.ok?, done: run.done, missed: run.missed, table: run.rows.table,
              reports: run.reports, summary: run.summary })
  )
