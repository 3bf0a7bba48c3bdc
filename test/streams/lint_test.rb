# frozen_string_literal: true

# Rack's own checks over both kinds of body. Rack comes with the gems of the web group.

require_relative "stream_case"

class RackLintTest < StreamCase
  THERE = %w[lint mock_request etag content_length deflater head].all? do |name|
    Without.library?("rack/#{name}")
  end
  TYPE = { "content-type" => "application/json" }.freeze

  def setup = THERE || skip("rack is not installed")

  # What a server does with an application, under Rack's checks. @return [Array(Hash, String)]
  # headers and text
  def serve(body, *middleware, **env)
    app = Rack::Lint.new(->(_) { [200, TYPE.dup, body] })
    app = middleware.inject(app) do |inner, (layer, *arguments)|
      Rack::Lint.new(layer.new(inner, *arguments))
    end
    _, headers, linted = app.call(Rack::MockRequest.env_for("/", **env))
    text = +""
    if linted.respond_to?(:each) then linted.each { |chunk| text << chunk }
    else
      connection = Connection.new
      linted.call(connection)
      assert_predicate connection, :closed?
      text << connection.text
    end
    linted.close
    [headers, text]
  end

  [1, 5_000].each do |size|
    test "Rack::Lint takes a body of #{size} rows as an enumerable one, which is what Rack says " \
         "of a body that answers both" do
      body = RowSerializer.stream(lazily(rows(size)))
      assert_equal RowSerializer.json!(rows(size)), serve(body)[1]
      assert_predicate body, :closed?
    end

    test "Rack::Lint takes a body of #{size} rows as a streaming one where only call is passed " \
         "on" do
      body = RowSerializer.stream(lazily(rows(size)))
      assert_equal RowSerializer.json!(rows(size)), serve(body.method(:call))[1]
    end
  end

  test "middleware that wraps bodies gives the same document, and none reads it all to measure " \
       "it" do
    json = RowSerializer.json!(rows(5_000))
    log = []
    headers,
    text = serve(RowSerializer.stream(lazily(rows(5_000), log)), Rack::ETag, Rack::ContentLength)
    assert_equal json, text
    assert_empty headers.keys & %w[etag content-length]
    headers,
    text = serve(RowSerializer.stream(rows(5_000)), Rack::Deflater,
                 "HTTP_ACCEPT_ENCODING" => "gzip")
    assert_equal "gzip", headers["content-encoding"]
    assert_equal json, Zlib.gunzip(text.b).force_encoding("UTF-8")
  end

  test "a HEAD request reads nothing" do
    log = []
    body = RowSerializer.stream(lazily(rows(3), log))
    assert_equal "", serve(body, Rack::Head, method: "HEAD")[1]
    assert_empty log
    assert_predicate body, :closed?
  end
end
