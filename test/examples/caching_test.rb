# frozen_string_literal: true

# examples/servers/caching.rb over HTTP, on a real Redis: what is asked of it, what changes, what
# two processes share, and what happens without it.

require_relative "server_case"
require "json"
require "socket"

class ServerCachingTest < ServerCase
  REDIS = ENV["PATH"].to_s.split(File::PATH_SEPARATOR).map do |path|
    File.join(path, "redis-server")
  end.find do |path|
    File.executable?(path)
  end

  # The server in a process of its own.
  def caching(**environment)
    Dir.mktmpdir do |directory|
      settings = environment.to_h { |key, value| [key.to_s.upcase, value] }
      command = [RbConfig.ruby, "-W0", "-rbundler/setup", "examples/servers/caching.rb"]
      server = ServerProcess.new(command, ENVIRONMENT.merge(settings), File.join(directory, "log"))
      begin
        yield server
      rescue Minitest::Assertion, StandardError
        warn "caching printed:\n#{server.log[0, 3000]}"
        raise
      ensure
        server.stop
      end
    end
  end

  # A Redis of the test's own, that it may take away.
  def redis
    port = ServerProcess.free_port
    pid = spawn(REDIS, "--port", port.to_s, "--bind", "127.0.0.1", "--save", "", "--appendonly",
                "no", out: File::NULL, err: File::NULL)
    assert(soon { TCPSocket.new("127.0.0.1", port).close || true rescue false },
           "redis-server does not answer")
    yield port, -> { pid = Process.kill(:KILL, pid) && Process.wait(pid) && nil if pid }
  ensure
    Process.kill(:KILL, pid) && Process.wait(pid) if pid
  end

  # How often a Redis ran a command, by its own count.
  def ran(port, command)
    TCPSocket.open("127.0.0.1", port) do |socket|
      socket.write("INFO commandstats\r\n")
      socket.read(Integer(socket.gets[/\d+/]))[/cmdstat_#{command}:calls=(\d+)/, 1].to_i
    end
  end

  # Hits and misses of an answer.
  def found(response) = response["x-cache"].scan(/\d+/).first(2).map { |count| Integer(count) }

  def put(server, path)
    url = server.url(path)
    Net::HTTP.start(url.host, url.port) do |http|
      http.request(Net::HTTP::Put.new(url, "content-type" => "text/plain"))
    end
  end

  if SERVERS.include?("rails")
    test "a document is one MGET, whatever it is; a change is one part; another process finds " \
         "what the first has made" do
      flunk "no redis-server: bash .ci/run servers installs it" unless REDIS
      redis do |port|
        url = "redis://127.0.0.1:#{port}/0"
        bodies = nil
        caching(redis_url: url) do |server|
          cold = get(server, "/posts")
          # the posts, then the authors of those that are not there
          assert_equal [[0, 108], 2], [found(cold), ran(port, "mget")]
          warm = get(server, "/posts")
          assert_equal [[100, 0], 3, cold.body], [found(warm), ran(port, "mget"), warm.body]
          posts = JSON.parse(warm.body)
          assert_equal((1..100).to_a, posts.map { |post| post["id"] })

          lines = get(server, "/posts.ndjson")
          assert_equal [[100, 0], 4, posts],
                       [found(lines), ran(port, "mget"),
                        lines.body.lines.map { |line| JSON.parse(line) }]
          cards = get(server, "/cards")
          assert_equal [[8, 0], 5, posts.map { |post| post.slice("id", "title", "author") }],
                       [found(cards), ran(port, "mget"), JSON.parse(cards.body)]

          assert_equal '{"id":7,"title":"New"}',
                       put(server, "/posts/7?title=New&fields=id,title").body
          changed = get(server, "/posts")
          assert_equal [100, 1], found(changed)
          assert_equal(posts.map { |post| post["id"] == 7 ? post.merge("title" => "New") : post },
                       JSON.parse(changed.body))
          assert_equal [1, 0], found(get(server, "/posts/7"))
          assert_equal(%w[200 400 404],
                       ["/posts?fields=id,title", "/posts?fields=nope", "/posts/101"].map do |path|
                         get(server, path).code
                       end)
          bodies = [cold.body, cards.body]
        end
        caching(redis_url: url) do |server|
          first = [get(server, "/posts"), get(server, "/cards")]
          assert_equal [[[100, 0], [8, 0]], bodies],
                       [first.map { |response| found(response) }, first.map(&:body)]
        end
      end
    end

    test "a Redis that goes away costs time and no answer" do
      flunk "no redis-server: bash .ci/run servers installs it" unless REDIS
      redis do |port, take_away|
        caching(redis_url: "redis://127.0.0.1:#{port}/0") do |server|
          whole = get(server, "/posts").body
          take_away.call
          without = get(server, "/posts")
          assert_equal ["200", whole, [0, 108]], [without.code, without.body, found(without)]
        end
      end
    end

    test "without a redis-server parts stay in the process; with one it starts its own, which " \
         "ends with it" do
      caching(path: "") do |server|
        assert_match(/Parts are kept in this process/, server.log)
        assert_equal([[0, 108], [100, 0]], Array.new(2) { found(get(server, "/posts")) })
      end
      flunk "no redis-server: bash .ci/run servers installs it" unless REDIS
      port = caching do |server|
        assert_equal([[0, 108], [100, 0]], Array.new(2) { found(get(server, "/posts")) })
        Integer(server.log[%r{Parts are kept in redis://127\.0\.0\.1:(\d+)/0}, 1])
      end
      assert(soon { TCPSocket.new("127.0.0.1", port).close && false rescue true })
    end

    test "20 clients at once get the same bytes while parts are made" do
      caching do |server|
        bodies = Array.new(20) do |index|
          Thread.new { get(server, %w[/posts /posts.ndjson /cards][index % 3]).body }
        end.map(&:value)
        assert_equal 3, bodies.uniq.size
      end
    end
  end
end
