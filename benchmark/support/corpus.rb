# frozen_string_literal: true

# Layer: none below it. The documents of scenario 8, parsed: the corpus beside the checkout, or where it does not stand documents of the
# same shapes and sizes, made from a seed.

require "json"

module Bench
  # Trees of Hashes, Arrays and values, as a parser makes them.
  module Corpus
    NAMES = %w[activitypub canada citm_catalog ohai twitter].freeze
    DIRECTORY = File.expand_path("../../../shared/data/corpus", __dir__)
    SYLLABLES = %w[ka lo mi ner do ta ri sun vel po qua zet].freeze
    KANA = %w[あ い う え お か き く け こ 日 本 語 東 京].freeze

    class << self
      # The same document parsed twice: two trees that share their keys only.
      def trees(name) = Array.new(2) { JSON.parse(text(name)) }

      # What is parsed: the file, or the document in its place.
      def text(name)
        path = File.join(DIRECTORY, "#{name}.json")
        File.file?(path) ? File.read(path, encoding: "UTF-8") : JSON.generate(seeded(name))
      end

      # The document that stands for the file of that name.
      def seeded(name)
        raise ArgumentError, "no document is named #{name}" unless NAMES.include?(name)

        send(name, Random.new(NAMES.index(name) + 1))
      end

      private

      def words(random, count) = Array.new(count) { Array.new(2 + random.rand(2)) { SYLLABLES.sample(random: random) }.join }.join(" ")

      def url(random, path) = "https://example.com/#{path}/#{random.rand(10**9)}"

      # Rings of coordinates: nearly nothing but Floats.
      def canada(random)
        rings = Array.new(480) { Array.new(1 + random.rand(232)) { [-52 - (random.rand * 89), 41 + (random.rand * 42)] } }
        geometry = {"type" => "Polygon", "coordinates" => rings}
        {"type" => "FeatureCollection", "features" => [{"type" => "Feature", "properties" => {"name" => "Canada"}, "geometry" => geometry}]}
      end

      # Tables by number, and rows of small integers and nulls.
      def citm_catalog(random)
        ids = Array.new(184) { |i| 138_586_341 + (i * 41) }
        names = ->(count) { Array.new(count) { |i| [(205_705_993 + i).to_s, words(random, 3)] }.to_h }
        events = ids.to_h { |id|
 [id.to_s,
{"description" => nil, "id" => id, "logo" => url(random, "logo"), "name" => words(random, 4), "subTopicIds" => ids.first(4), "subjectCode" => nil,
"subtitle" => nil, "topicIds" => ids.first(2)}] }
        {"areaNames" => names.call(17), "audienceSubCategoryNames" => names.call(1), "blockNames" => {}, "events" => events,
         "performances" => Array.new(243) { |i| performance(random, i, ids) }, "seatCategoryNames" => names.call(64), "subTopicNames" => names.call(19),
         "topicNames" => names.call(4), "topicSubTopics" => names.call(4).transform_values {
 ids.first(12) }, "venueNames" => {"PLEYEL_PLEYEL" => "Salle Pleyel"}}
      end

      def performance(random, number, ids)
        prices = Array.new(4) { |i| {"amount" => 90_250 - (i * 100), "audienceSubCategoryId" => 337_100_890, "seatCategoryId" => 338_937_295 + i} }
        areas = ->(count) { Array.new(count) { |i| {"areaId" => 205_705_999 + i, "blockIds" => []} } }
        categories = Array.new(4) { |i| {"areas" => areas.call(4 + random.rand(8)), "seatCategoryId" => 338_937_295 + i} }
        {"eventId" => ids[number % ids.size], "id" => 339_887_544 + number, "logo" => number.odd? ? url(random, "logo") : nil, "name" => nil,
         "prices" => prices,
         "seatCategories" => categories, "seatMapImage" => nil, "start" => 1_372_701_600_000 + number, "venueCode" => "PLEYEL_PLEYEL"}
      end

      # Statuses: Hashes of forty and more keys, text of three bytes a character.
      def twitter(random)
        statuses = Array.new(140) do
          {"metadata" => {"result_type" => "recent", "iso_language_code" => "ja"}, **status(random), "retweeted_status" => status(random)}
        end
        {"statuses" => statuses, "search_metadata" => {"completed_in" => 0.087, "max_id" => 505_874_924_095_815_681, "query" => "%E4%B8%80", "count" => 100}}
      end

      def status(random)
        id = 505_874_924_095_815_680 + random.rand(10**6)
        {"created_at" => "Sun Aug 31 00:29:15 +0000 2014", "id" => id, "id_str" => id.to_s, "text" => japanese(random, 60),
         "source" => "<a href=\"https://example.com\" rel=\"nofollow\">#{japanese(random, 8)}</a>", "truncated" => false, "in_reply_to_status_id" => nil,
         "in_reply_to_screen_name" => nil, "user" => user(random), "geo" => nil, "coordinates" => nil, "retweet_count" => random.rand(40),
         "favorite_count" => 0,
         "entities" => {"hashtags" => [], "symbols" => [], "urls" => [],
                        "user_mentions" => [{"screen_name" => words(random, 1), "id" => id, "indices" => [0, 9]}]},
         "favorited" => false, "retweeted" => false, "lang" => "ja"}
      end

      def user(random)
        flags = %w[protected geo_enabled verified contributors_enabled is_translator default_profile following notifications].to_h { |name|
 [name, random.rand(2) == 1] }
        counts = %w[followers_count friends_count listed_count favourites_count statuses_count].to_h { |name| [name, random.rand(100_000)] }
        colors = %w[background link sidebar_border sidebar_fill text].to_h { |name| ["profile_#{name}_color", "C0DEED"] }
        {"id" => random.rand(10**10), "name" => japanese(random, 7), "screen_name" => words(random, 1), "location" => "", "description" => japanese(random, 70),
         "url" => nil, **counts, **flags, **colors, "profile_image_url" => url(random, "profile_images"), "profile_banner_url" => url(random, "banners")}
      end

      def japanese(random, size) = Array.new(size) { KANA.sample(random: random) }.join

      # Activities with HTML in them.
      def activitypub(random)
        items = Array.new(29) { |i|
 {"id" => "#{url(random, "users")}/activity", "type" => "Create", "published" => "2022-11-0#{1 + (i % 9)}T12:00:00Z", "to" => ["https://www.w3.org/ns/activitystreams#Public"], "object" => note(random)} }
        {"@context" => ["https://www.w3.org/ns/activitystreams", {"ostatus" => "http://ostatus.org#", "sensitive" => "as:sensitive"}], "id" => url(random, "outbox"), "type" => "OrderedCollectionPage", "orderedItems" => items}
      end

      def note(random)
        html = "<p>#{words(random, 60)} <a href=\"#{url(random, "tags")}\" class=\"mention hashtag\" rel=\"tag\">#<span>json</span></a></p>"
        tags = Array.new(3) { {"type" => "Hashtag", "href" => url(random, "tags"), "name" => "##{words(random, 1)}"} }
        {"id" => url(random, "statuses"), "type" => "Note", "summary" => nil, "inReplyTo" => nil, "published" => "2022-11-01T12:00:00Z", "sensitive" => false,
         "content" => html, "contentMap" => {"en" => html}, "attachment" => [], "tag" => tags,
         "replies" => {"id" => url(random, "replies"), "type" => "Collection", "first" => {"type" => "CollectionPage", "items" => []}}}
      end

      # A machine's facts: many keys, nearly all of them once, short Strings of digits.
      def ohai(random)
        devices = Array.new(60) { |i|
 ["eth#{i}",
{"state" => "up", "mtu" => "1500", "addresses" => {"10.0.#{i}.1" => {"family" => "inet", "prefixlen" => "24"}},
"counters" => {"rx" => random.rand(10**9).to_s, "tx" => random.rand(10**9).to_s}}] }
        modules = Array.new(240) { |i| ["#{words(random, 1)}_#{i}", {"size" => (random.rand(400) * 512).to_s, "refcount" => random.rand(9).to_s}] }
        {"kernel" => {"name" => "Linux", "release" => "3.2.0", "modules" => modules.to_h}, "network" => {"interfaces" => devices.to_h, "settings" => {}},
         "languages" => {"ruby" => {"version" => "1.9.3", "gems_dir" => "/var/lib/gems"}}, "uptime_seconds" => 86_400,
         "idletime" => "1 day", "fqdn" => "box.example.com"}
      end
    end
  end
end
