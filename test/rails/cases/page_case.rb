# frozen_string_literal: true

# docs/rails.md: its examples run as they stand, and its requests get the answers below them.

require_relative "../app"
require_relative "../../docs/doctest"
require "opentelemetry/sdk"

PAGE = "docs/rails.md"
TEXT = File.read(File.expand_path("../../../#{PAGE}", __dir__), encoding: "UTF-8")

# Where the page's subscriber sends its spans.
SPANS = OpenTelemetry::SDK::Trace::Export::InMemorySpanExporter.new
OpenTelemetry.logger = Logger.new(IO::NULL)
OpenTelemetry::SDK.configure do |settings|
  exporter = OpenTelemetry::SDK::Trace::Export::SimpleSpanProcessor.new(SPANS)
  settings.add_span_processor(exporter)
end

Doctest.fenced(PAGE, TEXT, "```ruby rails").each do |example|
  TOPLEVEL_BINDING.eval(example.code, example.path, example.line)
end

App.routes do
  resources :posts, only: %i[index show]
  namespace(:api) { namespace(:v1) { resources :posts, only: :index } }
  get "pages", to: "pages#index"
  get "fresh/:id", to: "fresh#show"
  get "export", to: "exports#show"
  get "links/:id", to: "links#show"
  get "talks", to: "talks#index"
  get "articles", to: "articles#index"
end

class PageCase < AppCase
  # What a command of the page answers: the body, and the status where it is asked for.
  def answer(command)
    path = command[%r{localhost:3000(/[^\s']*)}, 1] or flunk("not a request: #{command}")
    header = command.match(/-H '([\w-]+): (\w+)'/)
    headers = header ? { "HTTP_#{header[1].upcase.tr("-", "_")}" => header[2] } : {}
    response = get(path, { "HTTP_HOST" => "localhost:3000", **headers })
    command.include?("%{http_code}") ? "#{response.body}\n#{response.status}" : response.body.chomp
  end

  def setup
    super
    author = Author.create!(name: "Ann")
    Post.create!(id: 1, title: "Hi", body: "Hello", author: author).comments.create!(body: "Yes")
    Post.create!(id: 2, title: "Bye")
  end

  requests = Doctest.fenced(PAGE, TEXT, "```console").flat_map do |block|
    block.code.split(/^\$ /).drop(1)
  end
  raise "#{PAGE} has few requests" if requests.size < 9

  requests.each do |request|
    command, expected = request.split("\n", 2)
    test "#{command} gets the answer that the page shows" do
      assert_equal expected.chomp, answer(command)
    end
  end

  test "a client that has the document of the example for ETags gets 304" do
    first = get("/fresh/1")
    assert_equal 200, first.status
    assert_equal 304, get("/fresh/1", "HTTP_IF_NONE_MATCH" => first["etag"]).status
  end

  test "the log has the lines that the page shows" do
    get("/posts")
    App::LOG.truncate(App::LOG.rewind)
    get("/posts?view=full")
    shown = Doctest.fenced(PAGE, TEXT, "```text log").flat_map { |block| block.code.lines }
    assert_equal 2, shown.size
    written = App::LOG.string.lines.filter_map { |line| line[/(Serialized|Completed).*/] }
    assert_equal 2, written.size
    shown.zip(written) { |due, line| assert_match(line_like(due), line) }
  end

  # As the page shows it: "…" stands for anything, times may differ.
  def line_like(shown)
    text = Regexp.escape(shown.chomp).gsub("…", ".*").gsub(/\d+(\\\.\d+)?(?=(\\ )?ms)/, "[\\d.]+")
    /\A#{text}\z/
  end

  test "the example for OpenTelemetry makes a span of each document" do
    SPANS.reset
    before = Time.now
    get("/posts?view=full")
    span = SPANS.finished_spans.find { |one| one.name == "serialize PostSerializer" }
    assert_equal 2, span.attributes["to_json.records"]
    assert_operator span.attributes["to_json.bytes"], :>, 50
    assert_operator span.start_timestamp, :>=, before.to_r * 1_000_000_000
    assert_operator span.end_timestamp, :>=, span.start_timestamp
    assert_empty span.events.to_a
  end

  test "the span of a document that failed says why" do
    SPANS.reset
    failing = Class.new(ToJson::Serializer) { attribute(:id) { raise IOError, "no" } }
    ApplicationController.define_method(:failing) { render(json: Post.first, serializer: failing) }
    action = ApplicationController.action(:failing)
    assert_raises(IOError) { action.call(Rack::MockRequest.env_for("/")) }
    span = SPANS.finished_spans.last
    assert_equal ["exception"], span.events.map(&:name)
    assert_equal "IOError", span.status.description
  end

  test "the guard says what the page shows where preload: is forgotten" do
    example = TEXT[/^class TalkSerializer.*?^end\n/m]
    forgotten = Class.new(ToJson::Serializer)
    forgotten.class_eval(example.lines[1..-2].join.sub(", preload: :comments", ""))
    error = assert_raises(ToJson::NPlusOneError) do
      forgotten.json!(ToJson.preload(Post.order(:id), forgotten))
    end
    assert_includes(TEXT.tr("\n", " "), "```text #{error.message} ```")
  end
end
