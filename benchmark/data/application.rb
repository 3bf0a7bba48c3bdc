# frozen_string_literal: true

require "digest"
require "fileutils"
require "open3"
require "rack/mock"
require_relative "../contenders/shape"
require_relative "blog"

module Bench
  # Scenario 17's application: Rails' own API application of this Rails, in production, with models,
  # routes, rows and Jbuilder's views added. Made once, below tmp/bench; booted by each worker.
  module Application
    NEW = %w[new blog --api --minimal --database=sqlite3 --skip-git --skip-bundle --quiet
             --skip-docker --skip-ci --skip-rubocop --skip-brakeman --skip-dev-gems --skip-solid
             --skip-kamal --skip-thruster --skip-bundler-audit].freeze
    POSTS, COMMENTS, PAGE = 200, 10, 25
    PERIOD = POSTS / PAGE
    AUTHOR = {id: nil, name: nil}.freeze
    SHAPE = Shape.new(id: nil, title: nil, body: nil, published_at: nil, author: AUTHOR,
                      comments: [{id: nil, body: nil, author: AUTHOR}])
    # The queries of all controllers; `all` is what reads them.
    FILES = {
      "config/boot.rb" => "# The gems are on the load path.\n",
      "config/routes.rb" => <<~RUBY,
        Rails.application.routes.draw do
          scope(defaults: {format: :json}) do
            resources :posts, only: %i[index show]
            scope("head") { resources :heads, only: %i[index show] }
          end
        end
      RUBY
      "app/models/author.rb" => "class Author < ApplicationRecord\nend\n",
      "app/models/comment.rb" => <<~RUBY,
        class Comment < ApplicationRecord
          belongs_to :author
        end
      RUBY
      "app/models/post.rb" => <<~RUBY,
        class Post < ApplicationRecord
          belongs_to :author
          has_many :comments

          scope :page, ->(number) { order(:id).offset((number.to_i - 1) * #{PAGE}).limit(#{PAGE}) }
          scope :whole, -> { preload(:author, comments: :author) }
        end
      RUBY
      "app/controllers/heads_controller.rb" => <<~RUBY,
        class HeadsController < ApplicationController
          def index
            Post.whole.page(params[:page]).load
            head :ok
          end

          def show
            Post.whole.find(params[:id])
            head :ok
          end
        end
      RUBY
      "app/views/posts/index.json.jbuilder" => SHAPE.extracting_many("@posts", "post"),
      "app/views/posts/show.json.jbuilder" => SHAPE.extracting("@post.")
    }.freeze
    # Before a gem asks.
    ENV.update("RAILS_ENV" => "production", "SECRET_KEY_BASE" => "benchmark" * 8,
               "RAILS_LOG_LEVEL" => "info", "DATABASE_URL" => "sqlite3:storage/production.sqlite3")

    class << self
      # Pairs of Rack environments: of the request, and of the one that is answered by `head :ok`.
      def requests(action)
        Array.new(PERIOD) do |index|
          path = action == :index ? "?page=#{index + 1}" : "/#{(index * PAGE) + 1}"
          %W[/posts#{path} /head/heads#{path}].map { |one| environment(one) }
        end
      end

      # The body of a response.
      def get(environment)
        status, _, body = Rails.application.call(environment.dup)
        text = +""
        body.each { |part| text << part }
        body.close if body.respond_to?(:close)
        raise "#{status}: #{text[0, 300]}" unless status == 200

        text
      end

      # Loads the application, which a first caller makes.
      def boot
        File.open(lock, File::RDWR | File::CREAT) do |file|
          file.flock(File::LOCK_EX)
          make unless File.exist?(File.join(root, "storage/ready"))
        end
        require File.join(root, "config/environment")
      end

      private

      # Tables and rows.
      def fill
        require File.join(root, "config/environment")
        ActiveRecord::Schema.verbose = false
        ActiveRecord::Schema.define do
          create_table(:authors) { |t| t.string :name }
          create_table(:posts) do |t|
            t.string :title
            t.text :body
            t.datetime :published_at
            t.references :author
          end
          create_table(:comments) do |t|
            t.text(:body) && t.references(:post) && t.references(:author)
          end
        end
        insert(Author, Blog.author_rows(POSTS))
        articles = Blog.articles(periods: 1, size: POSTS, comments: COMMENTS).first
        insert(Post, articles.map { |one| post(one) })
        insert(Comment, articles.flat_map { |one| comments(one) })
      end

      def environment(path) = Rack::MockRequest.env_for("https://www.example.com#{path}").freeze

      def root
        text = File.read(__FILE__) + Rails.version
        name = "rails-#{Rails.version}-ruby-#{RUBY_VERSION}-#{Digest::SHA256.hexdigest(text)[0, 8]}"
        File.expand_path("../../tmp/bench/#{name}/blog", __dir__)
      end

      def lock = "#{File.dirname(root)}.lock".tap { |path| FileUtils.mkdir_p(File.dirname(path)) }

      def make
        FileUtils.rm_rf(File.dirname(root))
        FileUtils.mkdir_p(File.dirname(root))
        generate
        FILES.each do |path, text|
          FileUtils.mkdir_p(File.dirname(File.join(root, path)))
          File.write(File.join(root, path), text)
        end
        path = File.join(root, "config/application.rb")
        File.write(path, File.read(path).sub(/^Bundler\.require.*$/, ""))
        Process.wait(fork { fill && exit!(0) })
        raise "the application has no rows" unless $?.success?

        FileUtils.touch(File.join(root, "storage/ready"))
      end

      def generate
        paths = $LOAD_PATH.flat_map { |path| ["-I", path] }
        text, status = Open3.capture2e({"RUBYOPT" => nil}, RbConfig.ruby, *paths, "-rrails/cli",
                                       "-e", "", "--", *NEW, chdir: File.dirname(root))
        raise "the application cannot be made: #{text}" unless status.success?
      end

      def post(one)
        [one.id, one.title, one.body, Time.utc(2026, 1, 1) + (one.id * 1234.5678r).round(3), one.id]
      end

      def comments(one)
        one.comments.map { |comment| [comment.id, comment.body, one.id, (comment.id % POSTS) + 1] }
      end

      def insert(model, rows)
        model.reset_column_information
        rows.each_slice(1_000) do |slice|
          model.insert_all!(slice.map { |row| model.column_names.zip(row).to_h })
        end
      end
    end
  end
end
