# frozen_string_literal: true

# Rack 3 on Falcon: a fiber for each request, so that thousands of slow clients cost no thread. The
# same bodies as on Puma: what waits, the client's socket or a database's, lets the other fibers go
# on.
#
#     bin/serve falcon

require "falcon"
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

Rackup::Handler.get(:falcon).run(APP, Host: "127.0.0.1", Port: ENV.fetch("PORT", "9292")) do
  $stdout.puts "Listening on http://127.0.0.1:#{ENV.fetch("PORT", "9292")}"
  $stdout.flush
end
