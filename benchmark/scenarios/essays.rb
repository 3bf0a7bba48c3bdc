# frozen_string_literal: true

# Scenario 10. A blog post with its comments (support/essays.rb), of 1,000, a million and ten million characters: time, and memory in a
# process of its own.

require_relative "../support/hand"
require_relative "../support/essays"

Bench.scenario 10, "essays", "blog renders, time and memory" do
  author = ->(name) { "{name: #{name}.name, age: #{name}.age, email: #{name}.email}" }
  time = ->(name) { "#{name}.iso8601(3)" }
  hash = "{content: v.content, created_at: #{time["v.created_at"]}, published: v.published, author: #{author["v.author"]}, " \
         "comments: v.comments.map { |c| {created_at: #{time["c.created_at"]}, message: c.message, user: #{author["c.user"]}, " \
         "attachment: c.attachment} }}"
  write_author = lambda do |key, name|
    "writer.push_object(\"#{key}\")\n#{%w[name age email].map { |field| "writer.push_value(#{name}.#{field}, \"#{field}\")\n" }.join}writer.pop\n"
  end
  write = <<~RUBY
    writer.push_object
    writer.push_value(v.content, "content")
    writer.push_value(#{time["v.created_at"]}, "created_at")
    writer.push_value(v.published, "published")
    #{write_author["author", "v.author"]}
    writer.push_array("comments")
    v.comments.each do |c|
      writer.push_object
      writer.push_value(#{time["c.created_at"]}, "created_at")
      writer.push_value(c.message, "message")
      #{write_author["user", "c.user"]}
      writer.push_value(c.attachment, "attachment")
      writer.pop
    end
    writer.pop
    writer.pop
  RUBY

  setups = lambda do |table|
    table.setup(:hand) { require "time" }
    table.setup(:ours) do
      class EssaySerializer < ToJson::Serializer
        attributes :content, :created_at, :published
        has_one(:author) { attributes :name, :age, :email }
        has_many :comments do
          attributes :created_at, :message
          has_one(:user) { attributes :name, :age, :email }
          attributes :attachment
        end
      end
    end
    table.setup("rabl") do
      require "time"
      Rabl.configure do |config|
        config.include_json_root = config.include_child_root = false
        config.cache_sources = true
      end

      # Its own way without files, as in scenarios 5 and 6.
      RABL_ESSAY = <<~RABL
        attributes :content
        node(:created_at) { |post| post.created_at.iso8601(3) }
        attributes :published
        child :author => :author do
          attributes :name, :age, :email
        end
        child :comments => :comments do
          node(:created_at) { |comment| comment.created_at.iso8601(3) }
          attributes :message
          child :user => :user do
            attributes :name, :age, :email
          end
          attributes :attachment
        end
      RABL
    end
    table.setup("jbuilder") { require "time" }
  end

  jbuilder = <<~RUBY
    Jbuilder.encode do |json|
      json.content v.content
      json.created_at v.created_at.iso8601(3)
      json.published v.published
      json.author { json.(v.author, :name, :age, :email) }
      json.comments v.comments do |c|
        json.created_at c.created_at.iso8601(3)
        json.message c.message
        json.user { json.(c.user, :name, :age, :email) }
        json.attachment c.attachment
      end
    end
  RUBY
  in_order = lambda do |document|
    comments = document.fetch("comments").map { |comment| comment.slice("created_at", "message", "user", "attachment") }
    {**document.slice("content", "created_at", "published", "author"), "comments" => comments}
  end

  Bench::Essays::SIZES.each_key do |name|
    table name, quick: name != "post3" do
      data { [Bench::Essays.post(name)] }

      setups.call(self)
      Bench::Hand.add(self, hash: hash, write: write)
      contender "to_json, json!", :ours, code: "EssaySerializer.json!(v)"
      contender "to_json, into: a Buffer", :ours, before: "buffer = ToJson::Buffer.new", code: "EssaySerializer.json!(v, into: buffer.clear)",
                                                  document: "EssaySerializer.json!(v)"
      contender "Jbuilder", :gem, peer: "jbuilder", quick: name != "post3", code: jbuilder, differs: "escapes of Rails"
      contender "RABL", :gem, peer: "rabl", quick: false, code: "Rabl::Renderer.json(v, RABL_ESSAY)", differs: "order of keys", maps: in_order
      reach "to_json, json!", over: :hand, at_least: 1.0
      reach "to_json, json!", over: :gem, at_least: 1.0
    end
  end

  %w[post1 post2 post3].each do |name|
    table "#{name}, memory", measure: "streams", sinks: %w[String file], quick: name == "post3", rounds: name == "post3" ? 4 : 8, quick_rounds: 1 do
      data { [Bench::Essays.post(name), Bench::Essays.post("post1")] } # the last is for warming up

      setups.call(self)
      contender "to_json, json!", :ours, before: "sink = nil", code: "EssaySerializer.json!(v, into: sink)"
      contender "Hash + JSON.generate", :hand, peer: "json", before: "sink = nil", code: "hash = #{hash}\nsink ? JSON.dump(hash, sink) : JSON.generate(hash)"
      contender "Oj::StreamWriter", :hand, peer: "oj", before: "sink = nil", quick: false, differs: "white space", code: <<~RUBY
        writer = sink ? Oj::StreamWriter.new(sink, mode: :strict, indent: 0) : Oj::StringWriter.new(mode: :strict, indent: 0)
        #{write}
        sink ? writer.flush : writer.to_s
      RUBY
      contender "Jbuilder", :gem, peer: "jbuilder", before: "sink = nil", quick: false, code: "text = #{jbuilder.chomp}\nsink ? sink.write(text) : text",
                                  differs: "escapes of Rails"
      contender "RABL", :gem, peer: "rabl", before: "sink = nil", quick: false, differs: "order of keys", maps: in_order,
                              code: "text = Rabl::Renderer.json(v, RABL_ESSAY)\nsink ? sink.write(text) : text"
      limit "to_json, json!", metric: "memsize", at: "String", at_most: 1.05
      limit "to_json, json!", metric: "peak_share", at: "String", at_most: (1.1 unless name == "post1") # which is less than a page
      limit "to_json, json!", metric: "peak_rss", at: "file", at_most: 8 * 1024 * 1024
    end
  end
end
