# frozen_string_literal: true

# Layer: none below it. Blueprints of scenarios 5 and 6 (https://github.com/procore/blueprinter#readme: "Sorting Fields"; its
# default generator, JSON, is the faster one here).

Blueprinter.configure { |config| config.sort_fields_by = :definition }

module BlueprinterBlog
  class Organisation < Blueprinter::Base
    fields :id, :name
    field(:logo_url) { |organisation| "https://example.com/organisations/#{organisation.id}/logo.png" }
  end

  class User < Blueprinter::Base
    fields :id, :first_name
    field(:full_name) { |user| "#{user.first_name} #{user.last_name}" }
  end

  class Post < Blueprinter::Base
    fields :id, :title, :body
  end

  class PostWithUser < Post
    association :user, blueprint: User
  end

  class UserWithPosts < User
    association :posts, blueprint: Post
  end

  class Comment < Blueprinter::Base
    fields :id, :body, :author
  end

  class Article < Blueprinter::Base
    fields :id, :title, :body, :author_name
    association :comments, blueprint: Comment
  end
end
