# frozen_string_literal: true

# Fuzz. The database of one process: connected at first use, with the worlds that are in it.

require "active_record"
require_relative "../../support/database_servers"
require_relative "helpers"

module Fuzz
  module Relations
    # Makes worlds from their source, and takes them away.
    class Database
      KEYS = { primary_key: "p" * 32, deterministic_key: "d" * 32,
               key_derivation_salt: "s" * 32 }.freeze

      @worlds = 0

      class << self
        # @return [Integer] of a world, whatever database it is in: the module of the last world of
        #   another one is still there
        def number = @worlds += 1
      end

      attr_reader :adapter

      def initialize(adapter)
        @adapter = adapter
      end

      # @return [String] the world's module, which the source has for @W
      def make(world)
        connect
        drop
        @module = "W#{Process.pid}x#{self.class.number}"
        run(world.schema)
        world.inserts = world.inserts.select { |sql| insert(placed(sql)) }
        world.encrypted.each { |line| run(line) }
        @module
      end

      # @return [Object] what Ruby source of a case gives
      def run(source) = TOPLEVEL_BINDING.eval(placed(source), "fuzz relations", 1)

      # The names of this world instead of @W and @w.
      def placed(source) = source.gsub("@W") { @module }.gsub("@w") { "#{@module.downcase}_" }

      def connection = ActiveRecord::Base.connection

      # A process that was forked has none of its own.
      def connect
        return if @process == Process.pid

        @process = Process.pid
        ActiveRecord::Encryption.configure(**KEYS, support_unencrypted_data: true)
        ActiveRecord::Base.establish_connection(configuration)
        extensions if adapter == "postgresql"
      end

      private

      # @return [Boolean] false: the database refuses such a row
      def insert(sql)
        connection.execute(sql)
        true
      rescue ActiveRecord::StatementInvalid => error
        @refused ||= error
        false
      end

      def configuration
        made = DatabaseServers.create(adapter, "fuzz#{Process.pid}")
        Columns.mysql?(adapter) ? made.merge(strict: false, variables: VARIABLES) : made
      end

      VARIABLES = { sql_mode: "ALLOW_INVALID_DATES" }.freeze

      def extensions
        %w[citext hstore].each { |name| connection.enable_extension(name) }
        connection.create_enum(:mood, %w[sad happy])
      end

      def drop
        return unless @module

        tables = connection.tables.grep(/\A#{@module.downcase}_/)
        tables.each { |table| connection.drop_table(table) }
        connection.schema_cache.clear!
        Object.send(:remove_const, @module) if Object.const_defined?(@module)
        @module = nil
      end
    end
  end
end
