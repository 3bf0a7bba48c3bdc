# frozen_string_literal: true

# Actions in the manner of Hanami: a class for each, with `handle(request, response)`; here with a
# base class of a few lines, since hanami-controller for Ruby 3.1 wants Rack 2. A response's body
# may be a String or a stream.
#
#     bin/serve actions

require "puma"
require "rack"
require "rackup/handler"
require_relative "posts"

Response = Struct.new(:status, :format, :body)

class Action
  def call(env)
    response = Response.new(200, "application/json")
    begin
      handle(Rack::Request.new(env).params, response)
    rescue ToJson::UnknownFieldError, ToJson::SelectionError => error
      response.status, response.format = 400, "application/json"
      response.body = ToJson.generate({ error: error.message })
    end
    body = response.body
    [response.status, { "content-type" => response.format }, body.is_a?(String) ? [body] : body]
  end
end

module Actions
  class Index < Action
    def handle(params, response)
      response.body = PostSerializer.stream(Posts.each, only: params["fields"])
    end
  end

  class Lines < Action
    def handle(params, response)
      response.format = "application/x-ndjson"
      response.body = Posts.lines(only: params["fields"])
    end
  end

  class Show < Action
    def initialize(id) = @id = id

    def handle(params, response)
      post = Posts.find(@id)
      return Missing.new.handle(params, response) unless post

      response.body = PostSerializer.json!(post, only: params["fields"])
    end
  end

  class Missing < Action
    def handle(_params, response)
      response.status = 404
      response.body = ToJson.generate({ error: "not found" })
    end
  end
end

APP = lambda do |env|
  action = case env["PATH_INFO"]
           when "/posts" then Actions::Index.new
           when "/posts.ndjson" then Actions::Lines.new
           when %r{\A/posts/(\d+)\z} then Actions::Show.new(Integer($1, 10))
           else Actions::Missing.new
           end
  action.call(env)
end

Rackup::Handler.get(:puma).run(APP, Host: "127.0.0.1", Port: ENV.fetch("PORT", "9292"),
                               Threads: "1:5")
