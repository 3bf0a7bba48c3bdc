# frozen_string_literal: true

# The published posts as JSON:API. A client chooses with include=author,comments.author,
# fields[posts]=title, sort=-published_at and page[number]=2.
module JsonApi
  class PostsController < BaseController
    # What Pagination asks of a page.
    Page = Struct.new(:current_page, :total_pages)
    SIZE = 10

    def index
      posts = Post.published.order(query.sort.presence || { id: :desc })
      size, number = query.page.fetch(:size, SIZE), query.page.fetch(:number, 1)
      pages = (posts.count / size.to_f).ceil
      render jsonapi: posts.limit(size).offset((number - 1) * size), view: :full,
             pagination: Page.new(number, pages)
    end

    def show
      render jsonapi: Post.published.find(params[:id]), view: :full
    end

    private

    # Anything else in the query of the request has status 400.
    def query
      @query ||= json_api_query(PostSerializer, view: :full, sort: %i[id title published_at],
                                                page: { number: 1..1_000_000, size: 1..100 })
    end
  end
end
