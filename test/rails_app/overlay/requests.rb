# frozen_string_literal: true

# Sends the same requests to the app and prints what came back, a line of JSON each. With the
# argument "to_json" our encoder is in force.
ENV["RAILS_ENV"] = "test"
require_relative "config/environment"
require "rack/mock"
require "to_json/active_support" if ARGV.first == "to_json"

ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: ":memory:")
ActiveRecord::Schema.verbose = false
ActiveRecord::Schema.define do
  create_table(:authors) { |t| t.string :name; t.integer :role, default: 0; t.date :born_on }
  create_table(:posts) do |t|
    t.references :author
    t.string :title
    t.text :body
    t.decimal :price, precision: 12, scale: 4
    t.float :rating
    t.boolean :draft
    t.json :settings
    t.binary :thumbnail
    t.datetime :published_at
  end
  create_table(:notes) { |t| t.string :text; t.float :score; t.timestamps }
end

writer = Author.create!(name: "Ann <&> \u2028 Lee", role: :writer, born_on: Date.new(1970, 2, 3))
reader = Author.create!(name: "B\u00e9n \u{1F600}", role: :reader)
5.times do |n|
  Post.create!(author: [writer, reader][n % 2], title: "Post #{n} </script>",
               body: "line\n\t\"#{n}\"" * 20, price: "#{n}9.9500",
               rating: [nil, 1.5, 1e16, 1e-7, 100.0][n], draft: [true, false, nil][n % 3],
               settings: { layout: "wide", nested: [{ a: n, "b" => nil }] },
               thumbnail: n.odd? ? "plain" : nil,
               published_at: n == 4 ? nil : Time.utc(2026, 1, n + 1, 3, 4, 5, 123_456))
end
3.times do |n|
  Note.create!(text: "note #{n}", score: [0.1, nil, 2][n], created_at: Time.utc(2026, 1, 1),
               updated_at: Time.utc(2026, 1, 1))
end

requests =
  %w[index nested page grouped plucked text to_text status callback values notes note
     params_back?a=1&b[]=2&c[d]=%3Cx%3E relation_hash posts/1 posts/99].map do |path|
  ["GET", path, nil]
end
requests += [["POST", "create", { author: { name: "", role: "reader" } }],
             ["POST", "create", { author: { name: "New", role: "writer" } }],
             ["POST", "echo", { list: [1, 2.5, nil, "<"], deep: { a: { b: [true] } } }]]
app = Rack::MockRequest.new(Rails.application)
requests.each do |verb, path, body|
  options = body ? { input: JSON.generate(body), "CONTENT_TYPE" => "application/json" } : {}
  response = app.request(verb, "/#{path}",
                         { "HTTP_ACCEPT" => "application/json",
                           "HTTP_HOST" => "localhost" }.merge(options))
  puts [verb, path, response.status, response.content_type, response.body].inspect
end
puts ActiveSupport.json_encoder.name
