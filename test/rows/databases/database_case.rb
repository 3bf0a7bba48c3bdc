# frozen_string_literal: true

# What the tests of this room share: each database in turn, and the document of rows beside that of
# models. A database that is missing skips its tests with the reason.

require_relative "../../test_helper"
require "active_record"
require "to_json/active_record"
require_relative "../../support/database_servers"

class DatabaseCase < ToJsonTest
  # Beside other tests' models.
  class Record < ActiveRecord::Base
    self.abstract_class = true
  end

  # Those that several connections can share.
  SERVED = DatabaseServers::SERVERS.keys.freeze

  # Declares the test once for each adapter.
  def self.on_each(name, adapters = DatabaseServers::ADAPTERS, &block)
    adapters.each do |adapter|
      test "#{adapter}: #{name}" do
        connect(adapter)
        instance_exec(adapter, &block)
      end
    end
  end

  @connected = nil

  class << self
    attr_accessor :connected
  end

  def connect(adapter, **options)
    if (reason = DatabaseServers.missing(adapter))
      flunk reason if ENV["TO_JSON_DATABASES"] == "1"
      skip "did not run: #{reason}"
    end
    made = { adapter => options }
    return if DatabaseCase.connected == made

    Record.establish_connection(DatabaseServers.create(adapter, "library").merge(options))
    DatabaseCase.connected = made
  end

  def connection = Record.connection

  # A model with a table that is made anew.
  def model(name = "things", **options, &columns)
    connection.create_table(name, force: true, **options, &columns)
    connection.schema_cache.clear!
    connection.clear_cache! # statements that know the columns of an earlier table of that name
    Class.new(Record) do
      self.table_name = name
      define_singleton_method(:name) { "Thing" }
    end
  end

  def serializer(&) = Class.new(ToJson::Serializer, &)

  # @return [String] the document, which is the same both ways
  def assert_rows(serializer_class, relation, **options)
    due = serializer_class.json!(relation.spawn, rows: false, **options)
    built = 0
    note = ->(*, payload) { built += payload[:record_count] }
    text = ActiveSupport::Notifications.subscribed(note, "instantiation.active_record") do
      serializer_class.json!(relation.spawn, **options)
    end
    assert_equal due, text
    assert_equal 0, built, "records were built"
    text
  end
end
