# frozen_string_literal: true

require_relative "../contenders/gems"
require_relative "../contenders/listed"
require_relative "../data/blog"

# What a controller of Rails has, a relation: 100 authors with three posts each, and scenario 6's
# 100 posts with 10 comments each, ActiveRecord on sqlite3 in memory; already loaded with what
# belongs to them, or queried by the call. Others then build the models, too, and read through
# getters; to_json writes the rows of the queries.
Bench.scenario 9, "rows", "ActiveRecord relations, loaded and unloaded" do
  gems = ["ActiveModelSerializers", "jsonapi-serializer", "RABL", "Jbuilder", "Panko", "Alba",
          "oj_serializers", "oj_serializers, StringWriter"]
  # By hand without models, for what is not loaded: no figure is due over it. The many, their key,
  # and the columns of both.
  plucked = {author: ["AuthorPost", :posts, "author_id", %i[id title body], %i[id name]],
             article: ["Comment", :comments, "article_id", %i[id body author],
                       %i[id title body author_name]]}

  [:author, :article].product([true, false]).each do |kind, loaded|
    name = kind == :author ? "100 authors" : "100 × 10"
    table "#{name}, #{loaded ? "loaded" : "unloaded"}", quick: loaded && kind == :author do
      needs "activerecord", "sqlite3"
      data do
        require_relative "../data/records"
        ids = Bench::Blog::Records.public_send(:"#{kind}_ids")
        loaded ? ids.map { |range| Bench::Blog::Records.public_send(:"#{kind}s", range).load } : ids
      end
      shape = Bench::Blog::SHAPES[kind]
      read = "v = Bench::Blog::Records.#{kind}s(v)" unless loaded
      Bench::Gems.add(self, shape, many: kind.to_s, read: read, only: gems,
                                   objects: (102 if loaded))
      fastest = ["Hash + JSON::Coder", "Oj::StringWriter, reset"]
      hand = fastest unless loaded
      Bench::Listed.hand(self, shape, many: kind.to_s, read: read, only: hand)

      reach "to_json, json!", over: :gem, at_least: 1
      reach "to_json, json!", over: "Panko", at_least: loaded ? 2 : 6
      next if loaded

      setup :ours, "require \"to_json/active_record\""
      many, key, foreign, inner, outer = plucked.fetch(kind)
      hash = ->(columns) { columns.map { |column| "#{column}: #{column}" }.join(", ") }
      code = <<~RUBY
        records = Bench::Blog::Records
        many = records::#{many}.where(#{foreign}: v).order(:id)
                               .pluck(:#{foreign}, *#{inner}).group_by(&:first)
        rows = records::#{kind.capitalize}.where(id: v).order(:id).pluck(*#{outer})
        coder.generate(rows.map do |#{outer.join(", ")}|
          list = many.fetch(id).map { |_, #{inner.join(", ")}| {#{hash[inner]}} }
          {#{hash[outer]}, #{key}: list}
        end)
      RUBY
      before = "coder = JSON::Coder.new"
      contender "pluck, Hash + JSON::Coder", :hand, peer: "json", code: code, before: before
      contender "the driver alone", :control,
                peer: "json", document: "#{before}\n#{code}",
                code: "Bench::Blog::Records.driven(v, :#{kind.capitalize}, :#{many}, :#{foreign})"
    end
  end
end
