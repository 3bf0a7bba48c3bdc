# frozen_string_literal: true

# Fuzz. Random relations: the document that is written from rows is the document that is written
# from models, byte for byte, and so are errors, by class and place.

require "stringio"
require "timeout"
require "to_json"
require_relative "../kit/dice"
require_relative "database"
require_relative "world"
require_relative "scopes"
require_relative "serializers"
require_relative "smaller"
require "to_json/active_record"

module Fuzz
  module Relations
    # A relation, the serializer and how it is called. `world` is shared by many cases.
    Case = Struct.new(:number, :world, :scope, :classes, :options, :exit, :zone, :clock, :local,
                      keyword_init: true)

    # Checks cases of one adapter.
    class Target
      # How many cases have the same world, and the same serializers.
      WORLD = 60
      SERIALIZER = 4
      ZONES = ["UTC", "UTC", "Berlin", "America/New_York", "Kathmandu", "Australia/Lord_Howe",
               "Samoa", "London", nil].freeze
      # How a relation becomes a document.
      EXITS = {
        json: "serializer.json!(relation, **options)",
        encode: "serializer.new(relation, **options).to_json",
        into: "serializer.json!(relation, into: StringIO.new, chunk: 64, **options).string",
        string: "serializer.json!(relation, into: +\"before \", **options)",
        many: "serializer.many(relation, **options)",
        stream: "serializer.stream(relation, **options).each.to_a.join",
        ndjson: "serializer.ndjson(relation, into: StringIO.new, **options).string",
        inside: "ToJson.generate({ a: serializer.new(relation, **options) })",
        hash: "serializer.to_h(relation, **options).inspect",
        preloaded: "serializer.json!(ToJson.preload(relation, serializer), **options)",
        records: "Fuzz::Relations.records(relation, serializer, options)"
      }.freeze
      WEIGHTS = Dice.weights(json: 6, encode: 1, into: 1, string: 1, many: 1, stream: 2, ndjson: 2,
                             inside: 1, hash: 1, preloaded: 1, records: 2)
      # What leaves in chunks reads a relation without an order in the order of its key.
      CHUNKS = %i[into stream ndjson].freeze

      # Models may never end: `find_each` asks for the records after a key, and a model may say
      # that each key is 1. A document ends after so many seconds.
      ENDLESS = 20
      Endless = Class.new(StandardError)
      # What is counted: by which way documents went, and what of it.
      WAYS = ["rows", "rows, nested", "models", "no records", "an error"].freeze

      include Smaller

      attr_reader :adapter

      def initialize(adapter)
        @adapter = adapter
        @database = Database.new(adapter)
        @kinds = {}
      end

      def name = "relations (#{adapter}, Rails #{ActiveRecord.version.segments.first(2).join(".")})"

      def rows
        [*WAYS, *EXITS.keys.map { |name| "exit: #{name}" },
         *Columns.families(adapter).map { |family| "column: #{family}" },
         *Features::ALL.map { |feature| "feature: #{feature}" }]
      end

      def generate(dice)
        world = world(dice)
        model, serializers = serializers(dice, world)
        classes = serializers.classes
        Case.new(number: dice.index, world: world, classes: classes,
                 scope: Scopes.new(dice, world, model).draw,
                 options: options(dice, serializers.names, classes.last),
                 exit: dice.weighted(WEIGHTS), zone: dice.pick(ZONES),
                 clock: dice.once_in(8) ? dice.pick(ZONE_VARIABLES) : nil, local: dice.once_in(10))
      end

      ZONE_VARIABLES = %w[UTC Europe/Berlin America/St_Johns Asia/Kathmandu].freeze

      # Starts the server, before the process forks.
      def start
        Relations.small_batches
        @database.connect
      end

      # @return [Float] the share of rows among relations with records
      def self.share(counts)
        rows = counts.values_at("rows", "rows, nested").sum
        all = rows + counts.fetch("models")
        all.zero? ? 0.0 : rows.fdiv(all)
      end

      # @return [String, nil] what is wrong
      def check(found, rows = nil)
        in_time(found) do
          next unless declared?(found, rows)

          (due, built), (got, left) = documents(found)
          next if due[1] == Endless.name

          count(found, due, built, left, rows) if rows
          problem(found, due, got, rows) unless due == got || unreadable?(found, due, got)
        end
      end

      def source(found)
        <<~RUBY
          require "fuzz/relations/target" # Rails #{ActiveRecord.version}
          Fuzz::Relations::Target.new("#{adapter}").start
          Time.zone = #{found.zone.inspect}
          #{"ActiveRecord.default_timezone = :local" if found.local}
          #{"ENV[\"TZ\"] = #{found.clock.inspect}" if found.clock}
          #{@database.placed(found.world.source)}
          #{declarations(found).map { |text| @database.placed(text) }.join("\n")}
          #{["", "rows: false"].map { |more| printed(found, more) }.join("\n")}
        RUBY
      end

      private

      def printed(found, more) = "puts lambda {\n#{@database.placed(call(found, more))}\n}.call"

      # The same for all cases of a share of the numbers.
      def world(dice)
        place = [dice.seed, (1 << 31) | (dice.index / WORLD)]
        return @world if @place == place

        @place = place
        @world = WorldMaker.new(Dice.new(*place), adapter).world
      end

      # The same for a few cases, which have other relations and options.
      def serializers(dice, world)
        place = [dice.seed, (1 << 30) | (dice.index / SERIALIZER)]
        return @drawn if @drawn_at == place

        @drawn_at = place
        shared = Dice.new(*place)
        model = world.models.fetch(shared.weighted(Scopes::ROOTS))
        @drawn = [model, Serializers.new(shared, world).tap { |made| made.draw(model) }]
      end

      MORE_RULES = ["time: :unix", "time: :unix_ms", "time: :utc", "decimal: :number",
                    "html_safe: true"].freeze
      # A Time that Ruby 3.4 parses has the second 60 until `strftime` is called on it: with models,
      # which field comes first tells what the next one shows. So never in a world of such times.
      FORMAT = "time: \"%d.%m.%Y %H:%M:%S.%N %z\""

      def options(dice, names, main)
        made = []
        made << "rules: #{rules(dice)}" unless dice.once_in(5)
        some = names.select { |one| one.match?(/\A\w+\z/) }
        made << "only: %w[#{some.select { dice.once_in(2) }.join(" ")}]" if dice.once_in(8)
        made << "except: %w[#{some.first(1).join}]" if dice.once_in(10) && some.any?
        made << "view: :full" if main.nodes.any? { |node| node.text == "view :full" } &&
                                 dice.once_in(2)
        made << "context: { on: #{dice.once_in(2)} }" if dice.once_in(2)
        made << "root: \"r\"" if dice.once_in(15)
        made
      end

      DIALECTS = %w[:json :rails :oj :strict].freeze

      # Mostly those under which few values are errors.
      def rules(dice)
        return dice.pick(DIALECTS) if dice.once_in(10)

        rule = dice.pick([*MORE_RULES, FORMAT]) if dice.once_in(3)
        rule = nil if rule == FORMAT && @world.inserts.any? { |sql| sql.include?(":60'") }
        "{ #{["nan: :null", "invalid: :replace", *rule].join(", ")} }"
      end

      # -- one document ------------------------------------------------------------------------

      def make(world)
        return if @made.equal?(world) && @maker == Process.pid

        @made = @declared = nil
        @database.make(world)
        @made = world
        @maker = Process.pid
      end

      # What was made smaller may be no world or serializer any more.
      def declared?(found, rows)
        make(found.world)
        declare(found)
        true
      rescue StandardError, ScriptError
        raise if rows

        false
      end

      def declarations(found) = found.classes.map(&:source)

      # Classes of the same names take the place of others, as where an application reloads.
      def declare(found)
        return if @declared.equal?(found.classes)

        made = Object.const_get(@database.placed("@W"))
        made.constants(false).grep(/Serializer\z/).each { |name| made.send(:remove_const, name) }
        @declared = nil
        declarations(found).each { |text| @database.run(text) }
        @declared = found.classes
      end

      def call(found, more)
        options = [*found.options, more].reject(&:empty?)
        ["serializer = @W::CaseSerializer", "options = { #{options.join(", ")} }",
         "relation = #{relation(found)}", EXITS.fetch(found.exit)].join("\n")
      end

      def relation(found)
        source = found.scope.source
        CHUNKS.include?(found.exit) ? "Fuzz::Relations.sorted(#{source})" : source
      end

      # Of models and of rows. What comes first has nothing kept.
      def documents(found)
        both = found.number.odd? ? [false, true] : [true, false]
        made = both.to_h { |by_rows| [by_rows, document(found, by_rows)] }
        made.values_at(false, true)
      end

      # @return [Array(Array, Integer)] the text or the error, and how many records were built
      def document(found, by_rows)
        built = 0
        note = ->(*, payload) { built += payload[:record_count] }
        code = @database.run("lambda do\n#{call(found, by_rows ? "" : "rows: false")}\nend")
        text = ActiveSupport::Notifications.subscribed(note, "instantiation.active_record") do
          Timeout.timeout(ENDLESS, Endless) { code.call }
        end
        # Ruby's own `to_s` of a record has its address.
        [[:text, text.to_s.b.gsub(/:0x\h{16}>/, ":0x>")], built]
      rescue StandardError, SystemStackError, NotImplementedError => error
        [[:error, error.class.name, place(error)], built]
      end

      def place(error) = ToJson.location(error)

      def in_time(found)
        before = Time.zone, ActiveRecord.default_timezone, ENV["TZ"]
        Time.zone = found.zone
        ActiveRecord.default_timezone = found.local ? :local : :utc
        ENV["TZ"] = found.clock if found.clock
        yield
      ensure
        Time.zone, ActiveRecord.default_timezone, ENV["TZ"] = before
      end

      # While a case is made smaller it must not become one that fails in another way.
      def problem(found, due, got, rows)
        kind = [due, got].map { |way, *rest| way == :error ? rest.first : way }
        text = "due #{shown(due)}\n   got #{shown(got)}"
        if rows
          @kinds[found.number] = kind
          warn "case #{found.number}: #{text}"
        end
        text if kind == @kinds.fetch(found.number, kind)
      end

      def shown((kind, *rest)) = "#{kind}: #{rest.map { |one| one.to_s[0, 3000] }.join(" at ")}"

      # What mysql2 and trilogy raise for a row with a date that is none.
      UNREADABLE = %w[ActiveRecord::StatementInvalid Mysql2::Error Date::Error].freeze

      # Such a row fails where it is read: with a later batch, unless a value of an earlier one has
      # raised its own error; or never, if the relation preloads it and the document does not read
      # it.
      def unreadable?(found, due, got)
        return false unless Columns.mysql?(adapter) && due.first == :error
        return false unless UNREADABLE.include?(due[1])
        return true if CHUNKS.include?(found.exit) && got.first == :error

        found.exit == :preloaded || found.scope.source.match?(PRELOADS) ||
          (found.scope.base.include?(".first.") && found.world.schema.match?(PRELOADS))
      end

      # Of a relation, or of the scope of an association that a relation is.
      PRELOADS = /\b(?:includes|preload)\(/

      # -- counting ----------------------------------------------------------------------------

      def count(found, due, built, left, rows)
        rows.reached("exit: #{found.exit}")
        rows.reached(way(found, due, built, left))
        return unless @counted != found.world

        @counted = found.world
        found.world.models.each_value.flat_map(&:columns).uniq.each do |column|
          rows.reached("column: #{column.family}")
        end
        found.world.each_feature { |feature| rows.reached("feature: #{feature.name}") }
      end

      def way(found, due, built, left)
        return "an error" if due.first == :error
        return "no records" if built.zero?
        # The records themselves are there by both ways; their associations need not be.
        return "models" if found.exit == :records ? left == built : left.positive?

        found.classes.last.nodes.any?(&:inside) ? "rows, nested" : "rows"
      end
    end
  end
end
