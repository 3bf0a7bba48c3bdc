# frozen_string_literal: true

# The same at each run: the requests of the README show these rows.
return if Author.exists?

ann, bob = %w[Ann Bob].map do |name|
  Author.create!(name: name, email: "#{name.downcase}@example.org")
end

1.upto(30) do |number|
  day = Time.utc(2026, 1, number, 12)
  # Every tenth is a draft.
  post = Post.create!(title: "Post #{number}", body: "The text of post #{number}.",
                      author: number.odd? ? ann : bob,
                      published_at: (day unless (number % 10).zero?), created_at: day)
  next if number % 3 == 0

  post.comments.create!(body: "A comment on post #{number}.", author: number.odd? ? bob : ann,
                        created_at: day)
end
