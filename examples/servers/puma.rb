# frozen_string_literal: true

# Rack 3 on Puma, without a framework: a body that answers `each` is sent as it is made, by one of
# Puma's threads.
#
#     bin/serve puma

require "puma"
require "rack"
require "rackup/handler"
require_relative "posts"

JSON_TYPE = { "content-type" => "application/json" }.freeze
LINES_TYPE = { "content-type" => "application/x-ndjson" }.freeze

APP = lambda do |env|
  request = Rack::Request.new(env)
  only = request.GET["fields"]
  case request.path_info
  when "/posts" then [200, JSON_TYPE.dup, PostSerializer.stream(Posts.each, only: only)]
  when "/posts.ndjson" then [200, LINES_TYPE.dup, Posts.lines(only: only)]
  when %r{\A/posts/(\d+)\z}
    post = Posts.find(Integer($1, 10))
    if post
      [200, JSON_TYPE.dup, [PostSerializer.json!(post, only: only)]]
    else
      [404, JSON_TYPE.dup, ['{"error":"not found"}']]
    end
  else [404, JSON_TYPE.dup, ['{"error":"not found"}']]
  end
rescue ToJson::UnknownFieldError, ToJson::SelectionError => error
  [400, JSON_TYPE.dup, [ToJson.generate({ error: error.message })]]
end

Rackup::Handler.get(:puma).run(APP, Host: "127.0.0.1", Port: ENV.fetch("PORT", "9292"),
                               Threads: "1:5")
