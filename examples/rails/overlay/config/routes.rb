# frozen_string_literal: true

Rails.application.routes.draw do
  resources :posts, only: %i[index show] do
    resources :comments, only: %i[index create]
    get :export, on: :collection
  end
  resources :authors, only: :show

  namespace :admin do
    resources :posts
  end

  namespace :json_api do
    resources :posts, only: %i[index show]
    resources :comments, only: :create
  end
end
