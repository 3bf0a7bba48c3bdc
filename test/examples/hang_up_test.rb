# frozen_string_literal: true

# examples/servers: a client that hangs up stops the producer, whose `ensure` runs, and frees all
# that the server held for it.

require_relative "server_case"

class ServerHangUpTest < ServerCase
  # More than Puma has threads.
  CLIENTS = 6
  POSTS = 1_000_000

  # A client that reads a little and hangs up; the run of Posts.each that was made for it.
  def hang_up(server, producers, path)
    client = Thread.new do
      get(server, path) do |response, http|
        response.read_body { |_| http.instance_variable_get(:@socket).close; throw :gone }
      end
    end
    client.report_on_exception = false
    run = producers.run
    begin
      client.join
    rescue UncaughtThrowError, IOError
      nil
    end
    run
  end

  SERVERS.each do |name|
    test "#{name} stops the producer whose client hangs up, frees the connection and has room " \
         "for the next" do
      serve(name, posts: POSTS, post_bytes: 5_000) do |server, producers|
        get(server, "/posts/1")
        before = server.sockets
        paths = DOCUMENTS.filter_map { |server_name, path| path if server_name == name } <<
                "/posts.ndjson"
        (paths * CLIENTS).first(CLIENTS).each do |path|
          run = hang_up(server, producers, path)
          assert(soon { run.ended? }, "the producer goes on, at #{run.made}")
          refute_includes(run.rest, "done")
          assert_operator(run.made, :<, POSTS / 10)
        end
        assert_equal("200", get(server, "/posts/1").code)
        assert(soon { server.sockets <= before }, "#{server.sockets} sockets, #{before} before")
      end
    end
  end
end
