# frozen_string_literal: true

# docs/reading.md: its examples for Rails run as they stand, and its requests get the answers below
# them.

require_relative "../app"
require_relative "../../docs/doctest"

PAGE = "docs/reading.md"
TEXT = File.read(File.expand_path("../../../#{PAGE}", __dir__), encoding: "UTF-8")

Doctest.fenced(PAGE, TEXT, "```ruby rails").each do |example|
  TOPLEVEL_BINDING.eval(example.code, example.path, example.line)
end

class ApplicationController
  wrap_parameters format: [:json]
end

App.routes do
  resources :posts, only: %i[create update]
  post "notes", to: "notes#create"
end

class ReadingPageCase < AppCase
  # [verb, path, body, status, answer], as in the page's blocks.
  REQUESTS = Doctest.fenced(PAGE, TEXT, "```text requests").flat_map do |block|
    block.code.split("\n\n").map do |text|
      text.match(/\A(\w+) (\S+) (.*)\n(\d+) (.*)\n?\z/).captures
    end
  end.freeze

  # @return [Rack::MockResponse]
  def send_json(verb, path, body)
    App.request(verb, path, { "CONTENT_TYPE" => "application/json", :input => body })
  end

  REQUESTS.each do |verb, path, body, status, answer|
    test "#{verb} #{path} #{body} is answered as the page says" do
      found = send_json(verb, path, body)
      assert_equal Integer(status), found.status, found.body
      assert_match(/\A#{Regexp.escape(answer).gsub("…", ".*?")}\z/, found.body)
    end
  end

  test "the page has requests" do
    assert_operator REQUESTS.size, :>=, 5
  end

  test "what is not writable is not assigned, and comments of others are not found" do
    one, two = posts("One", "Two")
    comment = two.comments.create!(body: "Mine")
    send_json("PATCH", "/posts/#{one.id}", { post: { id: 99, title: "New" } }.to_json)
    assert_equal [one.id, "New"], [one.reload.id, one.title]
    stolen = { post: { comments: [{ id: comment.id, body: "Yours" }] } }.to_json
    assert_raises(ActiveRecord::RecordNotFound) { send_json("PATCH", "/posts/#{one.id}", stolen) }
    assert_equal "Mine", comment.reload.body
  end

  test "what has another form than the declaration is status 400" do
    options = { "action_dispatch.show_exceptions" => :all, "CONTENT_TYPE" => "application/json",
                "HTTP_ACCEPT" => "application/json",
                :input => '{"post":{"title":["a"]}}' }
    found = App.request("POST", "/posts", options)
    assert_equal 400, found.status, found.body
    assert_empty Post.all
  end

  # A class without a declared root: expect looks under the name of the class.
  class TopicSerializer < ToJson::Serializer
    attribute :title, as: :string, writable: true
    has_many(:comments, writable: { nested: true }) { attributes :body, writable: true }
  end

  test "errors of expect name the attributes, not the key that they stand under" do
    given = { title: ["a"], comments: [{ body: [] }] }
    [[:topic, {}], [:thread, { root: :thread }]].each do |key, keywords|
      params = ActionController::Parameters.new(key => given)
      error = assert_raises(ToJson::ReadError) do
        TopicSerializer.expect(params, errors: :all, **keywords)
      end
      assert_equal [:title, :"comments[0].body"], error.model_errors.attribute_names
      assert_equal ["/#{key}/title", "/#{key}/comments/0/body"], error.problems.map(&:pointer)
    end
  end

  test "parameters that the client left out are a ReadError" do
    %i[permit expect].each do |name|
      error = assert_raises(ToJson::ReadError) { TopicSerializer.public_send(name, nil) }
      assert_equal [["", :missing]], error.problems.map { |one| [one.pointer, one.code] }
    end
  end
end
