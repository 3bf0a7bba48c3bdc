# frozen_string_literal: true

require_relative "../test_helper"

# Media types that clients send and take, and the middleware.
class JsonApiNegotiationTest < ToJsonTest
  TYPE = "application/vnd.api+json"
  VERSION = "https://jsonapi.org/ext/version"
  ATOMIC = "https://jsonapi.org/ext/atomic"
  TIMES = "https://example.com/times"

  def negotiation = ToJson::JsonApi::Negotiation.new(ext: [VERSION, ATOMIC], profile: [TIMES])

  { nil => nil, "" => nil, TYPE => nil, "#{TYPE};" => nil, "#{TYPE} ; " => nil,
    "application/json; charset=utf-8" => nil, "text/html" => nil,
    "application/vnd.api+jsonp; a=b" => nil,
    "#{TYPE}; profile=\"https://other.example\"" => nil, # unknown ones are ignored
    "#{TYPE};ext=\"#{VERSION} #{ATOMIC}\"" => nil, "APPLICATION/Vnd.Api+JSON; EXT=#{ATOMIC}" => nil,
    "#{TYPE}; charset=utf-8" => 'it has the parameter "charset".',
    "#{TYPE};profile=\"#{TIMES}\";version=1" => 'it has the parameter "version".',
    "APPLICATION/VND.API+JSON;a=b" => 'it has the parameter "a".',
    "#{TYPE};ext=\"#{VERSION} urn:no\"" => 'it has the extension "urn:no".',
    "#{TYPE};ext=\"#{VERSION}\\x\"" => "it has the extension \"#{VERSION}x\".",
    "#{TYPE};ext" => 'it has the parameter "".', "#{TYPE};=a" => 'it has the parameter "".',
    "#{TYPE} x" => 'it has the parameter "".', "#{TYPE};\xFF=1" => "it has the parameter " }
    .each do |header, why|
    test "Content-Type: #{header.inspect} is #{why ? "refused" : "taken"}" do
      error = negotiation.error(content_type: header)
      next assert_nil(error) unless why

      assert_equal 415, error[:status]
      assert_equal({ header: "Content-Type" }, error[:source])
      assert_includes error[:detail], why
    end
  end

  { nil => true, "*/*" => true, TYPE => true, "text/html, #{TYPE};charset=utf-8, #{TYPE}" => true,
    "#{TYPE};q=0.5" => true, "#{TYPE};q=1;a=b" => true, "#{TYPE};ext=\"#{ATOMIC}\"" => true,
    "#{TYPE};profile=\"a,b;c\"" => true, "text/html;level=1, */*" => true,
    "#{TYPE};charset=utf-8" => false, "#{TYPE};a=b, #{TYPE};c=d" => false,
    "#{TYPE};ext=\"urn:a, urn:b\", text/html" => false, "#{TYPE};ext=urn:a,*/*" => false,
    "#{TYPE};q=0" => false }.each do |header, taken|
    test "Accept: #{header.inspect} is #{taken ? "taken" : "refused"}" do
      error = negotiation.error(accept: header)
      taken ? assert_nil(error) : assert_equal([406, { header: "Accept" }],
                                               error.values_at(:status, :source))
    end
  end

  { nil => TYPE, "*/*" => TYPE, TYPE => TYPE, "#{TYPE};charset=utf-8" => TYPE,
    "#{TYPE};ext=\"#{ATOMIC} #{VERSION}\"" => "#{TYPE}; ext=\"#{ATOMIC} #{VERSION}\"",
    "#{TYPE};profile=\"urn:x #{TIMES}\";ext=\"#{ATOMIC}\"" =>
      "#{TYPE}; ext=\"#{ATOMIC}\"; profile=\"#{TIMES}\"",
    "#{TYPE};ext=\"#{ATOMIC}\";q=0.5, #{TYPE};q=0.9" => TYPE,
    "#{TYPE};ext=\"urn:no\", #{TYPE};ext=\"#{ATOMIC}\";q=0.1" => "#{TYPE}; ext=\"#{ATOMIC}\"" }
    .each do |accept, type|
    test "the answer to Accept: #{accept.inspect} is #{type}" do
      assert_equal type, negotiation.content_type(accept)
    end
  end

  test "a Negotiation can be shared by Ractors" do
    assert Ractor.shareable?(Ractor.make_shareable(negotiation))
  end

  # What the middleware makes of an application's answer.
  def answer(env = {}, headers: { "content-type" => TYPE }, &app)
    app ||= ->(_) { [200, headers.freeze, ["{}"]] }
    ToJson::JsonApi::Middleware.new(app, ext: [ATOMIC], profile: [TIMES]).call(env)
  end

  test "the middleware lets what is not JSON:API pass" do
    headers = { "content-type" => "application/json" }
    status, given, body = answer(headers: headers)
    assert_equal [200, ["{}"]], [status, body]
    assert_same headers, given
    assert_equal [204, {}, ["{}"]], answer { [204, {}, ["{}"]] }
  end

  { {} => { "content-type" => TYPE, "vary" => "Accept" },
    { "vary" => "" } => { "content-type" => TYPE, "vary" => "Accept" },
    { "vary" => "Origin" } => { "content-type" => TYPE, "vary" => "Origin, Accept" },
    { "vary" => "Origin, accept" } => { "content-type" => TYPE, "vary" => "Origin, accept" },
    { "vary" => "*" } => { "content-type" => TYPE, "vary" => "*" } }.each do |given, headers|
    test "a response with #{given} gets #{headers["vary"]}" do
      assert_equal headers, answer(headers: { "content-type" => TYPE, **given })[1]
    end
  end

  test "it finds headers in capitals, as Rack 2 has them" do
    assert_equal({ "Content-Type" => TYPE, "Vary" => "Origin, Accept" },
                 answer(headers: { "Content-Type" => TYPE, "Vary" => "Origin" })[1])
  end

  test "the content type has what the client asked for, unless the application says more" do
    env = { "HTTP_ACCEPT" => "#{TYPE};profile=\"#{TIMES}\"" }
    assert_equal "#{TYPE}; profile=\"#{TIMES}\"", answer(env)[1]["content-type"]
    own = "#{TYPE}; ext=\"#{ATOMIC}\""
    assert_equal own, answer(env, headers: { "content-type" => own })[1]["content-type"]
  end

  { { "CONTENT_TYPE" => "#{TYPE};a=b" } => 415, { "HTTP_ACCEPT" => "#{TYPE};a=b" } => 406,
    { "CONTENT_TYPE" => "#{TYPE};a=b", "HTTP_ACCEPT" => "#{TYPE};a=b" } => 415 }.each do |env, code|
    test "it answers #{env.keys.join(" and ")} with #{code} and does not call the application" do
      status, headers, body = answer(env) { flunk }
      assert_equal [code, { "content-type" => TYPE, "vary" => "Accept" }], [status, headers]
      assert_empty ToJson::JsonApi.validate(body.join)
      assert_equal code.to_s, ToJson::Tree.parse(body.join)["errors"].first["status"]
      assert_empty answer({ **env, "REQUEST_METHOD" => "HEAD" })[2]
    end
  end

  test "an error of a parameter that leaves the application has status 400" do
    status, headers, body = answer do
      raise ToJson::JsonApi::ParameterError.new("include: no.", "include")
    end
    assert_equal [400, { "content-type" => TYPE, "vary" => "Accept" }], [status, headers]
    assert_equal({ "parameter" => "include" },
                 ToJson::Tree.parse(body.join)["errors"].first["source"])
    assert_raises(RuntimeError) { answer { raise "mine" } }
  end

  if Without.library?("rack/lint")
    test "it keeps the rules of Rack" do
      require "rack/mock"
      app = ->(env) { [env["PATH_INFO"] == "/a" ? 200 : 404, { "content-type" => TYPE }, ["{}"]] }
      app = Rack::Lint.new(ToJson::JsonApi::Middleware.new(Rack::Lint.new(app)))
      request = Rack::MockRequest.new(app)
      assert_equal [200, "Accept"], request.get("/a").then { |made| [made.status, made["vary"]] }
      assert_equal 406, request.get("/a", "HTTP_ACCEPT" => "#{TYPE};a=b").status
      assert_equal "", request.head("/a", "HTTP_ACCEPT" => "#{TYPE};a=b").body
      assert_equal 415, request.post("/a", "CONTENT_TYPE" => "#{TYPE};a=b", input: "{}").status
    end
  end
end
