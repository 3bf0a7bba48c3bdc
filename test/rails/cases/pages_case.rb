# frozen_string_literal: true

# Pages of Kaminari and Pagy, as `render` takes them. will_paginate_case.rb has the third, which
# gives relations methods of the same names as Kaminari.

require_relative "../app"
require_relative "../pages"
require "kaminari/activerecord"
require "pagy"

class KaminariController < PagesController
  def index
    posts = page(Post.order(:id))
    show(posts, numbers(posts))
  end

  def uncounted
    posts = page(Post.order(:id)).without_count
    show(posts, { next: posts.next_page })
  end

  # It is loaded with one record more, which tells whether there is a next page.
  def loaded_by_render = render(json: page(Post.order(:id)).without_count)

  # An Array that may be empty does not tell its serializer.
  def array
    posts = page(Kaminari.paginate_array(Post.order(:id).to_a))
    show(posts, numbers(posts), serializer: PostSerializer)
  end

  private

  def page(posts) = posts.page(params[:page]).per(2)

  def numbers(page)
    { page: page.current_page, pages: page.total_pages, total: page.total_count }
  end
end

class PagyController < PagesController
  OLD = defined?(Pagy::Backend) # until Pagy 9
  include OLD ? Pagy::Backend : Pagy::Method

  def index
    posts = Post.order(:id)
    page, records = OLD ? pagy(posts, limit: 2) : pagy(:offset, posts, limit: 2)
    show(records, { page: page.page, pages: page.last, total: page.count })
  end
end

App.routes do
  get "kaminari/(:action)", controller: "kaminari"
  get "pagy", to: "pagy#index"
end

class KaminariPagyCase < PagesCase
  all = { "page" => 1, "pages" => 2, "total" => 3 }
  tests_of "/kaminari/index", numbers: all, queries: 3
  tests_of "/kaminari/uncounted", numbers: { "next" => 2 }, queries: 2
  tests_of "/kaminari/array", numbers: all, queries: 2
  tests_of "/pagy", numbers: all, queries: 3

  test "a page that is not counted has no record of the next page" do
    assert_equal [1, 2], ids(json_of("/kaminari/loaded_by_render?page=1"))
    assert_equal [3], ids(json_of("/kaminari/loaded_by_render?page=2"))
  end
end
