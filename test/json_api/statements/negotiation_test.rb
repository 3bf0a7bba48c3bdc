# frozen_string_literal: true

require_relative "statement_case"

# Media types of requests and responses, in a Rack application.
class JsonApiNegotiationStatementsTest < JsonApiStatementCase
  EXT = "https://jsonapi.org/ext/version"
  PROFILE = "https://example.com/times"

  # The status, the content type and the document of an answer.
  def answer(**env)
    app = lambda do |_|
      [200, { "content-type" => TYPE }, [posts.json_api!(post)]]
    end
    app = ToJson::JsonApi::Middleware.new(app, ext: [EXT], profile: [PROFILE])
    status, headers, body = app.call(env.transform_keys(&:to_s))
    assert_equal "Accept", headers["vary"]
    judged(body.join)
    [status, headers["content-type"]]
  end

  test "response-content-type: the media type alone, or with ext and profile" do
    assert_equal [200, TYPE], answer
    assert_equal [200, TYPE], answer(HTTP_ACCEPT: "*/*")
    assert_equal [200, "#{TYPE}; ext=\"#{EXT}\"; profile=\"#{PROFILE}\""],
                 answer(HTTP_ACCEPT: "#{TYPE};profile=\"#{PROFILE}\";ext=\"#{EXT}\"")
  end

  test "response-unsupported-media-type: 415 for other parameters of Content-Type" do
    assert_equal [415, TYPE], answer(CONTENT_TYPE: "#{TYPE}; charset=utf-8")
    assert_equal [415, TYPE], answer(CONTENT_TYPE: "#{TYPE}; ext=\"urn:other\"")
    assert_equal 200, answer(CONTENT_TYPE: TYPE).first
    assert_equal 200, answer(CONTENT_TYPE: "#{TYPE}; ext=\"#{EXT}\"").first
    assert_equal 200, answer(CONTENT_TYPE: "application/json; charset=utf-8").first
  end

  test "response-not-acceptable: 406 where each instance in Accept has other parameters" do
    assert_equal [406, TYPE], answer(HTTP_ACCEPT: "#{TYPE};charset=utf-8, text/html, #{TYPE};a=b")
    assert_equal [406, TYPE], answer(HTTP_ACCEPT: "#{TYPE};ext=\"urn:other\"")
    assert_equal 200, answer(HTTP_ACCEPT: "#{TYPE};charset=utf-8, #{TYPE}").first
    assert_equal 200, answer(HTTP_ACCEPT: "text/html").first
    assert_equal 200, answer(HTTP_ACCEPT: "#{TYPE};profile=\"urn:unknown\"").first
  end
end
