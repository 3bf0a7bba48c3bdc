# frozen_string_literal: true

# What a developer sees of an exception: the path in the document, and the line of the declaration.

APP_SETTINGS = proc do
  config.consider_all_requests_local = true
  config.action_dispatch.show_exceptions = :all
  ERROR_FILES.each do |path, text|
    FileUtils.mkdir_p(config.root.join(File.dirname(path)))
    config.root.join(path).write(text)
  end
end

ERROR_FILES = {
  "app/serializers/author_serializer.rb" => <<~RUBY,
    class AuthorSerializer < ToJson::Serializer
      attributes :id
      attributes :nam
    end
  RUBY
  "app/serializers/post_serializer.rb" => <<~RUBY,
    class PostSerializer < ToJson::Serializer
      attributes :id, :title
      has_one :author
      attribute(:broken) { |post| post.title.frobnicate }
      view(:short) { remove :author, :broken }
    end
  RUBY
  "app/serializers/half_serializer.rb" => <<~RUBY,
    class HalfSerializer < ToJson::Serializer
      attribute(:half) { |_| 1 / 0 }
    end
  RUBY
  "app/controllers/application_controller.rb" => <<~RUBY,
    class ApplicationController < ActionController::API
      include ToJson::Rendering
    end
  RUBY
  "app/controllers/errors_controller.rb" => <<~RUBY
    class ErrorsController < ApplicationController
      rescue_from(KeyError) { |error| render plain: error.message }

      def getter = render(json: Post.order(:id), except: :broken)
      def block = render(json: Post.order(:id), except: :author)
      def divided = render(json: Post.first, serializer: HalfSerializer)
      def short = render(json: Post.order(:id), view: :short)

      def many
        numbers = Class.new(ToJson::Serializer) { def serialize(post) = put(:id, post.id) }
        render(json: numbers.new(Post.all))
      end

      def rescued
        broken = Class.new { def id = raise(KeyError, "mine") }
        render(json: PostSerializer.new(broken.new))
      end
    end
  RUBY
}.freeze

require_relative "../app"

App.routes do
  %i[getter block many short rescued divided].each { |name| get name.to_s, to: "errors##{name}" }
end

class ErrorsCase < AppCase
  def setup
    super
    Post.create!(title: "One")
    Post.create!(title: "Two", author: Author.create!(name: "Ann"))
    App::LOG.truncate(0)
    App::LOG.rewind
  end

  # The page of a development server, and what the log has then.
  def failure_of(path, headers = {})
    response = get(path, headers)
    assert_equal 500, response.status
    [response.body, App::LOG.string]
  end

  { { "HTTP_ACCEPT" => "text/html" } => "the page",
    { "HTTP_X_REQUESTED_WITH" => "XMLHttpRequest" } => "the text" }.each do |headers, name|
    test "#{name} of a misspelt getter has the path, and the declaration's line before " \
         "all others" do
      body, log = failure_of("/getter", headers)
      [CGI.unescapeHTML(body), log].each do |text|
        assert_includes text, "(to_json: at $[1].author.nam, " \
                              "declared at app/serializers/author_serializer.rb:3)"
      end
      first = log.lines.find { |line| line.match?(/\.rb:\d+:in/) }
      assert_match(%r{\Aapp/serializers/author_serializer\.rb:3:in .nam'}, first)
      refute_match(/^\(to_json /, log)
    end
  end

  test "an exception of a block has its own line first, then that of the declaration" do
    _, log = failure_of("/block")
    assert_includes log, "(to_json: at $[0].broken, " \
                         "declared at app/serializers/post_serializer.rb:4)"
    lines = log.lines.grep(/\.rb:\d+:in/)
    assert_match(%r{\Aapp/serializers/post_serializer\.rb:4:in .*block}, lines[0])
    assert_match(%r{\Aapp/serializers/post_serializer\.rb:4:in .broken'}, lines[1])
  end

  test "a serialize of one object that gets a relation says to call many" do
    body, log = failure_of("/many")
    [CGI.unescapeHTML(body), log].each do |text|
      assert_includes text, "if serialize takes one object, call many(objects))"
    end
  end

  # What the action raised.
  def exception_of(path)
    found = nil
    note = ->(event) { found = event.payload[:exception_object] }
    ActiveSupport::Notifications.subscribed(note, "process_action.action_controller") do
      failure_of(path)
    end
    found
  end

  test "the path stands once in an exception's message, and in what Ruby and Rails print of it" do
    error = exception_of("/getter")
    texts = [error.message, error.full_message, error.original_message]
    assert_equal [1, 1, 1], texts.map { |text| text.scan("(to_json: at $[1].author.nam").size }
    error = exception_of("/divided")
    assert_equal error.message, error.original_message
    assert_includes error.message, "(to_json: at $.half"
  end

  # What an application made by `rails new --api` answers in development.
  def api_failure_of(path)
    error = exception_of(path)
    pages = ActionDispatch::DebugExceptions.new(->(_) { raise error }, nil, :api)
    env = Rack::MockRequest.env_for("/", "HTTP_ACCEPT" => "application/json",
                                         "action_dispatch.show_detailed_exceptions" => true,
                                         "action_dispatch.show_exceptions" => :all)
    JSON.parse(pages.call(env).last.each.to_a.join).fetch("exception")
  end

  test "the JSON of an exception in development has the path, once" do
    place = "(to_json: at $[1].author.nam, declared at app/serializers/author_serializer.rb:3)>"
    exception = api_failure_of("/getter")
    assert_match(/\A#<NoMethodError: .*nam/, exception)
    assert exception.end_with?(place), exception
    assert_equal 1, exception.scan("(to_json: ").size
    assert_match(/\A#<ZeroDivisionError: divided by 0 \(to_json: at \$\.half.*\)>\z/,
                 api_failure_of("/divided"))
  end

  test "a message that takes arguments takes them still" do
    asked = Class.new(StandardError) { def message(language = :en) = "in #{language}" }
    error = assert_raises(asked) { ToJson.json { |j| j.put(:a) { raise asked } } }
    ToJson::Rendering::Placed.show(error)
    assert_match(/\Ain en \(to_json: at \$\.a/, error.message)
    assert_match(/\Ain de \(to_json: at \$\.a/, error.message(:de))
  end

  test "what an action rescues has its own message" do
    assert_equal "mine", body_of("/rescued")
  end

  test "what does not fail is as ever" do
    assert_equal %w[One Two], json_of("/short").map { |post| post["title"] }
  end
end
