# frozen_string_literal: true

# Roda: a serializer is what a block gives; a stream is handed over with `r.halt`.
#
#     bin/serve roda

require "puma"
require "rackup/handler"
require "roda"
require_relative "posts"

class App < Roda
  plugin :to_json
  plugin :error_handler, classes: [ToJson::UnknownFieldError, ToJson::SelectionError] do |error|
    response.status = 400
    json({ error: error.message })
  end
  plugin(:not_found) { json({ error: "not found" }) }

  route do |r|
    only = r.params["fields"]

    r.get("posts", Integer) do |id|
      post = Posts.find(id)
      if post
        PostSerializer.new(post, only: only)
      else
        r.halt([404, { "content-type" => "application/json" }, ['{"error":"not found"}']])
      end
    end
    r.get("posts") do
      send_stream("application/json", PostSerializer.stream(Posts.each, only: only))
    end
    r.get("posts.ndjson") { send_stream("application/x-ndjson", Posts.lines(only: only)) }
  end

  private

  def send_stream(type, body)
    response["content-type"] = type
    request.halt(response.finish_with_body(body))
  end
end

Rackup::Handler.get(:puma).run(App.app, Host: "127.0.0.1", Port: ENV.fetch("PORT", "9292"),
                               Threads: "1:5")
