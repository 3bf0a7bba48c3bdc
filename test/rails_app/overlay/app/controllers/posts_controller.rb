# frozen_string_literal: true

# Every way in which an API hands JSON to `render`.
class PostsController < ApplicationController
  rescue_from(ActiveRecord::RecordNotFound) do |error|
    render json: { error: error, id: error.id }, status: :not_found
  end

  def index = render(json: Post.order(:id))
  def nested
    render(json: Post.order(:id), include: { author: { only: %i[id name role] } },
           methods: :summary, except: :body)
  end
  def page
    render(
      json: { posts: Post.recent.limit(2),
              meta: { total: Post.count, at: Time.utc(2026, 1, 2, 3, 4, 5.25r), "next" => nil } }
    )
  end
  def show = render(json: Post.find(params[:id]), only: %i[id title price published_at])
  def grouped = render(json: Post.group(:author_id).count)
  def plucked = render(json: Post.order(:id).pluck(:id, :title, :price, :published_at))
  def text = render(json: '{"already":"json <&>"}')
  def to_text
    render(
      json: { html: "<b>&\u2028</b>", json: Post.first.to_json(only: :title),
              list: [1, nil, 1.5, 1e20, BigDecimal("1.10"), :sym, 1..2] }.to_json
    )
  end
  def status = render(json: { error: "gone" }, status: :gone)
  def callback = render(json: [{ a: 1 }], callback: "show")
  def values
    render(
      json: [Date.new(2026, 1, 2), DateTime.new(2026, 1, 2), Set[1], 5.minutes,
             Struct.new(:a).new(Time.at(0)), /a/, Post, 1/3r, Float::NAN,
             ActiveSupport::SafeBuffer.new("<b>")]
    )
  end
  def notes = render(json: Note.order(:id), short: true)
  def note = render(json: { note: Note.first, all: Note.order(:id).to_a })
  def params_back = render(json: params.permit!.to_h)
  def relation_hash = render(json: Post.order(:id).index_by(&:id))
  def current_attributes = render(json: request.request_parameters)

  def create
    author = Author.new(params.require(:author).permit(:name, :role))
    return render(json: author, status: :created) if author.save

    render json: { errors: author.errors, full: author.errors.full_messages,
                   details: author.errors.details }, status: :unprocessable_entity
  end
end
