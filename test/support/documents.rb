# frozen_string_literal: true

# Documents of the shapes that generators are commonly measured on (a page of activities, a polygon
# of coordinates, an event catalogue, a machine's inventory, a list of short messages), and random
# trees. They are made from a seed: the same everywhere, and nobody's data.

# Documents.all(seed) are Hashes and Arrays of JSON's own types with String keys.
class Documents
  NAMES = %w[activities polygon catalogue inventory messages tree].freeze
  # Text as people write it: several scripts, emoji, quotes, line breaks, what HTML minds.
  WORDS = ["hello", "world", "Zürich", "garçon", "naïve", "日本語", "テスト", "привет", "мир", "مرحبا",
           "😀", "👩‍👩‍👧", "\"quoted\"", "back\\slash", "a/b",
           "<p>", "</p>", "&amp;", "line\nbreak", "tab\tstop", "\u0001", "\u2028", "é", "ﬁ", "𝒳",
           "", " "].freeze

  # @return [Hash{String => Object}] a document of each shape
  def self.all(seed) = NAMES.to_h { |name| [name, new(seed).public_send(name)] }

  # Another generator's text with its Floats as Ruby writes them: the json gem's are not always the
  # shortest.
  def self.shortest(json)
    json.gsub(/"(?:[^"\\]|\\.)*"|-?\d+\.\d+/) do |token|
      token.start_with?("\"") ? token : token.to_f.to_s
    end
  end

  def initialize(seed)
    @random = Random.new(seed)
  end

  # Objects in objects, long URLs, mark-up in text, a few kinds of items.
  def activities(count = 40)
    { "@context" =>
        ["https://social.example/ns#", { "votes" => "ns:votes", "Tag" => { "@id" => "ns:tag" } }],
      "type" => "Page", "next" => url, "items" => list(count) { activity } }
  end

  # Long arrays of pairs of Floats.
  def polygon(rings = 8, points = 400)
    { "type" => "FeatureCollection", "features" => [{ "type" =>
                                                        "Feature",
                                                        "properties" => { "name" => text },
                                                      "geometry" =>
                                                        { "type" => "Polygon",
                                                          "coordinates" => list(rings) do
                                                            list(points) do
                                                              [coordinate(180), coordinate(90)]
                                                            end
                                                          end } }] }
  end

  # Maps with digits for keys, many ids, empty containers, nil.
  def catalogue(count = 150)
    ids = list(count) { id }
    { "areaNames" =>
        ids.to_h { |key| [key.to_s, text] }, "blockNames" => {},
                 "events" => ids.to_h { |key| [key.to_s, event(key)] },
      "performances" => list(count) { performance(ids) } }
  end

  # Deep objects of short texts and numbers as texts.
  def inventory(count = 120)
    { "command" =>
        { "ps" => "ps -ef" },
        "kernel" =>
          {
            "modules" => list(count) {
              ["com.example.#{word(8)}.#{word(5)}",
               { "size" => id, "version" => version, "refcount" => rand(9).to_s }]
            }.to_h
          },
      "network" =>
        {
          "interfaces" => list(6) do
            ["en#{rand(99)}",
             { "flags" => %w[UP RUNNING],
               "addresses" => { address => { "netmask" => "255.255.0.0", "family" => "inet" } },
               "mtu" => 1500 }]
          end.to_h
        },
      "cpu" => { "total" => 2, "real" => nil, "flags" => [] } }
  end

  # Short texts of many scripts, long ids, many flags, nested users.
  def messages(count = 60)
    { "statuses" => list(count) { message },
      "search_metadata" =>
        { "completed_in" => rand.round(3), "max_id" => id << 30, "query" => "%E4%B8%80",
          "count" => count } }
  end

  # Anything of JSON, `depth` deep at most.
  def tree(depth = 7)
    return leaf if depth.zero? || rand(7).zero?

    rand(2).zero? ? list(rand(7)) { tree(depth - 1) } : list(rand(7)) do
      [rand(9).zero? ? text : word(rand(12)), tree(depth - 1)]
    end.to_h
  end

  # One value without others in it.
  def leaf
    case rand(12)
    when 0 then nil
    when 1 then true
    when 2 then false
    when 3..5 then rand(3).zero? ? rand(-(2**70)..2**70) : rand(-1000..100_000)
    when 6, 7 then number
    else text
    end
  end

  # A Float whose text every generator lays out alike.
  def number = (rand(2).zero? ? 1 : -1) * ((rand * (10**rand(0..9))).round(rand(0..9)) + 1)

  def text = Array.new(rand(12)) { WORDS[rand(WORDS.size)] }.join(" ")

  private

  def rand(...) = @random.rand(...)
  def list(count, &element) = Array.new(count, &element)
  def id = rand(100_000_000..999_999_999)
  def word(size) = Array.new(size) { (97 + rand(26)).chr }.join
  def version = "#{rand(9)}.#{rand(99)}.#{rand(9)}"
  def address = Array.new(4) { rand(256) }.join(".")
  def url = "https://social.example/users/#{word(8)}/statuses/#{id}?page=true&min_id=#{id}"
  def coordinate(most) = ((rand * 2 * most) - most).round(15)
  def moment = "20#{rand(10..29)}-0#{rand(1..9)}-1#{rand(9)}T1#{rand(9)}:00:00Z"

  def activity
    { "id" =>
        url, "type" => %w[Create Announce][rand(2)], "published" => moment, "to" => [url],
        "cc" => [],
      "object" =>
        { "id" => url, "summary" => nil, "sensitive" => rand(2).zero?,
          "content" => "<p>#{text} <a href=\"#{url}\">#{text}</a></p>",
          "tag" => list(rand(3)) { { "type" => "Tag", "name" => "##{word(6)}" } } } }
  end

  def event(key)
    { "description" => rand(3).zero? ? text : nil, "id" => key, "logo" => nil, "name" => text,
      "subTopicIds" => list(rand(4)) { id }, "topicIds" => list(rand(3)) { id } }
  end

  def performance(ids)
    { "eventId" =>
        ids[rand(ids.size)], "id" => id, "name" => nil,
        "prices" =>
          list(rand(1..4)) { { "amount" => rand(1..900) * 250, "audienceSubCategoryId" => id } },
      "seatCategories" =>
        list(rand(1..5)) do
          { "areas" => list(rand(5)) { { "areaId" => id, "blockIds" => [] } },
            "seatCategoryId" => id }
        end,
        "start" => id * 1000 }
  end

  def message
    { "created_at" =>
        moment, "id" => id << 30, "id_str" => (id << 30).to_s, "text" => text, "truncated" => false,
        "in_reply_to" => nil, "lang" => "ja", "retweets" => rand(900),
      "entities" =>
        { "hashtags" => [],
          "urls" => list(rand(3)) { { "url" => url, "indices" => [rand(70), rand(70..140)] } } },
      "user" =>
        { "id" => id, "name" => text, "location" => "", "description" => "#{text}\n#{text}",
          "verified" => false, "followers" => rand(90_000), "color" => "C0DEED" } }
  end
end
