# frozen_string_literal: true

# Layer: none below it. What a compiled declaration cannot do without, for the contenders "lower bound, native" of scenarios 5, 7 and 9:
# an entry of one parameter, an object whose methods compute what is computed, a reader a field, one native call an object that
# gets all values (lower_bound.c), the String. Written by hand for data that it trusts: nothing asks whether there is one or many,
# what class a value has, whether it is nil, what context, view or Rules are given. `entry!` does ask for keywords and for many;
# `kept_entry!` too, and calls `kept!`, which stays right whatever a getter does and looks at the text that it copies.

module BoundBlog
  class Organisation
    TEXTS = LowerBound.texts('{"id":', ',"name":', ',"logo_url":', "}")

    def self.json!(organisation) = LowerBound.document(TEXTS, organisation.id, organisation.name, new.logo_url(organisation))

    def self.kept!(organisation, to)
      to.document(TEXTS, organisation.id, organisation.name, new.logo_url(organisation))
    rescue Exception # rubocop:disable Lint/RescueException -- whatever leaves
      to.left
      raise
    end

    def logo_url(organisation) = "https://example.com/organisations/#{organisation.id}/logo.png"
  end

  class PostWithUser
    TEXTS = LowerBound.texts('{"id":', ',"title":', ',"body":', ',"user":{"id":', ',"first_name":', ',"full_name":', "}}")

    def self.json!(post)
      user = post.user
      LowerBound.document(TEXTS, post.id, post.title, post.body, user.id, user.first_name, new.full_name(user))
    end

    def self.kept!(post, to)
      user = post.user
      to.document(TEXTS, post.id, post.title, post.body, user.id, user.first_name, new.full_name(user))
    rescue Exception # rubocop:disable Lint/RescueException -- whatever leaves
      to.left
      raise
    end

    def full_name(user) = "#{user.first_name} #{user.last_name}"
  end

  class UserWithPosts
    TEXTS = LowerBound.texts('{"id":', ',"first_name":', ',"full_name":', ',"posts":[')
    POST = LowerBound.texts('{"id":', ',"title":', ',"body":', "}")
    LAST = LowerBound.texts("]}")

    def self.json!(user)
      LowerBound.first(TEXTS, user.id, user.first_name, new.full_name(user))
      posts = user.posts
      index = 0
      while index < posts.size
        post = posts[index]
        index += 1
        LowerBound.item(POST, post.id, post.title, post.body)
      end
      LowerBound.last(LAST)
    end

    def self.kept!(user, to)
      to.first(TEXTS, user.id, user.first_name, new.full_name(user))
      posts = user.posts
      index = 0
      while index < posts.size
        post = posts[index]
        index += 1
        to.item(POST, post.id, post.title, post.body)
      end
      to.last(LAST)
    rescue Exception # rubocop:disable Lint/RescueException -- whatever leaves
      to.left
      raise
    end

    def full_name(user) = "#{user.first_name} #{user.last_name}"
  end

  # A relation of records that have others.
  class Author
    FIRST, NEXT = %w([ ,).map { |before| LowerBound.texts(before + '{"id":', ',"name":', ',"posts":[') }
    POST = UserWithPosts::POST
    END_OF_ONE, LAST = LowerBound.texts("]},"), LowerBound.texts("]")

    def self.many!(authors)
      authors = authors.records
      index = 0
      while index < authors.size
        author = authors[index]
        index == 0 ? LowerBound.first(FIRST, author.id, author.name) : LowerBound.after(NEXT, author.id, author.name)
        index += 1
        posts, number = author.posts.records, 0
        while number < posts.size
          post = posts[number]
          number += 1
          LowerBound.item(POST, post.id, post.title, post.body)
        end
        LowerBound.after(END_OF_ONE)
      end
      LowerBound.last(LAST)
    end
  end

  class Article
    FIRST, NEXT = %w([ ,).map { |before| LowerBound.texts(before + '{"id":', ',"title":', ',"body":', ',"author_name":', ',"comments":[') }
    COMMENT = LowerBound.texts('{"id":', ',"body":', ',"author":', "}")
    END_OF_ONE, LAST = Author::END_OF_ONE, Author::LAST

    def self.many!(posts)
      posts = posts.records
      index = 0
      while index < posts.size
        post = posts[index]
        if index == 0 then LowerBound.first(FIRST, post.id, post.title, post.body, post.author_name)
        else LowerBound.after(NEXT, post.id, post.title, post.body, post.author_name)
        end
        index += 1
        comments, number = post.comments.records, 0
        while number < comments.size
          comment = comments[number]
          number += 1
          LowerBound.item(COMMENT, comment.id, comment.body, comment.author)
        end
        LowerBound.after(END_OF_ONE)
      end
      LowerBound.last(LAST)
    end
  end

  [Organisation, PostWithUser, UserWithPosts].each { |serializer| LowerBound.entry(serializer) }
end
