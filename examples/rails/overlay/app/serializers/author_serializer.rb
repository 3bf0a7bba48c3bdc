# frozen_string_literal: true

# An author is part of many documents, so its text is kept in Rails.cache.
class AuthorSerializer < ToJson::Serializer
  attributes :id, :name
  attribute(:path) { |author| author_path(author) }
  cache
end
