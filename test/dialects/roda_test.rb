# frozen_string_literal: true

# Roda's plugin :to_json, asked by requests through the whole application.

require_relative "../support/without"

if Without.library?("roda") && Without.library?("rack/test")
  require "test_helper"
  require "open3"
  require "rbconfig"
  require_relative "web_models"
  require "to_json/roda"

  class RodaTest < ToJsonTest
    include WebModels
    include Rack::Test::Methods

    class App < Roda
      include WebModels
      plugin :to_json
      route do |r|
        r.get("hash") { { id: 1, tags: %w[a b] } }
        r.get("array") { [nil, 1.5, { a: Time.at(0).utc }] }
        r.get("post") { PostSerializer.new(POSTS.first) }
        r.get("posts") { PostSerializer.new(POSTS) }
        r.get("plain") { Plain.new("you") }
        r.get("fragment") { ToJson::Fragment.new("[1]") }
        r.get("inside") { { data: PostSerializer.new(POSTS.first) } }
        r.get("helper") { json({ at: Time.at(1) }, time: :unix) }
        r.get("null") { json nil }
        r.get("text") { "text" }
        r.get("nothing") { nil }
        r.get("number") { 1 }
        r.get("type") do
          response["Content-Type"] = "application/vnd.api+json"
          { data: [] }
        end
        r.get("halted") { r.halt 404, {}, [json(error: "none")] }
        r.get("missing") do
          response.status = 404
          { error: "none" }
        end
        r.post("posts") do
          response.status = 201
          response["Location"] = "/posts/3"
          PostSerializer.new(POSTS.first)
        end
        r.get("wrong") { [Object.new] }
      end
    end

    # A session keeps its application, and some tests have several.
    def app = ->(env) { @app.call(env) }

    def setup
      super
      @app = App.app
    end

    # An application with these plugins and blocks.
    def roda(*plugins, above: Roda, &block)
      @app = Class.new(above) do
        plugins.each { |name, options| options ? plugin(name, **options) : plugin(name) }
        route(&block)
      end.app
    end

    ANSWERS = {
      "/hash" =>
        '{"id":1,"tags":["a","b"]}', "/array" => '[null,1.5,{"a":"1970-01-01T00:00:00.000Z"}]',
        "/post" => FIRST, "/posts" => BOTH, "/plain" => '{"hello":"you"}',
      "/fragment" =>
        "[1]", "/inside" => '{"data":{"id":1,"title":"One <b>","at":"1970-01-01T00:00:05.000Z"}}',
        "/helper" => '{"at":1}', "/null" => "null"
    }.freeze

    ANSWERS.each do |path, body|
      test "GET #{path} answers with the document, its length and its type" do
        get path
        assert_equal [200, body, "application/json", body.bytesize.to_s],
                     [last_response.status, last_response.body.force_encoding("UTF-8"),
                      last_response.content_type, last_response.headers["content-length"]]
      end
    end

    test "status, headers and another content type stay what the route says" do
      get "/missing"
      assert_equal [404, '{"error":"none"}', "application/json"],
                   [last_response.status, last_response.body, last_response.content_type]
      post "/posts"
      assert_equal [201, "/posts/3", FIRST],
                   [last_response.status, last_response.headers["location"], last_response.body]
      get "/type"
      assert_equal ["application/vnd.api+json", '{"data":[]}'],
                   [last_response.content_type, last_response.body]
    end

    test "Strings and nil are Roda's as ever, and so is what no class of the plugin's is" do
      get "/text"
      assert_equal ["text", "text/html"], [last_response.body, last_response.content_type]
      get "/nothing"
      assert_equal 404, last_response.status
      assert_raises(Roda::RodaError) { get "/number" }
    end

    test "errors are raised before anything is sent" do
      assert_raises(ToJson::UnsupportedTypeError) { get "/wrong" }
    end

    test "classes: and content_type: add up over calls, and subclasses have them" do
      above = Class.new(Roda) do
        plugin :to_json, classes: [Time], content_type: "application/hal+json"
      end
      roda([:to_json, { classes: Symbol }], above: above) do |r|
        r.get("time") { Time.at(0).utc }
        r.get("symbol") { :a }
      end
      { "/time" => '"1970-01-01T00:00:00.000Z"', "/symbol" => '"a"' }.each do |path, body|
        get path
        assert_equal [body, "application/hal+json"],
                     [last_response.body, last_response.content_type]
      end
      error = assert_raises(Roda::RodaError) { Class.new(Roda) { plugin :to_json, serializer: 1 } }
      assert_equal "plugin :to_json takes classes: and content_type:, not :serializer",
                   error.message
    end

    unless Without.banned?("json")
      SHOUT = [:json, { serializer: ->(value) { "shout #{value.class}" } }].freeze

      test "beside Roda's plugin :json the last one has Hashes and Arrays; serializers are ours " \
           "either way" do
        [[[SHOUT, [:to_json]], '{"a":1}'],
         [[[:to_json], SHOUT], "shout Hash"]].each do |plugins, body|
          roda(*plugins) do |r|
            r.get("hash") { { a: 1 } }
            r.get("post") { WebModels::PostSerializer.new(WebModels::POSTS.first) }
          end
          get "/hash"
          assert_equal [body, "application/json"], [last_response.body, last_response.content_type]
          get "/post"
          assert_equal FIRST, last_response.body
        end
      end
    end

    test "an application's own json does not change what blocks give" do
      own = Class.new(Roda) do
        plugin :to_json
        def json(value) = "own #{value}"
        route do |r|
          r.get("own") { json 1 }
          r.get("hash") { { a: 1 } }
        end
      end
      @app = own.app
      get "/own"
      assert_equal "own 1", last_response.body
      get "/hash"
      assert_equal '{"a":1}', last_response.body
    end

    test "an application may be frozen, and one without the plugin is as ever" do
      @app = Class.new(App).freeze.app
      get "/hash"
      assert_equal ANSWERS["/hash"], last_response.body
      roda { |r| r.get("hash") { { a: 1 } } }
      assert_raises(Roda::RodaError) { get "/hash" }
    end

    test "plugin :to_json needs no require before it" do
      library = $LOAD_PATH.find { |path| File.file?(File.join(path, "to_json.rb")) }
      script =
        'require "roda"; require "rack/mock"; class App < Roda; plugin :to_json; route { |r| ' \
        'r.root { [1] } }; end; puts Rack::MockRequest.new(App.app).get("/").body'
      text, errors, = Open3.capture3(*PlainRuby.start, "-W0", "-I", library, "-e", script)
      assert_equal "[1]\n", text, errors
    end
  end
end
