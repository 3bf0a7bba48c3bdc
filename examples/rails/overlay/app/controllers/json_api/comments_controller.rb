# frozen_string_literal: true

module JsonApi
  class CommentsController < BaseController
    def create
      comment = Comment.new(given)
      if comment.save
        render jsonapi: comment, status: 201
      else
        render jsonapi_errors: comment.errors
      end
    end

    private

    # {"data": {"type": "comments", "attributes": {…}, "relationships": {"post": {"data": {…}}}}}
    def given
      data = params.require(:data).permit(attributes: [:body],
                                          relationships: { post: { data: :id },
                                                           author: { data: :id } })
      related = %i[post author].to_h do |name|
        [:"#{name}_id", data.dig(:relationships, name, :data, :id)]
      end
      { body: data.dig(:attributes, :body), **related }
    end
  end
end
