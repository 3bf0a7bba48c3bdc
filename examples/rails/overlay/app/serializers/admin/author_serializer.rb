# frozen_string_literal: true

module Admin
  class AuthorSerializer < ::AuthorSerializer
    attributes :email
  end
end
