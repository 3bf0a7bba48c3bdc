# frozen_string_literal: true

# An application of Rails with `stream: true` and `render ndjson:`, behind its own middleware, of
# which Rack::ETag is one, and Rack::Deflater. On the server that SERVER names: puma or falcon.

require "action_controller/railtie"
require "rack/deflater"
require "rackup/handler"
require "to_json/rails" # the producer has loaded the gem before Rails
require_relative "../../examples/servers/posts"

class App < Rails::Application
  config.load_defaults Rails::VERSION::STRING.to_f
  config.eager_load = false
  config.secret_key_base = "0" * 64
  config.logger = ActiveSupport::Logger.new($stderr)
  config.log_level = :error
  config.hosts.clear
  config.consider_all_requests_local = false
  config.active_support.isolation_level = :fiber if ENV["SERVER"] == "falcon"
  config.middleware.insert_before(0, Rack::Deflater)
  routes.append { get ":action", controller: "streams" }
end

class StreamsController < ActionController::API
  include ToJson::Rendering

  def document = render(json: Posts.each, serializer: PostSerializer, stream: true)
  def lines = render(ndjson: Posts.each, serializer: PostSerializer)
  def each_line = render(ndjson: Posts.each, serializer: PostSerializer, flush: :record)
  def whole = render(json: [Posts.find(1)], only: :id)
  def wrong = render(json: Posts.each, serializer: PostSerializer, stream: true, only: "titel")
end

App.initialize!
port = ENV.fetch("PORT")
Rackup::Handler.get(ENV.fetch("SERVER")).run(App, Host: "127.0.0.1", Port: port) do
  $stdout.puts "Listening on http://127.0.0.1:#{port}"
  $stdout.flush
end
