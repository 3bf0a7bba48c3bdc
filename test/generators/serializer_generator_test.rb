# frozen_string_literal: true

# `rails generate serializer` in a fresh application: what it reads from a model, what it leaves
# out, and what it says where it can do nothing.

require_relative "generator_case"

class SerializerGeneratorTest < GeneratorCase
  if RUNS
    test "a serializer is read from a model: columns, keys first, without secrets" do
      text = app.generate("serializer", "Author")
      assert_equal(<<~RUBY, serializer("author"))
        class AuthorSerializer < ToJson::Serializer
          # Not here, since they look secret: password_digest, api_token.
          attributes :id, :name, :token_count, :created_at, :updated_at
          # has_many :posts # needs PostSerializer: bin/rails generate serializer Post
        end
      RUBY
      assert_match(/secret  left out: password_digest, api_token$/, text)
      assert_match(/needs PostSerializer: bin.rails generate serializer Post/, text)
      assert_equal(%w[id name token_count created_at updated_at],
                   document("AuthorSerializer.json!(Author.new(name: 'Ann', api_token: 'x'))").keys)
    end

    test "associations are written where their serializer is there, and none leads back" do
      app.generate("serializer", "Author")
      app.generate("serializer", "Comment")
      app.generate("serializer", "Post")
      assert_equal(<<~RUBY, serializer("post"))
        class PostSerializer < ToJson::Serializer
          # Not here, since their bytes are no text: scan.
          # status is one of draft, open.
          attributes :id, :title, :status, :type, :"Word Count", :created_at, :updated_at
          belongs_to :author, serializer: AuthorSerializer
          has_many :comments, serializer: CommentSerializer
        end
      RUBY
    end

    test "a direct way back is cut by except, a longer one waits in a comment" do
      app.generate("serializer", "Post")
      app.generate("serializer", "Comment")
      assert_includes(serializer("comment"), "  belongs_to :post\n",
                      "posts may be of subclasses: each record's class decides")
      app.generate("serializer", "Post", "--force")
      assert_includes(serializer("post"),
                      "  has_many :comments, serializer: CommentSerializer, except: :post\n")
      made =
        "author = Author.new(name: 'Ann'); post = Post.new(title: 'One', author: author); " \
        "post.comments.build(body: 'Yes')"
      assert_equal([{ "id" => nil, "body" => "Yes", "subject_type" => nil, "subject_id" => nil }],
                   document("(#{made}; PostSerializer.json!(post))")["comments"])
      app.write("app/serializers/author_serializer.rb",
                "class AuthorSerializer < ToJson::Serializer\n  has_many(:posts) { has_one " \
                ":author, serializer: 'AuthorSerializer' }\nend\n")
      app.write("app/serializers/comment_serializer.rb",
                "class CommentSerializer < ToJson::Serializer\n  nested(:of) { has_one :post " \
                "}\nend\n")
      app.generate("serializer", "Post", "--force")
      assert_includes(serializer("post"),
                      "  # has_many :comments # comes back to PostSerializer by of.post\n")
      assert_includes(serializer("post"), "  belongs_to :author, serializer: AuthorSerializer\n")
    end

    test "polymorphic associations keep type and key, and an association with the own class " \
         "waits" do
      model("person", "belongs_to :twin, class_name: 'Person', optional: true, foreign_key: :name")
      app.generate("serializer", "Person")
      app.generate("serializer", "Comment")
      assert_match(/# belongs_to :twin # PersonSerializer again/, serializer("person"))
      assert_match(/attributes :id, :body, :post_id, :subject_type, :subject_id$/,
                   serializer("comment"))
      assert_match(/# belongs_to :subject # records of several classes/, serializer("comment"))
    end

    test "encrypted columns and what the application filters are left out, what Rails filters by " \
         "parts of words is not" do
      app.generate("serializer", "Person")
      assert_match(/look secret: diary\.$/, serializer("person"))
      secret =
        app
          .evaluate("require 'generators/to_json/support/base'; %w[email hotpot secretary_id " \
                    "token_count classname password_hint login_token stripe_secret_key ssn " \
                    "illness tokens otp_backup_codes recovery_codes zip_code].map { |name| " \
                    "[name, ToJson::Generators::Secrets.new(nil, [:passw, :email, :otp, :ssn, " \
                    "/ill/]).secret?(name)] }")
      assert_equal(%w[password_hint login_token stripe_secret_key ssn illness tokens
                      otp_backup_codes recovery_codes],
                   secret.filter_map { |name, hidden| name if hidden })
    end

    test "a composite key comes first" do
      app.generate("serializer", "Line")
      assert_match(/attributes :number, :page, :text$/, serializer("line"))
    end

    test "fields can be chosen, by what the model has" do
      app.generate("serializer", "Author")
      app.generate("serializer", "Post", "author", "title")
      assert_match(
        /  attributes :id, :title\n  belongs_to :author, serializer: AuthorSerializer\nend/,
        serializer("post")
      )
      assert_match(
        /PersonSerializer: Person has no nmae\. Did you mean name\? It has id, name, diary\./,
        app.generate("serializer", "Person", "nmae")
      )
      refute(app.exist?("app/serializers/person_serializer.rb"))
    end

    test "a namespace, a view and a parent" do
      app.write("app/serializers/api/v1/author_serializer.rb",
                "class Api::V1::AuthorSerializer < ToJson::Serializer\n  attributes :name\nend\n")
      app.generate("serializer", "Post", "title", "author", "comments", "--namespace", "Api::V1",
                   "--view", "full")
      assert_equal(<<~RUBY, serializer("api/v1/post"))
        class Api::V1::PostSerializer < ToJson::Serializer
          attributes :id, :title

          view(:full) do
            belongs_to :author, serializer: Api::V1::AuthorSerializer
            # has_many :comments # needs CommentSerializer: bin/rails generate serializer Comment
          end
        end
      RUBY
      assert_equal({ "id" => nil, "title" => "One", "author" => { "name" => "Ann" } },
                   document("Api::V1::PostSerializer.json!(Post.new(title: 'One', author: " \
                            "Author.new(name: 'Ann')), view: :full)"))
      app.write("app/serializers/application_serializer.rb",
                "class ApplicationSerializer < ToJson::Serializer\nend\n")
      app.generate("serializer", "api/v2/person")
      person = serializer("api/v2/person")
      assert_match(/\Aclass Api::V2::PersonSerializer < ApplicationSerializer\n/, person)
      assert_match(/^  # Not.*\n  attributes :id, :name$/, person)
      app.generate("to_json:serializer", "PersonSerializer", "--parent",
                   "Api::V2::PersonSerializer")
      assert_match(/\Aclass PersonSerializer < Api::V2::PersonSerializer\n/, serializer("person"))
    end

    test "a subclass in the same table inherits its serializer" do
      model("review", "def stars = 5", parent: "Post")
      assert_match(/without a serializer of its own it is written by PostSerializer/,
                   app.generate("serializer", "Review", "title"))
      app.delete("app/serializers/review_serializer.rb")
      app.generate("serializer", "Post")
      assert_match(/ReviewSerializer inherits from PostSerializer/,
                   app.generate("serializer", "Review"))
      assert_equal("class ReviewSerializer < PostSerializer\n  # What a review has beside " \
                   "it.\nend\n", serializer("review"))
      assert_equal("One", document("ReviewSerializer.json!(Review.new(title: 'One'))")["title"])
    end

    test "a class without a table has its own names, or needs fields" do
      app.write("app/models/chat/line.rb", "module Chat\n  Line = Struct.new(:text, :by)\nend\n")
      app.write("app/models/plain.rb", "class Plain\nend\n")
      app.generate("serializer", "Chat::Line")
      assert_match(/class Chat::LineSerializer.*\n  attributes :text, :by$/,
                   serializer("chat/line"))
      assert_includes(app.generate("serializer", "Plain"),
                      "PlainSerializer: Plain has no columns to read. Fields can be named: " \
                      "bin/rails generate serializer Plain id title")
      app.generate("serializer", "Nowhere", "title", "author:belongs_to")
      assert_match(/attributes :id, :title, :author_id$/, serializer("nowhere"))
    end

    test "attachments and rich texts are blocks, of a name that Ruby allows" do
      { "document" => "document", "end" => "record" }.each do |name, by|
        app.write("app/models/#{name}.rb", <<~RUBY)
          class #{name.capitalize}
            Attached = Struct.new(:name, :macro)
            def self.attribute_names = %w[id title]
            def self.rich_text_association_names = [:rich_text_body]
            def self.reflect_on_all_attachments
              [Attached.new(:cover, :has_one_attached), Attached.new(:pages, :has_many_attached)]
            end
          end
        RUBY
        app.generate("serializer", name)
        assert_equal(<<~RUBY, serializer(name))
          class #{name.capitalize}Serializer < ToJson::Serializer
            attributes :id, :title
            attribute(:cover) { |#{by}| url_for(#{by}.cover) if #{by}.cover.attached? }
            attribute(:pages) { |#{by}| #{by}.pages.map { |file| url_for(file) } }
            attribute(:body) { |#{by}| #{by}.body.to_s }
          end
        RUBY
      end
    end

    test "a chosen association that waits leaves its key, and many fields take lines" do
      app.generate("serializer", "Post", "author")
      assert_match(/attributes :id, :author_id\n  # belongs_to :author # needs AuthorSerializer/,
                   serializer("post"))
      app.generate("serializer", "Comment", "subject")
      assert_match(/attributes :id, :subject_type, :subject_id\n  # belongs_to :subject # records/,
                   serializer("comment"))
      names = Array.new(9) { |index| "quite_a_long_name_#{index}" }
      app.generate("serializer", "Nowhere", *names, "cover:attachment")
      lines = serializer("nowhere").lines
      assert_operator(lines.map { |line| line.chomp.size }.max, :<=, 100)
      assert_equal(names, serializer("nowhere").scan(/:(quite\w+)/).flatten)
      assert_includes(lines[-2], "url_for(nowhere.cover) if nowhere.cover.attached?")
    end

    test "a way back leads through other serializers, of a Hash, a flatten, or a model" do
      write = lambda do |name, line|
        app.write("app/serializers/#{name.downcase}_serializer.rb",
                  "class #{name}Serializer < ToJson::Serializer\n  #{line}\nend\n")
      end
      { "has_one :author, serializer: 'AuthorSerializer'" => "author.posts",
        "flatten :post, serializer: 'PostSerializer'" => "post.PostSerializer",
        "association :subject, serializer: { Post => 'PostSerializer' }" => nil,
        "belongs_to :subject\n  has_one :last" => nil }.each do |line, path|
        write.call("Author", "has_many :posts, serializer: 'PostSerializer'")
        write.call("Comment", line)
        app.generate("serializer", "Post", "comments", "--force")
        if path
          assert_includes(serializer("post"), "comes back to PostSerializer by #{path}\n")
        else
          cut = ", except: :subject" if line.include?("{ Post")
          assert_includes(serializer("post"),
                          "  has_many :comments, serializer: CommentSerializer#{cut}\n")
        end
      end
    end

    test "a view without associations and a subclass without fields say what belongs there" do
      app.generate("serializer", "Person", "--view", "full")
      assert_includes(serializer("person"),
                      "view(:full) do\n    # What full has beside the fields above.\n  end")
      model("essay", "", parent: "Post")
      app.generate("serializer", "Post")
      app.generate("serializer", "Essay")
      assert_includes(serializer("essay"), "# What an essay has beside it.")
    end

    test "what is missing or misnamed is said, and nothing is written" do
      before = app.files
      { "Pots" =>
          /PotsSerializer: there is no class Pots\. Did you mean Post\?/,
          "Posts" => /Did you mean Post\?/, "Api::V1::Foo" => /no class Api::V1::Foo or Foo\./,
        "Ghost" =>
          /Ghost has no table ghosts yet \(bin.rails db:migrate\)/,
          "ApplicationRecord" => /ApplicationRecord is abstract: it has no records/,
        "9lives" => /"9livesSerializer" is not the name of a class/ }.each do |name, message|
          assert_match(message, app.generate("serializer", name))
        end
      app.write("app/models/broken.rb", "class Broken < ApplicationRecord\n  nonsense\nend\n")
      assert_match(
        %r{Broken does not load: undefined local variable or method.*app/models/broken\.rb:2\)},
        app.generate("serializer", "Broken")
      )
      app.delete("app/models/broken.rb")
      assert_equal(before, app.files)
    end

    test "a class of that name elsewhere is not shadowed" do
      app.write("app/models/person_serializer.rb", "class PersonSerializer\nend\n")
      assert_match(/The name 'PersonSerializer' is either already used/,
                   app.generate("serializer", "Person"))
      refute(app.exist?("app/serializers/person_serializer.rb"))
    end

    test "a second run changes nothing, keeps what was written by hand, and destroy undoes" do
      before = app.files
      app.generate("serializer", "Person")
      first = app.files
      assert_equal(%w[app/serializers/person_serializer.rb
                      test/serializers/person_serializer_test.rb], first.keys - before.keys)
      assert_match(/identical  app.serializers.person_serializer\.rb/,
                   app.generate("serializer", "Person"))
      assert_equal(first, app.files)
      app.write("app/serializers/person_serializer.rb",
                "class PersonSerializer < ToJson::Serializer\n  attributes :name\nend\n")
      assert_match(/skip  app.serializers.person_serializer\.rb/,
                   app.generate("serializer", "Person"))
      assert_match(/  attributes :name$/, serializer("person"))
      app.destroy("serializer", "Person")
      assert_equal(before, app.files)
    end

    test "the test is for Minitest or RSpec, and says the keys" do
      app.generate("serializer", "Person")
      assert_equal(<<~RUBY, app.read("test/serializers/person_serializer_test.rb"))
        require "test_helper"

        class PersonSerializerTest < ActiveSupport::TestCase
          test "the keys of a document" do
            document = JSON.parse(PersonSerializer.json!(Person.new))
            assert_equal %w[id name], document.keys
          end
        end
      RUBY
      app.generate("serializer", "Line", "--test-framework=rspec")
      assert_equal(<<~RUBY, app.read("spec/serializers/line_serializer_spec.rb"))
        require "rails_helper"

        RSpec.describe LineSerializer do
          it "writes the declared keys" do
            document = JSON.parse(described_class.json!(Line.new))
            expect(document.keys).to eq(%w[number page text])
          end
        end
      RUBY
      app.generate("serializer", "Author", "--no-test-framework")
      refute(app.exist?("test/serializers/author_serializer_test.rb"))
    end
  end
end
