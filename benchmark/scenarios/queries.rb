# frozen_string_literal: true

require_relative "../contenders/gems"
require_relative "../contenders/listed"
require_relative "../data/blog"

# Relations that nobody has loaded: rows of seven types of columns, and 100 rows with 10 others
# each. Beside gems that make a record of each row: the columns alone (pluck), the database itself
# (json_agg), and the driver, of whose rows nothing is made.
Bench.scenario 18, "queries", "rows of a database, without models" do
  names = %i[id title author_name sent_at price draft kind]
  gems = ["Panko", "oj_serializers", "oj_serializers, StringWriter"]
  written = {sent_at: 'o.sent_at.strftime("%FT%T.%LZ")', price: 'o.price.to_s("F")'}
  plain = Bench::Shape.new(names.to_h { |name| [name, nil] })
  by_hand = Bench::Shape.new(plain.fields.merge(written))
  row = names.map { |name| "#{name}: #{written.fetch(name, name.to_s).sub("o.", "")}" }.join(", ")
  coder = {peer: "json", before: "coder = JSON::Coder.new"}
  pluck = "Bench::Queries.flats(v).pluck(*NAMES)"
  plucked = "coder.generate(#{pluck}.map { |#{names.join(", ")}| {#{row}} })"
  # The bytes of our own document, but for white space.
  agg = <<~SQL
    SELECT json_agg(json_build_object(
      'id', id, 'title', title, 'author_name', author_name,
      'sent_at', to_char(sent_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'price', CASE WHEN price = trunc(price) THEN trunc(price) || '.0'
                    ELSE trim_scale(price)::text END,
      'draft', draft, 'kind', (ARRAY['note', 'essay', 'letter'])[kind + 1]) ORDER BY id)
    FROM flats WHERE id BETWEEN
  SQL
  databases = {"sqlite3" => "sqlite3"}
  servers = {"postgresql" => "pg", "trilogy" => "trilogy"}
  databases.update(servers.slice(*ENV["TO_JSON_BENCH_DATABASES"].to_s.split(",")))

  databases.each do |adapter, driver|
    table "flat × 100, #{adapter}" do
      needs "activerecord", driver
      data do
        require_relative "../data/queries"
        Bench::Queries.flat(adapter)
      end
      setup :ours, "require \"to_json/active_record\""
      setup :hand, :control, "NAMES = %i[#{names.join(" ")}].freeze unless defined?(NAMES)"
      read = "v = Bench::Queries.flats(v)"
      Bench::Gems.add(self, plain, many: "flat", read: read, only: gems)
      Bench::Listed.hand(self, by_hand, many: "flat", read: read,
                                        only: ["Hash + JSON::Coder", "Oj::StringWriter, reset"])
      contender "pluck, Hash + JSON::Coder", :hand, **coder, code: plucked
      if adapter == "postgresql"
        setup :other, "AGG = #{agg.inspect}.freeze"
        contender "json_agg", :other, differs: "white space", code:
          "Bench::Queries::Record.connection.select_value(\"\#{AGG} \#{v.begin} AND \#{v.end}\")"
      end
      contender "the driver alone", :control, peer: "json",
                document: "coder = JSON::Coder.new\n#{plucked}",
                code: "Bench::Queries.driven(Bench::Queries.flats(v))"

      reach "to_json, json!", over: "Panko", at_least: 4
      limit "to_json, json!", over: "the driver alone", at_most: (1.4 if adapter == "sqlite3")
    end

    table "100 × 10, #{adapter}", quick: false do
      needs "activerecord", driver
      data do
        require_relative "../data/queries"
        Bench::Queries.nested(adapter)
      end
      setup :ours, "require \"to_json/active_record\""
      read = "v = Bench::Queries.articles(v)"
      shape = Bench::Blog::SHAPES.fetch(:article)
      Bench::Gems.add(self, shape, many: "article", read: read, only: gems)
      Bench::Listed.hand(self, shape, many: "article", read: read,
                                      only: ["Hash + JSON::Coder", "Oj::StringWriter, reset"])

      reach "to_json, json!", over: "Panko", at_least: 3.5
    end
  end

  table "flat × 100,000", measure: "streams", sinks: %w[String file], quick: false, rounds: 3 do
    needs "activerecord", "sqlite3"
    data do
      require_relative "../data/queries"
      [*Bench::Queries.flat("sqlite3", size: 100_000, periods: 1), 1..100] # the last: to warm up
    end
    setup :ours, "require \"to_json/active_record\"\n" \
                 "#{Bench::Gems.classes("Our", "Flat", plain.fields)}"
    setup "panko_serializer", Bench::Gems.classes("Panko", "Flat", plain.fields)
    setup :hand, "NAMES = %i[#{names.join(" ")}].freeze unless defined?(NAMES)"
    into = "\nsink ? sink.write(text) : text"
    contender "to_json, json!", :ours, before: "sink = nil", code:
      "OurFlat.json!(Bench::Queries.flats(v), into: sink)"
    contender "Panko", :gem, peer: "panko_serializer", before: "sink = nil",
                             differs: "a newline at the end", code: <<~RUBY.chomp + into
                               flats = Bench::Queries.flats(v)
                               text = Panko::ArraySerializer.new(flats, each_serializer: PankoFlat)
                                                            .to_json
                             RUBY
    contender "pluck, Hash + JSON::Coder", :hand, peer: "json", before: "sink = nil",
              define: "CODER = JSON::Coder.new",
              code: "text = #{plucked.sub("coder", "CODER")}#{into}"
    limit "to_json, json!", metric: "peak_rss", at: "file", at_most: 16 * 1024 * 1024
  end
end
