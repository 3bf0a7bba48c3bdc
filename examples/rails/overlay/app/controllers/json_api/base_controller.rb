# frozen_string_literal: true

# What the controllers of JSON:API share: media types, and error objects for what is not found.
module JsonApi
  class BaseController < ApplicationController
    negotiate_json_api

    rescue_from(ActiveRecord::RecordNotFound) { render jsonapi_errors: { status: 404 } }
    rescue_from(ActionController::ParameterMissing) do |error|
      render jsonapi_errors: { status: 400, detail: error.message }
    end
  end
end
