# frozen_string_literal: true

# Sinatra: what a route gives becomes the body, so a stream is the last line of its route.
#
#     bin/serve sinatra

require "to_json/sinatra"
require_relative "posts"

class App < Sinatra::Base
  set server: "puma", bind: "127.0.0.1", port: ENV.fetch("PORT", "9292"), environment: :production,
      show_exceptions: false

  error(ToJson::UnknownFieldError, ToJson::SelectionError) do |error|
    halt 400, json(error: error.message)
  end
  not_found { json error: "not found" }

  get("/posts") do
    content_type :json
    PostSerializer.stream(Posts.each, only: params[:fields])
  end

  get("/posts.ndjson") do
    content_type "application/x-ndjson"
    Posts.lines(only: params[:fields])
  end

  get("/posts/:id") do
    post = Posts.find(params[:id].to_i) || halt(404, json(error: "not found"))
    json PostSerializer.new(post, only: params[:fields])
  end
end

App.run!
