# frozen_string_literal: true

require "active_record"
require_relative "../../test/support/database_servers"
require_relative "blog"

module Bench
  # The rows of scenario 18 in SQLite, PostgreSQL or MariaDB. A server is started by each process
  # that connects to it, and ends with it.
  module Queries
    KINDS = %w[note essay letter].freeze
    SIZE, PERIODS = 100, 4

    # Apart from the tables of records.rb.
    class Record < ActiveRecord::Base
      self.abstract_class = true
    end

    class Flat < Record
      enum :kind, KINDS.each_with_index.to_h { |name, index| [name.to_sym, index] }
    end

    class Comment < Record
    end

    class Article < Record
      has_many :comments, -> { order(:id) }, class_name: "Bench::Queries::Comment"
    end

    class << self
      # Relations that nobody has loaded.
      def flats(ids) = Flat.where(id: ids).order(:id)
      def articles(ids) = Article.includes(:comments).where(id: ids).order(:id)

      # @return [Array<Range>] of ids: what `flats` and `articles` are asked for, call after call
      def flat(adapter, size: SIZE, periods: PERIODS)
        connect(adapter) do |connection|
          connection.create_table(:flats) do |table|
            %i[title author_name].each { |name| table.string name }
            table.datetime :sent_at
            table.decimal :price, precision: 10, scale: 2
            table.boolean :draft
            table.integer :kind
          end
        end
        insert(Flat, Array.new(size * periods) { |index| row(index) })
        ranges(size, periods)
      end

      def nested(adapter)
        articles = Blog.articles(periods: PERIODS, size: SIZE).flatten
        connect(adapter) do |connection|
          connection.create_table(:articles) do |table|
            %i[title body author_name].each { |name| table.string name }
          end
          connection.create_table(:comments) do |table|
            %i[body author].each { |name| table.string name }
            table.references :article, index: true
          end
        end
        insert(Article, articles.map { |one| [one.id, one.title, one.body, one.author_name] })
        insert(Comment, articles.flat_map do |article|
          article.comments.map { |one| [one.id, one.body, one.author, article.id] }
        end)
        ranges(SIZE, PERIODS)
      end

      # What the driver returns, with nothing made of it: the least that anybody needs.
      def driven(relation) = Record.connection.select_all(relation).rows

      private

      def ranges(size, periods)
        Array.new(periods) { |period| ((period * size) + 1)..((period + 1) * size) }
      end

      def connect(adapter)
        Record.establish_connection(DatabaseServers.create(adapter, "bench#{Process.pid}"))
        yield Record.connection
      end

      def row(index)
        [index + 1, Plain::WORDS["titles"][index % Plain::WORDS["titles"].size],
         Plain::WORDS["first_names"][index % Plain::WORDS["first_names"].size],
         Time.utc(2026, 1, 1) + (index * 3_456.789r).round(3), BigDecimal(index * 7) / 4,
         index.odd?, index % KINDS.size]
      end

      def insert(model, rows)
        model.reset_column_information
        rows.each_slice(500) do |slice|
          model.insert_all!(slice.map { |row| model.column_names.zip(row).to_h })
        end
      end
    end
  end
end
