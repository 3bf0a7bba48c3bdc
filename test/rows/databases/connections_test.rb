# frozen_string_literal: true

# Rows are read on the connection, in the transaction and through the query cache that models have.

require_relative "database_case"

class DatabaseConnectionsTest < DatabaseCase
  def things(count)
    made = model { |t| t.string :name; t.datetime :at; t.decimal :price, precision: 8, scale: 2 }
    count.times { |i| made.create!(name: "thing #{i}", at: Time.utc(2026, 1, 1, i), price: i / 4r) }
    made
  end

  def names = @names ||= serializer { attributes :id, :name, :at, :price }

  # @return [Integer] queries that went to the database
  def queries(&)
    found = 0
    note = lambda do |*, payload|
      found += 1 unless payload[:cached] || %w[SCHEMA TRANSACTION].include?(payload[:name])
    end
    ActiveSupport::Notifications.subscribed(note, "sql.active_record", &)
    found
  end

  on_each "a relation is read by one query, which is called as that of models is" do
    made = things(3)
    found = []
    note = ->(*, payload) { found << payload[:name] unless payload[:name] == "SCHEMA" }
    ActiveSupport::Notifications.subscribed(note, "sql.active_record") do
      assert_rows(names, made.where(name: ["thing 0", "thing 2"]).order(:id))
    end
    assert_equal ["Thing Load", "Thing Load"], found
  end

  on_each "the query cache answers, and forgets what was changed" do
    made = things(2)
    Record.cache do
      first = names.json!(made.order(:id))
      assert_equal(0, queries { assert_equal first, names.json!(made.order(:id)) })
      assert_equal(0, queries { names.json!(made.order(:id), rows: false) })
      made.create!(name: "new")
      assert_equal(1, queries { refute_equal first, names.json!(made.order(:id)) })
      assert_equal(1, queries { Record.uncached { names.json!(made.order(:id)) } })
    end
  end

  on_each "a transaction's rows are seen inside it, and not after a rollback" do
    made = things(1)
    before = names.json!(made.order(:id))
    made.transaction do
      made.create!(name: "inside")
      assert_includes names.json!(made.order(:id)), "inside"
      raise ActiveRecord::Rollback
    end
    assert_equal before, assert_rows(names, made.order(:id))
  end

  on_each "an error in a transaction is that of models" do
    made = things(1)
    [true, false].each do |rows|
      made.transaction do
        assert_raises(ActiveRecord::StatementInvalid) do
          names.json!(made.where("no_such = 1"), rows: rows)
        end
        raise ActiveRecord::Rollback
      end
    end
  end

  on_each "load_async is waited for, and its models are written", SERVED do
    made = things(2)
    due = names.json!(made.order(:id), rows: false)
    assert_equal due, names.json!(made.order(:id).load_async)
    before = ActiveRecord.async_query_executor
    ActiveRecord.async_query_executor = :global_thread_pool
    assert_equal due, names.json!(made.order(:id).load_async)
  ensure
    ActiveRecord.async_query_executor = before
  end

  [true, false].each do |prepared|
    # trilogy has none
    (DatabaseServers::ADAPTERS - (prepared ? ["trilogy"] : [])).each do |adapter|
      test "#{adapter}: prepared statements #{prepared ? "on" : "off"}" do
        connect(adapter, prepared_statements: prepared)
        made = things(3)
        2.times do
          assert_rows(names, made.where(name: "thing 1", price: 0.25r))
          assert_rows(names, made.where(at: Time.utc(2026, 1, 1)..).order(:id).limit(2).offset(1))
        end
      end
    end
  end

  on_each "a document in a thread gives the connection back, as that of models does", SERVED do
    made = things(2)
    [true, false].each do |rows|
      leased = Thread.new do
        names.json!(made.order(:id), rows: rows)
        Record.connection_pool.active_connection? ? true : false
      end.value
      refute leased, "rows: #{rows}"
    end
  end

  # Two databases with the same tables and other rows.
  class Replicated < ActiveRecord::Base
    self.abstract_class = true
  end

  # What fills both.
  class Filling < ActiveRecord::Base
    self.abstract_class = true
  end

  on_each "a replica is read where connected_to says so" do |adapter|
    databases = { writing: "first", reading: "second" }.to_h do |role, name|
      [role, filled(configuration(adapter, name), role)]
    end
    Replicated.connects_to(database: databases)
    made = Class.new(Replicated) do
      self.table_name = "things"
      define_singleton_method(:name) { "Thing" }
    end
    only = serializer { attributes :name }
    %i[writing reading].each do |role|
      Replicated.connected_to(role: role) do
        assert_equal "[{\"name\":\"#{role}\"}]", assert_rows(only, made.order(:id))
      end
    end
  ensure
    Replicated.connection_handler.clear_all_connections!
  end

  on_each "a column that comes, goes or changes while the process runs" do
    made = things(2)
    assert_rows(names, made.order(:id))
    connection.add_column :things, :more, :integer, default: 5
    assert_same_way(names, made)
    made.reset_column_information
    assert_includes assert_rows(serializer { attributes :more }, made.order(:id)), '"more":5'
    connection.change_column :things, :more, :string
    made.reset_column_information
    assert_includes assert_rows(serializer { attributes :more }, made.order(:id)), '"more":"5"'
    connection.remove_column :things, :price
    assert_same_way(names, made)
    made.reset_column_information
    assert_same_way(names, made)
  end

  private

  # @return [Hash] the configuration
  def filled(configuration, name)
    Filling.establish_connection(configuration)
    Filling.lease_connection.create_table(:things, force: true) { |t| t.string :name }
    Filling.lease_connection.execute("INSERT INTO things (name) VALUES ('#{name}')")
    Filling.remove_connection
    configuration
  end

  def assert_same_way(made, model)
    both = [false, true].map do |rows|
      made.json!(model.order(:id), rows: rows)
    rescue StandardError => error
      [error.class, ToJson.location(error)]
    end
    assert_equal both[0], both[1]
  end

  def configuration(adapter, name)
    return DatabaseServers.create(adapter, name) unless adapter == "sqlite3"

    require "tmpdir"
    directory = Dir.mktmpdir("to_json-sqlite")
    Minitest.after_run { FileUtils.rm_rf(directory) }
    { adapter: "sqlite3", database: File.join(directory, name) }
  end
end
