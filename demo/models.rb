# frozen_string_literal: true

# Demo, database: the tables and their ActiveRecord models.

require "active_record"

module Demo
  class Record < ActiveRecord::Base
    self.abstract_class = true
  end

  class Author < Record
    has_many :authorships
  end

  class Authorship < Record
    belongs_to :installed_gem
    belongs_to :author
  end

  class Dependency < Record
    belongs_to :installed_gem
    belongs_to :target, class_name: "Demo::InstalledGem", optional: true

    # @return [Boolean] does this machine have a gem of that name?
    def installed? = !target_id.nil?
  end

  class GemFile < Record
    belongs_to :installed_gem
  end

  class InstalledGem < Record
    has_many :authorships, -> { order(:id) }
    has_many :authors, through: :authorships
    has_many :dependencies, -> { order(:id) }
    has_many :files, -> { order(:id) }, class_name: "Demo::GemFile"

    # Every gem with all that the serializers read, loaded in a handful of queries.
    scope :complete, -> { preload(:authors, :dependencies, :files).order(:id) }
  end

  # The tables. `create` wants an empty database.
  module Schema
    # Raise it when the tables or the way they are filled change: older databases are then built
    # anew.
    VERSION = 1

    def self.create(connection)
      connection.create_table(:notes) do |t|
        t.string :name, null: false; t.string :content, null: false
      end
      connection.create_table(:installed_gems) do |t|
        t.string :name, :version, :platform, :required_ruby, null: false
        t.string :summary, :homepage
        t.json :licenses, null: false
        t.date :released_on, null: false
        t.datetime :installed_at, null: false, precision: 3
        t.boolean :default_gem, null: false
        t.index :name
      end
      connection.create_table(:authors) { |t| t.string :name, null: false, index: { unique: true } }
      connection.create_table(:authorships) do |t|
        t.references :installed_gem, :author, null: false
      end
      connection.create_table(:dependencies) do |t|
        t.references :installed_gem, null: false
        t.references :target
        t.string :name, :requirement, :kind, null: false
      end
      connection.create_table(:gem_files) do |t|
        t.references :installed_gem, null: false
        t.string :path, null: false
        t.bigint :bytes
      end
    end
  end

  # Key and value about the database itself.
  class Note < Record
  end
end
