# frozen_string_literal: true

# The N+1 guard: which loads it reports, with which path and which advice.

require_relative "../test_helper"

if Without.library?("active_record") && Without.library?("sqlite3")
  require "open3"
  require_relative "guard_case"

  class NPlusOneTest < GuardCase
    class AvatarSerializer < ToJson::Serializer
      attributes :url
    end

    class AuthorSerializer < ToJson::Serializer
      attributes :name
      has_one :avatar, serializer: AvatarSerializer
    end

    class UrlSerializer < ToJson::Serializer
      attribute(:url) { |author| author.avatar.url }
    end

    BY_HAND = "Load it for all records at once, before the document, as by Shop::Post."
    AGAIN = "PostSerializer declares it, but the records were not preloaded. Pass them through " \
            "ToJson.preload(records, PostSerializer)."

    # Declarations => what is loaded before, and the messages of a document of two posts.
    {
      "attribute(:by) { |post| post.author.name }" =>
        { nil => "$[1].by: Shop::Post#author is loaded record by record. Declare what it reads: " \
                 "attribute :by, preload: :author.",
          :author => nil },
      "attributes :by; def by(post) = post.author.name" =>
        { nil => "$[1].by: Shop::Post#author is loaded record by record. Declare what it reads: " \
                 "attribute :by, preload: :author." },
      "attribute(:url) { |post| post.author.avatar.url }" =>
        { author: "$[1].url: Shop::Author#avatar is loaded record by record. Declare what it " \
                  "reads: attribute :url, preload: {author: :avatar}.",
          { author: :avatar } => nil },
      "attribute(:urls) { |post| post.comments.map { |one| one.author.avatar.url } }" =>
        { { comments: :author } =>
            "$[0].urls: Shop::Author#avatar is loaded record by record. Declare what it reads: " \
            "attribute :urls, preload: {comments: {author: :avatar}}." },
      "attribute(:url, preload: { author: :avatar }) { |post| post.author.avatar.url }" =>
        { nil => "$[1].url: Shop::Post#author is loaded record by record. #{AGAIN}" },
      "has_one(:author) { attributes :name }" =>
        { nil => "$[1].author: Shop::Post#author is loaded record by record. #{AGAIN}",
          :author => nil },
      "has_one(:author) { attribute(:url) { |author| author.avatar.url } }" =>
        { author: "$[1].author.url: Shop::Author#avatar is loaded record by record. Declare what " \
                  "it reads: attribute :url, preload: :avatar." },
      "has_one(:author, preload: :avatar) { attribute(:url) { |author| author.avatar.url } }" =>
        { author: "$[1].author.url: Shop::Author#avatar is loaded record by record. Declare what " \
                  "it reads: attribute :url, preload: :avatar." },
      "nested(:about) { attribute(:by) { |post| post.author.name } }" =>
        { nil => "$[1].about.by: Shop::Post#author is loaded record by record. Declare what it " \
                 "reads: attribute :by, preload: :author." },
      "flatten(:author) { attribute(:url) { |author| author.avatar.url } }" =>
        { nil => "$[1].url: Shop::Post#author is loaded record by record. #{AGAIN}",
          :author => "$[1].url: Shop::Author#avatar is loaded record by record. Declare what it " \
                     "reads: attribute :url, preload: :avatar." },
      "has_one :author, serializer: AuthorSerializer" =>
        { author: "$[1].author.avatar: Shop::Author#avatar is loaded record by record. #{AGAIN}" },
      "has_one :author, serializer: ->(_) { AuthorSerializer }" =>
        { author: "$[1].author.avatar: Shop::Author#avatar is loaded record by record. #{AGAIN}" },
      "has_many(:comments) { attributes :id }" =>
        { nil => "$[1].comments: Shop::Post#comments is loaded record by record. #{AGAIN}" },
      "has_many(:comments) { has_one(:author) { attributes :name } }" =>
        { comments: "$[0].comments[1].author: Shop::Comment#author is loaded record by record. " \
                    "#{AGAIN}" },
      "has_many(:tags) { attributes :name }" =>
        { nil => "$[1].tags: Shop::Post#tags is loaded record by record. #{AGAIN}",
          :tags => nil },
      "has_one(:author, if: ->(post) { post.editor.nil? }) { attributes :name }" =>
        { author: nil },
      "has_one(:author, if: ->(post) { post.comments.to_a.any? }) { attributes :name }" =>
        { author: "$[1].author: Shop::Post#comments is loaded record by record. #{BY_HAND}" \
                  "preload(:comments)." },
      "has_one(:author, serializer: ->(author) { author.avatar && AuthorSerializer })" =>
        { author: "$[1].author: Shop::Author#avatar is loaded record by record. Declare what it " \
                  "reads: has_one :author, preload: :avatar.",
          { author: :avatar } => nil },
      "has_one(:author, serializer: AuthorSerializer, context: ->(post) { post.comments.to_a })" =>
        { { author: :avatar } =>
            "$[1].author: Shop::Post#comments is loaded record by record. #{BY_HAND}" \
            "preload(:comments)." },
      "attribute(:by, if: ->(post) { post.author.name }) { 1 }" =>
        { nil => "$[1].by: Shop::Post#author is loaded record by record. Declare what it reads: " \
                 "attribute :by, preload: :author." },
      "nested(:about, if: ->(post) { post.comments.to_a.any? }) { attributes :id }" =>
        { nil => "$[1].about: Shop::Post#comments is loaded record by record. #{BY_HAND}" \
                 "preload(:comments)." },
      "has_one(:by, serializer: UrlSerializer) { |post| post.author }" =>
        { author: "$[1].by.url: Shop::Author#avatar is loaded record by record. #{BY_HAND}" \
                  "preload(author: :avatar)." },
      "has_one(:by, serializer: UrlSerializer); def by(post) = post.author" =>
        { author: "$[1].by.url: Shop::Author#avatar is loaded record by record. #{BY_HAND}" \
                  "preload(author: :avatar)." },
      "flatten(:editor) { attributes :id }; flatten(:author, serializer: UrlSerializer)" =>
        { author: "$[1].url: Shop::Author#avatar is loaded record by record. Declare what it " \
                  "reads: attribute :url, preload: :avatar." },
      "attributes :title; flatten(:author, serializer: UrlSerializer)" =>
        { author: "$[1].url: Shop::Author#avatar is loaded record by record. Declare what it " \
                  "reads: attribute :url, preload: :avatar." },
      "cache key: ->(post) { post.author.id }, store: -> { {} }; attributes :id" =>
        { nil => "$[0]: Shop::Post#author is loaded record by record. #{BY_HAND}" \
                 "preload(:author)." },
      "has_many(:newest) { attributes :id }" =>
        { nil => "$[1].newest: Shop::Post#newest is loaded record by record. It cannot be " \
                 "preloaded, because its scope has a limit, an offset, a group or takes the " \
                 "record. Change the scope, or declare preload: false if a query for each record " \
                 "is meant." },
      "def serialize(posts) = array(posts) { |post| put(:by) { put_field post.author, :name } }" =>
        { nil => "$[1].by: Shop::Post#author is loaded record by record. #{BY_HAND}" \
                 "preload(:author)." },
      "def serialize(posts) = array(posts) { |post| put(:url, post.author.avatar.url) }" =>
        { author: "$[1]: Shop::Author#avatar is loaded record by record. #{BY_HAND}" \
                  "preload(author: :avatar)." },
      "def serialize(posts) = array(posts) { |post| put_field(post, :author) { |one| value " \
      "one.id } }" =>
        { nil => "$[1]: Shop::Post#author is loaded record by record. #{BY_HAND}" \
                 "preload(:author)." },
      # preload: false
      "has_one(:author, preload: false) { attributes :name }" => { nil => nil },
      "has_many(:newest, preload: false) { has_one(:author) { has_one(:avatar) { attributes " \
      ":url } } }" =>
        { nil => nil },
      "attribute(:by, preload: false) { |post| post.author.avatar.url }" => { nil => nil }
    }.each do |declaration, cases|
      cases.each do |before, message|
        test "#{declaration} after preload of #{before.inspect} gives #{message.inspect}" do
          made = named { class_eval(declaration) }
          posts(2).each do |post|
            post.taggings.create!(tag: Tag.create!(name: "tag"))
          end
          relation = before ? Post.preload(before).order(:id) : Post.order(:id)
          message ? assert_equal(message, reported { made.json!(relation, rows: false) }.message)
                  : made.json!(relation, rows: false)
        end
      end
    end

    test "the path and the location are those of the field, and nothing remains at work" do
      posts(2)
      at_work = ToJson::Writer.at_work # other tests may have lost some
      made = named { has_many(:comments) { has_one(:author) { attributes :name } } }
      error = reported { made.json!(Post.preload(:comments), rows: false) }
      assert_equal("$[0].comments[1].author", error.path)
      assert_equal(error.path, ToJson.location(error))
      assert_operator(ToJson::Writer.at_work, :<=, at_work)
      assert_empty(ToJson::Writer.places)
    end

    test "what models write of themselves is left alone, but for a serializer beside them" do
      posts(2)
      model = Class.new(Post) { def as_json(*) = { by: author.name } }
      written = ToJson.generate(model.order(:id).to_a, dialect: :rails)
      assert_equal(2, written.scan('"by"').size)
      made = named { attribute(:by) { |post| post.author.name } }
      error = reported do
        ToJson.generate([*model.order(:id), made.new(Post.order(:id))], dialect: :rails)
      end
      assert_equal("$[2][1].by", error.path)
    end

    PARTLY = "PostSerializer declares it, but a record holds a part of it in memory already (by " \
             "inverse_of, by build, or by the association that it goes through). ToJson.preload " \
             "would lose that part, so it leaves the record alone. Load the association before " \
             "that part, or declare preload: false to allow the queries."

    test "what cannot be preloaded since a part of it is in memory is reported with that reason" do
      written = posts(2).each { |post| post.taggings.create!(tag: Tag.create!(name: "tag")) }
      made = named { has_many(:tags) { attributes :name } }
      through = Post.preload(:taggings).order(:id).to_a
      error = reported { made.json!(ToJson.preload(through, made)) }
      assert_equal("$[1].tags: Shop::Post#tags is loaded record by record. #{PARTLY}",
                   error.message)

      made = named { has_many(:comments) { attributes :id } }
      built = Post.order(:id).to_a.each { |post| post.comments.build(body: "new") }
      error = reported { made.json!(ToJson.preload(built, made)) }
      assert_equal("$[1].comments: Shop::Post#comments is loaded record by record. #{PARTLY}",
                   error.message)
      alone = named { has_many(:comments, preload: false) { attributes :id } }
      assert_equal(written.size, alone.json!(built).scan("comments").size)
    end

    test "the load that is reported does not happen" do
      posts(3)
      made = named { attribute(:by) { |post| post.author.name } }
      found = queries { reported { made.json!(Post.order(:id), rows: false) } }
      assert_equal(2, found.size) # posts, one author
    end

    test "what is preloaded from the declarations is not reported" do
      posts(3)
      made = named do
        has_one :author, serializer: AuthorSerializer
        has_many(:comments) { has_one(:author, serializer: AuthorSerializer) }
      end
      made.json!(ToJson.preload(Post.order(:id), made))
      made.json!(ToJson.preload(Post.order(:id), made, only: "author"), only: "author")
      error = reported { made.json!(Post.order(:id), rows: false, only: "comments(author(name))") }
      assert_equal("$[0].comments[1].author", error.path)
    end

    test "where it logs, each field of a document is named once and the document is written" do
      posts(4)
      made = named do
        attribute(:by) { |post| post.author.name }
        has_many(:comments) { attributes :body }
      end
      document = nil
      lines = logged { document = made.json!(Post.order(:id)) }
      assert_equal(["to_json: $[1].by: Shop::Post#author is loaded record by record. " \
                    "Declare what " \
                    "it reads: attribute :by, preload: :author.",
                    "to_json: $[1].comments: Shop::Post#comments is loaded record by record. " \
                    "#{AGAIN}"],
                   lines)
      assert_equal(4, JSON.parse(document).size)
      assert_equal(2, logged { 2.times { made.json!(Post.order(:id), only: :by) } }.size)
    end

    test "without a logger the document is written" do
      posts(3)
      before, ActiveRecord::Base.logger = ActiveRecord::Base.logger, nil
      ToJson.n_plus_one = :log
      made = named { attribute(:by) { |post| post.author.name } }
      assert_equal(["author 0", "author 1", "author 2"],
                   JSON.parse(made.json!(Post.order(:id))).map { |post| post["by"] })
    ensure
      ActiveRecord::Base.logger = before
    end

    test "a record that preload: false finds gone is null" do
      posts(3)
      Author.where(name: "author 1").delete_all
      made = named { has_one(:author, preload: false) { attributes :name } }
      assert_equal(["author 0", nil, "author 2"],
                   made.to_h(Post.order(:id)).map { |post| post.dig("author", "name") })
    end

    test "of more getters than are remembered, the last ones are known" do
      post = posts(1).first
      author = post.author
      Comment.insert_all(Array.new(300) { { post_id: post.id, author_id: author.id } })
      made = named do
        attribute(:by) do |one|
          one.comments.each(&:author)
          one.editor.avatar.url
          one.comments.last.author.avatar.url
        end
      end
      post.update!(editor: Author.create!(name: "e", avatar: Avatar.create!(url: "e")))
      error = reported { made.json!(Post.preload(:editor, comments: :author)) }
      assert_equal("$[0].by: Shop::Author#avatar is loaded record by record. Declare what it " \
                   "reads: attribute :by, preload: {comments: {author: :avatar}}.", error.message)
    end

    test "where it is off, nothing is reported and no document is noted" do
      posts(3)
      ToJson.n_plus_one = :off
      made = named { attribute(:by) { |post| [post.author.name, ToJson::Preloading::Guard.tally] } }
      assert_equal([["author 0", nil], ["author 1", nil], ["author 2", nil]],
                   JSON.parse(made.json!(Post.order(:id))).map { |post| post["by"] })
      error = assert_raises(ArgumentError) { ToJson.n_plus_one = :warn }
      assert_equal("n_plus_one takes :raise or :log or :off; got :warn", error.message)
    end

    test "a process that never switches it on has ActiveRecord's methods as they were" do
      code = "ToJson.n_plus_one = :off; p ToJson::Writer.places, " \
             "ActiveRecord::Associations::SingularAssociation.ancestors.first"
      out, = Open3.capture3(*PlainRuby.start(rubygems: true), "-rto_json/active_record", "-e", code)
      assert_equal("[]\nActiveRecord::Associations::SingularAssociation\n", out)
    end

    test "outside documents nothing is counted" do
      assert_equal(2, posts(2).map { |post| Post.find(post.id).author.name }.size)
      assert_empty(ToJson::Writer.places)
    end

    test "a class that is reopened while its document is written is reported without a " \
         "declaration" do
      posts(3)
      made = named do
        attribute(:by) { |post| post.author.name.tap { self.class.attribute(:"title#{post.id}") } }
      end
      error = reported { made.json!(Post.order(:id)) }
      assert_match(/Shop::Post#author is loaded record by record\. #{BY_HAND}/, error.message)
    end
  end
end
