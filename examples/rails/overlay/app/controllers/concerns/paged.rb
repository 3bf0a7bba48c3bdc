# frozen_string_literal: true

# ?page=2&per_page=10. What is no number, or out of bounds, is the client's mistake.
module Paged
  PER_PAGE = 10
  MOST = 100

  class Error < ArgumentError; end

  extend ActiveSupport::Concern

  included do
    rescue_from(Error) do |error|
      render json: { status: 400, error: "Bad Request", message: error.message }, status: 400
    end
  end

  private

  # The part of a relation that the client asks for.
  def page_of(relation)
    size = number(:per_page, PER_PAGE, MOST)
    page = number(:page, 1)
    total = relation.count
    @meta = { page: page, pages: (total / size.to_f).ceil, total: total }
    relation.limit(size).offset((page - 1) * size)
  end

  def number(name, default, most = 1_000_000)
    text = params[name] or return default
    given = Integer(text, 10, exception: false) if text.is_a?(String)
    return given if given&.between?(1, most)

    raise Error, "#{name}: a number from 1 to #{most} was due, got #{text.inspect}"
  end
end
