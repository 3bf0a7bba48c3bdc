# frozen_string_literal: true

# For those who have the token: drafts too, and all of REST. The serializers are those of this
# namespace.
module Admin
  class PostsController < ApplicationController
    include Paged
    include ActionController::HttpAuthentication::Token::ControllerMethods

    TOKEN = ENV.fetch("ADMIN_TOKEN", "secret")

    before_action :authenticate

    def index
      render json: page_of(Post.order(id: :desc)), view: params[:view], only: params[:fields],
             meta: @meta
    end

    def show
      render json: post, view: :full, only: params[:fields]
    end

    def create
      @post = Post.new(permitted)
      save(status: 201)
    end

    def update
      post.assign_attributes(permitted)
      save(status: 200)
    end

    def destroy
      post.destroy!
      head :no_content
    end

    private

    def post = @post ||= Post.find(params[:id])

    def permitted = params.require(:post).permit(:title, :body, :author_id, :published_at)

    def save(status:)
      if post.save
        render json: post, view: :full, status: status, location: admin_post_url(post)
      else
        render json: post.errors, status: 422
      end
    end

    def authenticate
      authenticate_or_request_with_http_token do |token|
        ActiveSupport::SecurityUtils.secure_compare(token, TOKEN)
      end
    end
  end
end
