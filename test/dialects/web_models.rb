# frozen_string_literal: true

# What the applications of sinatra_test.rb and roda_test.rb answer with.
module WebModels
  Post = Struct.new(:id, :title, :at)
  POSTS = [Post.new(1, "One <b>", Time.at(5).utc), Post.new(2, "Zwö", Time.at(6.5).utc)].freeze

  class PostSerializer < ToJson::Serializer
    rules time: :unix, html_safe: true
    attributes :id, :title, :at
    view(:short) { remove :at }
  end

  # One that inherits from nothing of ours.
  class Plain
    include ToJson::Serialize
    def initialize(name) = @name = name
    def serialize = put(:hello, @name)
  end

  FIRST = '{"id":1,"title":"One \u003cb\u003e","at":5}'
  BOTH = "[#{FIRST},#{'{"id":2,"title":"Zwö","at":6}'}]"
end
