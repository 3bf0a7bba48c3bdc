# frozen_string_literal: true

# What everybody may read: the posts that are published.
class PostsController < ApplicationController
  include Paged

  # Their authors are loaded with them, since PostSerializer writes them.
  def index
    posts = page_of(Post.published.order(id: :desc))
    render json: posts, view: params[:view], only: params[:fields], meta: @meta
  end

  def show
    post = PostSerializer.new(Post.published.find(params[:id]), view: :full, only: params[:fields])
    render json: post if stale?(post)
  end

  # All of them, a line each, in batches: memory stays flat, whatever their number.
  def export
    render ndjson: Post.published, only: params[:fields]
  end
end
