# frozen_string_literal: true

# Fuzz. `bin/fuzz relations`.

require "optparse"
require_relative "../kit/seed"
require_relative "../../support/database_servers"

module Relations
  # The command line.
  module Command
    COUNT = 10_000
    # The least share of relations with records that must be written without any model. It is a
    # matter of luck: of 2,000 relations, 24 to 38 % were.
    LEAST = 0.2
    BANNER = <<~TEXT
      Usage: bin/fuzz relations [options]

      Random schemas, models, rows, relations and serializers: the document from rows is the one
      from models, byte for byte. #{COUNT} relations of each database, unless told otherwise. Those
      are #{DatabaseServers::ADAPTERS.join(", ")}: servers are started in a directory of
      their own, with the gems of a file of test/rows/databases, as in

        BUNDLE_GEMFILE=test/rows/databases/rails-8.1.gemfile bundle exec bin/fuzz relations

    TEXT

    class << self
      # @return [Boolean] whether all was well
      def run(arguments)
        options = { seed: Fuzz.seed, count: COUNT, jobs: 1, first: 0 }
        adapters = nil
        table = false
        OptionParser.new do |o|
          o.banner = BANNER
          o.on("--count N", Integer, "relations of each database (#{COUNT})") do |n|
            options[:count] = n
          end
          o.on("--seed S", Integer, "the same cases again") { |s| options[:seed] = s }
          o.on("--minutes M", Float, "stop after so long") { |m| options[:minutes] = m }
          o.on("--jobs J", Integer, "processes (1)") { |j| options[:jobs] = j }
          o.on("--first I", Integer, "begin with case number I (0)") { |i| options[:first] = i }
          o.on("--databases LIST", Array, "these, which must be there") { |list| adapters = list }
          o.on("--rows", "how often each row was reached") { table = true }
        end.parse!(arguments)
        there(adapters).map { |adapter| fuzz(adapter, options, table) }.all?
      end

      private

      def there(adapters)
        unknown = adapters.to_a - DatabaseServers::ADAPTERS
        abort "bin/fuzz relations: no database #{unknown.join(", ")}" if unknown.any?

        (adapters || DatabaseServers::ADAPTERS).select do |adapter|
          reason = DatabaseServers.missing(adapter) or next true
          abort "bin/fuzz relations: #{adapter}: #{reason}" if adapters

          puts "#{adapter} did not run: #{reason}"
        end
      end

      def fuzz(adapter, options, table)
        require_relative "target"
        require_relative "run"
        target = Fuzz::Relations::Target.new(adapter)
        target.start
        runner = Fuzz::Relations::Run.new(target, **options)
        runner.call
        puts runner.rows.table if table
        puts runner.reports
        puts "never reached: #{runner.missed.join(", ")}" if runner.missed.any?
        puts runner.summary
        few = few(target, runner)
        puts few if few
        runner.ok? && !few
      end

      # @return [String, nil] what is wrong with the share of rows
      def few(target, runner)
        share = target.class.share(runner.rows.counts)
        puts format("%<share>d %% of the relations with records were written without models",
                    share: share * 100)
        return if share >= LEAST || runner.done < 500

        "#{target.name}: 0 passed, 1 failed: at least #{LEAST * 100} % are due"
      end
    end
  end
end
