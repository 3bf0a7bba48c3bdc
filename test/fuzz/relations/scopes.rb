# frozen_string_literal: true

# Fuzz. Random relations of a world's models, as Ruby source.

module Fuzz
  module Relations
    # A base, and the calls after it, each a piece of source.
    Scope = Struct.new(:base, :calls) do
      def source = [base, *calls].join(".")
    end

    # Draws a Scope.
    class Scopes
      ROOTS = Dice.weights("Post" => 6, "Author" => 4, "Comment" => 4, "Animal" => 1, "Note" => 2,
                           "Order" => 1, "Line" => 1, "Dog" => 1, "Profile" => 1, "Tagging" => 1)
      # What stays as it is in most applications, and what does not.
      USUAL = %i[where order limit all where_null offset].freeze
      RARE = %i[select select_sql joins group distinct from unscoped includes extending
                strict_loading none merge either annotate loaded async array lock readonly
                reverse twice missing_column raw enumerator relation_of_owner in_order
                no_cache uncached_scope empty_where invert references records bad_sql].freeze

      # @param world [World]
      # @param model [Model]
      def initialize(dice, world, model)
        @dice = dice
        @world = world
        @model = model
        @columns = @model.columns
      end

      # @return [Scope]
      def draw
        calls = Array.new(@dice.between(0, 3)) { @dice.pick(USUAL) }
        calls << @dice.pick(RARE) if @dice.once_in(4)
        calls << @dice.pick(RARE) if @dice.once_in(12)
        calls = ["all"] if calls.empty?
        @base = name
        calls = calls.filter_map { |call| call.is_a?(Symbol) ? send(call) : call }
        # What is no relation any more ends the chain.
        last, first = calls.partition { |call| LAST.match?(call) }
        first << "all" if first.empty?
        Scope.new(@base, first + last.first(1))
      end

      LAST = /\A(?:to_a|load|load_async|records|find_each|each_entry|first|take)\b/

      private

      def name = "@W::#{@model.name}"

      def table = "@w#{@model.table}"

      def column = @dice.pick(@columns)

      # In a String of the source.
      def quoted_column(of = column)
        mark = Columns.mysql?(@world.adapter) ? "`" : "\\\""
        "#{mark}#{of.name.gsub("\\\"", mark == "`" ? "\\\"" : "\\\"\\\"")}#{mark}"
      end

      def symbol(of = column) = ":\"#{of.name}\""

      # One that can be compared in an `order` or `group` of every database.
      def comparable
        some = @columns.reject { |one| %i[json point xml].include?(one.family) }
        @dice.pick(some) if some.any?
      end

      def all = "all"
      def where
        @dice.pick(["where(id: [1, 2, 3])", "where.not(id: 1)", "where(\"id < 5\")",
                    "where(id: 2..)", "where(id: #{name}.select(:id))"])
      end
      def where_null = "where.not(#{symbol} => nil)"
      def order
        one = comparable
        @dice.pick(["order(:id)", "order(id: :desc)", "order(:id)",
                    *("order(#{symbol(one)} => :desc, id: :asc)" if one)])
      end
      def limit = "limit(#{@dice.pick([0, 1, 2, 3, 5])})"
      def offset = "order(:id).limit(3).offset(#{@dice.between(0, 2)})"

      def select
        some = Array.new(@dice.between(0, 4)) { column }.uniq.map { |one| symbol(one) }
        some.unshift(":id") unless @dice.once_in(4)
        some.push(":\"#{@model.reads.first}\"") if @model.reads.any? && @dice.once_in(4)
        some.push(*keys.map { |key| ":#{key}" }) if @dice.once_in(2)
        "select(#{some.join(", ")})" if some.any?
      end

      def keys = WorldMaker::KEYS.fetch(@model.table, {}).keys

      def select_sql
        one, two = column, column
        @dice.pick(["select(\"*\")", "select(\"#{table}.*, 1 AS extra\")",
                    "select(\"#{table}.*, #{table}.#{quoted_column(one)}\")",
                    "select(\"#{table}.id, #{quoted_column(one)} AS #{quoted_column(two)}\")",
                    "select(\"#{table}.*, 'x' AS #{quoted_column(one)}\")",
                    "select(:id, Arel.sql(\"NULL AS #{quoted_column(one)}\"))",
                    "select(\"#{table}.*, id AS name\")", "select(id: :other_id)",
                    "select(:id, \"id + 1 AS virtual\")"])
      end

      def link(*kinds)
        names = @model.links.select { |_, (kind, _)| kinds.include?(kind) }.keys
        @dice.pick(names - %i[notable]) if (names - %i[notable]).any?
      end

      def any_link = link(:has_many, :has_one, :belongs_to)

      def joins
        found = any_link or return
        @dice.pick(["joins(:#{found})", "left_joins(:#{found})", "left_outer_joins(:#{found})",
                    "joins(:#{found}).select(\"#{table}.*, #{table}.id AS extra\")",
                    "joins(:#{found}).distinct", "joins(:#{found}).select(\"*\")",
                    "where.missing(:#{found})", "where.associated(:#{found})"])
      end

      def group
        one = comparable or return
        @dice.pick(["group(:id)", "group(#{symbol(one)}).select(#{symbol(one)}, \"COUNT(*) AS n\")",
                    "group(#{symbol(one)}).select(\"MIN(id) AS id\")",
                    "group(:id).having(\"COUNT(*) > 0\")"])
      end

      def distinct = @dice.pick(["distinct", "select(:id).distinct", "order(:id).distinct"])

      def from
        @dice.pick(["from(\"#{table}\")", "from(#{name}.where(id: 2..), :#{table})",
                    "from(\"#{table} AS #{table}\")",
                    "from(\"(SELECT 1 AS id) AS #{table}\").select(:id)"])
      end

      def unscoped
        @base = "#{name}.unscoped"
        nil
      end

      def includes
        found = any_link or return
        @dice.pick(["includes(:#{found})", "preload(:#{found})", "eager_load(:#{found})",
                    "includes(:#{found}).references(:#{found})"])
      end

      def extending
        @dice.pick(["extending(Fuzz::Relations::Extension)",
                    "extending(Fuzz::Relations::NoExtension)", "extending { def size = 3 }"])
      end

      def strict_loading = "strict_loading"
      def none = @dice.pick(["none", "where(id: [])", "where(\"1 = 0\")"])
      def merge = "merge(#{name}.where(id: 1..4))"
      def either = "where(id: 1).or(#{name}.where(id: 2))"
      def annotate = "annotate(\"a note\")"
      def loaded = "load"
      def async = "load_async"
      def records = "records"
      def array = "to_a"
      def lock = "lock"
      def readonly = "readonly"
      def reverse = "order(:id).reverse_order"
      def twice
        @dice.pick(["where(id: 1..).where(id: 1..)", "where(id: []).where(id: 1)",
                    "where(id: []).where(id: 1).select(\"COUNT(*) AS id\")",
                    "where(id: [2**70]).where(id: 1).select(\"COUNT(*) AS id\")"])
      end
      def missing_column = @dice.pick(["select(:id, :no_such)", "where(no_such: 1)"])
      def raw = "where(Arel.sql(\"1 = 1\"))"
      def enumerator = @dice.pick(["find_each", "find_each(batch_size: 2)", "each_entry"])
      def in_order = "in_order_of(:id, [3, 1, 2])"
      def no_cache = "skip_query_cache!"
      def uncached_scope = "unscope(:where)"
      def empty_where = "where(nil)"
      def invert = "where(id: 1).invert_where"
      def references = "references(:nothing)"
      def bad_sql = "where(\"(\")"

      # `author.posts`: a relation that belongs to a record.
      def relation_of_owner
        owners = @world.models.flat_map do |owner, model|
          many = model.links.select { |_, (kind, to)| kind == :has_many && to == @model.name }
          many.keys.map { |link| "@W::#{owner}.unscoped.order(:id).first.#{link}" }
        end
        @base = @dice.pick(owners) if owners.any?
        nil
      end
    end
  end
end
