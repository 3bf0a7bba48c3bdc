# frozen_string_literal: true

# The helper of to_json/sinatra, asked by requests through the whole application.

require_relative "../support/without"

if Without.library?("sinatra/base") && Without.library?("rack/test")
  require "test_helper"
  require "open3"
  require "rbconfig"
  require_relative "web_models"
  require "to_json/sinatra"
  require "sinatra/json"

  class SinatraTest < ToJsonTest
    include WebModels
    include Rack::Test::Methods

    class App < Sinatra::Base
      include WebModels
      set environment: :test, show_exceptions: false, raise_errors: false
      get("/hash") { json id: 1, tags: %w[a b] }
      get("/post") { json PostSerializer.new(POSTS.first) }
      get("/posts") { json PostSerializer.new(POSTS) }
      get("/short") { json PostSerializer.new(POSTS, view: :short) }
      get("/plain") { json Plain.new("you") }
      get("/inside") do
        json({ data: PostSerializer.new(POSTS.first), part: ToJson::Fragment.new("[1]") },
             time: :unix)
      end
      get("/rules") { json PostSerializer.new(POSTS.first), rules: { time: :utc } }
      get("/scalars") { json [nil, true, 1.5, :a, Time.at(0).utc] }
      get("/null") { json nil }
      post("/posts") do
        status 201
        headers "location" => "/posts/3"
        json id: 3
      end
      get("/missing") { halt 404, json(error: "none") }
      get("/triple") { [202, { "x-own" => "1" }, json({ ok: true })] }
      get("/type") { json({ data: [] }, content_type: "application/vnd.api+json") }
      get("/charset") { json({ a: 1 }).tap { content_type :json, charset: "utf-8" } }
      get("/wrong") { json Object.new }
      get("/option") { json [1], tiem: :unix }
      error(ToJson::UnsupportedTypeError) { halt 500, json(error: env["sinatra.error"].class.name) }
      error(ArgumentError) { halt 500, env["sinatra.error"].message }
    end

    # An application that has a `json` of its own.
    class OwnApp < Sinatra::Base
      set environment: :test
      helpers { def json(value) = "own #{value}" }
      get("/") { json 1 }
    end

    # A session keeps its application, and some tests have several.
    def app = ->(env) { @app.call(env) }

    def setup
      super
      ToJson::SinatraJson.install # the example of docs/drop_in.md takes it away
      @app = App
    end

    ANSWERS = {
      "/hash" =>
        '{"id":1,"tags":["a","b"]}', "/post" => FIRST, "/posts" => BOTH,
        "/short" => '[{"id":1,"title":"One \u003cb\u003e"},{"id":2,"title":"Zwö"}]',
      "/plain" =>
        '{"hello":"you"}', "/inside" => '{"data":{"id":1,"title":"One <b>","at":5},"part":[1]}',
        "/rules" => '{"id":1,"title":"One <b>","at":"1970-01-01T00:00:05.000Z"}',
      "/scalars" => '[null,true,1.5,"a","1970-01-01T00:00:00.000Z"]', "/null" => "null"
    }.freeze

    ANSWERS.each do |path, body|
      test "GET #{path} answers with the document, its length and its type" do
        get path
        assert_equal [200, body, "application/json", body.bytesize.to_s],
                     [last_response.status, last_response.body.force_encoding("UTF-8"),
                      last_response.content_type, last_response.headers["content-length"]]
      end
    end

    test "status and headers stay what the route says" do
      post "/posts"
      assert_equal [201, "/posts/3", '{"id":3}', "application/json"],
                   [last_response.status, last_response.headers["location"], last_response.body,
                    last_response.content_type]
      get "/missing"
      assert_equal [404, '{"error":"none"}', "application/json"],
                   [last_response.status, last_response.body, last_response.content_type]
      get "/triple"
      assert_equal [202, "1", '{"ok":true}', "application/json"],
                   [last_response.status, last_response.headers["x-own"], last_response.body,
                    last_response.content_type]
      head "/hash"
      assert_equal [200, "", "application/json"],
                   [last_response.status, last_response.body, last_response.content_type]
    end

    test "another content type is an option, or is set afterwards" do
      get "/type"
      assert_equal ["application/vnd.api+json", '{"data":[]}'],
                   [last_response.content_type, last_response.body]
      get "/charset"
      assert_equal "application/json;charset=utf-8", last_response.content_type
    end

    test "errors reach the application's handlers before anything is sent" do
      get "/wrong"
      assert_equal [500, '{"error":"ToJson::UnsupportedTypeError"}'],
                   [last_response.status, last_response.body]
      get "/option"
      assert_match(/\Aunknown option :tiem, did you mean :time\?/, last_response.body)
    end

    test "a json of the application's own stands before ours" do
      @app = OwnApp
      get "/"
      assert_equal "own 1", last_response.body
    end

    test "it comes and goes" do
      2.times { ToJson::SinatraJson.uninstall }
      refute ToJson::SinatraJson.method_defined?(:json)
      refute_equal ToJson::SinatraJson, App.instance_method(:json).owner, "that of sinatra-contrib"
      assert_same ToJson::SinatraJson, ToJson::SinatraJson.install
      assert_equal ToJson::SinatraJson, App.instance_method(:json).owner
      get "/inside"
      assert_equal ANSWERS["/inside"], last_response.body
    ensure
      ToJson::SinatraJson.install
    end

    test "who encodes is the application's to say, in the words of sinatra-contrib" do
      shout = Class.new { def self.generate(value) = "shout #{value}" }
      { {} => "[1]", { json_encoder: shout } => "shout [1]",
        { json_encoder: ToJson } => "[1]" }.each do |settings, body|
        @app = Class.new(Sinatra::Base) do
          set(environment: :test, **settings)
          get("/") { json [1] }
          get("/call") { json [1], json_encoder: shout }
        end
        get "/"
        assert_equal body, last_response.body
        get "/call"
        assert_equal "shout [1]", last_response.body
      end
      refute ToJson::SinatraJson.another_encoder?(Object.new, {}),
             "without sinatra-contrib nothing says so"
    end

    # A process for each order in which sinatra-contrib's helper and ours are loaded.
    CONTRIB = <<~'RUBY'
      require "rack/mock"
      class Shout; def self.generate(value) = "shout #{value}"; end
      base = Class.new(Sinatra::Base) { set environment: :test }
      set = lambda do |**settings, &block|
        Class.new(base) { set settings unless settings.empty?; get("/", &block) }
      end
      ask = lambda do |app|
        answer = Rack::MockRequest.new(app).get("/")
        puts "#{answer.content_type} #{answer.body}"
      end
      slash = "\u2028"
      ask.(set.() { json({ at: Time.at(0).utc }) })
      ask.(set.() { json({ a: 1 }, content_type: :xml) })
      ask.(set.(json_content_type: "text/json") { json({ a: 1 }) })
      ask.(set.(json_encoder: Shout) { json 1 })
      ask.(set.() { json 1, json_encoder: Shout })
      ask.(set.(json_encoder: ToJson) { json Time.at(0), time: :unix })
      ToJson::SinatraJson.uninstall
      ask.(set.() { json({ at: Time.at(0).utc }) })
      ask.(set.(json_encoder: ToJson) { json({ at: Time.at(0).utc }) })
    RUBY

    { "ours, sinatra-contrib" => %w[to_json/sinatra sinatra/json],
      "sinatra-contrib, ours" => %w[sinatra/json to_json/sinatra] }.each do |what, files|
      test "#{what}: ours answers, unless the application says who encodes; without ours, theirs " \
           "is back" do
        library = $LOAD_PATH.find { |path| File.file?(File.join(path, "to_json.rb")) }
        text, errors,
        status = Open3.capture3(
          RbConfig.ruby, "-W0", "-I", library, "-e",
          "#{files.map { |file| "require #{file.inspect}" }.join("\n")}\n#{CONTRIB}"
        )
        assert status.success?, errors
        assert_equal ['application/json {"at":"1970-01-01T00:00:00.000Z"}',
                      'application/xml;charset=utf-8 {"a":1}', 'text/json;charset=utf-8 {"a":1}',
                      "application/json shout 1", "application/json shout 1",
                      "application/json 0", 'application/json {"at":"1970-01-01 00:00:00 UTC"}',
                      'application/json {"at":"1970-01-01T00:00:00.000Z"}'], text.lines(chomp: true)
      end
    end
  end
end
