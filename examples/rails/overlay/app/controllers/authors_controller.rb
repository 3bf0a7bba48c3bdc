# frozen_string_literal: true

class AuthorsController < ApplicationController
  def show
    render json: Author.find(params[:id]), root: :author
  end
end
