# frozen_string_literal: true

# Fuzz. A random schema with models and rows, on which many cases run. All of it is Ruby source, so
# that a failing case can be printed; @W and @w in it stand for the number of the world.

require_relative "columns"
require_relative "features"

module Fuzz
  module Relations
    # A model: class name, table, the table's columns, lines of the class body, associations
    # {name => [kind, model]}, getters that features add.
    Model = Struct.new(:name, :superclass, :table, :columns, :lines, :links, :reads, :features)

    # Tables and rows are source too: {table => create_table's line, columns' lines}.
    World = Struct.new(:adapter, :tables, :models, :record, :inserts, keyword_init: true) do
      # @return [String] Ruby that makes all of it
      def source
        [schema, *inserts.map { |sql| "ActiveRecord::Base.connection.execute(#{sql.dump})" },
         *encrypted].join("\n")
      end

      # @return [String] tables and models
      def schema
        [*tables.map { |table, (options, lines)|
          "ActiveRecord::Base.connection.create_table(:@w#{table}#{options}) do |t|\n" \
          "#{lines.map { |line| "  #{line}\n" }.join}end"
        },
         "module @W",
         "def self.table_name_prefix = \"@w\"",
         "class Record < ActiveRecord::Base\nself.abstract_class = true\n#{record.join("\n")}\nend",
         *models.each_value.map { |model|
           "class #{model.name} < #{model.superclass}\n#{model.lines.join("\n")}\nend"
         },
         "end"].join("\n")
      end

      def encrypted
        models.select { |_, model| model.lines.any?(/\Aencrypts /) }.keys.map do |name|
          "Fuzz::Relations.encrypt(@W::#{name})"
        end
      end

      def each_feature(&)
        models.each_value { |model| model.features.each(&) }
      end
    end

    # Draws a World.
    class WorldMaker
      def initialize(dice, adapter)
        @dice = dice
        @adapter = adapter
      end

      def world
        @text_keys = @dice.once_in(6)
        @any_case = @text_keys && @dice.once_in(2)
        @tables = {}
        @models = {}
        @columns = {}
        tables
        models
        World.new(adapter: @adapter, tables: @tables, models: @models, record: record,
                  inserts: inserts)
      end

      private

      def record
        return [] unless @dice.once_in(3)
        return [@dice.pick(["after_find { @above = 1 }", "def self.instantiate(...) = super"])] if
          @dice.once_in(5)

        [@dice.pick(["def above = \"above\"", "include Module.new", "def helper = 1",
                     "prepend Module.new"])]
      end

      # -- tables ------------------------------------------------------------------------------

      # Foreign keys by table: what they lead to.
      KEYS = {
        authors: { mentor_id: :authors },
        posts: { author_id: :authors, editor_id: :authors },
        comments: { post_id: :posts, author_id: :authors },
        profiles: { author_id: :authors },
        tags: {},
        taggings: { post_id: :posts, tag_id: :tags },
        notes: { notable_id: :posts },
        animals: { owner_id: :authors },
        orders: {}, lines: {}
      }.freeze
      COUNTS = { authors: 4, posts: 5, comments: 8, profiles: 3, tags: 3, taggings: 5, notes: 4,
                 animals: 5, orders: 3, lines: 5 }.freeze
      NAMES = { authors: "Author", posts: "Post", comments: "Comment", profiles: "Profile",
                tags: "Tag", taggings: "Tagging", notes: "Note", animals: "Animal",
                orders: "Order", lines: "Line" }.freeze

      def tables
        KEYS.each do |table, keys|
          few = %i[taggings orders lines profiles tags].include?(table)
          @columns[table] = Columns.random(@dice, @adapter, few ? 2 : @dice.between(3, 7))
          @tables[table] = [options(table), [*key_lines(table, keys), *column_lines(table)]]
        end
      end

      def options(table)
        return ", primary_key: [:shop_id, :id]" if table == :orders
        return ", id: { type: #{text_key} }" if text_key?(table)

        @dice.pick(["", "", "", ", id: :integer"])
      end

      def text_key?(table) = @text_keys && table == :authors

      # One that ignores case, if keys have any. MariaDB's texts do so anyway.
      def text_key
        return ":string" unless @any_case && !Columns.mysql?(@adapter)

        @adapter == "sqlite3" ? ":string, collation: \"NOCASE\"" : ":citext"
      end

      def key_lines(table, keys)
        case table
        when :orders then ["t.integer :shop_id", "t.integer :id"]
        when :lines then ["t.integer :shop_id", "t.integer :order_id"]
        when :notes then ["t.string :notable_type", "t.integer :notable_id"]
        when :animals then ["t.string :type", key_line(:owner_id, :authors)]
        else keys.map { |name, to| key_line(name, to) }
        end
      end

      def key_line(name, to)
        return "t.column :#{name}, #{text_key}" if text_key?(to)
        return "t.string :#{name}" if @adapter == "sqlite3" && @dice.once_in(12)

        "t.bigint :#{name}"
      end

      def column_lines(table)
        @columns[table].map { |one| "t.column \"#{one.name}\", #{one.words}" }
      end

      # -- models ------------------------------------------------------------------------------

      def models
        NAMES.each { |table, name| @models[name] = model(name, "Record", table) }
        # No features that name a column which the class above ignores.
        ignores = @models["Animal"].features.any? { |one| one.name == :ignored_columns }
        @models["Dog"] = model("Dog", "Animal", :animals, draws: @dice.once_in(4) && !ignores)
        @models["Cat"] = model("Cat", "Animal", :animals, draws: false)
        ASSOCIATIONS.each do |name, made|
          model = @models[name]
          lines = made.map { |link, (kind, _, *variants)| line(kind, link, variants) }
          model.lines.unshift(*lines)
          model.links.merge!(made.transform_values { |kind, to| [kind, to] })
        end
      end

      def model(name, superclass, table, draws: true)
        features = draws ? Features.new(@dice, @columns[table]).draw : []
        Model.new(name, superclass, table, @columns[table], features.flat_map(&:lines), {},
                  features.flat_map(&:reads), features)
      end

      def line(kind, link, variants)
        options = @dice.pick([variants[0], variants[0], *variants])
        options = [options, *("strict_loading: true" if @dice.once_in(60))]
        options = options.reject(&:empty?).join(", ")
        text = "#{kind} :#{link}#{", #{options}" unless options.empty?}"
        extra = @dice.once_in(50) ? "\ndef #{link} = super" : ""
        text + extra
      end

      # {model => {name => [kind, model, options…]}}: the first are the usual ones.
      ASSOCIATIONS = {
        "Author" => {
          posts: [:has_many, "Post", "", "inverse_of: :author", "dependent: :destroy",
                  "-> { order(:id) }", "-> { where.not(id: 3) }",
                  "-> { where(author_id: 2..) }", "-> { where(id: 1).or(where(author_id: 2)) }"],
          profile: [:has_one, "Profile", "", "-> { order(id: :desc) }", "dependent: :destroy"],
          mentor: [:belongs_to, "Author", "class_name: \"Author\", optional: true"],
          pupils: [:has_many, "Author", "class_name: \"Author\", foreign_key: :mentor_id",
                   "-> { order(:id) }, class_name: \"Author\", foreign_key: :mentor_id"],
          comments: [:has_many, "Comment", "", "through: :posts, source: :comments"],
          animals: [:has_many, "Animal", "foreign_key: :owner_id"],
          dogs: [:has_many, "Dog", "foreign_key: :owner_id"]
        },
        "Post" => {
          author: [:belongs_to, "Author", "optional: true", "optional: true, inverse_of: :posts",
                   "touch: true", "-> { where.not(id: 2) }, optional: true"],
          editor: [:belongs_to, "Author", "class_name: \"Author\", optional: true"],
          comments: [:has_many, "Comment", "", "", "-> { order(id: :desc) }", "autosave: true",
                     "-> { limit(2) }", "-> { select(:id, :post_id) }", "-> { readonly }",
                     "-> { includes(:author) }", "extend: Fuzz::Relations::Extension"],
          first_comment: [:has_one, "Comment", "-> { order(:id) }, class_name: \"Comment\"",
                          "class_name: \"Comment\""],
          taggings: [:has_many, "Tagging", ""],
          tags: [:has_many, "Tag", "through: :taggings", "-> { distinct }, through: :taggings"],
          commenters: [:has_many, "Author", "through: :comments, source: :author"],
          notes: [:has_many, "Note", "as: :notable"],
          note: [:has_one, "Note", "as: :notable"]
        },
        "Comment" => {
          post: [:belongs_to, "Post", "optional: true", "optional: true, counter_cache: false"],
          author: [:belongs_to, "Author", "optional: true"],
          post_author: [:has_one, "Author", "through: :post, source: :author"]
        },
        "Profile" => { author: [:belongs_to, "Author", "optional: true"] },
        "Tagging" => { post: [:belongs_to, "Post", ""], tag: [:belongs_to, "Tag", ""] },
        "Tag" => { taggings: [:has_many, "Tagging", ""] },
        "Note" => { notable: [:belongs_to, "Post", "polymorphic: true, optional: true"] },
        "Animal" => { owner: [:belongs_to, "Author", "class_name: \"Author\", optional: true"] },
        "Dog" => {}, "Cat" => {},
        "Order" => { lines: [:has_many, "Line", "foreign_key: %i[shop_id order_id]"] },
        "Line" => { order: [:belongs_to, "Order",
                            "foreign_key: %i[shop_id order_id], optional: true"] }
      }.freeze

      # -- rows --------------------------------------------------------------------------------

      def inserts
        @ids = COUNTS.to_h { |table, most| [table, @dice.between(@dice.pick([0, 1, 2, 2]), most)] }
        @tables.each_key.flat_map do |table|
          Array.new(@ids[table]) { |i| insert(table, i + 1) }
        end
      end

      def insert(table, id)
        values = keys(table, id)
        @columns[table].each do |column|
          next if @dice.once_in(10) # the database's default

          values[column.name] = Columns.literal(@dice, @adapter, column)
        end
        names = values.keys.map { |name| quoted(unescaped(name.to_s)) }
        "INSERT INTO #{quoted("@w#{table}")} (#{names.join(", ")}) " \
          "VALUES (#{values.values.join(", ")})"
      end

      # A column's name as it is in Ruby, not in a literal.
      def unescaped(name) = name.gsub("\\", "")

      def quoted(name)
        return "`#{name}`" if Columns.mysql?(@adapter)

        "\"#{name.gsub("\"", "\"\"")}\""
      end

      def keys(table, id)
        case table
        when :orders then { shop_id: id % 2, id: id }
        when :lines then { id: id, shop_id: id % 2, order_id: @dice.between(0, 5) }
        when :notes then { id: id, **notable }
        when :animals
          { id: id, type: @dice.pick(%w['@W::Dog' '@W::Dog' '@W::Cat' '@W::Animal' NULL]
                                        .push(*(@dice.once_in(20) ? ["'@W::Gone'", "''"] : []))),
            owner_id: key(:authors) }
        else
          own = text_key?(table) ? "'k#{id}'" : id
          { id: own, **KEYS.fetch(table).transform_values { |to| key(to) } }
        end
      end

      def notable
        { notable_type: @dice.pick(%w['@W::Post' '@W::Post' '@W::Author' NULL]
                                      .push(*(@dice.once_in(20) ? ["'@W::Gone'"] : []))),
          notable_id: @dice.pick(["NULL", *1..4]) }
      end

      # NULL, one that is there, or one that is not.
      def key(to)
        number = @dice.between(1, [@ids.fetch(to), 1].max)
        number += 50 if @dice.once_in(10)
        return "NULL" if @dice.once_in(6)

        return number unless text_key?(to)

        other = @any_case && @dice.once_in(3)
        other ? @dice.pick(["'K#{number}'", "'k#{number} '"]) : "'k#{number}'"
      end
    end
  end
end
