# frozen_string_literal: true

class CommentsController < ApplicationController
  include Paged

  def index
    render json: page_of(post.comments), only: params[:fields], meta: @meta
  end

  def create
    comment = post.comments.new(params.require(:comment).permit(:body, :author_id))
    if comment.save
      render json: comment, status: 201
    else
      render json: comment.errors, status: 422
    end
  end

  private

  def post = @post ||= Post.published.find(params[:post_id])
end
