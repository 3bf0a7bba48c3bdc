# frozen_string_literal: true

# Pages of WillPaginate, as `render` takes them.

require_relative "../app"
require_relative "../pages"
require "will_paginate/active_record"
require "will_paginate/array"

class WillController < PagesController
  def index
    posts = page(Post.order(:id))
    show(posts, numbers(posts))
  end

  # An Array that may be empty does not tell its serializer.
  def array
    posts = page(Post.order(:id).to_a)
    show(posts, numbers(posts), serializer: PostSerializer)
  end

  def resources = render(jsonapi: page(Post.order(:id)), serializer: PostSerializer)

  private

  def page(posts) = posts.paginate(page: params[:page], per_page: 2)

  def numbers(page)
    { page: page.current_page, pages: page.total_pages, total: page.total_entries }
  end
end

App.routes { get "will/(:action)", controller: "will" }

class WillPaginateCase < PagesCase
  all = { "page" => 1, "pages" => 2, "total" => 3 }
  tests_of "/will/index", numbers: all, queries: 3
  tests_of "/will/array", numbers: all, queries: 2

  test "a document of JSON:API has links to the other pages" do
    links = json_of("/will/resources?page=2")["links"]
    assert_equal([2, 1, 1, nil, 2], %w[self first prev next last].map { |name|
      links[name] && links[name][/\d+\z/].to_i
    })
  end
end
