# frozen_string_literal: true

# A small Rails application for the cases of test/rails/cases, which run in a process of their own,
# since Rails changes Ruby's own classes. A case requires this file, declares serializers and
# controllers, draws its routes with App.routes, and sends requests with `get` and the like.
#
#   bundle exec ruby -Ilib test/rails/cases/lookup_case.rb

require_relative "libraries"

class App < Rails::Application
  # What the application logs.
  LOG = StringIO.new

  config.load_defaults Rails::VERSION::STRING.to_f
  config.root = Dir.mktmpdir("to_json-rails").tap do |root|
    maker = Process.pid
    Minitest.after_run { FileUtils.remove_entry(root) if Process.pid == maker }
  end
  config.eager_load = false
  config.logger = Logger.new(LOG)
  config.secret_key_base = "0" * 64
  config.hosts.clear
  config.active_support.deprecation = :silence
  config.action_dispatch.show_exceptions = :none # a test asks for it in its request
  config.cache_store = :memory_store
  # A case may say more before it requires this file.
  class_exec(&APP_SETTINGS) if defined?(APP_SETTINGS)

  class << self
    # Draws all routes anew.
    def routes(&block) = Rails.application.routes.draw(&block)

    # @return [Rack::MockResponse]
    def request(verb, path, headers = {}, **options)
      Rack::MockRequest.new(Rails.application).request(verb, path,
                                                       { "HTTP_HOST" => "example.org" }.merge(
                                                         headers, options
                                                       ))
    end

    # Makes the database, which is in the memory of this process.
    def connect
      ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: ":memory:")
      ActiveRecord::Schema.verbose = false
      ActiveRecord::Schema.define do
        create_table(:authors) { |t| t.string :name; t.timestamps }
        create_table(:posts) do |t|
          t.string :title; t.text :body; t.references :author; t.timestamps
        end
        create_table(:comments) { |t| t.text :body; t.references :post; t.timestamps }
        create_table(:animals) { |t| t.string :type; t.string :name }
        create_table(:kinds) do |t|
          t.string :type; t.references :author; t.references :subject, polymorphic: true
          t.timestamps
        end
      end
    end

    # Declares a subclass of a model. Ruby loads it when its first row is read, as in development.
    def autoload_subclass(name, model)
      file = root.join("#{name.downcase}.rb")
      file.write("class #{name} < #{model}; end")
      Object.autoload(name, file.to_s)
    end

    # Makes a row of a class without loading the class.
    def insert_animal(type, name)
      ActiveRecord::Base.connection.execute(
        "INSERT INTO animals (type, name) VALUES ('#{type}', '#{name}')"
      )
    end
  end
end

ENV["DATABASE_URL"] = "sqlite3::memory:"
Rails.application.initialize!
App.connect unless defined?(APP_FORKS)

class ApplicationRecord < ActiveRecord::Base
  self.abstract_class = true
end

class Author < ApplicationRecord
  has_many :posts
end

class Post < ApplicationRecord
  belongs_to :author, optional: true
  has_many :comments
  validates :title, presence: true
end

class Comment < ApplicationRecord
  belongs_to :post, touch: true
end

class Animal < ApplicationRecord; end
class Dog < Animal; end
class Puppy < Dog; end
class Cat < Animal; end

class Insect < ApplicationRecord
  self.table_name = "animals"
end

App.autoload_subclass(:Bee, Insect)

# What the cases inherit from.
class AppCase < Minitest::Test
  # As in test/support/sentences.rb.
  def self.test(sentence, &block)
    name = :"test_#{sentence.gsub(/[\n\r]/, " ")}"
    raise ArgumentError, "two tests are named #{sentence.inspect}" if method_defined?(name, false)

    define_method(name, &block)
  end

  # the memory's rows stay
  def setup = ActiveRecord::Base.connection_handler.clear_active_connections!(:all)

  def teardown
    [Comment, Post, Author, Animal].each(&:delete_all)
  end

  # @return [Rack::MockResponse]
  def get(path, headers = {}, **options) = App.request("GET", path, headers, **options)

  # The body of a response with status 200.
  def body_of(path, headers = {}, **options)
    response = get(path, headers, **options)
    assert_equal 200, response.status, response.body
    response.body
  end

  def json_of(path, headers = {}, **options) = JSON.parse(body_of(path, headers, **options))

  def posts(*titles) = titles.map { |title| Post.create!(title: title, body: "Body of #{title}") }
end

Minitest.autorun
