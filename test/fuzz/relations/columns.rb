# frozen_string_literal: true

# Fuzz. The types of columns, and the values that rows have in them, as SQL literals: extremes, and
# what the database takes although it means nothing.

module Fuzz
  module Relations
    # A column of a table: its name, the words of `create_table` and what family of types it has.
    Column = Struct.new(:name, :words, :family)

    # Types by adapter. A family is {name => [weight, words for create_table, literals]}.
    module Columns
      # As a SQL literal of text.
      def self.quoted(text, adapter)
        text = text.gsub("\\") { "\\\\" } if mysql?(adapter)
        "'#{text.gsub("'", "''")}'"
      end

      def self.mysql?(adapter) = %w[mysql2 trilogy].include?(adapter)

      # Names that are harmless, and those that are none of Ruby, or methods of every object.
      ODD_NAMES = ["format", "open", "test", "display", "p", "full name", "Title", "ü", "1st",
                   "a-b", "select", "order", "to_json", "as_json", "value", "put", "size", "name",
                   "say \\\"hi\\\"", "\\\#{1}"].freeze

      TEXTS = ["", "a", " padded ", "O'Brien \"q\" </script> &", "é✓😀", "line\nbreak\t\u2028", "0",
               "1", "true", "12.50", "2024-02-29", "2024-03-31 01:30:00.25", '{"a": 1}',
               "[1,2]", "null", "--- 1\n", "a" * 300, "\u0001\\", "b", "c"].freeze
      DATES = %w[2024-02-29 1969-12-31 1970-01-01 9999-12-31 2026-11-25 1583-01-01].freeze
      OLD_DATES = %w[0001-01-01 1582-10-15 0900-05-05].freeze
      TIMES = ["2024-03-31 01:30:00", "2024-03-31 00:59:59.999999", "2024-10-27 01:30:00.123456",
               "2024-11-03 06:30:00.5", "1970-01-01 00:00:00", "2026-11-25 10:11:12.000001",
               "2024-06-15 12:00:00", "9999-12-31 12:59:59.999999", "1883-11-18 17:00:00",
               "1940-06-20 12:00:00.1", "2038-01-19 03:14:08"].freeze
      OLD_TIMES = ["0001-01-01 00:00:00", "1582-10-10 00:00:00", "0099-12-31 23:59:59.9"].freeze
      CLOCK = ["12:34:56", "00:00:00", "23:59:59.999999", "01:02:03.5"].freeze
      DOCUMENTS = ['{"a": 1, "b": [1, null, "x"]}', "[]", '"text é"', "1.0", "12345678901234567890",
                   "null", "true", '{"color": "red", "Size": 3}', '{"a": {"a": {}}}', "1e3",
                   '["\u00e9\u2028</b>"]', '{"a": 1, "a": 2}'].freeze
      INTEGERS = { 2 => 32_767, 4 => 2_147_483_647, 8 => 9_223_372_036_854_775_807 }.freeze
      FLOATS = %w[0.0 -0.0 1.5 -2.25 1e300 1e-300 3.141592653589793 100 1e15 123456789.125].freeze
      BYTES = ["", "6162", "00", "ff", "c3a9", "7b7d", "e28"].select { |hex| hex.size.even? }.freeze

      # @return [Array<Column>] of a table
      def self.random(dice, adapter, count)
        names = Array.new(count) { |i| dice.once_in(12) ? dice.pick(ODD_NAMES) : "c#{i}" }.uniq
        families = weighted(adapter)
        names.map do |name|
          family = dice.weighted(families)
          Column.new(name, dice.pick(all(adapter).fetch(family)[1]), family)
        end
      end

      # @return [String] a SQL literal
      def self.literal(dice, adapter, column)
        return "NULL" if dice.once_in(7)

        dice.pick(all(adapter).fetch(column.family)[2])
      end

      def self.families(adapter) = all(adapter).keys

      def self.weighted(adapter)
        (@weighted ||= {})[adapter] ||= Dice.weights(all(adapter).transform_values(&:first))
      end

      def self.all(adapter)
        (@all ||= {})[adapter] ||= common(adapter).merge(own(adapter))
      end

      def self.own(adapter)
        case adapter
        when "sqlite3" then {}
        when "postgresql" then PostgresqlColumns.own
        else MysqlColumns.own
        end
      end

      def self.common(adapter)
        text = ->(list) { list.map { |one| quoted(one, adapter) } }
        {
          string: [6, [":string", ":string, limit: 400", ':string, default: "d"'],
                   text[TEXTS] + odd(adapter, :string)],
          text: [2, [":text"], text[TEXTS] + odd(adapter, :string)],
          small: [1, [":integer, limit: 2"], integers(2) + odd(adapter, :integer)],
          integer: [4, [":integer", ":integer, default: 7"], integers(4) + odd(adapter, :integer)],
          bigint: [2, [":bigint"], integers(8) + odd(adapter, :integer)],
          float: [2, [":float"], FLOATS + odd(adapter, :float)],
          decimal: [3, [":decimal, precision: 10, scale: 2", ":decimal, precision: 30, scale: 10",
                        ":decimal, precision: 12, scale: 0"],
                    %w[0 1.50 -123.45 9999.99 0.01 12345678] + odd(adapter, :decimal)],
          boolean: [4, [":boolean", ":boolean, default: true"],
                    %w[TRUE FALSE] + odd(adapter, :boolean)],
          date: [3, [":date"], text[DATES + OLD_DATES] + odd(adapter, :date)],
          datetime: [6, [":datetime", *[*0..6, "nil"].map { |p| ":datetime, precision: #{p}" }],
                     text[TIMES + OLD_TIMES] + odd(adapter, :datetime)],
          time: [2, [":time", ":time, precision: 3"], text[CLOCK] + odd(adapter, :time)],
          binary: [1, [":binary"], BYTES.map { |hex| binary(hex, adapter) }],
          json: [2, [":json"], text[DOCUMENTS] + odd(adapter, :json)]
        }
      end

      def self.integers(bytes)
        most = INTEGERS.fetch(bytes)
        ["0", "1", "2", "-1", "7", most.to_s, (-most - 1).to_s]
      end

      def self.binary(hex, adapter) = adapter == "postgresql" ? "'\\x#{hex}'" : "X'#{hex}'"

      # What SQLite has in any column; what MariaDB takes where it is not strict.
      SQLITE_ODD = {
        string: ["CAST(X'61ff' AS TEXT)", "X'fe00'", "12", "1.5", "CAST(X'6100' AS TEXT)"],
        integer: %w['abc' 1.5 '12x' '' 9223372036854775807 '3' X'31'],
        float: %w[9e999 -9e999 'abc' 1 '1.5' ''],
        decimal: %w['abc' 1.005 '1e3' 'NaN' 123456789012345678 ''],
        boolean: %w[0 1 't' 'f' 2 '' 'false' 'off' 'F'],
        date: %w['2024-02-31' '' 'abc' '2024-2-3' '20240203' 12345 '24-02-03' '2024-02-29T10:00'
                 '0000-00-00' '2024-13-01' '-0001-01-01' '12024-01-01'],
        datetime: ["'abc'", "''", "'2024-03-31T01:30:00Z'", "'2024-03-31 01:30:00 +0200'", "12345",
                   "'2024-03-31'", "'2024-02-31 10:00:00'", "'2024-03-31 25:00:00'", "1.5",
                   "'2024-12-31 23:59:60'", "'2024-03-31 01:30'", "'2024-03-31 01:30:00.1234567'",
                   "'2024-03-31 01:30:00.999999999'", "'0000-00-00 00:00:00'", "'now'",
                   "'2024-03-31 01:30:00 UTC'", "' 2024-03-31 01:30:00'", "'10:00'",
                   "'2024-03-31 01:30:00-05:30'", "'12024-03-31 01:30:00'",
                   "'2024-03-31 24:00:00'"],
        time: %w['abc' '25:00:00' '' '12:34' 12 '12:34:60' '2024-03-31T10:00:00'],
        json: ["'{'", "''", "'abc'", "1", "2.5", "'[1,'", "'NaN'", "'{\"a\":1}x'"]
      }.freeze
      MYSQL_ODD = {
        string: [], integer: [], float: [], decimal: [], boolean: %w[2 -1],
        date: %w['0000-00-00' '2024-02-31' '2024-00-00' '0000-01-01'],
        datetime: ["'0000-00-00 00:00:00'", "'2024-02-31 10:00:00'", "'2024-00-10 00:00:00'"],
        time: %w['-12:00:00' '838:59:59' '24:00:00' '100:00:00.5'], json: []
      }.freeze
      POSTGRESQL_ODD = {
        string: [], integer: [], float: %w['NaN' 'Infinity' '-Infinity'], decimal: %w['NaN'],
        boolean: [], date: ["'infinity'", "'-infinity'", "'0044-03-15 BC'", "'20240-01-01'"],
        datetime: ["'infinity'", "'-infinity'", "'0044-03-15 10:00:00 BC'",
                   "'12024-01-01 00:00:00.5'"],
        time: %w['24:00:00'], json: []
      }.freeze

      def self.odd(adapter, family)
        odd = { "sqlite3" => SQLITE_ODD, "postgresql" => POSTGRESQL_ODD }
        odd.fetch(adapter, MYSQL_ODD).fetch(family)
      end
    end

    # What only PostgreSQL has.
    module PostgresqlColumns
      UUIDS = %w['8f9a65eb-4807-4d57-b6e0-bda5d62f1429' '00000000-0000-0000-0000-000000000000'
                 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'].freeze

      def self.own
        text = ->(list) { list.map { |one| "'#{one.gsub("'", "''")}'" } }
        {
          uuid: [2, [":uuid"], UUIDS],
          jsonb: [2, [":jsonb", ":jsonb, default: {}"],
                  text[Columns::DOCUMENTS]],
          timestamptz: [3, [":timestamptz", ":timestamptz, precision: 3"],
                        text[Columns::TIMES.map { |time| "#{time}+02" } + %w[infinity]]],
          strings: [1, [":string, array: true", ":text, array: true"],
                    ["'{}'", "'{a,\"b c\",NULL,\"\\\"\"}'", "'{{a,b},{c,d}}'"]],
          numbers: [1, [":integer, array: true"], ["'{}'", "'{1,2,NULL}'"]],
          moments: [1, [":datetime, array: true", ":date, array: true"],
                    ["'{}'", "'{2024-02-29,NULL}'"]],
          inet: [1, [":inet", ":cidr"], %w['10.0.0.0/8' '::1' '192.168.1.1']],
          interval: [1, [":interval"], ["'1 day 02:03:04.5'", "'-3 months'", "'0'"]],
          money: [1, [":money"], %w['12.50' '-3.1' '1234567.89']],
          bits: [1, [":bit, limit: 4"], %w[B'0101' B'1111']],
          citext: [1, [":citext"], text[["a", "É", ""]]],
          hstore: [1, [":hstore"], ["''", "'a=>1, b=>NULL'", "'\"x y\"=>\"\\\"\"'"]],
          xml: [1, [":xml"], ["'<a>1</a>'", "''"]],
          point: [1, [":point"], %w['(1,2.5)' '(0,0)']],
          range: [1, [":int4range"], ["'[1,5)'", "'empty'", "'[2,]'", "'(,)'"]],
          days: [1, [":daterange"], ["'[2024-01-01,2024-02-01)'", "'empty'"]],
          macaddr: [1, [":macaddr"], %w['08:00:2b:01:02:03']],
          mood: [2, [":mood"], %w['sad' 'happy']],
          oid: [1, [":oid"], %w[0 4294967295]],
          vector: [1, [":tsvector"], ["'a b'", "''"]]
        }
      end
    end

    # What only MariaDB has.
    module MysqlColumns
      def self.own
        {
          unsigned: [2, [":bigint, unsigned: true", ":integer, unsigned: true"],
                     %w[0 1 4294967295]],
          tiny: [1, [":integer, limit: 1"], %w[0 1 127 -128]],
          medium: [1, [":integer, limit: 3"], %w[0 8388607 -8388608]],
          double: [1, [":double"], Columns::FLOATS],
          year: [1, ['"year"'], %w[1901 2155 0 2024]],
          choice: [1, [%q("enum('sad','happy')")], %w['sad' 'happy']],
          set: [1, [%q("set('a','b')")], %w['' 'a' 'a,b']],
          stamp: [2, [":timestamp, null: true", ":timestamp, null: true, precision: 6"],
                  ["'2024-03-31 01:30:00.5'", "'1970-01-02 00:00:01'", "'2037-12-31 23:59:59'"]],
          bit: [1, ['"bit(1)"', '"bit(8)"'], %w[b'0' b'1']],
          blob: [1, [":blob, limit: 255", ":binary, limit: 20"], %w[X'6162' X'' X'ff']],
          long: [1, [":text, limit: 4294967295", ":text, limit: 255"], %w['a' 'é' '']],
          latin: [1, ['"varchar(40) CHARACTER SET latin1"'], %w['é' 'a' '']],
          binary_text: [1, ['"varchar(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"'],
                        %w['É' 'é' 'a']]
        }
      end
    end
  end
end
