# frozen_string_literal: true

# Runs the Rails examples of README.md (```ruby rails) as they stand, with ActiveRecord and
# ActionController, and sends the requests of its ```console blocks to the controllers.
#
#   ruby -Ilib test/docs/readme.rb [README.md]
#
# Prints a line for each answer that differs, then how many requests it compared.
#
# A process of its own, since Rails changes Ruby's own classes.

require "active_record"
require "action_controller"
require "rails"
require "rack/mock"
require "sinatra/base"
require "to_json"
require_relative "doctest"

module Readme
  PATH = "README.md"
  TEXT = File.read(ARGV[0] || File.expand_path("../../#{PATH}", __dir__), encoding: "UTF-8")
  EXAMPLES = Doctest.fenced(PATH, TEXT, "```ruby rails")
  # Requests beyond those that the page shows with curl: what the streaming and the Sinatra examples
  # give.
  ALSO = { "/posts/export" => "{\"id\":1}\n" }.freeze
  ONE =
    '{"id":1,"title":"Hi","text":"Bye","words":1,"author":{"name":"Ann"},"comments":[{"body":' \
    '"Yes"}]}'

  class << self
    def load_examples
      # As the Railtie does, which here has no application.
      ToJson.cache_store = ActiveSupport::Cache::MemoryStore.new
      EXAMPLES.each { |example| TOPLEVEL_BINDING.eval(example.code, example.path, example.line) }
    end

    def create_records
      author = Author.create!(name: "Ann")
      post = Post.create!(title: "Hi", body: "Bye", author: author)
      Comment.create!(body: "Yes", post: post)
    end

    # Each path that the page asks for with curl => the answer below it.
    def shown
      requests = Doctest.fenced(PATH, TEXT, "```console").flat_map do |block|
        block.code.split(/^\$ /).drop(1)
      end
      requests.to_h do |request|
        command, answer = request.split("\n", 2)
        [command[%r{localhost:3000(/[^\s']*)}, 1] || raise("not a request: #{command}"),
         answer.chomp]
      end
    end

    def differences
      [*shown.merge(ALSO).map { |path, expected| difference(path, expected, answer(path)) },
       difference("Sinatra", ONE, Rack::MockRequest.new(Blog).get("http://localhost/posts/1").body),
       difference("the queries of the index", 2, queries { answer("/posts") }),
       difference("the cache", '{"id":1,"name":"Ann"}', cached)].compact
    end

    private

    # The author's text after a change that leaves the record's cache key as it was.
    def cached
      AuthorSerializer.json!(Author.first)
      Author.first.update_column(:name, "Eve")
      AuthorSerializer.json!(Author.first)
    end

    # @return [Integer] how many queries the block sends
    def queries(&block)
      count = 0
      note = ->(*, payload) { count += 1 unless payload[:name] == "SCHEMA" }
      ActiveSupport::Notifications.subscribed(note, "sql.active_record", &block)
      count
    end

    def difference(what, expected, given)
      expected == given ? nil : "#{what}: #{given.inspect} instead of #{expected.inspect}"
    end

    def answer(path)
      action = { "/posts" => :index, "/posts/summary" => :summary,
                 "/posts/export" => :export }.fetch(path, :show)
      environment = Rack::MockRequest.env_for(path,
                                              "action_dispatch.request.path_parameters" =>
                                                { id: path[%r{/(\d+)}, 1] })
      status, _, body = PostsController.action(action).call(environment)
      raise "#{path}: status #{status}" unless [200, 400].include?(status)

      body.each.to_a.join
    end
  end
end

ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: ":memory:")
ActiveRecord::Schema.verbose = false
ActiveRecord::Schema.define do
  create_table(:authors) { |table| table.string(:name) && table.timestamps }
  create_table(:posts) do |table|
    table.string(:title) && table.text(:body) && table.references(:author)
  end
  create_table(:comments) { |table| table.text(:body) && table.references(:post) }
end

class ApplicationRecord < ActiveRecord::Base
  self.abstract_class = true
end
class Author < ApplicationRecord; end

class Comment < ApplicationRecord
  belongs_to :post
end

Readme.load_examples
Readme.create_records
differences = Readme.differences
puts differences
puts "#{Readme.shown.size} requests compared"
exit(differences.empty? ? 0 : 1)
