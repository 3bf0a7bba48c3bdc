# frozen_string_literal: true

# Fuzz. A Runner whose work is done in a process that has the library.

require "json"
require_relative "peers"
require_relative "../../support/library_process"

module Fuzz
  # What Runner answers, asked of the other process.
  class DialectRunner
    # What the other process counted, and how it reads.
    Rows = Struct.new(:table)

    def initialize(name, **options)
      script = "../fuzz/dialects/process.rb"
      @process = LibraryProcess.new(PEERS_GEMFILES.fetch(name), script, name,
                                    JSON.generate(options))
    end

    def call = ok?
    def ok? = answer[:ok]
    def done = answer[:done]
    def missed = answer[:missed]
    def reports(*) = answer[:reports]
    def summary = answer[:summary]
    def rows = Rows.new(answer[:table])

    private

    def answer = @process.answer
  end
end
