# frozen_string_literal: true

class CommentSerializer < ToJson::Serializer
  root :comment, :comments
  attributes :id, :body
  has_one :author
end
