# frozen_string_literal: true

# Cached parts behind HTTP, on Puma: posts are encoded once and kept in a Redis, of this process
# alone unless REDIS_URL names one. Each answer tells in its header x-cache what it found there.
#
#     bin/serve caching

require "active_support"
require "active_support/cache"
require "active_support/notifications"
require "cgi"
require "puma"
require "rack"
require "rackup/handler"
require "to_json"

Author = Struct.new(:id, :name)
Comment = Struct.new(:author, :body)
Post = Struct.new(:id, :title, :text, :author, :comments, :version)

class AuthorSerializer < ToJson::Serializer
  attributes :id, :name
  cache key: :id
end

class PostSerializer < ToJson::Serializer
  attributes :id, :title
  attribute(:html) do |post|
    CGI.escapeHTML(post.text).split("\n\n").map do |paragraph|
      "<p>#{paragraph.gsub(/\*(\w+)\*/, '<em>\1</em>')}</p>"
    end.join("\n")
  end
  has_one :author, serializer: AuthorSerializer
  has_many(:comments) do
    attributes :body
    has_one(:author) { attributes :name }
  end
  cache key: ->(post) { [post.id, post.version] }, expires_in: 3600
end

# Too small to be worth keeping; its authors are looked up together.
class CardSerializer < ToJson::Serializer
  attributes :id, :title
  has_one :author, serializer: AuthorSerializer
end

AUTHORS = Array.new(8) { |index| Author.new(index + 1, "Author #{index + 1}") }
POSTS = Array.new(100) do |index|
  comments = Array.new(8) { |number| Comment.new(AUTHORS[number], "Comment #{number + 1}") }
  Post.new(index + 1, "Post #{index + 1}", "Words and *emphasis*. \n\n" * 100, AUTHORS[index % 8],
           comments, 1)
end

# A redis-server that ends with this process and writes nothing to disk; without the program, a
# store in this process's memory.
module Store
  PROGRAM = ENV["PATH"].to_s.split(File::PATH_SEPARATOR).map do |path|
    File.join(path, "redis-server")
  end.find do |path|
    File.executable?(path)
  end

  def self.open
    url = ENV["REDIS_URL"] || (start if PROGRAM)
    puts "* Parts are kept in #{url || "this process (no redis-server on the PATH)"}"
    if url
      ActiveSupport::Cache::RedisCacheStore.new(url: url)
    else
      ActiveSupport::Cache::MemoryStore.new
    end
  end

  def self.start
    port = TCPServer.open("127.0.0.1", 0) { |server| server.addr[1] }
    pid = spawn(PROGRAM, "--port", port.to_s, "--bind", "127.0.0.1", "--save", "", "--appendonly",
                "no", out: File::NULL)
    at_exit { Process.kill(:TERM, pid) rescue nil } # rubocop:disable Style/RescueModifier
    100.times do
      break TCPSocket.new("127.0.0.1", port).close
    rescue SystemCallError
      sleep 0.05
    end
    "redis://127.0.0.1:#{port}/0"
  end
end

# What the caches of one request found: events come in its own thread.
module Found
  ActiveSupport::Notifications.subscribe("cache.to_json") do |event|
    %i[hits misses bytes].each { |name| Thread.current[:found][name] += event.payload[name] }
  end

  # @return [Array(Object, Hash)] what the block gives, and headers
  def self.headers
    Thread.current[:found] = { hits: 0, misses: 0, bytes: 0 }
    started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    body = yield
    took = (Process.clock_gettime(Process::CLOCK_MONOTONIC) - started) * 1000
    [body,
     { "x-cache" => Thread.current[:found].map { |name, count| "#{name}=#{count}" }.join(" "),
       "server-timing" => format("json;dur=%.1f", took) }]
  end
end

ToJson.cache_store = Store.open

ANSWER = lambda do |request|
  only = request.GET["fields"]
  case request.path_info
  when "/posts" then ["application/json", PostSerializer.json!(POSTS, only: only)]
  when "/posts.ndjson" then ["application/x-ndjson", PostSerializer.ndjson(POSTS, only: only)]
  when "/cards" then ["application/json", CardSerializer.json!(POSTS, only: only)]
  when %r{\A/posts/(\d+)\z}
    post = POSTS[Integer($1, 10) - 1] or return
    post.title, post.version = request.GET.fetch("title"), post.version + 1 if request.put?
    ["application/json", PostSerializer.json!(post, only: only)]
  end
end

APP = lambda do |env|
  (type, body), headers = Found.headers { ANSWER.call(Rack::Request.new(env)) }
  if type
    [200, { "content-type" => type, **headers }, [body]]
  else
    [404, { "content-type" => "application/json" }, ['{"error":"not found"}']]
  end
rescue ToJson::UnknownFieldError, ToJson::SelectionError => error
  [400, { "content-type" => "application/json" }, [ToJson.generate({ error: error.message })]]
end

Rackup::Handler.get(:puma).run(APP, Host: "127.0.0.1", Port: ENV.fetch("PORT", "9292"),
                               Threads: "1:5")
