# frozen_string_literal: true

# `stream: true` and `render ndjson:` of Rails on Puma and Falcon: neither Rails' middleware nor
# Rack::Deflater nor the server keeps back what is written, and what fails half-way is not whole.

require_relative "server_case"
require "json"
require "zlib"

class RailsStreamsTest < ServerCase
  PROGRAM = "test/examples/rails_streams.rb"
  COUNT = 6
  # Of each post, so that every one of them fills chunks.
  BYTES = 200_000
  NAMES = SERVERS.include?("rails") ? %w[puma falcon] : []

  # What a client has of a response, as it comes.
  class Client
    attr_reader :response

    def initialize(server, path, encoding)
      @texts = Thread::Queue.new
      @thread = Thread.new { read(server.url(path), encoding) }
      @thread.report_on_exception = false
    end

    # The text up to now, each time that more has come, while the block is false of it.
    # @return [Boolean] whether it became true in time
    def until?
      Timeout.timeout(Producers::SECONDS) do
        loop { return true if yield(@texts.pop || (return false)) }
      end
    rescue Timeout::Error
      false
    end

    # @return [String] all that came
    def text = @thread.value

    private

    def read(url, encoding)
      raw, text = Zlib::Inflate.new(Zlib::MAX_WBITS + 32), String.new
      Net::HTTP.start(url.host, url.port, read_timeout: Producers::SECONDS,
                                          max_retries: 0) do |http|
        http.request(Net::HTTP::Get.new(url, "accept-encoding" => encoding)) do |response|
          @response = response
          response.read_body do |part|
            text << (response["content-encoding"] == "gzip" ? raw.inflate(part) : part)
            @texts << text.dup
          end
        end
      end
      text
    rescue IOError, Net::ProtocolError, SystemCallError, Zlib::Error
      text # it was broken off
    ensure
      @texts.close
    end
  end

  def in_steps(server, producers, path, encoding)
    client = Client.new(server, path, encoding)
    run = producers.run(in_steps: true)
    story = (1..COUNT).flat_map do |n|
      made = run.line
      run.go
      [made, client.until? { |text| text.include?(%("id":#{n},)) } ? "received #{n}" : "late"]
    end
    [story << run.line << run.line, client]
  end

  STORY = [*(1..COUNT).flat_map { |n| ["made #{n}", "received #{n}"] }, "done", "ended"].freeze

  NAMES.each do |name|
    %w[identity gzip].each do |encoding|
      test "#{name} sends a stream of Rails in steps, #{encoding}" do
        serve(name, program: PROGRAM, server: name, posts: COUNT, post_bytes: BYTES) do |*given|
          story, client = in_steps(*given, "/document", encoding)
          assert_equal(STORY, story)
          assert_equal((1..COUNT).to_a, JSON.parse(client.text).map { |post| post["id"] })
          assert_headers(client.response, "application/json", encoding)

          story, client = in_steps(*given, "/lines", encoding)
          assert_equal(STORY, story)
          ids = client.text.lines.map { |line| JSON.parse(line)["id"] }
          assert_equal((1..COUNT).to_a, ids)
          assert_headers(client.response, "application/x-ndjson", encoding)
        end
      end
    end

    test "#{name} sends each short line of Rails at once, under flush: :record" do
      %w[identity gzip].each do |encoding|
        serve(name, program: PROGRAM, server: name, posts: COUNT) do |*given|
          story, client = in_steps(*given, "/each_line", encoding)
          assert_equal(STORY, story)
          assert_equal(COUNT, client.text.lines.size)
        end
      end
    end

    test "#{name} does not make a stream of Rails whole that failed half-way" do
      serve(name, program: PROGRAM, server: name, posts: COUNT, post_bytes: BYTES,
                  fail_at: 4) do |server, producers|
        %w[identity gzip].each do |encoding|
          client = Client.new(server, "/document", encoding)
          assert_equal("ended", producers.run.rest.last)
          assert_includes(client.text, %([{"id":1,))
          assert_raises(JSON::ParserError) { JSON.parse(client.text) }
        end
        assert_equal('[{"id":1}]', get(server, "/whole").body)
      end
    end

    test "#{name} answers what is wrong before it begins, and gives other documents their ETag" do
      serve(name, program: PROGRAM, server: name, posts: COUNT) do |server, _|
        response = get(server, "/wrong")
        assert_equal(["400", "application/json"], [response.code, response.content_type])
        assert_includes(response.body, "did you mean \\\"title\\\"")
        response = get(server, "/whole")
        assert_equal('[{"id":1}]', response.body)
        refute_nil(response["etag"])
      end
    end
  end

  private

  # What would tell that something had read the whole body first.
  def assert_headers(response, type, encoding)
    assert_equal("200", response.code)
    assert_equal(type, response.content_type)
    assert_equal("chunked", response["transfer-encoding"])
    assert_nil(response["content-length"])
    assert_nil(response["etag"])
    found = response["content-encoding"]
    encoding == "gzip" ? assert_equal("gzip", found) : assert_nil(found)
  end
end
