# frozen_string_literal: true

# examples/servers: what a client gets from each of them, and what it gets from all of them alike.

require_relative "server_case"
require "json"

class ServerBodiesTest < ServerCase
  COUNT = 300
  POSTS = (1..COUNT).map do |id|
    { "id" => id, "title" => "Post #{id}", "body" => "b" * 100,
      "published_at" => (Time.utc(2026, 1, 1) + (id * 3600)).strftime("%FT%T.000Z") }
  end

  # What was sent, in the background so that its producer can be let go: [status, type, body]
  def answer(server, producers, path)
    client = Thread.new { get(server, path) }
    client.report_on_exception = false
    runs = producers.run.rest if block_given?
    response = client.value
    yield runs if block_given?
    [Integer(response.code), response.content_type,
     response.body.dup.force_encoding(Encoding::UTF_8), response]
  end

  SERVERS.each do |name|
    test "#{name} sends whole documents, lines, chosen fields and single posts, and says what is " \
         "wrong before it begins" do
      serve(name, posts: COUNT) do |server, producers|
        whole = ->(runs) { assert_equal(["done", "ended"], runs.last(2)) }
        status, type, body, response = answer(server, producers, "/posts", &whole)
        assert_equal([200, "application/json"], [status, type])
        assert_equal(POSTS, JSON.parse(body))
        assert_nil(response["content-length"], "nobody knew the length when the first byte left")
        assert_equal("chunked", response["transfer-encoding"])

        status, type, body, = answer(server, producers, "/posts?fields=id,title", &whole)
        assert_equal([200, "application/json",
                      ToJson.generate(POSTS.map { |post| post.slice("id", "title") })],
                     [status, type, body])

        status, type, body, = answer(server, producers, "/posts.ndjson", &whole)
        assert_equal([200, "application/x-ndjson"], [status, type])
        assert_equal(POSTS.map { |post| "#{ToJson.generate(post)}\n" }, body.lines)

        _, _, body, = answer(server, producers, "/posts.ndjson?fields=title", &whole)
        assert_equal(POSTS.map { |post| %({"title":"#{post["title"]}"}\n) }, body.lines)

        assert_equal([200, "application/json", ToJson.generate(POSTS[6])],
                     answer(server, producers, "/posts/7").first(3))
        assert_equal([200, "application/json", '{"id":7}'],
                     answer(server, producers, "/posts/7?fields=id").first(3))
        error =
          '{"error":"PostSerializer: unknown field \"x\". Known: id, title, body, published_at."}'
        %w[/posts/7 /posts /posts.ndjson].each do |path|
          assert_equal([400, "application/json", error],
                       answer(server, producers, "#{path}?fields=x").first(3), path)
        end
        assert_match(/\A\{"error":".*expected a name/,
                     answer(server, producers, "/posts?fields=id(")[2])
        ["/posts/301", "/nowhere"].each do |path|
          assert_equal([404, "application/json", '{"error":"not found"}'],
                       answer(server, producers, path).first(3), path)
        end
        assert(soon { server.log.include?("http://127.0.0.1:#{server.port}") },
               "it says where it listens")
      end
    end
  end
end
