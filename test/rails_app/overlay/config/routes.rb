# frozen_string_literal: true

# Part of the app: a path for each action.
Rails.application.routes.draw do
  %w[index nested page grouped plucked text to_text status callback values notes note params_back
     relation_hash].each do |name|
    get name, to: "posts##{name}"
  end
  get "posts/:id", to: "posts#show"
  post "create", to: "posts#create"
  post "echo", to: "posts#current_attributes"
end
