# frozen_string_literal: true

# examples/servers: what a client sees of a stream whose producer fails half-way, when the status
# has long been sent.

require_relative "server_case"
require "json"

class ServerFailingProducerTest < ServerCase
  FAIL_AT = 40

  # Reads a response as strictly as HTTP/1.1 tells: [status, what came, whether it ended with the
  # chunk of length 0]. Puma writes another response, with the status 500, into the body, of which
  # Net::HTTP takes a part for chunks.
  def broken(server, path)
    TCPSocket.open("127.0.0.1", server.port) do |socket|
      socket.write("GET #{path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
      head = socket.gets("\r\n\r\n")
      assert_match(/^transfer-encoding: chunked\r$/i, head)
      text, size = String.new, nil
      while (line = socket.gets("\r\n")) && line.match?(/\A\h+\r\n\z/) &&
            (size = line.to_i(16)).positive?
        text << socket.read(size)
        assert_equal("\r\n", socket.read(2))
      end
      [head[/\AHTTP\/1.1 (\d+)/, 1], text, size.zero?]
    end
  end

  # Rails ends the response of a Live action in good order, whatever the action raised.
  IN_GOOD_ORDER = [%w[rails /posts], %w[rails /posts.ndjson]].freeze

  SERVERS.each do |name|
    test "#{name} does not end a response whose producer failed as if it were whole, where it " \
         "can" do
      serve(name, posts: 100, post_bytes: 5_000, fail_at: FAIL_AT) do |server, producers|
        paths = DOCUMENTS.filter_map { |server_name, path| path if server_name == name } <<
                "/posts.ndjson"
        paths.each do |path|
          client = Thread.new { Timeout.timeout(Producers::SECONDS) { broken(server, path) } }
          assert_equal("ended", producers.run.rest.last)
          status, text, ended = client.value
          assert_equal(["200", IN_GOOD_ORDER.include?([name, path])], [status, ended], path)
          next assert_raises(JSON::ParserError) { JSON.parse(text) } unless path == "/posts.ndjson"

          ids = text.lines.map { |line| JSON.parse(line)["id"] }
          assert_equal((1..ids.size).to_a, ids)
          assert_includes(FAIL_AT - 3..FAIL_AT - 1, ids.size)
        end
        assert_equal("200", get(server, "/posts/1").code)
      end
    end
  end
end
