# frozen_string_literal: true

require_relative "../test_helper"
require_relative "application"

# What tests of `rails generate serializer` share: a fresh application, with some models before each
# test.
class GeneratorCase < ToJsonTest
  RUNS = GeneratedApplication::RAILS && Without.library?("active_record")

  POSTS = <<~'RUBY'
    ActiveRecord::Schema.verbose = false
    ActiveRecord::Schema.define do
      create_table(:authors, force: true) do |t|
        t.string :name, :password_digest, :api_token
        t.integer :token_count
        t.timestamps
      end
      create_table(:posts, force: true) do |t|
        t.string :title
        t.belongs_to :author
        t.integer :status
        t.binary :scan
        t.string :type, "Word Count"
        t.timestamps
      end
      create_table(:comments, force: true) do |t|
        t.string :body
        t.belongs_to :post
        t.belongs_to :subject, polymorphic: true
      end
      create_table(:lines, force: true, primary_key: [:number, :page]) do |t|
        t.integer :number, :page
        t.string :text
      end
      create_table(:people, force: true) { |t| t.string :name; t.string :diary }
    end
    true
  RUBY

  MODELS = {
    "author" => "has_many :posts",
    "post" =>
      "belongs_to :author, optional: true\n  has_many :comments\n  enum :status, { draft: 0, " \
      "open: 1 }",
    "comment" =>
      "belongs_to :post, optional: true\n  belongs_to :subject, polymorphic: true, optional: true",
    "line" => "", "person" => "encrypts :diary", "ghost" => ""
  }.freeze

  class << self
    def app
      @app ||= begin
        directory = Dir.mktmpdir
        made = GeneratedApplication.new(directory)
        made.write("app/controllers/application_controller.rb",
                   "class ApplicationController < ActionController::API\n  include " \
                   "ToJson::Rendering\nend\n")
        made.write("app/serializers/.keep", "")
        Minitest.after_run { made.stop; FileUtils.rm_rf(directory) }
        made.start
        made.evaluate(POSTS) == true or raise made.evaluate(POSTS)
        made
      end
    end
  end

  def app = GeneratorCase.app

  def setup
    app.delete("app/serializers/**/*.rb", "test/serializers", "spec", "app/models/{api,chat}",
               "app/models/*.rb")
    app.write("app/models/application_record.rb",
              "class ApplicationRecord < ActiveRecord::Base\n  primary_abstract_class\nend\n")
    MODELS.each { |name, body| model(name, body) }
  end

  def model(name, body, parent: "ApplicationRecord")
    app.write(
      "app/models/#{name}.rb",
      "class " \
      "#{name.split("/").map { |part| part.split("_").map(&:capitalize).join }.join("::")} < " \
      "#{parent}\n  #{body}\nend\n"
    )
  end

  def serializer(name) = app.read("app/serializers/#{name}_serializer.rb")

  # What the application writes with the class, and that the generated test passes.
  def document(code) = app.evaluate("JSON.parse(#{code})")
end
