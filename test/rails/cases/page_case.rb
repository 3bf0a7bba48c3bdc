# frozen_string_literal: true

# docs/rails.md: its examples run as they stand, and its requests get the answers below them.

require_relative "../app"
require_relative "../../docs/doctest"

PAGE = "docs/rails.md"
TEXT = File.read(File.expand_path("../../../#{PAGE}", __dir__), encoding: "UTF-8")

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
    Post.create!(id: 1, title: "Hi", body: "Hello", author: author)
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
end
