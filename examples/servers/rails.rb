# frozen_string_literal: true

# Rails in one file: `render json:` for what is small, `stream: true` or ActionController::Live for
# what is not.
#
#     bin/serve rails

require "action_controller/railtie"
require "puma"
require "rackup/handler"
require_relative "posts"
require "to_json/rails" # where something has loaded the gem before Rails, as our tests do

class App < Rails::Application
  config.load_defaults "7.1"
  config.eager_load = false
  config.secret_key_base = "of no use here"
  config.logger = ActiveSupport::Logger.new($stderr)
  config.log_level = :error
  config.hosts.clear
  config.consider_all_requests_local = false
  routes.append do
    get "posts.ndjson", to: "streams#lines"
    get "posts", to: "streams#index"
    get "posts/:id", to: "posts#show"
    get "page", to: "posts#page"
    get "body", to: "posts#body"
    match "*path", to: "posts#missing", via: :all
  end
end

# A thread of Rails' own runs a Live action; what it writes goes through a queue to the server's
# thread. Where an action fails half-way, Rails ends the response as if it were whole.
class StreamsController < ActionController::API
  include ActionController::Live

  def index = deliver("application/json", PostSerializer.stream(Posts.each, only: params[:fields]))
  def lines = deliver("application/x-ndjson", Posts.lines(only: params[:fields]))

  rescue_from(ToJson::UnknownFieldError, ToJson::SelectionError) do |error|
    render json: { error: error.message }, status: :bad_request
  end

  private

  def deliver(type, body)
    response.content_type = type
    body.each { |chunk| response.stream.write(chunk) }
  rescue ActionController::Live::ClientDisconnected
    nil
  ensure
    response.stream.close
  end
end

class PostsController < ActionController::API
  include ToJson::Rendering

  def show
    post = Posts.find(params[:id].to_i) or return missing
    render(json: post, serializer: PostSerializer, only: params[:fields])
  end

  # A String is made first, then sent with its length and an ETag.
  def page
    render(json: Posts.each.first(20), serializer: PostSerializer, only: params[:fields])
  end

  # The document is read by the server's thread: no thread of Rails' own, and an error half-way
  # breaks the response off, as it should.
  def body
    render(json: Posts.each, serializer: PostSerializer, only: params[:fields], stream: true)
  end

  def missing = render(json: { error: "not found" }, status: :not_found)

  rescue_from(ToJson::UnknownFieldError, ToJson::SelectionError) do |error|
    render json: { error: error.message }, status: :bad_request
  end
end

App.initialize!
Rackup::Handler.get(:puma).run(App, Host: "127.0.0.1", Port: ENV.fetch("PORT", "9292"),
                               Threads: "1:5")
