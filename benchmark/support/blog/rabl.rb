# frozen_string_literal: true

# Layer: none below it. RABL's templates of scenarios 5, 6 and 9 (https://github.com/nesquena/rabl#readme, "Rendering Templates
# Outside of Rails": `Rabl::Renderer.json`). A template given as text is not looked up in files.

Rabl.configure do |config|
  config.include_json_root = config.include_child_root = false
  config.cache_sources = true
end

module RablBlog
  ORGANISATION = <<~RABL
    attributes :id, :name
    node(:logo_url) { |organisation| "https://example.com/organisations/\#{organisation.id}/logo.png" }
  RABL

  USER = <<~RABL
    attributes :id, :first_name
    node(:full_name) { |user| "\#{user.first_name} \#{user.last_name}" }
  RABL

  POST = "attributes :id, :title, :body\n"

  POST_WITH_USER = <<~RABL
    #{POST}
    child :user => :user do
      #{USER}
    end
  RABL

  USER_WITH_POSTS = <<~RABL
    #{USER}
    child :posts => :posts do
      #{POST}
    end
  RABL

  AUTHOR = <<~RABL
    attributes :id, :name
    child :posts => :posts do
      #{POST}
    end
  RABL

  COMMENT = "attributes :id, :body, :author\n"

  ARTICLE = <<~RABL
    attributes :id, :title, :body, :author_name
    child :comments => :comments do
      #{COMMENT}
    end
  RABL
end
