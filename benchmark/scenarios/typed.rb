# frozen_string_literal: true

# Scenario 7. Two documents from objects with members: a small one of 132 bytes, a large one of 4,839, as Struct, Data and plain
# objects (support/payloads.rb). Go's encoding/json writes the same documents from Go's structs (support/go_json.go).

require_relative "../support/hand"
require_relative "../support/payloads"

Bench.scenario 7, "typed", "Struct, Data and plain objects with members" do
  small = lambda do |table|
    table.setup(:ours) do
      class PayloadSerializer < ToJson::Serializer
        attributes :st, :sid, :tt, :gr, :uuid, :ip, :ua, :tz, :v
      end
    end
    table.setup("panko_serializer") do
      class PankoPayload < Panko::Serializer
        attributes :st, :sid, :tt, :gr, :uuid, :ip, :ua, :tz, :v
      end
    end
    table.setup("alba") do
      Alba.backend = :oj_strict

      class AlbaPayload
        include Alba::Resource
        attributes :st, :sid, :tt, :gr, :uuid, :ip, :ua, :tz, :v
      end
    end

    members = Bench::Payloads::MEMBERS.fetch("Small")
    table.setup(:lower_bound) do
      class PayloadBound
        TEXTS = LowerBound.texts('{"st":', ',"sid":', ',"tt":', ',"gr":', ',"uuid":', ',"ip":', ',"ua":', ',"tz":', ',"v":', "}")

        def self.json!(value)
          LowerBound.document(TEXTS, value.st, value.sid, value.tt, value.gr, value.uuid, value.ip, value.ua, value.tz, value.v)
        end

        def self.kept!(value, to)
          to.document(TEXTS, value.st, value.sid, value.tt, value.gr, value.uuid, value.ip, value.ua, value.tz, value.v)
        rescue Exception # rubocop:disable Lint/RescueException -- whatever leaves
          to.left
          raise
        end
      end
    end
    Bench::Hand.add(table, hash: "{#{members.map { |name| "#{name}: v.#{name}" }.join(", ")}}", write: <<~RUBY)
      writer.push_object
      #{members.map { |name| "writer.push_value(v.#{name}, \"#{name}\")\n" }.join}
      writer.pop
    RUBY
  end

  large = lambda do |table|
    table.setup(:ours) do
      class PayloadSerializer < ToJson::Serializer
        has_many(:users) { attributes :username }
        has_one :topics do
          has_many(:topics) { attributes :ID, :slug }
          attributes :more_topics_URL
        end
      end
    end
    table.setup("panko_serializer") do
      class PankoUser < Panko::Serializer
        attributes :username
      end

      class PankoTopic < Panko::Serializer
        attributes :ID, :slug
      end

      class PankoTopics < Panko::Serializer
        attributes :more_topics_URL
        has_many :topics, serializer: PankoTopic
      end

      class PankoPayload < Panko::Serializer
        has_many :users, serializer: PankoUser
        has_one :topics, serializer: PankoTopics
      end
    end
    table.setup("alba") do
      Alba.backend = :oj_strict

      class AlbaPayload
        include Alba::Resource

        many(:users) { attributes :username }
        one :topics do
          many(:topics) { attributes :ID, :slug }
          attributes :more_topics_URL
        end
      end
    end

    table.setup(:lower_bound) do
      class PayloadBound
        USERS, TOPICS = LowerBound.texts('{"users":['), LowerBound.texts('],"topics":{"topics":[')
        USER, TOPIC = LowerBound.texts('{"username":', "}"), LowerBound.texts('{"ID":', ',"slug":', "}")
        LAST = LowerBound.texts('],"more_topics_URL":', "}}")

        def self.json!(value)
          LowerBound.first(USERS)
          users, index = value.users, 0
          while index < users.size
            user = users[index]
            index += 1
            LowerBound.item(USER, user.username)
          end
          LowerBound.after(TOPICS)
          topics = value.topics
          list, index = topics.topics, 0
          while index < list.size
            topic = list[index]
            index += 1
            LowerBound.item(TOPIC, topic.ID, topic.slug)
          end
          LowerBound.last(LAST, topics.more_topics_URL)
        end

        def self.kept!(value, to)
          to.first(USERS)
          users, index = value.users, 0
          while index < users.size
            user = users[index]
            index += 1
            to.item(USER, user.username)
          end
          to.after(TOPICS)
          topics = value.topics
          list, index = topics.topics, 0
          while index < list.size
            topic = list[index]
            index += 1
            to.item(TOPIC, topic.ID, topic.slug)
          end
          to.last(LAST, topics.more_topics_URL)
        rescue Exception # rubocop:disable Lint/RescueException -- whatever leaves
          to.left
          raise
        end
      end
    end

    hash = "{users: v.users.map { |user| {username: user.username} }, topics: {" \
           "topics: topics.topics.map { |topic| {ID: topic.ID, slug: topic.slug} }, more_topics_URL: topics.more_topics_URL}}"
    Bench::Hand.add(table, read: "topics = v.topics", hash: hash, write: <<~RUBY)
      writer.push_object
      writer.push_array("users")
      v.users.each do |user|
        writer.push_object
        writer.push_value(user.username, "username")
        writer.pop
      end
      writer.pop
      writer.push_object("topics")
      writer.push_array("topics")
      topics.topics.each do |topic|
        writer.push_object
        writer.push_value(topic.ID, "ID")
        writer.push_value(topic.slug, "slug")
        writer.pop
      end
      writer.pop
      writer.push_value(topics.more_topics_URL, "more_topics_URL")
      writer.pop
      writer.pop
    RUBY
  end

  in_order = lambda do |document|
    topics = document.fetch("topics")
    {"users" => document.fetch("users"), "topics" => topics.slice("topics", "more_topics_URL")}
  end

  # Contenders, and what is different about Panko's document: its associations stand after attributes, has_one first.
  documents = {"small" => [small, {differs: "a newline at the end"}],
               "large" => [large, {differs: "associations in an order of its own", maps: in_order}]}
  # Ruby, times better than by hand.
  kinds = {"Struct" => [nil, 2.5], "Data" => [">= 3.2", 2.5], "plain objects" => [nil, 1.8]}

  kinds.each do |kind, (ruby, figure)|
    documents.each do |document, (contenders, panko)|
      table "#{document}, #{kind}", ruby: ruby, quick: kind == "Struct" do
        data { Bench::Payloads.public_send(document, kind[/\w+/].downcase.to_sym) }

        contenders.call(self)
        contender "to_json, json!", :ours, code: "PayloadSerializer.json!(v)"
        contender "to_json, into: a String", :ours, before: 'buffer = +""', code: "buffer.clear\nPayloadSerializer.json!(v, into: buffer)"
        contender "lower bound, native", :control, peer: "lower_bound", quick: true, code: "PayloadBound.json!(v)"
        contender "lower bound, with keywords", :control, peer: "lower_bound", quick: true,
                                                before: "LowerBound.entry(PayloadBound)", code: "PayloadBound.entry!(v)"
        contender "lower bound, kept right", :control, peer: "lower_bound", quick: true,
                                              before: "LowerBound.entry(PayloadBound)", code: "PayloadBound.kept_entry!(v)"
        contender "Panko", :gem, peer: "panko_serializer", quick: false, code: "PankoPayload.new.serialize_to_json(v)", **panko
        contender "Alba", :gem, peer: "alba", quick: false, code: "AlbaPayload.new(v).serialize"
        contender "Go, json.Marshal", :other, peer: "go_json", code: "marshal"
        contender "Go, json.Encoder, reused buffer", :other, peer: "go_json", code: "encode", quick: false, differs: "a newline at the end"

        reach "to_json, json!", over: :hand, at_least: figure
        ["native", "with keywords", "kept right"].each { |which| reach "lower bound, #{which}", over: :hand }
        if document == "small"
          reach "to_json, json!", over: "Go, json.Marshal", yjit: 1.0
        else
          limit "to_json, json!", over: "Go, json.Marshal", yjit: 0.6
        end
      end
    end
  end
end
