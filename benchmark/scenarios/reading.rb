# frozen_string_literal: true

require "date"
require_relative "../data/readings"

# A document of ten fields and two levels becomes attributes, objects, and parameters of Rails. By
# hand it is read over the same parser with the same options: once with checks (types, unknown
# keys), once without any.
Bench.scenario 22, "reading", "reading: parse, read, expect" do
  fields = lambda do |built|
    one, many = built ? %w[Author Comment].map { |name| "{build: Bench::Readings::#{name}}" }
                      : %w[true true]
    <<~RUBY
      attributes :title, :slug, :subtitle, as: :string, writable: true
      attribute :views, as: :integer, writable: true
      attribute :rating, as: :float, writable: true
      attribute :published, as: :boolean, writable: true
      attribute :published_at, as: :time, writable: true
      attribute :released_on, as: :date, writable: true
      has_one :author, writable: #{one} do
        attributes :name, :email, as: :string, writable: true
      end
      has_many :comments, writable: #{many} do
        attributes :author, :body, as: :string, writable: true
        attribute :score, as: :integer, writable: true
      end
    RUBY
  end
  ours = lambda do |built|
    "class ArticleSerializer < ToJson::Serializer\ntransform_keys :camel_lower\n#{fields[built]}end"
  end
  hand = <<~RUBY
    require "json"
    require "time"
    module ByHand
      ARTICLE = %w[title slug subtitle views rating published publishedAt releasedOn author
                   comments].to_h { |key| [key, true] }.freeze
      AUTHOR = %w[name email].to_h { |key| [key, true] }.freeze
      COMMENT = %w[author body score].to_h { |key| [key, true] }.freeze

      class << self
        def parse(text)
          of_article(JSON.parse(text, max_nesting: 100, allow_duplicate_key: false))
        end

        def of_article(h)
          check(h, ARTICLE)
          {title: string(h["title"]), slug: string(h["slug"]), subtitle: string(h["subtitle"]),
           views: integer(h["views"]), rating: float(h["rating"]),
           published: boolean(h["published"]),
           published_at: (at = h["publishedAt"]) && Time.iso8601(string(at)),
           released_on: (on = h["releasedOn"]) && Date.iso8601(string(on)),
           author: (author = h["author"]) && of_author(author),
           comments: list(h["comments"]).map { |one| of_comment(one) }}
        end

        def of_author(h)
          check(h, AUTHOR)
          {name: string(h["name"]), email: string(h["email"])}
        end

        def of_comment(h)
          check(h, COMMENT)
          {author: string(h["author"]), body: string(h["body"]), score: integer(h["score"])}
        end

        private

        def check(h, known)
          raise ArgumentError, "no object" unless Hash === h
          h.each_key { |key| known.key?(key) or raise ArgumentError, "unknown \#{key}" }
        end

        def string(v) = v.nil? || String === v ? v : raise(ArgumentError, "no text")
        def integer(v) = v.nil? || Integer === v ? v : raise(ArgumentError, "no integer")
        def float(v) = v.nil? || Numeric === v ? v&.to_f : raise(ArgumentError, "no number")
        def boolean(v) = v.nil? || v == true || v == false ? v : raise(ArgumentError, "no boolean")
        def list(v) = Array === v ? v : raise(ArgumentError, "no array")
      end
    end
    module Unchecked
      def self.parse(text)
        h = JSON.parse(text, max_nesting: 100, allow_duplicate_key: false)
        author = h["author"]
        {title: h["title"], slug: h["slug"], subtitle: h["subtitle"], views: h["views"],
         rating: h["rating"], published: h["published"],
         published_at: Time.iso8601(h["publishedAt"]), released_on: Date.iso8601(h["releasedOn"]),
         author: {name: author["name"], email: author["email"]},
         comments: h["comments"].map do |one|
           {author: one["author"], body: one["body"], score: one["score"]}
         end}
      end
    end
  RUBY
  objects = <<~RUBY
    module ByHand
      def self.read(text)
        read, article = parse(text), Bench::Readings::Article.new
        article.title, article.slug, article.subtitle = read[:title], read[:slug], read[:subtitle]
        article.views, article.rating = read[:views], read[:rating]
        article.published, article.published_at = read[:published], read[:published_at]
        article.released_on = read[:released_on]
        article.author = (one = read[:author]) && author(one)
        article.comments = read[:comments].map { |one| comment(one) }
        article
      end

      def self.author(read)
        author = Bench::Readings::Author.new
        author.name, author.email = read[:name], read[:email]
        author
      end

      def self.comment(read)
        comment = Bench::Readings::Comment.new
        comment.author, comment.body, comment.score = read[:author], read[:body], read[:score]
        comment
      end
    end
  RUBY
  representable = <<~RUBY
    require "time"
    class ArticleRepresenter < Representable::Decorator
      include Representable::JSON
      property :title
      property :slug
      property :subtitle
      property :views
      property :rating
      property :published
      property :published_at, as: :publishedAt,
                              parse_filter: ->(value, _options) { Time.iso8601(value) }
      property :released_on, as: :releasedOn,
                             parse_filter: ->(value, _options) { Date.iso8601(value) }
      property :author, class: Bench::Readings::Author do
        property :name
        property :email
      end
      collection :comments, class: Bench::Readings::Comment do
        property :author
        property :body
        property :score
      end
    end
  RUBY
  shale = <<~RUBY
    class ShaleAuthor < Shale::Mapper
      attribute :name, :string
      attribute :email, :string
    end
    class ShaleComment < Shale::Mapper
      attribute :author, :string
      attribute :body, :string
      attribute :score, :integer
    end
    class ShaleArticle < Shale::Mapper
      attribute :title, :string
      attribute :slug, :string
      attribute :subtitle, :string
      attribute :views, :integer
      attribute :rating, :float
      attribute :published, :boolean
      attribute :published_at, :time
      attribute :released_on, :date
      attribute :author, ShaleAuthor
      attribute :comments, ShaleComment, collection: true

      json do
        map "title", to: :title
        map "slug", to: :slug
        map "subtitle", to: :subtitle
        map "views", to: :views
        map "rating", to: :rating
        map "published", to: :published
        map "publishedAt", to: :published_at
        map "releasedOn", to: :released_on
        map "author", to: :author
        map "comments", to: :comments
      end
    end
  RUBY
  shown = ->(code) { {code: code, document: "Bench::Readings.text(#{code})"} }

  table "a Hash of attributes" do
    data { Bench::Readings.texts }
    setup :ours, ours[false]
    setup :hand, hand
    contender "to_json, parse", :ours, peer: "json", **shown["ArticleSerializer.parse(v)"]
    contender "by hand, checked", :hand, peer: "json", **shown["ByHand.parse(v)"]
    contender "by hand, unchecked", :hand, peer: "json", **shown["Unchecked.parse(v)"]
    contender "JSON.parse alone", :control, peer: "json", document: "Bench::Readings.snake(v)",
              code: "JSON.parse(v, max_nesting: 100, allow_duplicate_key: false)"

    limit "to_json, parse", over: "by hand, checked", at_most: 1.5
  end

  table "objects" do
    data { Bench::Readings.texts }
    setup :ours, ours[true]
    setup :hand, hand + objects
    setup "representable", representable
    setup "shale", shale
    contender "to_json, read", :ours, peer: "json",
              **shown["ArticleSerializer.read(v, into: Bench::Readings::Article.new)"]
    contender "by hand, checked", :hand, peer: "json", **shown["ByHand.read(v)"]
    contender "Representable", :gem, peer: "representable",
              **shown["ArticleRepresenter.new(Bench::Readings::Article.new)" \
                      ".from_hash(JSON.parse(v))"]
    contender "Shale", :gem, peer: "shale", **shown["ShaleArticle.from_json(v)"]

    limit "to_json, read", over: "by hand, checked", at_most: 1.5
    reach "to_json, read", over: :gem, at_least: 3
  end

  # Both get parameters as an action has them; both answer what a model takes.
  table "parameters of Rails", apart: true do
    needs "railties"
    data do
      require "active_support/core_ext/hash/indifferent_access"
      Bench::Readings.parameters
    end
    model = <<~RUBY
      require "action_controller"
      require "active_model"
      class Model
        include ActiveModel::AttributeAssignment
        NAMES = %i[title slug subtitle views rating published published_at released_on
                   author_attributes comments_attributes].freeze
        attr_accessor(*NAMES)
        def to_h = NAMES.to_h { |name| [name, one(public_send(name))] }
        def one(value) = value.respond_to?(:to_unsafe_h) ? value.to_unsafe_h : many(value)
        def many(value) = Array === value ? value.map { |each| one(each) } : value
      end
    RUBY
    setup :ours, <<~RUBY
      #{model}
      class ArticleSerializer < ToJson::Serializer
        #{fields[false].gsub("writable: true do", "writable: {nested: true} do")}
      end
    RUBY
    setup :hand, <<~RUBY
      #{model}
      LIST = [:title, :slug, :subtitle, :views, :rating, :published, :published_at, :released_on,
              {author: %i[name email], comments: [%i[author body score]]}].freeze
      OLD_LIST = [*LIST[0..-2], {author: %i[name email], comments: %i[author body score]}].freeze
      def by_hand(params)
        found = params.respond_to?(:expect) ? params.expect(article: LIST)
                                            : params.require(:article).permit(*OLD_LIST)
        found.transform_keys { |key| NESTED.fetch(key, key) }
      end
      NESTED = {"author" => "author_attributes", "comments" => "comments_attributes"}.freeze
    RUBY
    assigned = lambda do |read|
      code = "model = Model.new\nmodel.assign_attributes(#{read}(" \
             "ActionController::Parameters.new(v)))\nmodel"
      {code: code, document: "#{code}\nJSON.generate(model.to_h)"}
    end
    contender "to_json, expect", :ours, **assigned["ArticleSerializer.expect"]
    contender "by hand, params.expect", :hand, **assigned["by_hand"]

    limit "to_json, expect", over: :hand, at_most: 1.0
  end
end
