# frozen_string_literal: true

# For those who have the token: drafts too, and all of REST. The serializers are those of this
# namespace.
module Admin
  class PostsController < ApplicationController
    include Paged
    include ActionController::HttpAuthentication::Token::ControllerMethods

    TOKEN = ENV.fetch("ADMIN_TOKEN", "secret")

    before_action :authenticate

    # All that is wrong with a document, as errors of a model are answered.
    rescue_from(ToJson::ReadError) { |error| render json: error.model_errors, status: 422 }

    def index
      render json: page_of(Post.order(id: :desc)), view: params[:view], only: params[:fields],
             meta: @meta
    end

    def show
      render json: post, view: :full, only: params[:fields]
    end

    def create
      @post = Post.new(written)
      save(status: 201)
    end

    def update
      post.assign_attributes(written)
      save(status: 200)
    end

    def destroy
      post.destroy!
      head :no_content
    end

    private

    def post = @post ||= Post.find(params[:id])

    # What the serializer writes back: the two cannot drift apart.
    def written = PostSerializer.expect(params, view: :full, errors: :all)

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
